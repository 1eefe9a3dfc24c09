import { backoff, type RetryPolicy } from "./backoff";
import { plural } from "./format";
import { DELAY_MS, RETRY_AFTER_MS } from "./limits";
import { type OutcomeName, type State, triesOf } from "./states";

/** How an attempt ended, as its worker (or, for `lost`, the sweep) saw it. */
export type Outcome =
  | { name: "done"; result: string | null }
  | { name: "failed"; error: string; stack?: string; permanent: boolean; retryAfterMs?: number }
  | { name: "timed_out"; error: string }
  /** `forgiven`: D1 was out of reach meanwhile, so that no worker could have kept it. */
  | { name: "lost"; forgiven?: true }
  | { name: "cancelled" }
  | { name: "snoozed"; delayMs: number };

/** What becomes of the job. `delayMs` from the settle's own reading of the clock: SQL makes the instant. */
export type Verdict = {
  outcome: OutcomeName;
  state: Exclude<State, "processing">;
  delayMs: number;
  forgive: 0 | 1;
  error: string | null;
};

/** `suspect`: so many attempts in a row lost their worker before this one. */
export type Tried = { attempt: number; forgiven: number; maxAttempts: number; suspect: number };

/** Pure: the only place that says whether a job is tried again, and when. `random` is in [0, 1). */
export function decide(job: Tried, outcome: Outcome, policy: RetryPolicy, random: number): Verdict {
  switch (outcome.name) {
    case "done":
      return verdict("done", "done", null);
    case "cancelled":
      return verdict("cancelled", "cancelled", null);
    case "snoozed":
      // No longer than a submit may ask for: beyond what a date can tell, no list could show the job any more.
      return { ...verdict("snoozed", "pending", null), delayMs: within(outcome.delayMs, DELAY_MS), forgive: 1 };
    case "lost":
      if (outcome.forgiven) return { ...verdict("lost", "pending", OUTAGE), forgive: 1 };
      return again("lost", LOST, `worker lost ${plural(job.suspect + 1, "time")}`);
    case "timed_out":
      return again("timed_out", outcome.error, outcome.error);
    case "failed":
      if (outcome.permanent) return verdict("failed", "dead", outcome.error);
      return again("failed", outcome.error, outcome.error, outcome.retryAfterMs);
  }

  function again(name: OutcomeName, error: string, lastError: string, atLeastMs = 0): Verdict {
    const tries = triesOf(job);
    if (tries >= job.maxAttempts) return verdict(name, "dead", lastError);
    const asked = Number.isFinite(atLeastMs) ? Math.min(atLeastMs, RETRY_AFTER_MS) : 0;
    return { ...verdict(name, "pending", error), delayMs: Math.max(backoff(policy, tries, random), Math.round(asked)) };
  }
}

const within = (ms: number, most: number): number => Math.min(most, Math.max(0, Math.round(ms)));

const LOST = "worker lost: its lease ran out";
const OUTAGE = "worker lost: its lease ran out while D1 was out of reach";

const verdict = (outcome: OutcomeName, state: Verdict["state"], error: string | null): Verdict => ({
  outcome,
  state,
  delayMs: 0,
  forgive: 0,
  error,
});
