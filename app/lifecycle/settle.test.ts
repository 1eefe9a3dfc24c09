import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registryOf } from "~/kinds/registry";
import { readJob } from "~/store/reads/job";
import { createProbeRows, probes } from "~/testing/probes";
import { seeing } from "~/testing/seeing";
import { clean, type Fault, World } from "~/testing/world";
import { cancel } from "./cancel";
import { consume } from "./consume";

beforeAll(createProbeRows);
beforeEach(clean);

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

/** Faults for the D1 calls of a consumer, in order: the first is its claim, the second its settle. */
const faults = (world: World, ...list: Fault[]) => {
  world.fault = () => list.shift() ?? null;
};

describe("a settle whose reply is lost", () => {
  for (const kind of ["probe.effect", "probe.fail"]) {
    for (const fault of ["before", "after"] as const) {
      test(`${kind}, lost ${fault} it committed, is repeated without a second count, row or message`, async () => {
        const world = new World(probes);
        const [id] = (await world.submit({ kind })) as [string];
        const revision = await world.revision();
        faults(world, null, fault);
        expect((await world.deliver()).acked()).toBe(1);
        expect(await world.attempts(id)).toHaveLength(1);
        expect(await world.job(id)).toMatchObject({ view: kind === "probe.fail" ? "retrying" : "done", attempt: 1 });
        expect(world.queues.normal.sent.filter(({ body }) => body.attempt === 2)).toHaveLength(
          kind === "probe.fail" ? 1 : 0,
        );
        expect(await world.sql("SELECT * FROM refusals")).toEqual([]);
        // Claim and settle: one revision each.
        expect(await world.revision()).toBe(revision + 2);
        await exact(world);
      });
    }
  }

  test("with the next attempt claimed in between, the repeat changes nothing and is not taken for a late result", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail" })) as [string];
    const late = world.invocation();
    const gate = world.hold("settle: before write", late);
    const taken = world.queues.normal.take(1);
    const work = consume(late.engine, "normal", taken.batch);
    await gate.reached;
    // The first sending commits and its reply is lost; before the repeat, somebody rings and attempt 2 starts.
    const second = world.hold("settle: before write", late);
    faults(world, "after");
    gate.open();
    const unblock = world.until(Promise.race([second.reached, work]));
    await unblock;
    expect(await world.attempts(id)).toHaveLength(1);
    world.now += 20_000;
    world.queues.normal.ask(id, 2, "probe.fail");
    const other = world.invocation();
    const otherGate = world.hold("run: between return and settle", other);
    const otherTaken = world.queues.normal.take(1);
    const otherWork = consume(other.engine, "normal", otherTaken.batch);
    await otherGate.reached;
    expect(await world.job(id)).toMatchObject({ state: "processing", attempt: 2 });
    second.open();
    await world.until(work);
    expect(await world.sql("SELECT * FROM refusals")).toEqual([]);
    expect(await world.job(id)).toMatchObject({ state: "processing", attempt: 2 });
    otherGate.open();
    await world.until(otherWork);
    expect(await world.attempts(id)).toMatchObject([
      { number: 1, outcome: "failed" },
      { number: 2, outcome: "failed" },
    ]);
    await exact(world);
  });

  test("the very same batch, executed twice by the network, changes nothing the second time", async () => {
    const world = new World(probes);
    const ids = await world.submit({ kind: "probe.fail" }, { kind: "probe.effect" }, { kind: "probe.permanent" });
    const revision = await world.revision();
    world.seam = (site) => {
      if (site === "settle: before write") world.twice = true;
    };
    await world.deliver();
    world.twice = false;
    for (const id of ids) expect(await world.attempts(id)).toHaveLength(1);
    expect(await world.revision()).toBe(revision + 2);
    await exact(world);
  });

  test("an unreachable D1 is asked again until it answers; the outcome is not lost and the handler not run again", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    faults(world, null, "before", "before", "before", "before");
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(await world.sql("SELECT * FROM probe_rows WHERE job_id = ?", id)).toHaveLength(1);
  });
});

