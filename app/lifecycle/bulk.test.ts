import { beforeEach, describe, expect, test } from "vitest";
import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { readOperation } from "~/store/bulk/bulk";
import { applyToNamed, readNamed } from "~/store/bulk/ids";
import { listOperations, readOperationDetail } from "~/store/reads/operations";
import { readOverview } from "~/store/reads/overview";
import { probes } from "~/testing/probes";
import { seed } from "~/testing/seed";
import { clean, World } from "~/testing/world";
import { abortBulk, againBulk, bulkIds, startBulk } from "./bulk";
import { consume } from "./consume";
import { requeue } from "./requeue";

beforeEach(clean);

const kinds = registryOf(...probes.values(), bulk);
const ana = { actor: "ana", reason: "fixed" };

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept.counted).toEqual(real.counted);
  expect(kept.dead).toEqual(real.dead);
}

async function dead(world: World, n: number, kind = "probe.permanent") {
  const ids = await world.submit(...Array.from({ length: n }, () => ({ kind })));
  while (world.queues.normal.available().length > 0) await world.deliver();
  return ids;
}
async function start(world: World, action: BulkAction, filter: BulkFilter, more: { pace?: number; id?: string } = {}) {
  const ask = { id: world.newId(), action, filter, ...more };
  const started = await world.until(startBulk(world.invocation().engine, ask, ana));
  if (started.kind !== "started") throw new Error(JSON.stringify(started));
  return started.operation;
}
const byIds = (world: World, action: BulkAction, ids: string[], still: Partial<BulkFilter> = {}) =>
  world.until(bulkIds(world.invocation().engine, action, ids, still, ana));
const operation = async (world: World, id: string) => await readOperation(world.invocation().engine.store, id);
const statesOf = (world: World, ids: string[]) =>
  world.sql(
    "SELECT state, count(*) AS n FROM jobs WHERE id IN (SELECT value FROM json_each(?)) GROUP BY state ORDER BY state",
    JSON.stringify(ids),
  );

/** Who aborted, and of which kind the job is at which that stands. */
const aborts = (world: World) =>
  world.sql(
    "SELECT actor, reason, jobs.kind AS of FROM audit LEFT JOIN jobs ON jobs.id = job_id WHERE action = 'abort bulk'",
  );

