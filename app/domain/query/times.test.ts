import { describe, expect, test } from "vitest";
import { parseRange, within } from "./times";

const at = (text: string) => ({ at: Date.parse(text) });
const HOUR = 3_600_000;

describe("C088: a stretch of time is from its first moment up to, and without, its last", () => {
  test.each([
    [">2026-12-01", { from: at("2026-12-01T00:00:00Z"), to: null }],
    [">=2026-12-01", { from: at("2026-12-01T00:00:00Z"), to: null }],
    ["<2026-12-01", { from: null, to: at("2026-12-01T00:00:00Z") }],
    ["2026-12-01", { from: at("2026-12-01T00:00:00Z"), to: at("2026-12-02T00:00:00Z") }],
    ["2026-12-01..2026-12-03", { from: at("2026-12-01T00:00:00Z"), to: at("2026-12-03T00:00:00Z") }],
    ["2026-12-01..", { from: at("2026-12-01T00:00:00Z"), to: null }],
    ["..2026-12-01", { from: null, to: at("2026-12-01T00:00:00Z") }],
    [">2026-12-01T10:00:00.500Z", { from: at("2026-12-01T10:00:00.500Z"), to: null }],
    [">2026-12-01T10:00+05:30", { from: at("2026-12-01T04:30:00Z"), to: null }],
    ["1h", { from: { ago: HOUR }, to: null }],
    [">90m", { from: { ago: 1.5 * HOUR }, to: null }],
    ["<2d", { from: null, to: { ago: 48 * HOUR } }],
    ["2d..1d", { from: { ago: 48 * HOUR }, to: { ago: 24 * HOUR } }],
    ["1w", { from: { ago: 168 * HOUR }, to: null }],
  ])("%s", (text, range) => expect(parseRange(text)).toEqual(range));

  test.each([
    "",
    "now",
    ">",
    "..",
    "1..2..3",
    "2026-02-30",
    "2026-12-01T10:00:00",
    "2026-12-01T10:00:00Z",
    "1796119200000",
    "<=2026-12-01",
    "0h",
    "-1h",
    "1.5h",
    "1 h",
    "9999999w",
    "1y",
  ])("%j is none", (text) => expect(parseRange(text)).toBeNull());
});

describe("several stretches of time", () => {
  const of = (...texts: string[]) => within(texts.flatMap((text) => parseRange(text) ?? []));

  test.each([
    [["2026-12-01..2026-12-05", "2026-12-03..", "<2026-12-09"], ["2026-12-03..2026-12-05"]],
    [["3d..1d", "2d", "<3h"], ["2d..1d"]],
    [
      ["2026-12-01", "2h"],
      ["2026-12-01", "2h"],
    ],
    [["2026-12-01", "2026-12-03"], ["2026-12-03..2026-12-02"]],
    [[], []],
  ])("%j are %j", (ranges, same) => expect(of(...ranges)).toEqual(same.flatMap((text) => parseRange(text) ?? [])));

  test("are never more than one of each sort, however many", () => {
    const many = Array.from({ length: 50 }, (_, n) => [
      `${n + 60}d..${n + 1}m`,
      `2026-01-01..2026-12-${10 + (n % 20)}`,
    ]);
    expect(of(...many.flat())).toEqual(
      ["2026-01-01..2026-12-10", "60d..50m"].flatMap((text) => parseRange(text) ?? []),
    );
  });
});
