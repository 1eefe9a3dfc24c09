import { DELAY_MS, MAX_ATTEMPTS } from "./limits";

/** Times in ms. `jitter` is a fraction: 0.2 spreads ±20 %. */
export type RetryPolicy = { baseMs: number; factor: number; capMs: number; jitter: number; maxAttempts: number };

export const DEFAULT_RETRY: RetryPolicy = { baseMs: 10_000, factor: 2, capMs: 900_000, jitter: 0.2, maxAttempts: 5 };

/** A kind's own policy over the default one. Throws at numbers that make none, and says what would. */
export function retryPolicy(own: Partial<RetryPolicy> = {}): RetryPolicy {
  const policy = { ...DEFAULT_RETRY, ...own };
  const { baseMs, factor, capMs, jitter, maxAttempts } = policy;
  const must = (holds: boolean, right: string) => {
    if (!holds) throw new RangeError(`retry: ${right}`);
  };
  must(baseMs >= 0 && baseMs <= DELAY_MS, `baseMs is 0 to ${DELAY_MS}, in ms`);
  must(factor >= 1 && factor <= 1_000, "factor is 1 to 1,000: what a delay is multiplied by for the next one");
  must(capMs >= 1 && capMs <= DELAY_MS, `capMs is 1 to ${DELAY_MS}, in ms`);
  must(jitter >= 0 && jitter <= 1, "jitter is 0 to 1: 0.2 spreads delays by 20 % both ways");
  must(
    Number.isInteger(maxAttempts) && maxAttempts >= 1 && maxAttempts <= MAX_ATTEMPTS,
    `maxAttempts is a whole number from 1 to ${MAX_ATTEMPTS}, the first attempt included`,
  );
  return policy;
}

/**
 * Delay in whole ms after failed try `tries` (1, 2, …): base × factor^(tries−1), spread, never above the cap, never
 * below 1. `random` is in [0, 1).
 */
export function backoff(policy: RetryPolicy, tries: number, random: number): number {
  // The power is Infinity from some thousand tries on, and 0 × Infinity would be no number.
  const grown = Math.min(policy.capMs, policy.baseMs * Math.min(policy.factor ** (tries - 1), Number.MAX_VALUE));
  const spread = grown * (1 + policy.jitter * (2 * random - 1));
  return Math.max(1, Math.round(Math.min(policy.capMs, spread)));
}
