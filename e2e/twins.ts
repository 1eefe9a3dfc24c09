import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createTestHarness, type WorkerHandle } from "wrangler";

process.env.WRANGLER_LOG ??= "error";

const BUILT = resolve(import.meta.dirname, "../build/server/wrangler.json");
const SECOND = resolve(import.meta.dirname, "../build/server/second.json");

type Env = { DB: D1Database };

/** Two deployments of the build on one runtime, bound to one database, as while an old release is still there. */
export class Twins {
  readonly workers: WorkerHandle<Env>[];
  readonly db: D1Database;
  private readonly end: () => Promise<void>;

  private constructor(workers: WorkerHandle<Env>[], db: D1Database, end: () => Promise<void>) {
    this.workers = workers;
    this.db = db;
    this.end = end;
  }

  static async start(): Promise<Twins> {
    const config = JSON.parse(readFileSync(BUILT, "utf8"));
    // A queue has one consumer, so the second only sends.
    const second = {
      ...config,
      name: "redrive-second",
      queues: { ...config.queues, consumers: [] },
      assets: undefined,
      // Its pages are read without a sign-in.
      vars: { ...config.vars, REDRIVE_LOCAL: "1" },
    };
    writeFileSync(SECOND, JSON.stringify(second));
    const harness = createTestHarness({ workers: [{ configPath: BUILT }, { configPath: SECOND }] });
    await harness.listen();
    const workers = [harness.getWorker<Env>("redrive"), harness.getWorker<Env>("redrive-second")] as const;
    await workers[0].applyD1Migrations("DB");
    const { DB } = await workers[0].getEnv();
    return new Twins([...workers], DB, async () => {
      await harness.close();
      rmSync(SECOND, { force: true });
    });
  }

  /** A page, as the Worker writes it. */
  async page(path: string): Promise<{ status: number; html: string }> {
    const response = await (this.workers[1] as WorkerHandle<Env>).fetch(`http://localhost${path}`);
    return { status: response.status, html: await response.text() };
  }

  /** Both crons at the same instant. */
  async tick(): Promise<void> {
    const results = await Promise.all(this.workers.map((worker) => worker.scheduled({ cron: "* * * * *" })));
    for (const { outcome } of results) if (outcome !== "ok") throw new Error(`a tick ended ${outcome}`);
  }

  stop = (): Promise<void> => this.end();
}
