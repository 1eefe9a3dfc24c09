/** List prices of the paid plan in USD a million, beyond what is included, and what the free plan allows a day. */
const USD = { queueOps: 0.4, rowsWritten: 1, rowsRead: 0.001, requests: 0.3 };
const FREE_A_DAY = { queueOps: 10_000, rowsWritten: 100_000, rowsRead: 5_000_000, requests: 100_000 };

type Counts = { queueOps: number; rowsWritten: number; rowsRead: number };

/**
 * What a million successful jobs cost beyond what is included, and how many a day the free plan allows: the sum of the
 * counts of this run times their prices, and the least of the allowances over the counts. Each job with a request of its
 * own and in a batch of its own, which is the dearest way: in full batches requests are a hundredth.
 */
export function priceOf(counts: Counts) {
  const each = { ...counts, requests: 2 };
  const names = Object.keys(USD) as (keyof typeof USD)[];
  const usd = names.reduce((sum, name) => sum + each[name] * USD[name], 0);
  const least = names
    .map((name) => ({ name, jobs: FREE_A_DAY[name] / each[name] }))
    .reduce((a, b) => (b.jobs < a.jobs ? b : a));
  return {
    usdPerMillionJobs: Number(usd.toFixed(2)),
    freeJobsADay: {
      jobs: Math.floor(least.jobs),
      boundBy: least.name,
      allowed: FREE_A_DAY[least.name],
      each: each[least.name],
    },
  };
}

export function priceText(of: {
  queueOpsPerJob: number;
  rowsWrittenPerJob: number;
  rowsReadPerJob: number;
  usdPerMillionJobs: number;
  freeJobsADay: { jobs: number; boundBy: string; allowed: number; each: number };
}): string[] {
  const parts = [
    `${of.queueOpsPerJob} queue operations × $${USD.queueOps}`,
    `${of.rowsWrittenPerJob} rows written × $${USD.rowsWritten}`,
    `${of.rowsReadPerJob} rows read × $${USD.rowsRead}`,
    `2 requests × $${USD.requests}`,
  ];
  const { jobs, boundBy, allowed, each } = of.freeJobsADay;
  return [
    `A million jobs, beyond what is included: $${of.usdPerMillionJobs} = ${parts.join(" + ")}, each a million`,
    `The free plan allows ${jobs} jobs a day = ${allowed} ${boundBy} a day / ${each} a job`,
  ];
}
