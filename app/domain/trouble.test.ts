import { describe, expect, test } from "vitest";
import { isBucketTrouble, type Trouble, troubleOf, untilMidnight } from "./trouble";

const TEXTS: [Trouble, string[]][] = [
  [
    "transient",
    [
      "D1_ERROR: Network connection lost.",
      "D1_ERROR: D1 DB storage operation caused object to be reset.",
      "D1_ERROR: D1 DB reset because its code was updated.",
      "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
      "D1_ERROR: Internal error while starting up D1 DB storage.",
      "Queue sendBatch failed: internal error (15000)",
      "something that nobody has seen before",
    ],
  ],
  [
    "overloaded",
    [
      "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
      "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
      "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
      "D1_ERROR: D1 DB exceeded its memory limit and was reset.",
      "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
      "Queue sendBatch failed: Too Many Requests",
      "Queue send failed: overloaded (10250)",
      "D1_ERROR: database or disk is full: SQLITE_FULL",
    ],
  ],
  [
    "daily-limit",
    [
      "D1_ERROR: exceeded free tier daily row write limit",
      "D1_ERROR: Exceeded free tier daily row read limit",
      "Queue sendBatch failed: FreeTierLimitExceeded",
      "Queue send failed: 10253",
    ],
  ],
  [
    "refused",
    [
      "D1_ERROR: UNIQUE constraint failed: jobs.id: SQLITE_CONSTRAINT",
      "D1_ERROR: string or blob too big: SQLITE_TOOBIG",
      "D1_TYPE_ERROR: Type 'undefined' not supported",
      "D1_ERROR: no such table: x at offset 14: SQLITE_ERROR",
    ],
  ],
];

for (const [trouble, texts] of TEXTS) {
  test.each(texts)(`${trouble}: %s`, (text) => {
    expect(troubleOf(new Error(text))).toBe(trouble);
  });
}

test("a parameter that the store itself does not take is refused", () => {
  expect(troubleOf(new RangeError("a parameter of 2000000 bytes is over 1000000"))).toBe("refused");
});

test("limits of a day are over at 00:00 UTC, and not all ask again at that moment", () => {
  const noon = Date.parse("2026-12-01T12:00:00Z");
  expect(untilMidnight(noon, 0)).toBe(12 * 3_600_000);
  expect(untilMidnight(noon, 0.999)).toBeGreaterThan(12 * 3_600_000 + 299_000);
  expect(untilMidnight(Date.parse("2026-12-01T00:00:00Z"), 0)).toBe(86_400_000);
});

describe("an error of the bucket", () => {
  test("is known by its method and code", () => {
    expect(isBucketTrouble(new Error("put: We encountered an internal error. Please try again. (10001)"))).toBe(true);
    expect(isBucketTrouble(new Error("uploadPart: Service unavailable (10043)"))).toBe(true);
  });
  test("is no mistake of ours, and none of D1", () => {
    expect(isBucketTrouble(new TypeError("get: of undefined (10001)"))).toBe(false);
    expect(isBucketTrouble(new Error("D1_ERROR: Network connection lost."))).toBe(false);
  });
});
