import { beforeEach, expect, test } from "vitest";
import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { readOperation } from "~/store/bulk/bulk";
import { measure } from "~/store/bulk/matching";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { bulkIds, startBulk } from "./bulk";
import { requeue } from "./requeue";

beforeEach(clean);

/** Jobs of operations among those that an operation is about: nobody means them who does not name their kind. */
const kinds = registryOf(...probes.values(), bulk);
const ann = { actor: "ann" };

async function worked(world: World, kind: string, n: number): Promise<string[]> {
  const ids = await world.submit(...Array.from({ length: n }, () => ({ kind })));
  while (world.queues.normal.available().length > 0) await world.deliver();
  return ids;
}
async function start(
  world: World,
  action: BulkAction,
  filter: BulkFilter,
  more: { pace?: number; confirm?: number } = {},
) {
  const started = await world.until(
    startBulk(world.invocation().engine, { id: world.newId(), action, filter, ...more }, ann),
  );
  if (started.kind !== "started") throw new Error(JSON.stringify(started));
  const [job] = await world.sql<{ id: string }>("SELECT id FROM jobs WHERE kind = 'bulk' ORDER BY id DESC LIMIT 1");
  return { ...started.operation, job: (job as { id: string }).id };
}
/** A deletion of 30 done jobs that died before its first chunk, beside five dead jobs of other kinds. */
async function stoppedDeletion(world: World) {
  await worked(world, "probe.ok", 30);
  const dead = await worked(world, "probe.permanent", 5);
  const deletion = await start(world, "delete", { view: "done" }, { confirm: 30 });
  await world.sql("UPDATE jobs SET max_attempts = 1 WHERE kind = 'bulk'");
  world.seam = (site) => {
    if (site === "bulk: between read and write") throw new TypeError("a bug of that release");
  };
  await world.deliver("high");
  world.seam = () => {};
  expect(await standing(world, deletion.id)).toEqual({ state: "stopped", changed: 0 });
  return { dead, ...deletion };
}
async function standing(world: World, id: string) {
  const { state, changed } = (await readOperation(world.invocation().engine.store, id)) ?? {};
  return { state, changed };
}
const count = async (world: World, filter: BulkFilter) =>
  (await measure(world.invocation().engine.store, filter)).expected;
