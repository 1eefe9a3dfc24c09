/** Times in ms. `jitter` is a fraction: 0.2 spreads ±20 %. */
export type RetryPolicy = { baseMs: number; factor: number; capMs: number; jitter: number; maxAttempts: number };

export const DEFAULT_RETRY: RetryPolicy = { baseMs: 10_000, factor: 2, capMs: 900_000, jitter: 0.2, maxAttempts: 5 };

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