describe("C060: all that matches", () => {
  test("only the kind that was meant is touched, the count was exact, and later arrivals are left alone", async () => {
    const world = new World(kinds);
    const a = await dead(world, 120);
    const b = await dead(world, 30, "probe.fail");
    await world.sql("UPDATE jobs SET run_at = 0 WHERE kind = 'probe.fail'");
    for (let minute = 0; minute < 30; minute++) {
      world.now += 60_000;
      await world.sweep();
      while (world.queues.normal.available().length > 0) await world.deliver();
    }
    expect(await statesOf(world, b)).toEqual([{ state: "dead", n: 30 }]);
    const { id, expected } = await start(world, "requeue", { view: "dead", kind: "probe.permanent" });
    expect(expected).toBe(120);
    world.now += 1_000;
    const late = await dead(world, 5);
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 120, skipped: 0 });
    expect(await statesOf(world, a)).toEqual([{ state: "pending", n: 120 }]);
    expect(await statesOf(world, b)).toEqual([{ state: "dead", n: 30 }]);
    expect(await statesOf(world, late)).toEqual([{ state: "dead", n: 5 }]);
    await exact(world);
    while (world.queues.normal.available().length > 0) await world.deliver();
    expect((await world.job(a[0] as string)).generation).toBe(2);
    expect(await world.sql("SELECT actor, action, reason FROM audit WHERE job_id IS NULL")).toEqual([
      { actor: "ana", action: "bulk requeue", reason: "fixed" },
    ]);
    expect(await world.sql("SELECT actor, action, after, reason FROM audit WHERE job_id = ?", a[0])).toEqual([
      {
        actor: "ana",
        action: "requeue",
        after: JSON.stringify({ state: "pending", generation: 2, operation: id }),
        reason: "fixed",
      },
    ]);
    expect(await world.sql("SELECT count(*) AS n FROM audit WHERE job_id IS NOT NULL")).toEqual([{ n: 120 }]);
  });

  test("20,000 dead jobs of one cause, while workers crash: each changed exactly once", async () => {
    const world = new World(kinds);
    await seed(100_000, world.now);
    await world.sql("UPDATE jobs SET cause = 'one cause' WHERE state = 'dead'");
    await world.sql("DELETE FROM dead_counts");
    await world.sql(
      "INSERT INTO dead_counts SELECT cause, finished_at / 3600000 * 3600000, count(*) FROM jobs WHERE state = 'dead' GROUP BY 1, 2",
    );
    const { id, expected } = await start(world, "requeue", { view: "dead", cause: "one cause" });
    const [all] = await world.sql<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE state = 'dead'");
    expect(expected).toBe(all?.n);
    expect(expected).toBeGreaterThan(19_000);
    // Its worker is gone in the middle of a chunk, twice: once before the chunk is written, once after.
    for (const [site, nth] of [
      ["bulk: between read and write", 3],
      ["bulk: between read and write", 5],
    ] as const) {
      const invocation = world.invocation();
      const gone = Promise.withResolvers<void>();
      let seen = 0;
      world.seam = (at, who) => {
        if (at !== site || who !== invocation || ++seen < nth) return;
        invocation.kill();
        gone.resolve();
      };
      const taken = world.queues.high.take(10);
      void consume(invocation.engine, "high", taken.batch);
      await world.until(gone.promise);
      taken.crash();
      world.now += 31_000;
      await world.sweep();
      world.now += 60_000;
    }
    world.seam = () => {};
    for (let round = 0; round < 10 && (await operation(world, id))?.state === "running"; round++)
      await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: expected, skipped: 0 });
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE generation = 2")).toEqual([{ n: expected }]);
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE generation > 2")).toEqual([{ n: 0 }]);
    await exact(world);
  }, 120_000);

  test("a job that somebody requeues between reading and writing is skipped, with the reason", async () => {
    const world = new World(kinds);
    const ids = await dead(world, 3);
    const { id } = await start(world, "requeue", { view: "dead" });
    world.seam = async (site) => {
      if (site === "bulk: between read and write")
        await world.sql("UPDATE jobs SET generation = 9 WHERE id = ?", ids[1]);
    };
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 2, skipped: 1 });
    expect(await readOperationDetail(world.invocation().engine.store, id)).toMatchObject({
      changed: 2,
      matching: 1,
      job: { state: "done" },
      skips: [{ jobId: ids[1], reason: "was requeued meanwhile" }],
    });
  });

  test("a job that somebody else deletes between reading and writing is not counted as deleted by the operation", async () => {
    const world = new World(kinds);
    const ids = await dead(world, 3);
    const { id } = await start(world, "delete", { view: "dead" });
    world.seam = async (site) => {
      if (site === "bulk: between read and write") await byIds(world, "delete", [ids[1] as string]);
    };
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 2, skipped: 1 });
    expect(await readOperationDetail(world.invocation().engine.store, id)).toMatchObject({
      skips: [{ jobId: ids[1], reason: "is not stored any more" }],
    });
    await exact(world);
  });

  test("a running job that somebody else asks to stop in the same millisecond is not counted twice", async () => {
    const world = new World(kinds);
    const ids = await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" });
    const { id } = await start(world, "cancel", { view: "pending", kind: "probe.ok" });
    world.seam = async (site) => {
      if (site !== "bulk: between read and write") return;
      await world.sql(
        `UPDATE jobs SET state = 'processing', attempt = 1, token = 'other', sent_at = NULL, leased_at = ?1, lease_until = ?1 + 30000,
           cancel_requested_at = ?1 WHERE id = ?2`,
        world.now,
        ids[1],
      );
    };
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 1, skipped: 1 });
    expect(await world.sql("SELECT job_id FROM audit WHERE action = 'cancel'")).toEqual([{ job_id: ids[0] }]);
    expect(await readOperationDetail(world.invocation().engine.store, id)).toMatchObject({
      skips: [{ jobId: ids[1], reason: "was asked to stop before" }],
    });
  });

  test("an abort leaves what is not reached as it is, and what is left can be run again", async () => {
    const world = new World(kinds);
    await dead(world, 50);
    const { id } = await start(world, "requeue", { view: "dead" }, { pace: 60 });
    await world.deliver("high");
    const before = await operation(world, id);
    expect(before).toMatchObject({ state: "running", changed: 10 });
    const abort = () => world.until(abortBulk(world.invocation().engine, id, { actor: "ben", reason: "too early" }));
    expect(await abort()).toMatchObject({ state: "aborted", mine: 1 });
    expect(await abort()).toMatchObject({ state: "aborted", mine: 0 });
    expect(await aborts(world)).toEqual([{ actor: "ben", reason: "too early", of: "bulk" }]);
    world.now += 10_000;
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "aborted", changed: 10 });
    const { expected } = await start(world, "requeue", { view: "dead" });
    expect(expected).toBe(40);
  });

  test("a pace of 60 a minute does ten each ten seconds", async () => {
    const world = new World(kinds);
    await dead(world, 35);
    const { id } = await start(world, "requeue", { view: "dead" }, { pace: 60 });
    for (const changed of [10, 20, 30, 35]) {
      await world.deliver("high");
      expect((await operation(world, id))?.changed).toBe(changed);
      world.now += 12_000;
    }
    expect((await operation(world, id))?.state).toBe("done");
  });

  test("a pace is kept whether it is slower than one job a turn, or faster than one chunk a turn", async () => {
    const world = new World(kinds);
    await dead(world, 3);
    const slow = await start(world, "requeue", { view: "dead" }, { pace: 2 });
    const ends: number[] = [];
    for (let second = 0; second < 70; second++) {
      await world.deliver("high");
      const { changed = 0 } = (await operation(world, slow.id)) ?? {};
      if (changed > ends.length) ends.push(second);
      world.now += 1_000;
    }
    expect(ends).toEqual([0, 30, 60]);

    await clean();
    const fast = new World(kinds);
    await seed(20_000, fast.now);
    const { id, expected } = await start(fast, "requeue", { view: "dead" }, { pace: 12_000 });
    expect(expected).toBeGreaterThan(4_000);
    await fast.deliver("high");
    expect(await operation(fast, id)).toMatchObject({ changed: 2_000, state: "running" });
    fast.now += 11_000;
    await fast.deliver("high");
    expect(await operation(fast, id)).toMatchObject({ changed: 4_000 });
  });

  test("asking twice with one id starts it once, also where it counted otherwise meanwhile", async () => {
    const world = new World(kinds);
    await dead(world, 3);
    const id = world.newId();
    const ask = () => start(world, "requeue", { view: "dead" }, { id });
    await ask();
    world.now += 1_000;
    await dead(world, 2);
    await expect(ask()).resolves.toMatchObject({ id, expected: 3 });
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE kind = 'bulk'")).toEqual([{ n: 1 }]);
    expect(await world.sql("SELECT count(*) AS n FROM audit WHERE action LIKE 'bulk%'")).toEqual([{ n: 1 }]);
  });

  test("asked again after its first call broke off between job and operation, it is as it was first asked", async () => {
    const world = new World(kinds);
    await dead(world, 3);
    const id = world.newId();
    const first = world.invocation();
    const gone = Promise.withResolvers<void>();
    world.seam = (site, who) => {
      if (site !== "bulk: between submit and begin" || who !== first) return;
      first.kill();
      gone.resolve();
    };
    void startBulk(first.engine, { id, action: "requeue", filter: { view: "dead" } }, ana);
    await world.until(gone.promise);
    expect(await operation(world, id)).toBeNull();
    world.now += 1_000;
    await dead(world, 2);
    expect(await start(world, "requeue", { view: "dead" }, { id })).toMatchObject({ id, expected: 3 });
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 3 });
  });

  test("where the count is another one than was confirmed, nothing is started", async () => {
    const world = new World(kinds);
    await dead(world, 3);
    const ask = { id: world.newId(), action: "delete", filter: { view: "dead" }, confirm: 2 } as const;
    const { engine } = world.invocation();
    expect(await world.until(startBulk(engine, ask, ana))).toEqual({ kind: "recounted", expected: 3 });
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE kind = 'bulk'")).toEqual([{ n: 0 }]);
    expect(await world.until(startBulk(engine, { ...ask, confirm: 3 }, ana))).toMatchObject({ kind: "started" });
  });

  test("where somebody means at least one job and none matches any more, nothing is started", async () => {
    const world = new World(kinds);
    await dead(world, 1);
    const ask = { id: world.newId(), action: "requeue", filter: { view: "dead" }, some: true } as const;
    const { engine } = world.invocation();
    expect(await world.until(startBulk(engine, ask, ana))).toMatchObject({ kind: "started" });
    await world.deliver("high");
    const later = { ...ask, id: world.newId() };
    expect(await world.until(startBulk(engine, later, ana))).toEqual({ kind: "recounted", expected: 0 });
    expect(await world.sql("SELECT count(*) AS n FROM bulk_operations")).toEqual([{ n: 1 }]);
    // The same call once more is the same operation, whatever is left by then.
    expect(await world.until(startBulk(engine, ask, ana))).toMatchObject({
      kind: "started",
      operation: { id: ask.id },
    });
  });

  test("operations are listed page by page, newest first", async () => {
    const world = new World(kinds);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await start(world, "requeue", { view: "dead" })).id);
    const { store } = world.invocation().engine;
    const first = await listOperations(store, undefined, 3);
    expect(first.operations.map(({ id }) => id)).toEqual(ids.slice(0, 3));
    const second = await listOperations(store, first.next as string, 3);
    expect(second.operations.map(({ id }) => id)).toEqual(ids.slice(3));
    expect(second.next).toBeNull();
  });
});

