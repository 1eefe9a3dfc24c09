import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JobContext } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { readJob } from "~/store/reads/job";
import { createProbeRows, probes } from "~/testing/probes";
import { putSchedule } from "~/testing/schedules";
import { seeing } from "~/testing/seeing";
import { clean, World } from "~/testing/world";
import { consume } from "./consume";
import { requeue } from "./requeue";
import { submit } from "./submit";

beforeAll(createProbeRows);
beforeEach(clean);

const effects = (world: World, id: string) => world.sql("SELECT * FROM probe_rows WHERE job_id = ?", id);

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

describe("one message, one attempt", () => {
  test("a submitted job runs once and is done, with one attempt row and exact counts", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0, sent_at: world.now });
    const delivered = await world.deliver();
    expect(delivered.acked()).toBe(1);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1, result: '{"ok":true}', sent_at: null });
    expect(await world.attempts(id)).toMatchObject([{ number: 1, outcome: "done", trigger: "first", generation: 1 }]);
    await exact(world);
  });

  test("C001: a job takes effect once, however often its message is delivered", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    world.queues.normal.ask(id, 1, "probe.effect");
    const twice = await world.deliver();
    expect(twice.batch.messages).toHaveLength(2);
    expect(twice.acked()).toBe(2);
    world.queues.normal.ask(id, 1, "probe.effect");
    const late = await world.deliver();
    expect(late.acked()).toBe(1);
    expect(await effects(world, id)).toHaveLength(1);
    expect(await world.attempts(id)).toHaveLength(1);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(world.dead.messages).toEqual([]);
    await exact(world);
  });

  test("C001: two invocations that get the same message at once make one attempt and one effect", async () => {
    const world = new World(probes);
    const ids = await world.submit(...Array.from({ length: 20 }, () => ({ kind: "probe.effect" })));
    for (const id of ids) world.queues.normal.ask(id, 1, "probe.effect");
    const [one, two] = [world.queues.normal.take(20), world.queues.normal.take(20)];
    await world.until(
      Promise.all([
        consume(world.invocation().engine, "normal", one.batch),
        consume(world.invocation().engine, "normal", two.batch),
      ]),
    );
    expect(one.acked() + two.acked()).toBe(40);
    for (const id of ids) {
      expect(await effects(world, id)).toHaveLength(1);
      expect(await world.attempts(id)).toHaveLength(1);
    }
    await exact(world);
  });

  test("a message for an attempt that is not next starts nothing", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    world.queues.normal.messages = [];
    world.queues.normal.ask(id, 2, "probe.effect");
    expect((await world.deliver()).acked()).toBe(1);
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0 });
    expect(await effects(world, id)).toEqual([]);
  });

  test("C013: each message of a batch is settled on its own", async () => {
    const world = new World(probes);
    const kinds = Array.from({ length: 8 }, (_, n) => ({ kind: n === 3 ? "probe.fail" : "probe.effect" }));
    const ids = await world.submit(...kinds);
    world.queues.normal.put(null);
    world.queues.normal.ask("00000000-0000-7000-8000-000000000000", 1, "probe.effect");
    // The platform has delivered them twice before, to invocations that went down: that is no attempt of a job.
    for (let crash = 0; crash < 2; crash++) {
      world.queues.normal.take(10).crash();
      world.now += 60_000;
    }
    const delivered = await world.deliver();
    expect(delivered.batch.messages.map(({ attempts }) => attempts)).toEqual(Array(10).fill(3));
    expect(delivered.acked()).toBe(10);
    expect(delivered.retried()).toBe(0);
    const rows = await world.sql(
      "SELECT job_id FROM probe_rows WHERE job_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
    expect(rows).toHaveLength(7);
    expect(await world.job(ids[3] as string)).toMatchObject({ state: "pending", view: "retrying", attempt: 1 });
    expect(world.events.filter((one) => one.event === "message.unreadable")).toHaveLength(1);
    expect(world.events.filter((one) => one.event === "message.orphan")).toHaveLength(1);
    expect(await world.sql("SELECT fate FROM dead_letters")).toEqual([{ fate: "unreadable" }]);
    await exact(world);
  });

  test("C009: a message that is delivered before its row is visible comes back, and the job runs once", async () => {
    const world = new World(probes);
    const invocation = world.invocation();
    const id = world.newId();
    invocation.engine.newId = () => id;
    const gate = world.hold("submit: before insert", invocation);
    const submitting = submit(invocation.engine, [{ kind: "probe.effect", payload: {}, payloadText: "{}" }]);
    await gate.reached;
    world.queues.normal.ask(id, 1, "probe.effect");
    expect((await world.deliver()).acked()).toBe(1);
    expect(world.queues.normal.sent).toMatchObject([{ body: { jobId: id, attempt: 1, hops: 1 }, delayMs: 30_000 }]);
    gate.open();
    expect(await world.until(submitting)).toMatchObject({ kind: "accepted", jobs: [{ id }] });
    await world.deliver();
    world.now += 30_000;
    expect((await world.deliver()).acked()).toBe(1);
    expect(await effects(world, id)).toHaveLength(1);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
  });

  test("a message whose row never comes is asked about once more, and then let go", async () => {
    const world = new World(probes);
    world.queues.normal.ask(world.newId(), 1, "probe.effect");
    expect((await world.deliver()).acked()).toBe(1);
    world.now += 30_000;
    await world.deliver();
    expect(world.queues.normal.messages).toEqual([]);
    expect(world.queues.normal.sent).toHaveLength(1);
  });
});