describe("a settle that D1 refuses", () => {
  const broken = {
    ...probes.get("probe.ok"),
    name: "probe.broken",
    // Longer than any parameter may be once written as JSON in JSON, whatever the caps say.
    run: async () => ({ ok: true }),
  };

  test("is repeated job by job: the other 99 settle, and the one that fails alone is settled as failed", async () => {
    const world = new World(registryOf(...probes.values(), broken as never));
    const jobs = Array.from({ length: 100 }, (_, n) => ({ kind: n === 37 ? "probe.broken" : "probe.ok" }));
    const ids = await world.submit(...jobs);
    // A constraint that only this one meets.
    await world.sql(`CREATE TRIGGER refuse BEFORE INSERT ON attempts WHEN NEW.job_id = '${ids[37]}' AND NEW.outcome = 'done'
      BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: refuse'); END`);
    try {
      expect((await world.deliver()).acked()).toBe(100);
    } finally {
      await world.sql("DROP TRIGGER refuse");
    }
    const states = await world.sql("SELECT view, count(*) AS n FROM jobs GROUP BY view ORDER BY view");
    expect(states).toEqual([
      { view: "done", n: 99 },
      { view: "retrying", n: 1 },
    ]);
    expect((await world.job(ids[37] as string)).last_error).toContain("could not be stored");
    await exact(world);
    await world.drain();
    expect(await world.unfinished()).toBe(0);
  });
});

describe("what a settle decides", () => {
  test("C008: maxAttempts is the total number of executions, the first one included", async () => {
    const world = new World(probes);
    const [three, one, last] = (await world.submit(
      { kind: "probe.fail", maxAttempts: 3 },
      { kind: "probe.fail", maxAttempts: 1 },
      { kind: "probe.fail", payload: { times: 2 }, maxAttempts: 3 },
    )) as [string, string, string];
    await world.drain();
    expect(await world.job(three)).toMatchObject({ state: "dead", attempt: 3 });
    expect(await world.job(one)).toMatchObject({ state: "dead", attempt: 1 });
    expect(await world.job(last)).toMatchObject({ state: "done", attempt: 3 });
    expect(await world.attempts(three)).toHaveLength(3);
    const { store } = world.invocation().engine;
    for (const [id, tries] of [
      [three, 3],
      [one, 1],
    ] as const)
      expect(await readJob(store, id, seeing(probes))).toMatchObject({ tries, maxAttempts: tries });
    await exact(world);
  });

  test("C007: the next attempt is due at the failure's time plus the policy's delay", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail" })) as [string];
    for (const delay of [10_000, 20_000, 40_000, 80_000]) {
      await world.deliver();
      expect((await world.job(id)).run_at).toBe(world.now + delay);
      world.now += delay;
    }
  });

  test("a permanent error is dead at once, with its cause", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.permanent" })) as [string];
    await world.deliver();
    expect(await world.job(id)).toMatchObject({
      state: "dead",
      attempt: 1,
      cause: "probe.permanent: no retry can help",
    });
    expect(await world.sql("SELECT n FROM dead_counts WHERE n > 0")).toEqual([{ n: 1 }]);
    await exact(world);
  });

  test("a cancel that stands when an attempt fails makes it cancelled instead of retrying; a success stays a success", async () => {
    const world = new World(probes);
    const [fails, works] = (await world.submit({ kind: "probe.fail" }, { kind: "probe.ok" })) as [string, string];
    const invocation = world.invocation();
    const gate = world.hold("settle: before write", invocation);
    const taken = world.queues.normal.take(2);
    const work = consume(invocation.engine, "normal", taken.batch);
    await gate.reached;
    for (const id of [fails, works]) await cancel(world.invocation().engine, { id }, { actor: "ana" });
    gate.open();
    await world.until(work);
    expect(await world.job(fails)).toMatchObject({ state: "cancelled", sent_at: null });
    expect(await world.job(works)).toMatchObject({ state: "done" });
    expect(world.queues.normal.messages).toEqual([]);
    await exact(world);
  });

  test("one line is logged for each failed attempt, saying what an operator looks for", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail", idempotencyKey: "k-1" })) as [string];
    await world.deliver();
    expect(world.events).toMatchObject([
      {
        event: "attempt.failed",
        jobId: id,
        attempt: 1,
        kind: "probe.fail",
        key: "k-1",
        deliveries: 1,
        next: "pending",
        cause: "probe.fail: the probe failed",
      },
    ]);
  });
});