describe("an operation whose own job ends before it", () => {
  const paced = async (world: World) => {
    const ids = await dead(world, 30);
    const { id } = await start(world, "requeue", { view: "dead" }, { pace: 60 });
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "running", changed: 10, why: null });
    const [job] = await world.sql<{ id: string }>("SELECT id FROM jobs WHERE kind = 'bulk'");
    return { ids, id, job: (job as { id: string }).id };
  };
  const listed = async (world: World) =>
    (await listOperations(world.invocation().engine.store)).operations.map(({ state, why }) => ({ state, why }));
  /** On the overview. */
  const told = async (world: World) => {
    const view = { range: "1h", day: null, zone: "UTC" } as const;
    return (await readOverview(world.invocation().engine.store, view, world.now)).stopped.map(({ id }) => id);
  };
  const byItself = (world: World, id: string) => requeue(world.invocation().engine, { id }, ana);
  const goesOn = async (world: World, id: string, job: string) => {
    expect(await byItself(world, job)).toMatchObject({ kind: "requeued" });
    expect(await operation(world, id)).toMatchObject({ state: "running", why: null, endedAt: null, changed: 10 });
    await world.drain();
    expect(await operation(world, id)).toMatchObject({ state: "done", why: null, changed: 30, skipped: 0 });
    await exact(world);
  };

  test("is stopped by a cancel of the job, says so, and goes on where it was once the job is requeued", async () => {
    const world = new World(kinds);
    const { ids, id, job } = await paced(world);
    expect(await told(world)).toEqual([]);
    expect(await byIds(world, "cancel", [job])).toMatchObject({ changed: 1 });
    const stopped = { state: "stopped", why: "its job was cancelled" };
    expect(await operation(world, id)).toMatchObject({ ...stopped, changed: 10, endedAt: world.now });
    expect(await listed(world)).toEqual([stopped]);
    expect(await told(world)).toEqual([id]);
    expect(await readOperationDetail(world.invocation().engine.store, id)).toMatchObject({ ...stopped, matching: 20 });
    world.now += 60_000;
    await world.sweep();
    await world.deliver("high");
    expect(await statesOf(world, ids)).toEqual([
      { state: "dead", n: 20 },
      { state: "pending", n: 10 },
    ]);
    await goesOn(world, id, job);
    expect(await told(world)).toEqual([]);
  });

  test("is stopped by the death of the job in the very transaction, and a worker that wakes up late moves nothing more", async () => {
    const world = new World(kinds);
    const { ids, id, job } = await paced(world);
    await world.sql("UPDATE jobs SET max_attempts = attempt - forgiven + 1 WHERE id = ?", job);
    world.now += 12_000;
    const late = world.invocation();
    const gate = world.hold("bulk: between read and write", late);
    const taken = world.queues.high.take(10);
    late.frozen = true;
    const work = consume(late.engine, "high", taken.batch);
    await world.until(gate.reached);
    expect(await listed(world)).toEqual([{ state: "running", why: null }]);
    world.now += 31_000;
    await world.sweep();
    const stopped = { state: "stopped", why: "its job died: worker lost 1 time" };
    expect(await operation(world, id)).toMatchObject({ ...stopped, changed: 10, endedAt: world.now });
    gate.open();
    late.frozen = false;
    await world.until(work);
    taken.finish();
    expect(await operation(world, id)).toMatchObject({ ...stopped, changed: 10 });
    expect(await statesOf(world, ids)).toEqual([
      { state: "dead", n: 20 },
      { state: "pending", n: 10 },
    ]);
    await goesOn(world, id, job);
  });

  test("is run again on what is left, or aborted: then no requeue of the job takes it up", async () => {
    const world = new World(kinds);
    const { id, job } = await paced(world);
    await byIds(world, "cancel", [job]);
    const { engine } = world.invocation();
    const again = await world.until(againBulk(engine, id, {}, ana));
    expect(again).toMatchObject({ kind: "started", operation: { expected: 20, state: "running" } });
    await world.drain();
    expect(await listed(world)).toEqual([
      { state: "done", why: null },
      { state: "stopped", why: "its job was cancelled" },
    ]);
    // What it has left was done by another one: it is told of until a person ends it.
    expect(await told(world)).toEqual([id]);
    expect(await world.until(abortBulk(engine, id, ana))).toMatchObject({ state: "aborted", why: null, mine: 1 });
    expect(await told(world)).toEqual([]);
    const before = await world.sql("SELECT id, generation FROM jobs WHERE kind <> 'bulk' ORDER BY id");
    await byItself(world, job);
    await world.drain();
    expect(await operation(world, id)).toMatchObject({ state: "aborted", changed: 10 });
    expect(await world.sql("SELECT id, generation FROM jobs WHERE kind <> 'bulk' ORDER BY id")).toEqual(before);
  });

  test("is stopped for good where the job is deleted", async () => {
    const world = new World(kinds);
    const { id, job } = await paced(world);
    await byIds(world, "cancel", [job]);
    await byIds(world, "delete", [job]);
    const stopped = { state: "stopped", why: "its job is stored no more", changed: 10 };
    expect(await operation(world, id)).toMatchObject({ ...stopped, endedAt: null });
    expect(await readOperationDetail(world.invocation().engine.store, id)).toMatchObject({ ...stopped, job: null });
    expect(await world.until(abortBulk(world.invocation().engine, id, ana))).toMatchObject({ state: "aborted" });
    expect(await aborts(world)).toMatchObject([{ actor: ana.actor, of: null }]);
  });
});

