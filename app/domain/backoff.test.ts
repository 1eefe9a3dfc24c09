import { describe, expect, test } from "vitest";
import { backoff, DEFAULT_RETRY, type RetryPolicy, retryPolicy } from "./backoff";

const policy: RetryPolicy = { baseMs: 10_000, factor: 2, capMs: 3_600_000, jitter: 0, maxAttempts: 5 };
const seconds = (tries: number) => backoff(policy, tries, 0.5) / 1000;

describe("C007: retry delays follow the policy", () => {
  test("C007: 10, 20, 40 … up to the cap, and the cap however often", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(seconds)).toEqual([
      10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600, 3600,
    ]);
    expect([31, 32, 33, 64, 1100].map(seconds)).toEqual([3600, 3600, 3600, 3600, 3600]);
  });

  test("C007: a jitter of 20 % spreads both ways and never over the cap", () => {
    const spread = (tries: number) =>
      Array.from({ length: 1000 }, (_, i) => backoff({ ...policy, jitter: 0.2 }, tries, i / 1000) / 1000);
    const [fifth, late] = [spread(5), spread(1100)];
    expect([Math.min(...fifth), Math.max(...fifth)]).toEqual([128, 191.936]);
    expect([Math.min(...late), Math.max(...late)]).toEqual([2880, 3600]);
    for (const delay of [...fifth, ...late]) expect(Number.isFinite(delay) && delay > 0).toBe(true);
  });

  test("C007: never zero, negative or no number, whatever the policy", () => {
    for (const baseMs of [0, 0.1, 1e308]) {
      for (const jitter of [0, 1, 5]) {
        for (const tries of [0, 1, 1100, 5000]) {
          for (const random of [0, 0.999]) {
            const delay = backoff({ baseMs, factor: 2, capMs: 900_000, jitter, maxAttempts: 5 }, tries, random);
            expect(delay).toBeGreaterThanOrEqual(1);
            expect(delay).toBeLessThanOrEqual(900_000);
          }
        }
      }
    }
  });

  test("C007: unless a kind says otherwise the cap is 15 minutes", () => {
    expect(backoff(DEFAULT_RETRY, 50, 0.5)).toBe(900_000);
    expect(backoff(DEFAULT_RETRY, 1, 0.5)).toBe(10_000);
  });
});

describe("a kind's own policy", () => {
  test("says what it says, and the default the rest", () => {
    expect(retryPolicy()).toEqual(DEFAULT_RETRY);
    expect(retryPolicy({ baseMs: 500, factor: 3 })).toEqual({ ...DEFAULT_RETRY, baseMs: 500, factor: 3 });
    const all = { baseMs: 0, factor: 1, capMs: 1, jitter: 1, maxAttempts: 1 };
    expect(retryPolicy(all)).toEqual(all);
  });

  test.each<[string, Partial<RetryPolicy>]>([
    ["baseMs", { baseMs: -1 }],
    ["baseMs", { baseMs: Number.NaN }],
    ["factor", { factor: 0.5 }],
    ["capMs", { capMs: 0 }],
    ["capMs", { capMs: Number.POSITIVE_INFINITY }],
    ["jitter", { jitter: 20 }],
    ["maxAttempts", { maxAttempts: 0 }],
    ["maxAttempts", { maxAttempts: 2.5 }],
    ["maxAttempts", { maxAttempts: 1_001 }],
    ["maxAttempts", { maxAttempts: undefined as never }],
  ])("%s in %j is refused, with what would be right", (field, own) => {
    expect(() => retryPolicy(own)).toThrow(new RegExp(`^retry: ${field} is .*1`));
  });
});