describe("what may run now", () => {
  test("an early message is replaced by one with the delay that is left", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok", delaySeconds: 200 })) as [string];
    world.queues.normal.messages = [];
    world.now += 50_000;
    world.queues.normal.ask(id, 1, "probe.ok");
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0, view: "scheduled", sent_at: world.now });
    expect(world.queues.normal.sent.at(-1)).toMatchObject({ body: { jobId: id, attempt: 1 }, delayMs: 150_000 });
  });

  test("an early message of a job due in over 5 minutes is replaced by nothing: the row waits unsent", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok", delaySeconds: 301 })) as [string];
    expect(world.queues.normal.sent).toEqual([]);
    expect((await world.job(id)).sent_at).toBeNull();
    world.queues.normal.ask(id, 1, "probe.ok");
    await world.deliver();
    expect(world.queues.normal.sent).toEqual([]);
    expect((await world.job(id)).sent_at).toBeNull();
  });

  test("jobs of a paused kind are held: acknowledged, unsent, no attempt used; resumed, the sweep sends them", async () => {
    const world = new World(probes);
    const ids = await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" });
    await world.sql("INSERT INTO kinds (name, paused_at, paused_by) VALUES ('probe.ok', ?, 'ana')", world.now);
    expect((await world.deliver()).acked()).toBe(2);
    for (const id of ids) expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0, sent_at: null });
    world.now += 60_000;
    expect(await world.sweep()).toMatchObject({ sent: 0, resent: 0 });
    await world.sql("UPDATE kinds SET paused_at = NULL");
    world.now += 60_000;
    expect(await world.sweep()).toMatchObject({ sent: 2 });
    await world.deliver();
    for (const id of ids) expect((await world.job(id)).state).toBe("done");
  });

  test("C096: a job of a kind the running code does not know waits for code that does", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    const older = new World(registryOf());
    older.now = world.now;
    for (let minute = 0; minute < 10; minute += 2) {
      older.queues.normal.ask(id, 1, "probe.effect");
      expect((await older.deliver()).acked()).toBe(1);
      older.now += 120_000;
      await older.sweep();
    }
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0, sent_at: null });
    world.now = older.now;
    world.queues.normal.messages = [];
    expect(await world.sweep()).toMatchObject({ sent: 1 });
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
  });

  test("C096: a message with an unknown extra field works, and one of an unknown version is kept, its job not lost", async () => {
    const world = new World(probes);
    const [one, two] = (await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" })) as [string, string];
    world.queues.normal.messages = [];
    world.queues.normal.put({ v: 1, jobId: one, attempt: 1, kind: "probe.ok", colour: "red" });
    world.queues.normal.put({ v: 2, job: two });
    expect((await world.deliver()).acked()).toBe(2);
    expect((await world.job(one)).state).toBe("done");
    expect(await world.sql("SELECT fate, queue FROM dead_letters")).toEqual([
      { fate: "unreadable", queue: "redrive-normal" },
    ]);
    world.now += 61_000;
    expect(await world.sweep()).toMatchObject({ resent: 1 });
    await world.deliver();
    expect((await world.job(two)).state).toBe("done");
  });

  test("C015: a high job runs beside any backlog of normal ones, and a normal one is not starved by high ones", async () => {
    const world = new World(probes);
    const low = await world.submit(...Array.from({ length: 100 }, () => ({ kind: "probe.ok" })));
    const high = await world.submit(
      ...Array.from({ length: 100 }, () => ({ kind: "probe.ok", priority: "high" as const })),
    );
    await world.deliver("high");
    for (const id of high) expect((await world.job(id)).state).toBe("done");
    for (const id of low) expect((await world.job(id)).state).toBe("pending");
    await world.submit({ kind: "probe.ok", priority: "high" });
    await world.deliver("normal");
    for (const id of low) expect((await world.job(id)).state).toBe("done");
  });

  test("C015: under more high jobs than are worked off, for ten minutes, a normal one starts at its lane's next batch", async () => {
    const world = new World(probes);
    let asked = 0;
    let waited = 0;
    for (let minute = 0; minute < 10; minute++) {
      await world.submit(...Array.from({ length: 200 }, () => ({ kind: "probe.ok", priority: "high" as const })));
      const [low] = (await world.submit({ kind: "probe.ok" })) as [string];
      asked++;
      await world.deliver("high");
      await world.deliver("normal");
      waited += (await world.job(low)).leased_at - world.now;
      world.now += 60_000;
      await world.sweep();
    }
    expect([asked, waited]).toEqual([10, 0]);
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE lane = 'high' AND state = 'pending'")).toEqual([
      { n: 1_000 },
    ]);
  });

  test("C088: those whose time has come are taken, to the millisecond, whatever messages say", async () => {
    const world = new World(probes);
    const due = world.now + 600_000;
    const at = (ms: number) => new Date(due + ms).toISOString();
    const ids = await world.submit(...[1_000, 999, 500, 1, 0].map((ms) => ({ kind: "probe.ok", runAt: at(ms) })));
    expect(world.queues.normal.sent).toEqual([]);
    const taken: number[] = [];
    for (const ms of [-1, 0, 500, 1_000]) {
      world.now = due + ms;
      world.queues.normal.messages = [];
      for (const id of ids) world.queues.normal.ask(id, 1, "probe.ok");
      await world.deliver();
      const done = await world.sql<{ run_at: number }>("SELECT run_at FROM jobs WHERE state = 'done'");
      expect(done.every(({ run_at }) => run_at <= world.now)).toBe(true);
      taken.push(done.length);
    }
    expect(taken).toEqual([0, 1, 3, 5]);
  });

  test("C088: by a retry, a requeue and a slot a job is due as exactly", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail", payload: { times: 2 }, maxAttempts: 2 })) as [string];
    const asked = async () => {
      world.queues.normal.messages = [];
      world.queues.normal.ask(id, (await world.job(id)).attempt + 1, "probe.fail");
      await world.deliver();
      return (await world.job(id)).attempt;
    };
    world.now += 1;
    await world.deliver();
    const retryAt = (await world.job(id)).run_at;
    expect(retryAt).toBe(world.now + 10_000);
    world.now = retryAt - 1;
    expect(await asked()).toBe(1);
    world.now = retryAt;
    expect(await asked()).toBe(2);
    world.now += 499;
    await requeue(world.invocation().engine, { id }, { actor: "ana" });
    expect((await world.job(id)).run_at).toBe(world.now);
    expect(await asked()).toBe(3);
    const slot = Math.ceil(world.now / 60_000) * 60_000;
    await putSchedule(world, slot);
    world.now = slot - 1;
    await world.sweep();
    expect(await world.sql("SELECT id FROM jobs WHERE slot_at IS NOT NULL")).toEqual([]);
    world.now = slot;
    await world.sweep();
    await world.deliver();
    expect(await world.sql("SELECT slot_at, run_at, leased_at, state FROM jobs WHERE slot_at IS NOT NULL")).toEqual([
      { slot_at: slot, run_at: slot, leased_at: slot, state: "done" },
    ]);
    const times = await world.sql(
      `SELECT DISTINCT typeof(run_at) AS t FROM jobs UNION SELECT typeof(created_at) FROM jobs UNION SELECT typeof(finished_at) FROM jobs
       UNION SELECT typeof(started_at) FROM attempts UNION SELECT typeof(finished_at) FROM attempts`,
    );
    expect(times).toEqual([{ t: "integer" }]);
  });
});

