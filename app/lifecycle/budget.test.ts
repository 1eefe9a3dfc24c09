import { beforeEach, describe, expect, test } from "vitest";
import { LANES } from "~/domain/lanes";
import type { JobContext, Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { AlertWorld } from "~/testing/alerts";
import { kindOf } from "~/testing/kind";
import { createProbeRows, probes } from "~/testing/probes";
import { firedSlots, putSchedule } from "~/testing/schedules";
import { putWatch, WatchWorld } from "~/testing/watches";
import { clean, START, World } from "~/testing/world";
import { bulkIds } from "./bulk";

beforeEach(clean);

/** As workers/engine.ts has them, and `most`: where production stops the invocation. */
const PLANS = [
  { plan: "paid", statements: 700, leaseMs: 30_000, most: 1_000 },
  { plan: "free", statements: 35, leaseMs: 90_000, most: 50 },
];

/** As jobs do that wait for others: no two end within the time that a settle waits for company. */
const uneven = async (ctx: JobContext) => ctx.sleep(300 + (Number(ctx.jobId.slice(-4).replace(/\D/g, "")) % 700));
const effects = (n: number) => async (ctx: JobContext) => {
  await uneven(ctx);
  for (let i = 0; i < n; i++) await ctx.once(`effect ${i}`, async () => i, { keyed: true });
};

/** A hundred jobs, batch after batch. Answers the most statements that one invocation has made. */
async function hundred(world: World, name: string): Promise<number> {
  await world.submit(...Array.from({ length: 100 }, () => ({ kind: name })));
  let most = 0;
  for (let batch = 0; batch < 200 && (await world.unfinished()) > 0; batch++) {
    const invocation = world.invocation();
    await world.deliver("normal", 100, invocation);
    most = Math.max(most, invocation.engine.store.used.statements);
  }
  expect(await world.sql("SELECT state, count(*) AS n FROM jobs GROUP BY state")).toEqual([{ state: "done", n: 100 }]);
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
  return most;
}

for (const { plan, statements, leaseMs, most } of PLANS) {
  describe(`an invocation on the ${plan} plan never makes more than ${most} statements`, () => {
    const budgeted = (...kinds: Kind[]) => {
      const world = new World(registryOf(...(kinds as [Kind])));
      world.statements = statements;
      world.mostStatements = most;
      world.leaseMs = leaseMs;
      return world;
    };

    test("where each of a hundred jobs ends at a moment of its own", async () => {
      const world = budgeted(kindOf("uneven", uneven));
      expect(await hundred(world, "uneven")).toBeLessThanOrEqual(most);
      expect(await world.sql("SELECT 1 FROM attempts WHERE outcome <> 'done'")).toEqual([]);
    });

    test("where each has effects, and says how many statements they take", async () => {
      const world = budgeted(kindOf("effects", effects(3), { statements: 15 }));
      expect(await hundred(world, "effects")).toBeLessThanOrEqual(most);
      expect(await world.sql("SELECT 1 FROM attempts WHERE outcome <> 'done'")).toEqual([]);
    });

    test("where a job runs for as long as one may, and tells of its progress all the time", async () => {
      const busy = kindOf(
        "busy",
        async (ctx) => {
          for (let done = 1; done < 780; done++) {
            ctx.progress({ done });
            await ctx.sleep(1_000);
          }
        },
        { timeoutMs: 780_000 },
      );
      const world = budgeted(busy);
      const [id] = (await world.submit({ kind: "busy" })) as [string];
      const invocation = world.invocation();
      await world.deliver("long", 1, invocation);
      expect(await world.job(id)).toMatchObject({ state: "done", progress: '{"done":779}' });
      expect(invocation.engine.store.used.statements).toBeLessThanOrEqual(most);
    });
  });
}

test("jobs that take more statements than they say are handed back unbegun, lose no try, and get done", async () => {
  const world = new World(registryOf(kindOf("greedy", effects(8)) as never));
  expect(await hundred(world, "greedy")).toBeLessThanOrEqual(1_000);
  const back = await world.sql<{ n: number }>("SELECT count(*) AS n FROM attempts WHERE outcome = 'snoozed'");
  expect(back[0]?.n).toBeGreaterThan(0);
  const lost = "SELECT 1 FROM jobs WHERE attempt - forgiven <> 1";
  expect(await world.sql(lost)).toEqual([]);
  expect(await world.sql("SELECT DISTINCT log FROM attempts WHERE outcome = 'snoozed'")).toEqual([
    { log: "not begun: its invocation had no D1 statements left" },
  ]);
});

test("a suspect is begun however few statements are left: handed on unseen, it would be no suspect any more", async () => {
  const world = new World(probes);
  world.statements = 5;
  const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
  await world.sql("UPDATE jobs SET suspect = 1");
  await world.deliver();
  expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
});

test.each([
  ["suspects, each alone", "UPDATE jobs SET suspect = 1"],
  ["jobs, wave after wave", "SELECT 1"],
])(
  "of %s, no more are begun than there are statements to claim and settle them; the others come again",
  async (_, mark) => {
    const slow = kindOf("slow", effects(2), { statements: 12, usualMs: 2_000_000 });
    const world = new World(registryOf(slow as never));
    world.statements = 35;
    world.mostStatements = 50;
    await world.submit(...Array.from({ length: 20 }, () => ({ kind: "slow" })));
    await world.sql(mark);
    for (let batch = 0; batch < 100 && (await world.unfinished()) > 0; batch++) {
      const invocation = world.invocation();
      await world.deliver("normal", 100, invocation);
      expect(invocation.engine.store.used.statements).toBeLessThanOrEqual(50);
    }
    expect(await world.sql("SELECT state, attempt, count(*) AS n FROM jobs GROUP BY 1, 2")).toEqual([
      { state: "done", attempt: 1, n: 20 },
    ]);
  },
);

test("a job that takes more than all statements is begun all the same, where its invocation has begun no other", async () => {
  const world = new World(registryOf(kindOf("vast", uneven, { statements: 60 }) as never));
  world.statements = 35;
  world.mostStatements = 50;
  await world.submit({ kind: "vast" }, { kind: "vast" });
  await world.sql("UPDATE jobs SET suspect = 1");
  await world.deliver();
  expect(await world.sql("SELECT state FROM jobs ORDER BY state")).toEqual([{ state: "done" }, { state: "pending" }]);
});

test("checks that nobody ended are moved on as far as a sweep's statements go, and by the next one further", async () => {
  const world = new WatchWorld(START);
  world.statements = 35;
  for (let n = 0; n < 40; n++) await putWatch(world, START, { everyMinutes: 60 });
  await world.sweep();
  const jobs = await world.sql<{ id: string }>("SELECT id FROM jobs");
  const ids = jobs.map(({ id }) => id);
  await bulkIds(world.invocation().engine, "cancel", ids, {}, { actor: "ana" });
  const stuck = async () => (await world.sql(`SELECT 1 FROM watches WHERE due_at = ${START}`)).length;
  for (let sweeps = 0; (await stuck()) > 0; sweeps++) {
    expect(sweeps).toBeLessThan(10);
    world.now += 60_000;
    const invocation = world.invocation();
    const before = await stuck();
    expect((await world.sweep(invocation))?.error).toBeNull();
    expect(invocation.engine.store.used.statements).toBeLessThanOrEqual(50);
    expect(await stuck()).toBeLessThan(before);
  }
  expect(await world.sql("SELECT DISTINCT outcome FROM watch_checks")).toEqual([{ outcome: "cancelled" }]);
});

test("a sweep makes no more than the free plan's statements, whatever is due at once, and gets round to all of it", async () => {
  const world = new AlertWorld();
  await createProbeRows();
  world.statements = 35;
  world.mostStatements = 50;
  await world.sweep();
  await world.rule({ condition: "cause", moreThan: 0 });
  await world.die(1);
  const schedule = await putSchedule(world, world.now + 60_000);
  const watch = await putWatch(world, world.now + 60_000, { everyMinutes: 1 });
  const lost = await world.lose("probe.ok");
  const old: string[] = [];
  for (let minute = 0; minute < 14; minute++) {
    world.now += 60_000;
    const [unsent, high, gone, ended] = (await world.submit(
      { kind: "probe.ok" },
      { kind: "probe.ok", priority: "high" },
      { kind: "probe.slow" },
      { kind: "probe.ok", delaySeconds: 3_600 },
    )) as [string, string, string, string];
    await world.sql("UPDATE jobs SET sent_at = NULL WHERE id IN (?, ?)", unsent, high);
    await world.sql("UPDATE jobs SET sent_at = 0 WHERE id = ?", gone);
    await bulkIds(world.invocation().engine, "cancel", [ended], {}, { actor: "ana" });
    await world.sql("UPDATE jobs SET finished_at = finished_at - 31 * 86400000 WHERE id = ?", ended);
    old.push(ended);
    await world.sql(
      "INSERT INTO deaths (minute, cause, kind, n, example) VALUES (?1 / 60000 * 60000, 'kind: ' || ?1, 'kind', 1, ?2)",
      world.now,
      ended,
    );
    // Of the first, each is one of those that come once in so many sweeps; and what is removed is due at every one.
    if (minute < 6) await world.sql("UPDATE leases SET fence = ? WHERE key = 'sweep'", 10 * minute + 4);
    await world.sql("UPDATE leases SET retention_at = 0 WHERE key = 'sweep'");
    const invocation = world.invocation();
    expect(await world.sweep(invocation)).toMatchObject({ error: null });
    expect(invocation.engine.store.used.statements).toBeLessThanOrEqual(50);
    for (const lane of LANES) await world.deliver(lane);
  }
  expect(await world.job(lost)).toMatchObject({ state: "done" });
  expect(await firedSlots(world, schedule)).toHaveLength(14);
  expect(await world.sql("SELECT 1 FROM watch_checks WHERE watch_id = ?", watch)).not.toEqual([]);
  const there = await world.sql<{ id: string }>("SELECT id FROM jobs WHERE state = 'cancelled'");
  expect(there.length).toBeLessThan(3);
  expect(old).toEqual(expect.arrayContaining(there.map(({ id }) => id)));
  expect(world.types().filter((type) => type === "opened").length).toBeGreaterThan(8);
});
