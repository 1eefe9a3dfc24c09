export type BenchEnv = {
  DB: D1Database;
  NORMAL: Queue;
  HIGH: Queue;
  LONG: Queue;
  DEAD: Queue;
  TUTORIAL: Queue;
  BARE: Queue;
};

/** One way to build the same thing. All three get the same jobs, batches and (where they keep rows) tables. */
export type Shape = {
  /** Takes `jobs` jobs and sends their messages. */
  submit: (env: BenchEnv, jobs: number) => Promise<void>;
  /** Takes them without sending; what it returns sends them. Tells storing apart from running. */
  store: (env: BenchEnv, jobs: number) => Promise<() => Promise<void>>;
  /** Performs a batch. */
  consume: (env: BenchEnv, batch: MessageBatch) => Promise<void>;
};
