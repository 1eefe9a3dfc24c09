/** What the definition of `sim.limited` allows. */
export const LIMITED = { running: 2, perGroup: 1, rate: { jobs: 4, per: "minute" } } as const;

/** Whether a bucket with this rate lets all of these starts happen: times in ms, in order. */
export function withinRate(starts: number[]): boolean {
  const { jobs } = LIMITED.rate;
  let level: number = jobs;
  return starts.every((at, i) => {
    const before = starts[i - 1];
    if (before !== undefined) level = Math.min(jobs, level + ((at - before) * jobs) / 60_000);
    level -= 1;
    // Rounding of a start or two is no matter.
    return level > -0.01;
  });
}
