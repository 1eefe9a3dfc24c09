import type { KindLimits } from "~/domain/kind_limits";

/** What the definitions of the kinds with limits allow: each limit alone, and all of them at once. */
export const LIMITED: Record<string, KindLimits> = {
  "sim.few": { running: 2 },
  "sim.grouped": { perGroup: 1 },
  "sim.paced": { rate: { jobs: 3, per: "minute" } },
  "sim.limited": { running: 2, perGroup: 1, rate: { jobs: 4, per: "minute" } },
};

/** Whether a bucket of so many starts a minute lets all of these happen: times in ms, in order. */
export function withinRate(starts: number[], jobs: number): boolean {
  let level = jobs;
  return starts.every((at, i) => {
    const before = starts[i - 1];
    if (before !== undefined) level = Math.min(jobs, level + ((at - before) * jobs) / 60_000);
    level -= 1;
    // Rounding of a start or two is no matter.
    return level > -0.01;
  });
}