describe("cancel and delete", () => {
  test("cancelling all that run leaves the operation's own job alone", async () => {
    const world = new World(kinds);
    const [ran] = await world.submit({ kind: "probe.ok" });
    await world.sql(
      "UPDATE jobs SET state = 'processing', sent_at = NULL, attempt = 1, leased_at = 1, lease_until = 9e12 WHERE id = ?",
      ran,
    );
    await world.sql("UPDATE job_counts SET view = 'processing'");
    const { id, expected } = await start(world, "cancel", { view: "processing" });
    expect(expected).toBe(1);
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 1, skipped: 0 });
    expect((await world.job(ran as string)).cancel_requested_at).not.toBeNull();
    expect(await world.sql("SELECT state FROM jobs WHERE kind = 'bulk'")).toEqual([{ state: "done" }]);
  });

  test("scheduled jobs are cancelled, and only they", async () => {
    const world = new World(kinds);
    const later = await world.submit(...Array.from({ length: 250 }, () => ({ kind: "probe.ok", delaySeconds: 3_600 })));
    const now = await world.submit({ kind: "probe.ok" });
    const { id } = await start(world, "cancel", { view: "scheduled" });
    await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 250 });
    expect(await statesOf(world, later)).toEqual([{ state: "cancelled", n: 250 }]);
    expect(await statesOf(world, now)).toEqual([{ state: "pending", n: 1 }]);
    await exact(world);
  });

  test("dead jobs are deleted with all that hangs on them, and the counts follow", async () => {
    const world = new World(kinds);
    const gone = await dead(world, 210);
    await world.submit({ kind: "probe.ok" });
    await world.deliver();
    const { id } = await start(world, "delete", { view: "dead" });
    while (world.queues.high.available().length > 0) await world.deliver("high");
    expect(await operation(world, id)).toMatchObject({ state: "done", changed: 210 });
    expect(await statesOf(world, gone)).toEqual([]);
    expect(await world.sql("SELECT DISTINCT outcome FROM attempts WHERE outcome <> 'snoozed'")).toEqual([
      { outcome: "done" },
    ]);
    await exact(world);
  });
});

