import { expect, test } from "vitest";
import { type DayStat, dayStart, pictureOf, reportOf } from "./report";

const NONE = { done: 0, failed: 0, timed_out: 0, lost: 0, cancelled: 0, snoozed: 0, dead: 0, ranMs: 0 };
const stat = (rest: Partial<DayStat>): DayStat => ({ ...NONE, kind: "k", hour: 9, run: Array(20).fill(0), ...rest });
const ran = (counts: Record<number, number>) => Array.from({ length: 20 }, (_, bucket) => counts[bucket] ?? 0);

test("the mean is exact, the 95th percentile the upper end of its bucket", () => {
  const report = reportOf(
    "2026-12-01",
    [
      stat({ done: 94, run: ran({ 3: 94 }), ranMs: 940 }),
      stat({ done: 6, hour: 10, run: ran({ 10: 6 }), ranMs: 9_000 }),
    ],
    [],
  );
  expect(report.kinds[0]).toMatchObject({ meanMs: 99, p95Ms: 2_048 });
  expect(report.slowest).toEqual(["k"]);
});

test("a kind in which nothing ran has no times, and is not among the slowest", () => {
  const report = reportOf("2026-12-01", [stat({ dead: 2, lost: 2 })], []);
  expect(report.kinds[0]).toMatchObject({ dead: 2, meanMs: null, p95Ms: null });
  expect(report.slowest).toEqual([]);
});

test("the same numbers make the same report and picture, and the sum of hours is the sum of attempts", () => {
  const stats = [stat({ hour: 0, done: 2 }), stat({ hour: 23, done: 3, failed: 3, lost: 1 })];
  const report = reportOf("2026-12-01", stats, []);
  expect(JSON.stringify(reportOf("2026-12-01", stats, []))).toBe(JSON.stringify(report));
  expect(report.hours.reduce((sum, hour) => sum + hour.done + hour.failed, 0)).toBe(9);
  expect(pictureOf(report)).toBe(pictureOf(report));
  expect(pictureOf(report)).toContain("5 succeeded, 4 failed");
  expect(pictureOf(report).match(/<rect/g)).toHaveLength(3);
});

test("a day is a day of the calendar, written as such", () => {
  expect(dayStart("2026-12-01")).toBe(Date.parse("2026-12-01T00:00:00Z"));
  for (const day of ["2026-02-30", "2026-13-01", "26-12-01", "2026-12-1", "", "2026-12-01T00:00:00Z"])
    expect(dayStart(day)).toBeNull();
});
