import { expect, test } from "vitest";

const tests = import.meta.glob<string>(["../{app,workers,e2e}/**/*.{test,spec}.{ts,tsx}", "!./cases.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Agreed behaviour under bad input and bad luck, by number: each is a test whose title starts with it. */
const CASES: Record<string, string[]> = {
  engine: [
    "C001",
    "C002",
    "C004",
    "C005",
    "C007",
    "C008",
    "C009",
    "C011",
    "C012",
    "C013",
    "C015",
    "C016",
    "C017",
    "C088",
    "C096",
  ],
  "submit API": ["C036", "C037", "C040", "C041", "C044", "C046"],
  "lists and job pages": ["C047", "C049", "C050", "C051", "C053", "C054", "C056", "C057"],
  bulk: ["C059", "C060"],
  doors: ["C063", "C065", "C066", "C068"],
  "outgoing requests": ["C069", "C075", "C077"],
  schedules: ["C019", "C021", "C023", "C024", "C026", "C027", "C029", "C030", "C032", "C033", "C035"],
  "e-mail": ["C080", "C081"],
  webhooks: ["C071", "C072", "C073", "C079"],
  files: ["C083", "C085"],
  charts: ["C087"],
  alerts: ["C089"],
  retention: ["C086"],
  deployment: ["C094"],
};

/** The titles of a test file, with what was called: `test`, `it`, `describe`, `test.skip` … */
const titlesOf = (text: string) =>
  [...text.matchAll(/\b((?:test|it|describe)(?:\.\w+)*)(?:\([^()]*\))?\(\s*[`"']([^`"']+)/g)].map((match) => ({
    call: match[1] as string,
    title: match[2] as string,
  }));

const all = Object.values(tests).flatMap(titlesOf);

for (const [area, numbers] of Object.entries(CASES)) {
  test(`each agreed case of the ${area} is a test, and none of them is skipped`, () => {
    const titled = (number: string) => all.filter(({ title }) => title.startsWith(`${number}:`));
    expect(numbers.filter((number) => titled(number).length === 0)).toEqual([]);
    const skipping = /\.(skip|todo|fixme|skipIf|runIf|fails)\b/;
    expect(numbers.flatMap(titled).filter(({ call }) => skipping.test(call))).toEqual([]);
  });
}

test("a skipped or untitled case would be seen", () => {
  expect(titlesOf('test.skip("C001: a", () => {});\ntest("b C002", () => {});')).toEqual([
    { call: "test.skip", title: "C001: a" },
    { call: "test", title: "b C002" },
  ]);
});