describe("C059: jobs named one by one", () => {
  for (const n of [99, 100, 101, 250]) {
    test(`${n} ids change exactly once each; one given twice counts once, an unknown one is skipped with the reason`, async () => {
      const world = new World(kinds);
      const ids = await dead(world, n);
      const asked = [...ids, ids[0] as string, "no-such-job"];
      expect(await byIds(world, "requeue", asked)).toEqual({
        requested: n + 1,
        changed: n,
        skipped: [{ id: "no-such-job", reason: "is not stored" }],
      });
      expect(await statesOf(world, ids)).toEqual([{ state: "pending", n }]);
      await exact(world);
      const again = await byIds(world, "requeue", ids);
      expect(again).toMatchObject({ changed: 0 });
      expect(again.skipped[0]).toMatchObject({ reason: "is pending now" });
    });
  }

  test("over the documented maximum nothing changes", async () => {
    const world = new World(kinds);
    const ids = await dead(world, 1);
    const many = [...ids, ...Array.from({ length: 1_999 }, (_, index) => `x${index}`)];
    await expect(byIds(world, "requeue", many)).rejects.toThrow("at most 1000 ids");
    expect(await statesOf(world, ids)).toEqual([{ state: "dead", n: 1 }]);
  });

  test("deleting skips what is not final, cancelling what has ended", async () => {
    const world = new World(kinds);
    const [done] = (await world.submit({ kind: "probe.ok" })) as [string];
    await world.deliver();
    const [waits] = (await world.submit({ kind: "probe.ok", delaySeconds: 60 })) as [string];
    expect(await byIds(world, "cancel", [done, waits])).toMatchObject({
      changed: 1,
      skipped: [{ id: done, reason: "is done now" }],
    });
    await world.sql("UPDATE jobs SET state = 'pending', finished_at = NULL WHERE id = ?", waits);
    expect(await byIds(world, "delete", [done, waits])).toMatchObject({
      changed: 1,
      skipped: [{ id: waits, reason: "is pending now" }],
    });
  });

  test("chosen in one list, those that have left it are skipped", async () => {
    const world = new World(kinds);
    const [dies, requeued, ends] = (await dead(world, 3)) as [string, string, string];
    await byIds(world, "requeue", [requeued]);
    await world.deliver();
    await world.sql("UPDATE jobs SET state = 'done', cause = NULL WHERE id = ?", ends);
    await world.sql("UPDATE jobs SET cause = 'another' WHERE id = ?", requeued);
    const { cause } = await world.job(dies);
    expect(await byIds(world, "delete", [dies, requeued, ends], { view: "dead", cause })).toEqual({
      requested: 3,
      changed: 1,
      skipped: [
        { id: requeued, reason: "does not match any more" },
        { id: ends, reason: "is done now" },
      ],
    });
    expect(await statesOf(world, [dies, requeued, ends])).toEqual([
      { state: "dead", n: 1 },
      { state: "done", n: 1 },
    ]);
  });

  for (const action of ["requeue", "cancel", "delete"] as const) {
    test(`${action}: sent again after its reply was lost, it answers what it did, and did it once`, async () => {
      const world = new World(kinds);
      const ids =
        action === "cancel"
          ? await world.submit(...Array(3).fill({ kind: "probe.ok", delaySeconds: 60 }))
          : await dead(world, 3);
      // The second call writes: its reply is lost, and that of the next one too.
      const faults = [null, "after", "after"] as const;
      let call = 0;
      world.fault = () => faults[call++] ?? null;
      expect(await byIds(world, action, [...ids, "no-such-job"])).toEqual({
        requested: 4,
        changed: 3,
        skipped: [{ id: "no-such-job", reason: "is not stored" }],
      });
      world.fault = () => null;
      await exact(world);
      expect(await world.sql("SELECT count(*) AS n FROM audit WHERE job_id IS NULL")).toEqual([{ n: 1 }]);
      expect(await world.sql("SELECT count(*) AS n FROM audit WHERE job_id IS NOT NULL")).toEqual([
        { n: action === "delete" ? 0 : 3 },
      ]);
    });
  }

  for (const action of ["requeue", "cancel"] as const) {
    test(`${action}: its repeat says what it did, also where the jobs have gone on since; another call is told they are not fit`, async () => {
      const world = new World(kinds);
      const ids =
        action === "requeue" ? await dead(world, 2) : await world.submit(...Array(2).fill({ kind: "probe.ok" }));
      if (action === "cancel")
        await world.sql(
          "UPDATE jobs SET state = 'processing', attempt = 1, sent_at = NULL, leased_at = ?1, lease_until = ?1 + 30000 WHERE id = ?2",
          world.now,
          ids[0],
        );
      const { store, newToken } = world.invocation().engine;
      const named = await readNamed(store, ids);
      const [token, audit] = [newToken(), world.newId()];
      const send = () => applyToNamed(store, token, action, named, {}, audit, ana);
      expect(await send()).toEqual({ changed: 2, skipped: [] });
      await world.sweep();
      await world.drain();
      expect(await send()).toEqual({ changed: 2, skipped: [] });
      expect(await world.sql("SELECT count(*) AS n FROM audit WHERE job_id IS NOT NULL")).toEqual([{ n: 2 }]);
      const other = await applyToNamed(store, newToken(), action, named, {}, world.newId(), ana);
      expect(other).toMatchObject({ changed: 0, skipped: [{ id: ids[0] }, { id: ids[1] }] });
    });
  }

  test("where nothing is to be done nothing is recorded", async () => {
    const world = new World(kinds);
    const revision = await world.revision();
    expect(await byIds(world, "requeue", ["no-such-job"])).toMatchObject({ changed: 0 });
    expect(await world.revision()).toBe(revision);
    expect(await world.sql("SELECT count(*) AS n FROM audit")).toEqual([{ n: 0 }]);
  });
});
