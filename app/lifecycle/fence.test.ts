import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registryOf } from "~/kinds/registry";
import { readJob } from "~/store/reads/job";
import { createProbeRows, probes } from "~/testing/probes";
import { seeing } from "~/testing/seeing";
import { clean, type Invocation, World } from "~/testing/world";
import { cancel } from "./cancel";
import { consume } from "./consume";
import { pause } from "./engine";

beforeAll(createProbeRows);
beforeEach(clean);

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

const SITE = "run: between return and settle";

/** A worker that has run its attempt and then hangs just before it settles. */
async function stall(world: World): Promise<{ invocation: Invocation; goOn: () => Promise<void> }> {
  const invocation = world.invocation();
  const gate = world.hold(SITE, invocation);
  const taken = world.queues.normal.take(100);
  const work = consume(invocation.engine, "normal", taken.batch);
  await gate.reached;
  invocation.frozen = true;
  return {
    invocation,
    async goOn() {
      gate.open();
      invocation.frozen = false;
      await world.until(work);
      taken.finish();
    },
  };
}

describe("C002: only the holder of the newest claim can end a job", () => {
  for (const variant of ["A succeeds late, then B fails", "B succeeds, then A fails late"] as const) {
    test(variant, async () => {
      const world = new World(probes);
      // Attempt 1 succeeds and attempt 2 fails, or the other way round.
      const aSucceeds = variant.startsWith("A");
      const payload = aSucceeds ? { after: 1 } : { times: 1 };
      const [id] = (await world.submit({ kind: "probe.fail", payload })) as [string];
      const a = await stall(world);
      world.now += 31_000;
      expect(await world.sweep()).toMatchObject({ lost: 1 });
      expect(await world.attempts(id)).toMatchObject([{ number: 1, outcome: "lost" }]);
      world.now += 10_000;

      const b = world.invocation();
      const gate = world.hold(SITE, b);
      const taken = world.queues.normal.take(1);
      const work = consume(b.engine, "normal", taken.batch);
      await gate.reached;
      if (aSucceeds) await a.goOn();
      gate.open();
      await world.until(work);
      if (!aSucceeds) await a.goOn();

      const job = await world.job(id);
      expect(job).toMatchObject({ attempt: 2, view: aSucceeds ? "retrying" : "done" });
      expect(await world.attempts(id)).toMatchObject([
        { number: 1, outcome: "lost" },
        { number: 2, outcome: aSucceeds ? "failed" : "done", trigger: "sweep" },
      ]);
      expect(await world.sql("SELECT number, outcome FROM refusals")).toEqual([
        { number: 1, outcome: aSucceeds ? "done" : "failed" },
      ]);
      expect(world.events.filter((event) => event.event === "result.refused")).toHaveLength(1);
    });
  }
});

describe("a worker held between its handler's return and its settle, while a sweep and a second worker take over", () => {
  test("its settle changes no row, is counted once however often it is repeated, and shows on the job page", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    const late = await stall(world);
    world.now += 31_000;
    await world.sweep();
    world.now += 10_000;
    await world.deliver();
    const before = [await world.job(id), await world.attempts(id), await world.sql("SELECT * FROM job_counts")];
    expect(before[0]).toMatchObject({ state: "done", attempt: 2 });

    // The late worker's first replies are lost, so it offers its result again and again.
    let offers = 0;
    world.fault = () => (++offers <= 3 ? "after" : null);
    await late.goOn();
    world.fault = () => null;

    expect([await world.job(id), await world.attempts(id), await world.sql("SELECT * FROM job_counts")]).toEqual(
      before,
    );
    expect(await world.sql("SELECT job_id, number, outcome FROM refusals")).toEqual([
      { job_id: id, number: 1, outcome: "done" },
    ]);
    expect(
      await world.sql("SELECT sum(refused) AS n FROM stats WHERE grain = 60000 AND kind = 'probe.effect'"),
    ).toEqual([{ n: 1 }]);
    const shown = await readJob(world.invocation().engine.store, id, seeing(probes));
    expect(shown?.refusals).toMatchObject([{ number: 1, outcome: "done" }]);
    await exact(world);
  });

  test("where nobody took over, the very same settle lands", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    const slow = await stall(world);
    world.now += 29_000;
    expect(await world.sweep()).toMatchObject({ lost: 0 });
    await slow.goOn();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(await world.sql("SELECT * FROM refusals")).toEqual([]);
    await exact(world);
  });

  test("a lease that has run out takes nothing away while no sweep has seen it", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    const slow = await stall(world);
    world.now += 3_600_000;
    await slow.goOn();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
  });
});

