/** Daily limits of the free plan. What is reached goes on after 00:00 UTC. */
export type LimitReached = "database" | "queues";

export const LIMIT_WORDS: Record<LimitReached, string> = {
  database:
    "The free plan's daily limit of D1 is reached: nothing is stored before 00:00 UTC, then all goes on by itself.",
  queues:
    "The free plan's daily limit of Queues is reached: no job is started before 00:00 UTC, then all goes on by itself.",
};
