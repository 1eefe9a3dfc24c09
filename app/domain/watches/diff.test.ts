import { expect, test } from "vitest";
import { diffWords } from "./diff";

const shown = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "gone" ? `[-${text}-]` : `{+${text}+}`))
    .join("");

test.each([
  ["Price: 12 EUR", "Price: 10 EUR", "Price:[- 12-]{+ 10+} EUR"],
  ["a b c", "a b c", "a b c"],
  ["", "new", "{+new+}"],
  ["old", "", "[-old-]"],
  ["a b c d", "a c d e", "a[- b-] c d{+ e+}"],
  ["one\ntwo", "one\nthree\ntwo", "one{+\nthree+}\ntwo"],
  ["x x", "x", "x[- x-]"],
  ["", "", ""],
])("%j to %j", (before, after, difference) => expect(shown(before, after)).toBe(difference));

test("both texts can be read from the difference", () => {
  const words = (seed: number) => Array.from({ length: 300 }, (_, i) => `w${(i * seed) % 17}`).join(" ");
  const changes = diffWords(words(5), words(7));
  const without = (kind: string) => changes.flatMap((change) => (change.kind === kind ? [] : change.text)).join("");
  expect(without("new")).toBe(words(5));
  expect(without("gone")).toBe(words(7));
});

test("texts too long to compare word by word are shown as replaced", () => {
  const long = (word: string) => Array.from({ length: 3_000 }, (_, i) => `${word}${i}`).join(" ");
  expect(diffWords(`same ${long("a")}`, `same ${long("b")}`).map(({ kind }) => kind)).toEqual(["same", "gone", "new"]);
});
