import { beforeEach, describe, expect, test } from "vitest";
import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";
import { becameText, filterOfBecame, goneOf } from "~/domain/bulk/words";
import { VIEW_NAMES } from "~/domain/states";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { measure } from "~/store/bulk/matching";
import { readJob } from "~/store/reads/job";
import { listJobs } from "~/store/reads/list";
import { readOperationDetail } from "~/store/reads/operations";
import { readStats } from "~/store/reads/stats";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { bulkIds, startBulk } from "./bulk";
import { requeue } from "./requeue";

beforeEach(clean);

const kinds = registryOf(...probes.values(), bulk);
const reader = { known: kinds, payloads: true };
const ana = { actor: "ana" };
/** Dies once; after a requeue it works. */
const DIES_ONCE = { kind: "probe.fail", payload: { times: 1 }, maxAttempts: 1 };
const DIES_ALWAYS = { kind: "probe.permanent" };

async function dead(world: World, n: number, job: typeof DIES_ONCE | typeof DIES_ALWAYS): Promise<string[]> {
  const ids = await world.submit(...Array(n).fill(job));
  await work(world);
  return ids;
}
async function work(world: World): Promise<void> {
  while (world.queues.normal.available().length > 0) await world.deliver();
}
async function begun(world: World, action: BulkAction, filter: BulkFilter, pace?: number): Promise<string> {
  const ask = { id: world.newId(), action, filter, pace };
  const started = await world.until(startBulk(world.invocation().engine, ask, ana));
  expect(started.kind).toBe("started");
  return ask.id;
}
async function operated(world: World, action: BulkAction, filter: BulkFilter): Promise<string> {
  const id = await begun(world, action, filter);
  await world.deliver("high");
  return id;
}
async function detail(world: World, id: string) {
  const found = await readOperationDetail(world.invocation().engine.store, id);
  if (!found) throw new Error(`no operation ${id}`);
  return found;
}
/** How its jobs stand, views without any left out, after a look at all of them: the numbers, the lists and their totals say the same. */
async function standing(world: World, id: string) {
  const { became } = await detail(world, id);
  const { store } = world.invocation().engine;
  const rows = await world.sql<{ view: string; n: number }>(
    "SELECT view, count(*) AS n FROM jobs WHERE operation_id = ? GROUP BY view",
    id,
  );
  const counted = Object.fromEntries(rows.map(({ view, n }) => [view, n]));
  const told = Object.fromEntries(Object.entries(became).filter(([, n]) => n !== 0));
  expect(told).toEqual(counted);
  for (const view of VIEW_NAMES) {
    const page = await listJobs(store, { ...filterOfBecame(id, view), limit: 100 });
    expect([view, page.total, page.jobs.length, page.scanned]).toEqual([view, became[view], became[view], null]);
    expect((await measure(store, filterOfBecame(id, view))).expected).toBe(became[view]);
  }
  return told;
}
const idsOf = async (world: World, q: string) =>
  (await listJobs(world.invocation().engine.store, { q, limit: 100 })).jobs.map(({ id }) => id).sort();

