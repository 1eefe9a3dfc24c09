import { expect, test } from "vitest";
import { dayStart, pictureOf, reportOf } from "./report";

const stat = (rest: object) => ({ kind: "k", outcome: "done", bucket: 3, hour: 9, n: 1, ranMs: 10, ...rest });

test("the mean is exact, the 95th percentile the upper end of its bucket", () => {
  const report = reportOf("2026-12-01", [stat({ n: 94, ranMs: 940 }), stat({ bucket: 10, n: 6, ranMs: 9_000 })], []);
  expect(report.kinds[0]).toMatchObject({ meanMs: 99, p95Ms: 2_048 });
  expect(report.slowest).toEqual(["k"]);
});

test("a kind in which nothing ran has no times, and is not among the slowest", () => {
  const report = reportOf("2026-12-01", [stat({ outcome: "dead", bucket: -1, n: 2, ranMs: 0 })], []);
  expect(report.kinds[0]).toMatchObject({ dead: 2, meanMs: null, p95Ms: null });
  expect(report.slowest).toEqual([]);
});

test("the same numbers make the same report and picture, and the sum of hours is the sum of attempts", () => {
  const stats = [stat({ hour: 0, n: 2 }), stat({ hour: 23, n: 3 }), stat({ outcome: "failed", hour: 23, n: 4 })];
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
