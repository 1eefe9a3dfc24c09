import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { registry } from "~/kinds/registry";
import { listJobs } from "~/store/reads/list";
import type { Used } from "~/store/store";
import { add, metered, minus, none, noVerbs, type Verbs } from "~/testing/meter";
import { seed } from "~/testing/seed";
import { START, World } from "~/testing/world";
import { consume } from "./consume";
import type { Engine } from "./engine";
import { submit } from "./submit";
import { sweep } from "./sweep";

const db = (env as { DB: D1Database }).DB;
const job = (payload: object) => ({ kind: "demo", payload, payloadText: JSON.stringify(payload) });
const FILTERS = [{}, { kind: "demo" }, { view: "dead" }, { view: "scheduled" }, { state: "pending" }] as const;
const PAGE = 5;
/** Where in the mixture a page begins, and on which row a search ends, may cost that much more or less. */
const SLACK = 10;

const run = async (...statements: string[]) => void (await db.batch(statements.map((text) => db.prepare(text))));

/** These many jobs and no others, and nothing that makes some. What the planner has learnt about the tables stays. */
async function stored(n: number): Promise<void> {
  await run("DELETE FROM jobs", "DELETE FROM attempts", "DELETE FROM schedules");
  await seed(n, START, "demo");
}

async function used(engine: Engine, work: () => Promise<unknown>): Promise<Used> {
  const before = { ...engine.store.used };
  await work();
  return minus(engine.store.used, before);
}

/** What is used by a sweep that looks for old jobs, by an idle one, by a page of each list, and by submit, claim and settle of a hundred jobs. */
async function hot(): Promise<Record<string, Used>> {
  const world = new World(registry);
  const { engine } = world.invocation();
  // The jobs that died in the round before would be news.
  await run("DELETE FROM deaths", "DELETE FROM alerts");
  // Once an hour a sweep looks for jobs that were kept long enough: that minute is not idle, and flat all the same.
  await run("UPDATE leases SET retention_at = 0");
  const looking = await used(engine, () => world.until(sweep(engine)));
  const idle = await used(engine, () => world.until(sweep(engine)));
  const pages: Record<string, Used> = {};
  for (const filter of FILTERS) {
    pages[`list ${JSON.stringify(filter)}`] = await used(engine, () =>
      listJobs(engine.store, { ...filter, limit: PAGE }),
    );
  }
  const good = await hundred(world, {});
  const { settle } = await hundred(world, { permanent: true });
  return {
    ...good,
    "settle of jobs that die": settle,
    ...pages,
    "sweep when idle": idle,
    "sweep that looks for old jobs": looking,
  };
}

async function hundred(world: World, payload: object): Promise<Verbs> {
  const verbs = noVerbs();
  const engine = metered(world.invocation().engine, verbs);
  await world.until(submit(engine, Array(100).fill(job(payload))));
  const { batch, acked } = world.queues.normal.take(100);
  await world.until(consume(engine, "normal", batch));
  expect(acked()).toBe(100);
  return verbs;
}

describe("what a verb reads does not grow with the jobs stored", () => {
  const rows: Record<string, Record<string, Used>> = {};

  beforeAll(async () => {
    await stored(100);
    rows["100 jobs"] = await hot();
    await stored(100_000);
    rows["100,000 jobs"] = await hot();
    await run("ANALYZE");
    rows["100,000 jobs after ANALYZE"] = await hot();
    await stored(100);
    await run("ANALYZE");
    rows["100 jobs after ANALYZE"] = await hot();
    await stored(100_000);
    rows["100,000 jobs with what ANALYZE learnt from 100"] = await hot();
  }, 120_000);

  test.each([
    ["100,000 jobs", "100 jobs"],
    ["100,000 jobs after ANALYZE", "100 jobs after ANALYZE"],
    ["100,000 jobs with what ANALYZE learnt from 100", "100 jobs after ANALYZE"],
  ])("%s cost what %s cost", (many, few) => {
    const small = rows[few] as Record<string, Used>;
    for (const [verb, { rowsRead }] of Object.entries(rows[many] as Record<string, Used>)) {
      const then = (small[verb] as Used).rowsRead;
      expect(Math.abs(rowsRead - then), `${verb}: ${then} rows, then ${rowsRead}`).toBeLessThanOrEqual(SLACK);
    }
  });

  test("a look that no index serves is seen to grow", async () => {
    const look = db.prepare("SELECT count(*) FROM jobs WHERE label = 'none'");
    expect((await look.run()).meta.rows_read).toBeGreaterThan(100_000);
  });

  test("a minute in which nothing is to do costs 3 D1 calls, 12 statements, 30 rows read, 4 written, or less", () => {
    for (const verbs of Object.values(rows)) {
      const { calls, statements, rowsRead, rowsWritten } = verbs["sweep when idle"] as Used;
      expect(calls).toBeLessThanOrEqual(3);
      expect(statements).toBeLessThanOrEqual(12);
      expect(rowsRead).toBeLessThanOrEqual(30);
      expect(rowsWritten).toBeLessThanOrEqual(4);
    }
  });
});

describe("what a successful job costs from submit to done", () => {
  async function life(jobs: number, perBatch: number): Promise<Used> {
    const world = new World(registry);
    const sum = none();
    const counted = async (work: (engine: Engine) => Promise<unknown>) => {
      const { engine } = world.invocation();
      await world.until(work(engine));
      add(sum, engine.store.used);
    };
    await counted((engine) => submit(engine, Array(jobs).fill(job({}))));
    while (world.queues.normal.available().length > 0) {
      const taken = world.queues.normal.take(perBatch);
      await counted((engine) => consume(engine, "normal", taken.batch));
      taken.finish();
    }
    expect(await world.sql("SELECT state, count(*) AS n FROM jobs GROUP BY state")).toEqual([
      { state: "done", n: jobs },
    ]);
    return sum;
  }

  test("0.05 D1 calls, 9.5 rows written and 60 rows read, or less, in full batches", async () => {
    await run("DELETE FROM jobs", "DELETE FROM attempts", "DELETE FROM schedules");
    const { calls, rowsRead, rowsWritten } = await life(1_000, 100);
    expect(calls / 1_000).toBeLessThanOrEqual(0.05);
    expect(rowsWritten / 1_000).toBeLessThanOrEqual(9.5);
    expect(rowsRead / 1_000).toBeLessThanOrEqual(60);
  });

  test("its calls alone where it comes alone", async () => {
    await run("DELETE FROM jobs", "DELETE FROM attempts", "DELETE FROM schedules");
    expect((await life(1, 100)).calls).toBe(3);
  });
});