describe("what became of the jobs of an operation", () => {
  test("is told at each step by exact numbers, by lists, and by what those died of that are dead again", async () => {
    const world = new World(kinds);
    const once = await dead(world, 3, DIES_ONCE);
    const always = await dead(world, 2, DIES_ALWAYS);
    const others = await world.submit({ kind: "probe.ok" });
    const id = await operated(world, "requeue", { view: "dead" });
    expect(await standing(world, id)).toEqual({ pending: 5 });
    expect(await idsOf(world, `operation:${id}`)).toEqual([...once, ...always].sort());
    expect((await readJob(world.invocation().engine.store, once[0] as string, reader))?.operationId).toBe(id);
    expect((await readJob(world.invocation().engine.store, others[0] as string, reader))?.operationId).toBeNull();
    await work(world);
    expect(await standing(world, id)).toEqual({ done: 3, dead: 2 });
    const operation = await detail(world, id);
    expect(becameText(operation)).toBe("3 of 5 done, 2 died again");
    expect(operation.causes).toEqual([{ cause: "probe.permanent: no retry can help", n: 2 }]);
    expect(await idsOf(world, `operation:${id} state:dead`)).toEqual(always.sort());
    expect(await idsOf(world, `-operation:${id} -kind:bulk`)).toEqual(others);
  });

  test("those that died again are requeued as a whole, and belong to that later operation from then on", async () => {
    const world = new World(kinds);
    await dead(world, 2, DIES_ONCE);
    const always = await dead(world, 2, DIES_ALWAYS);
    const first = await operated(world, "requeue", { view: "dead" });
    await work(world);
    world.now += 1_000;
    const others = await dead(world, 3, DIES_ALWAYS);
    const second = await operated(world, "requeue", filterOfBecame(first, "dead"));
    expect(await standing(world, first)).toEqual({ done: 2 });
    expect(goneOf(await detail(world, first))).toBe(2);
    expect(await standing(world, second)).toEqual({ pending: 2 });
    expect(await idsOf(world, `operation:${second}`)).toEqual(always.sort());
    await work(world);
    expect(await standing(world, second)).toEqual({ dead: 2 });
    expect([
      (await world.job(others[0] as string)).generation,
      (await world.job(always[0] as string)).generation,
    ]).toEqual([1, 3]);
    expect(await idsOf(world, `operation:${first},${second}`)).toHaveLength(4);
  });

  test("what still waits of it is taken back by a cancel, and nothing else; then it belongs to the cancel", async () => {
    const world = new World(kinds);
    await dead(world, 4, DIES_ALWAYS);
    const requeued = await operated(world, "requeue", { view: "dead" });
    const own = await world.submit({ kind: "probe.ok" });
    const cancelled = await operated(world, "cancel", filterOfBecame(requeued, "pending"));
    expect(await standing(world, requeued)).toEqual({});
    expect(goneOf(await detail(world, requeued))).toBe(4);
    expect(await standing(world, cancelled)).toEqual({ cancelled: 4 });
    expect(becameText(await detail(world, cancelled))).toBe("4 of 4 cancelled");
    expect((await world.job(own[0] as string)).state).toBe("pending");
  });

  test("a job that it skipped is none of its own, whether it was requeued meanwhile or asked to stop before", async () => {
    const world = new World(kinds);
    const ids = await dead(world, 3, DIES_ALWAYS);
    const id = await begun(world, "requeue", { view: "dead" });
    world.seam = async (site) => {
      if (site !== "bulk: between read and write") return;
      world.seam = () => {};
      await requeue(world.invocation().engine, { id: ids[1] as string }, ana);
    };
    await world.deliver("high");
    expect(await detail(world, id)).toMatchObject({ changed: 2, skipped: 1, became: { pending: 2 } });
    expect(await idsOf(world, `operation:${id}`)).toEqual([ids[0], ids[2]].sort());

    const [asked, runs] = (await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" })) as [string, string];
    await world.sql(
      `UPDATE jobs SET state = 'processing', attempt = 1, sent_at = NULL, leased_at = ?1, lease_until = ?1 + 30000 WHERE id IN (?2, ?3)`,
      world.now,
      asked,
      runs,
    );
    await world.sql("UPDATE jobs SET cancel_requested_at = 1 WHERE id = ?", asked);
    await world.sql("INSERT INTO job_counts VALUES ('probe.ok', 'processing', 2) ON CONFLICT DO UPDATE SET n = 2");
    const stops = await operated(world, "cancel", { view: "processing", kind: "probe.ok" });
    expect(await standing(world, stops)).toEqual({ processing: 1 });
    expect(await idsOf(world, `operation:${stops}`)).toEqual([runs]);
  });

  test("a chunk whose reply was lost, or that the network brings twice, counts each job once", async () => {
    const world = new World(kinds);
    await dead(world, 3, DIES_ONCE);
    const id = await begun(world, "requeue", { view: "dead" });
    let asked = 0;
    world.seam = (site) => {
      if (site !== "bulk: between read and write") return;
      world.twice = true;
      world.fault = () => (asked++ < 2 ? "after" : null);
    };
    await world.deliver("high");
    world.seam = () => {};
    world.twice = false;
    expect(asked).toBeGreaterThan(2);
    expect(await standing(world, id)).toEqual({ pending: 3 });
    await world.drain();
    expect(await standing(world, id)).toEqual({ done: 3 });
  });

  test("a requeue by hand or by ids is no operation: the job stays with the last one; a deleted job is nobody's", async () => {
    const world = new World(kinds);
    const ids = await dead(world, 3, DIES_ALWAYS);
    const id = await operated(world, "requeue", { view: "dead" });
    await work(world);
    const { engine } = world.invocation();
    await world.until(requeue(engine, { id: ids[0] as string }, ana));
    await world.until(bulkIds(engine, "requeue", [ids[1] as string], {}, ana));
    expect(await standing(world, id)).toEqual({ pending: 2, dead: 1 });
    await world.until(bulkIds(engine, "delete", [ids[2] as string], {}, ana));
    expect(await standing(world, id)).toEqual({ pending: 2 });
    expect(goneOf(await detail(world, id))).toBe(1);
    const fresh = await dead(world, 1, DIES_ALWAYS);
    await world.until(bulkIds(engine, "requeue", fresh, {}, ana));
    expect((await world.job(fresh[0] as string)).operation_id).toBeNull();
  });

  test("a deletion leaves nothing to tell of", async () => {
    const world = new World(kinds);
    await dead(world, 2, DIES_ALWAYS);
    const id = await begun(world, "delete", { view: "dead" });
    await world.deliver("high");
    expect(await standing(world, id)).toEqual({});
    expect(becameText(await detail(world, id))).toBeNull();
  });
});

describe("operations that run are told with the numbers of every page", () => {
  const told = async (world: World) => (await readStats(world.invocation().engine.store, kinds)).running;

  test("newest first, with how far each is, and no more once it has ended", async () => {
    const world = new World(kinds);
    await dead(world, 30, DIES_ALWAYS);
    const first = await begun(world, "requeue", { view: "dead" }, 60);
    const second = await begun(world, "cancel", { view: "pending", kind: "probe.ok" });
    await world.deliver("high", 1);
    const own = { kind: null, cause: null, q: null, skipped: 0 };
    expect(await told(world)).toEqual([
      { ...own, id: second, action: "cancel", view: "pending", kind: "probe.ok", expected: 0, changed: 0 },
      { ...own, id: first, action: "requeue", view: "dead", expected: 30, changed: 10 },
    ]);
    await world.drain();
    expect(await told(world)).toEqual([]);
  });

  test("one that has stopped is told among the problems, and not as one that runs", async () => {
    const world = new World(kinds);
    await dead(world, 30, DIES_ALWAYS);
    await begun(world, "requeue", { view: "dead" }, 60);
    await world.deliver("high");
    expect(await told(world)).toHaveLength(1);
    const [job] = await world.sql<{ id: string }>("SELECT id FROM jobs WHERE kind = 'bulk'");
    await world.until(bulkIds(world.invocation().engine, "cancel", [job?.id as string], {}, ana));
    expect(await told(world)).toEqual([]);
  });
});