describe("time and money of an invocation", () => {
  test("kinds of 30 s are claimed five at a time, and what is unclaimed after 10 s is handed back, not lost", async () => {
    const slow = { ...probes.get("probe.slow"), name: "probe.slow", usualMs: 30_000, timeoutMs: 30_000 } as never;
    const world = new World(registryOf(slow));
    const ids = await world.submit(
      ...Array.from({ length: 10 }, () => ({ kind: "probe.slow", payload: { ms: 20_000 } })),
    );
    const before = world.now;
    const first = await world.deliver();
    expect(world.now - before).toBe(20_000);
    expect(first.acked()).toBe(10);
    const states = await world.sql("SELECT state, count(*) AS n FROM jobs GROUP BY state");
    expect(states).toEqual([
      { state: "done", n: 5 },
      { state: "pending", n: 5 },
    ]);
    expect(world.queues.normal.available()).toHaveLength(5);
    await world.drain();
    for (const id of ids) expect(await world.attempts(id)).toHaveLength(1);
    await exact(world);
  });

  test("an invocation whose statements are used up takes no further wave and hands the rest back", async () => {
    const world = new World(probes);
    world.statements = 1;
    await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" });
    const invocation = world.invocation();
    invocation.engine.store.used.statements = 1;
    expect((await world.deliver("normal", 100, invocation)).acked()).toBe(2);
    expect(world.queues.normal.available()).toHaveLength(2);
    expect(await world.sql("SELECT state FROM jobs")).toEqual([{ state: "pending" }, { state: "pending" }]);
  });
});