const done = async (world: World) =>
  (await world.sql<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE kind = 'probe.ok'"))[0]?.n;

test("a stopped deletion stays stopped when somebody requeues all that is dead; by itself it goes on", async () => {
  const world = new World(kinds);
  const deletion = await stoppedDeletion(world);
  world.now += 14 * 86_400_000;
  expect(await count(world, { view: "dead" })).toBe(5);
  const { id, expected } = await start(world, "requeue", { view: "dead" });
  await world.drain();
  expect([expected, await standing(world, id)]).toEqual([5, { state: "done", changed: 5 }]);
  expect([await standing(world, deletion.id), await done(world)]).toEqual([{ state: "stopped", changed: 0 }, 30]);

  await requeue(world.invocation().engine, { id: deletion.job }, ann);
  await world.drain();
  expect([await standing(world, deletion.id), await done(world)]).toEqual([{ state: "done", changed: 30 }, 0]);
});

test("nor by its cause, which only operations die of, nor among jobs ticked one by one", async () => {
  const world = new World(kinds);
  const { id, job, dead } = await stoppedDeletion(world);
  const { cause } = await world.job(job);
  expect([cause, await count(world, { view: "dead", cause: cause as string })]).toEqual([
    "bulk: TypeError: a bug of that release",
    0,
  ]);
  const byCause = await start(world, "requeue", { view: "dead", cause: cause as string });
  await world.drain();
  expect(await standing(world, byCause.id)).toEqual({ state: "done", changed: 0 });
  const { engine } = world.invocation();
  expect(await world.until(bulkIds(engine, "requeue", [job, ...dead], { view: "dead" }, ann))).toMatchObject({
    changed: 5,
    skipped: [{ id: job, reason: "is an operation that was stopped: requeue it by itself" }],
  });
  await world.drain();
  expect([await standing(world, id), await done(world)]).toEqual([{ state: "stopped", changed: 0 }, 30]);
});

test.each(["filter", "ids"])("whose kind is named goes on, meant by %s", async (how) => {
  const world = new World(kinds);
  const { id, job } = await stoppedDeletion(world);
  const meant = { view: "dead", kind: "bulk" } as const;
  expect(await count(world, meant)).toBe(1);
  if (how === "filter") await start(world, "requeue", meant);
  else await world.until(bulkIds(world.invocation().engine, "requeue", [job], meant, ann));
  await world.drain();
  expect([await standing(world, id), await done(world)]).toEqual([{ state: "done", changed: 30 }, 0]);
});

test("one that rests between its turns is not cancelled with all that waits", async () => {
  const world = new World(kinds);
  await worked(world, "probe.permanent", 30);
  const rests = await start(world, "requeue", { view: "dead" }, { pace: 60 });
  await world.deliver("high");
  await world.submit({ kind: "probe.ok", delaySeconds: 3_600 });
  const { view } = await world.job(rests.job);
  expect(await count(world, { view, kind: "bulk" })).toBe(1);
  for (const waits of ["pending", "scheduled"] as const) await start(world, "cancel", { view: waits });
  await world.drain();
  expect(await standing(world, rests.id)).toEqual({ state: "done", changed: 30 });
  expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE state = 'cancelled'")).not.toEqual([{ n: 0 }]);
});

test("an operation of whose filter this release does not understand a part stops, and touches nothing", async () => {
  const world = new World(kinds);
  await worked(world, "probe.ok", 3);
  const q = "created:>2026-12-01";
  const other = await start(world, "delete", { view: "done", q }, { confirm: 3 });
  await world.sql(
    `UPDATE jobs SET payload = replace(payload, '${q}', 'moved:>2026-12-02 made:1h created:never') WHERE kind = 'bulk'`,
  );
  await world.deliver("high");
  expect(await world.job(other.job)).toMatchObject({
    state: "dead",
    last_error: "part of its filter is not understood by this release",
  });
  expect(await standing(world, other.id)).toEqual({ state: "stopped", changed: 0 });
  expect(await done(world)).toBe(3);
  const own = await start(world, "delete", { view: "done", q }, { confirm: 3 });
  await world.deliver("high");
  expect(await standing(world, own.id)).toEqual({ state: "done", changed: 3 });
  const unread = { id: world.newId(), action: "delete", filter: { view: "dead", q: "created:never" } } as const;
  await expect(startBulk(world.invocation().engine, unread, ann)).rejects.toThrow(RangeError);
});

test.each([
  { plan: "free", statements: 35, most: 50 },
  { plan: "paid", statements: 700, most: 1_000 },
])(
  "operations that are begun at once make no more statements together than the $plan plan has, and all end",
  async ({ statements, most }) => {
    const world = new World(kinds);
    const dead = await worked(world, "probe.permanent", 1_100);
    const operations: string[] = [];
    for (let n = 0; n < 8; n++) operations.push((await start(world, "requeue", { view: "dead" })).id);
    world.statements = statements;
    world.mostStatements = most;
    while (world.queues.high.messages.length > 0) {
      const invocation = world.invocation();
      await world.deliver("high", 100, invocation);
      expect(invocation.engine.store.used.statements).toBeLessThanOrEqual(most);
      if (world.queues.high.available().length === 0) world.now += 1_000;
    }
    const stand = await Promise.all(operations.map((id) => standing(world, id)));
    expect(stand.map(({ state }) => state)).toEqual(operations.map(() => "done"));
    expect(stand.reduce((sum, { changed }) => sum + (changed ?? 0), 0)).toBe(dead.length);
  },
);