describe("heartbeats", () => {
  test("C004: a living job is never started a second time, though it runs for three leases", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.slow", payload: { ms: 90_000 } })) as [string];
    const taken = world.queues.long.take(1);
    const minutes = world.invocation();
    const sweeps: unknown[] = [];
    for (const minute of [1, 2])
      minutes.engine.after(minute * 60_000, () => void world.sweepNow().then((report) => sweeps.push(report?.lost)));
    await world.until(consume(world.invocation().engine, "long", taken.batch));
    expect(sweeps).toContain(0);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(await world.attempts(id)).toHaveLength(1);
  });

  test("a heartbeat that comes between a sweep's reading and its settle saves the attempt", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    const slow = await stall(world);
    world.now += 31_000;
    const sweeper = world.invocation();
    const gate = world.hold("sweep: between reading and writing", sweeper);
    const work = world.sweep(sweeper);
    await gate.reached;
    // What the heartbeat writes.
    await world.sql("UPDATE jobs SET lease_until = ? WHERE id = ?", world.now + 30_000, id);
    gate.open();
    expect(await work).toMatchObject({ lost: 0 });
    expect(await world.attempts(id)).toEqual([]);
    await slow.goOn();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(await world.sql("SELECT * FROM refusals")).toEqual([]);
  });

  test("a running job whose lease did not renew is stopped, and what it returns is refused", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.slow", payload: { ms: 300_000 } })) as [string];
    const taken = world.queues.long.take(1);
    const invocation = world.invocation();
    const gate = world.hold("run: before probe.slow", invocation);
    const work = consume(invocation.engine, "long", taken.batch);
    await gate.reached;
    invocation.frozen = true;
    world.now += 31_000;
    await world.sweep();
    const started = world.now;
    invocation.frozen = false;
    gate.open();
    await world.until(work);
    expect(world.now - started).toBeLessThan(300_000);
    expect(await world.attempts(id)).toMatchObject([{ number: 1, outcome: "lost" }]);
    expect(await world.sql("SELECT number FROM refusals")).toEqual([{ number: 1 }]);
  });

  test("a cancel reaches a running job at its next heartbeat", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.slow", payload: { ms: 300_000 } })) as [string];
    const taken = world.queues.long.take(1);
    const invocation = world.invocation();
    const gate = world.hold("run: before probe.slow", invocation);
    const work = consume(invocation.engine, "long", taken.batch);
    await gate.reached;
    expect(await cancel(world.invocation().engine, { id }, { actor: "ana" })).toEqual({ kind: "requested" });
    const asked = world.now;
    gate.open();
    await world.until(work);
    expect(world.now - asked).toBe(10_000);
    expect(await world.job(id)).toMatchObject({ state: "cancelled", attempt: 1 });
    expect(await world.attempts(id)).toMatchObject([{ outcome: "cancelled" }]);
    await exact(world);
  });
});

describe("time limits", () => {
  test("C017: an attempt ends at its kind's timeout; the others of its batch run once, and a late result has no effect", async () => {
    // It does not listen to its signal, and succeeds 5 s too late.
    let resolved = 0;
    const deaf = {
      ...probes.get("probe.hang"),
      run: () =>
        new Promise((resolve) => {
          world.invocation().engine.after(25_000, () => resolve({ late: ++resolved }));
        }),
    } as never;
    const world = new World(registryOf(...probes.values(), deaf));
    const ids = await world.submit(
      ...["probe.effect", "probe.effect", "probe.hang", "probe.effect", "probe.effect"].map((kind) => ({ kind })),
    );
    const before = world.now;
    await world.deliver();
    expect(world.now - before).toBe(20_000);
    const rows = async () => [
      await world.sql("SELECT * FROM jobs ORDER BY id"),
      await world.sql("SELECT * FROM attempts ORDER BY job_id"),
    ];
    const ended = await rows();
    await world.until(pause(world.invocation().engine, 6_000));
    expect(resolved).toBe(1);
    expect(await rows()).toEqual(ended);
    expect(await world.job(ids[2] as string)).toMatchObject({
      view: "retrying",
      attempt: 1,
      last_error: "timed out after 20000 ms",
    });
    expect(await world.attempts(ids[2] as string)).toMatchObject([
      { outcome: "timed_out", finished_at: before + 20_000 },
    ]);
    for (const id of [0, 1, 3, 4]) {
      expect(await world.sql("SELECT * FROM probe_rows WHERE job_id = ?", ids[id])).toHaveLength(1);
    }
    await exact(world);
  });
});