describe("C057: waiting and running times", () => {
  test("are of each attempt: due to start, start to end; waiting for a place among those that run is waiting", async () => {
    const slow = { ...probes.get("probe.slow"), name: "probe.slow", usualMs: 10, timeoutMs: 30_000 } as never;
    const world = new World(registryOf(slow, probes.get("probe.ok") as never));
    await world.submit(...Array.from({ length: 5 }, () => ({ kind: "probe.slow", payload: { ms: 9_000 } })));
    const [quick] = (await world.submit({ kind: "probe.ok" })) as [string];
    world.now += 5_000;
    await world.deliver();
    const [attempt] = await world.attempts(quick);
    expect(attempt).toMatchObject({ waited_ms: 14_000, started_at: world.now });
    expect(attempt?.finished_at - attempt?.started_at).toBe(0);
  });

  for (const skew of [0, -3_000, 3_000]) {
    test(`C057: each attempt's own, from due to start and from start to end, by a machine whose clock is off by ${skew} ms`, async () => {
      const slow = {
        ...probes.get("probe.fail"),
        run: async (_input: unknown, ctx: JobContext) => {
          await ctx.sleep(ctx.attempt === 1 ? 3_000 : 1_000);
          if (ctx.attempt === 1) throw new Error("the probe failed");
        },
      } as never;
      const world = new World(registryOf(slow));
      const submitted = world.now;
      const worker = () => {
        const invocation = world.invocation();
        invocation.engine.localNow = () => world.now + skew;
        return invocation;
      };
      const read = async () => {
        const job = await readJob(world.invocation().engine.store, id, seeing(probes));
        const attempts = job?.attempts.toReversed().map(({ waitedMs, ranMs }) => [waitedMs, ranMs]);
        return { attempts, total: Date.parse(job?.finishedAt ?? "") - Date.parse(job?.createdAt ?? "") };
      };
      const [id] = (await world.submit({ kind: "probe.fail", delaySeconds: 60 })) as [string];
      world.now += 65_000;
      expect((await read()).attempts).toEqual([]);
      await world.deliver("normal", 1, worker());
      expect((await read()).attempts).toEqual([[5_000, 3_000]]);
      world.now = submitted + 80_000;
      await world.deliver("normal", 1, worker());
      expect(await read()).toEqual({
        attempts: [
          [5_000, 3_000],
          [2_000, 1_000],
        ],
        total: 81_000,
      });
    });
  }
});

describe("D1 out of reach", () => {
  test("each message is replaced by a copy, 30 s doubling to 5 min, and acknowledged; the jobs end when D1 is back", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    world.fault = () => "before";
    for (const delayMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      expect((await world.deliver()).acked()).toBe(1);
      expect(world.queues.normal.sent.at(-1)).toMatchObject({ body: { jobId: id, attempt: 1 }, delayMs });
      world.now += delayMs;
    }
    world.fault = () => null;
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(await effects(world, id)).toHaveLength(1);
  });

  test("where the free plan's daily limit is reached, the copy comes after midnight UTC", async () => {
    const world = new World(probes);
    await world.submit({ kind: "probe.ok" });
    world.fault = () => "before";
    world.lostText = "D1_ERROR: exceeded free tier daily row write limit";
    await world.deliver();
    expect(world.queues.normal.sent.at(-1)).toMatchObject({ delayMs: 14 * 3_600_000 + 150_000 });
  });

  test("where the copy cannot be sent either, the message itself is given back, and nothing is acknowledged", async () => {
    const world = new World(probes);
    await world.submit({ kind: "probe.ok" });
    world.fault = () => "before";
    world.queues.normal.failSends = new Error("Queue sendBatch failed: overloaded");
    const delivered = await world.deliver();
    expect([delivered.acked(), delivered.retried()]).toEqual([0, 1]);
  });

  test("a claim whose reply was lost is re-read by its token: the attempt runs, once", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    let calls = 0;
    world.fault = () => (++calls === 1 ? "after" : null);
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(await effects(world, id)).toHaveLength(1);
    await exact(world);
  });

  test("a claim that never arrived claims nothing, and its message comes again at once", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    let calls = 0;
    world.fault = () => (++calls === 1 ? "before" : null);
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0 });
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    expect(await effects(world, id)).toHaveLength(1);
  });
});
