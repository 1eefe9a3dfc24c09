import { expect, test } from "vitest";
import { DEFAULT_RETRY } from "./backoff";
import { decide, type Outcome } from "./decide";
import { DELAY_MS } from "./limits";

const policy = { ...DEFAULT_RETRY, jitter: 0, maxAttempts: 3 };
const job = { attempt: 1, forgiven: 0, maxAttempts: 3, suspect: 0 };
const failed: Outcome = { name: "failed", error: "no", permanent: false };
const of = (outcome: Outcome, rest: Partial<typeof job> = {}) => decide({ ...job, ...rest }, outcome, policy, 0.5);

test("a result is done, whatever the tries", () => {
  expect(of({ name: "done", result: "1" }, { attempt: 9 })).toMatchObject({
    state: "done",
    outcome: "done",
    error: null,
  });
});

test("a failure is retried after its backoff while tries are left, and dead after the last", () => {
  expect(of(failed)).toMatchObject({ state: "pending", delayMs: 10_000, error: "no" });
  expect(of(failed, { attempt: 2 })).toMatchObject({ state: "pending", delayMs: 20_000 });
  expect(of(failed, { attempt: 3 })).toMatchObject({ state: "dead", delayMs: 0, error: "no" });
});

test("forgiven attempts count neither for the budget nor for the backoff", () => {
  expect(of(failed, { attempt: 10, forgiven: 9 })).toMatchObject({ state: "pending", delayMs: 10_000 });
  expect(of(failed, { attempt: 12, forgiven: 9 })).toMatchObject({ state: "dead" });
});

test("a permanent failure is dead at once; the same error without the mark is retried", () => {
  expect(of({ ...failed, permanent: true })).toMatchObject({ state: "dead", outcome: "failed" });
  expect(of({ ...failed, permanent: false })).toMatchObject({ state: "pending" });
});

test("C075: Retry-After is honoured where it is longer than the own backoff, up to 24 h", () => {
  const asked = (ms: number) => of({ ...failed, retryAfterMs: ms }).delayMs;
  expect(asked(120_000)).toBe(120_000);
  expect(asked(5_000)).toBe(10_000);
  expect(asked(0)).toBe(10_000);
  expect(asked(86_400_000)).toBe(86_400_000);
  expect(asked(604_800_000)).toBe(86_400_000);
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, -1]) expect(asked(wrong)).toBe(10_000);
});

test("a snooze is no failure: it uses up no try, and its job is not dead however often", () => {
  expect(of({ name: "snoozed", delayMs: 5_000 }, { attempt: 3 })).toMatchObject({
    state: "pending",
    forgive: 1,
    delayMs: 5_000,
    error: null,
  });
});

test("a snooze is no longer than a submit may ask for: no date can tell what comes later", () => {
  const snoozed = (delayMs: number) => of({ name: "snoozed", delayMs }).delayMs;
  for (const long of [DELAY_MS + 1, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])
    expect(snoozed(long)).toBe(DELAY_MS);
  expect(snoozed(DELAY_MS)).toBe(DELAY_MS);
  expect(snoozed(DELAY_MS - 1)).toBe(DELAY_MS - 1);
  expect(snoozed(-5)).toBe(0);
});

test("a lost worker uses up a try; a job whose tries all ended so says how many", () => {
  expect(of({ name: "lost" })).toMatchObject({ state: "pending", outcome: "lost", delayMs: 10_000 });
  expect(of({ name: "lost" }, { attempt: 3, suspect: 2 })).toMatchObject({
    state: "dead",
    error: "worker lost 3 times",
  });
});

test("a cancel is final", () => {
  expect(of({ name: "cancelled" })).toMatchObject({ state: "cancelled", outcome: "cancelled" });
});
