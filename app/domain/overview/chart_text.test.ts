import { expect, test } from "vitest";
import { bucketsOf } from "./chart_range";
import { bucketText, roundUp, ticksOf } from "./chart_text";

const at = (text: string) => Date.parse(text);

test("below a chart stand round times of the zone", () => {
  const now = at("2026-12-01T10:20:00Z");
  const texts = (range: "1h" | "24h" | "7d" | "30d", zone: string) =>
    ticksOf(bucketsOf({ range, day: null, zone }, now), zone).map(({ text }) => text);
  expect(texts("1h", "UTC")).toEqual(["09:30", "09:45", "10:00", "10:15"]);
  expect(texts("24h", "Asia/Kolkata")).toEqual(["16:00", "20:00", "00:00", "04:00", "08:00", "12:00"]);
  expect(texts("7d", "UTC").slice(0, 2)).toEqual(["Wed 25", "Thu 26"]);
  expect(texts("30d", "UTC")).toHaveLength(6);
});

test("where there is little room every other one is left out, by the clock", () => {
  const now = at("2026-12-01T10:20:00Z");
  const majors = (range: "1h" | "24h" | "7d" | "30d", zone = "UTC") =>
    ticksOf(bucketsOf({ range, day: null, zone }, now), zone).flatMap(({ text, minor }) => (minor ? [] : text));
  expect(majors("24h")).toEqual(["16:00", "00:00", "08:00"]);
  expect(majors("24h", "Asia/Kolkata")).toEqual(["16:00", "00:00", "08:00"]);
  expect(majors("7d")).toEqual(["Wed 25", "Fri 27", "Sun 29", "Tue 1"]);
  expect(majors("30d")).toHaveLength(3);
  expect(majors("1h")).toHaveLength(4);
});

test("a bucket is named from its beginning to its end", () => {
  const hours = bucketsOf({ range: "24h", day: "2026-11-01", zone: "America/New_York" }, 0);
  expect(bucketText(hours, 1, "America/New_York")).toBe("2026-11-01 01:00 to 01:00");
  expect(bucketText(hours, 24, "America/New_York")).toBe("2026-11-01 23:00 to 00:00");
  const days = bucketsOf({ range: "30d", day: null, zone: "UTC" }, at("2026-12-01T10:20:00Z"));
  expect(bucketText(days, 30, "UTC")).toBe("2026-12-01");
});

test("an axis ends at a round number that nothing is above", () => {
  expect([0, 1, 3, 7, 10, 11, 99, 3_100].map(roundUp)).toEqual([1, 1, 3, 8, 10, 15, 100, 4_000]);
});
