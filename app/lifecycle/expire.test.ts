import { beforeEach, describe, expect, test } from "vitest";
import { instant } from "~/domain/time";
import type { JobContext, Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { probes } from "~/testing/probes";
import { clean, START, World } from "~/testing/world";
import { bulkIds } from "./bulk";
import { consume } from "./consume";
import { requeue } from "./requeue";

beforeEach(clean);

const MINUTE = 60_000;
const inMs = (ms: number) => instant(START + ms);
const ana = { actor: "ana" };
const one = async (world: World, rest: object = {}, kind = "probe.ok") =>
  (await world.submit({ kind, expiresAt: inMs(5 * MINUTE), ...rest }))[0] as string;
const ERROR = `attempt 1 was not started by ${inMs(5 * MINUTE)}, its expiresAt`;
const exact = async (world: World) => {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
};

describe("a job is not started after its expiresAt", () => {
  test("a message that comes in time starts it; one that comes at that moment or later ends it, and starts nothing", async () => {
    for (const [lateMs, state] of [
      [-1, "done"],
      [0, "dead"],
      [1, "dead"],
    ] as const) {
      const world = new World(probes);
      const id = await one(world);
      world.now = START + 5 * MINUTE + lateMs;
      const { acked } = await world.deliver();
      expect(acked()).toBe(1);
      expect(await world.job(id)).toMatchObject({ state, attempt: state === "done" ? 1 : 0, sent_at: null });
      await exact(world);
    }
  });

  test("it says why it is dead, leaves no attempt row, and is told of in the log", async () => {
    const world = new World(probes);
    const id = await one(world);
    world.now = START + 6 * MINUTE;
    await world.deliver();
    expect(await world.job(id)).toMatchObject({
      last_error: ERROR,
      cause: "probe.ok: expired before it was started",
      finished_at: world.now,
    });
    expect(await world.attempts(id)).toEqual([]);
    expect(world.events).toEqual([
      { event: "job.expired", jobId: id, attempt: 1, kind: "probe.ok", cause: "expired before it was started" },
    ]);
  });

  test("the time can run out between the look of a claim and its write: the statement asks itself", async () => {
    const world = new World(probes);
    const id = await one(world);
    world.now = START + 5 * MINUTE - 1;
    world.seam = (site) => {
      if (site === "claim: before write") world.now = START + 5 * MINUTE;
    };
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 0 });
  });

  test("what has been started in time goes on beyond it, and is done", async () => {
    const world = new World(probes);
    const id = await one(world, { payload: { ms: 300_000 }, expiresAt: inMs(1_000) }, "probe.slow");
    await world.deliver("long");
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
  });

  test("one that is claimed in time and whose turn comes too late is not begun; one whose turn comes in time is done", async () => {
    for (const [expiresInMs, begins] of [
      [8_000, false],
      [8_001, true],
    ] as const) {
      await clean();
      const begun: string[] = [];
      const run = async (_: unknown, ctx: JobContext) => {
        begun.push(ctx.jobId);
        await ctx.sleep(8_000);
      };
      const kind = { ...probes.get("probe.ok"), name: "turn", usualMs: 10, timeoutMs: 20_000, run } as Kind;
      const world = new World(registryOf(kind));
      // Five run at once: the sixth waits in line for 8 s.
      const jobs = Array.from({ length: 5 }, () => ({ kind: "turn" }));
      const ids = await world.submit(...jobs, { kind: "turn", expiresAt: inMs(expiresInMs) });
      const late = ids[5] as string;
      await world.deliver();
      await world.deliver();
      expect(begun).toHaveLength(begins ? 6 : 5);
      const [row] = await world.attempts(late);
      if (begins) {
        expect(await world.job(late)).toMatchObject({ state: "done", attempt: 1 });
        expect(row).toMatchObject({ outcome: "done", started_at: START + 8_000 });
      } else {
        expect(begun).not.toContain(late);
        expect(await world.job(late)).toMatchObject({ state: "dead", cause: "turn: expired before it was started" });
        expect(row).toMatchObject({
          outcome: "snoozed",
          log: "not begun: its expiresAt was over before its turn came",
        });
      }
      await exact(world);
    }
  });

  test("a retry that is due too late is not made: its error tells what the attempt before failed of", async () => {
    const world = new World(probes);
    const id = await one(world, { expiresAt: inMs(5_000) }, "probe.fail");
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 1 });
    world.now = START + 10_000;
    await world.deliver();
    expect(await world.job(id)).toMatchObject({
      state: "dead",
      attempt: 1,
      last_error: `attempt 2 was not started by ${inMs(5_000)}, its expiresAt; the attempt before it: the probe failed`,
    });
    await exact(world);
  });
});

describe("the sweep ends what nobody tries to start", () => {
  test("paused, never sent, scheduled or with its message lost: dead, counted, and alerts are asked", async () => {
    const world = new World(probes);
    const ids = [await one(world), await one(world, { delaySeconds: 290 }), await one(world, {}, "probe.effect")];
    const later = await one(world, { expiresAt: inMs(20 * MINUTE) });
    const never = await one(world, { expiresAt: undefined });
    await world.sql("INSERT INTO kinds (name, paused_at) VALUES ('probe.effect', 1)");
    world.queues.normal.messages = [];
    world.now = START + 5 * MINUTE - 1;
    expect(await world.sweep()).toMatchObject({ expired: 0 });
    world.queues.normal.messages = [];
    world.now++;
    expect(await world.sweep()).toMatchObject({ expired: 3, more: false, error: null });
    for (const id of ids) expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 0, sent_at: null });
    for (const id of [later, never]) expect(await world.job(id)).toMatchObject({ state: "pending" });
    expect(await world.sql("SELECT expired FROM sweeps ORDER BY fence")).toEqual([{ expired: 0 }, { expired: 3 }]);
    expect(await world.sql("SELECT sum(n) AS n FROM deaths")).toEqual([{ n: 3 }]);
    await exact(world);
  });

  test("more than one look finds are ended by the same sweep", async () => {
    const world = new World(probes);
    await world.submit(...Array.from({ length: 700 }, () => ({ kind: "probe.ok", expiresAt: inMs(MINUTE) })));
    world.queues.normal.messages = [];
    world.now = START + MINUTE;
    expect(await world.sweep()).toMatchObject({ expired: 700, more: false, sent: 0 });
    await exact(world);
  });

  test("a lost reply, or a batch that the network doubles, ends and counts each once", async () => {
    for (const trouble of ["after", "twice"]) {
      await clean();
      const world = new World(probes);
      await one(world);
      world.now = START + 6 * MINUTE;
      let lost = false;
      world.seam = (site) => {
        if (site !== "expire: before write") return;
        world.twice = trouble === "twice";
        world.fault = () => {
          if (trouble === "twice" || lost) return null;
          lost = true;
          return "after";
        };
      };
      await world.deliver();
      await exact(world);
      expect(await world.sql("SELECT sum(n) AS n FROM deaths")).toEqual([{ n: 1 }]);
    }
  });

  test("of a sweep that would end a job and a claim that starts it in time, one does it", async () => {
    const world = new World(probes);
    const id = await one(world);
    const invocation = world.invocation();
    const gate = world.hold("run: before probe.ok", invocation);
    const taken = world.queues.normal.take(1);
    const work = consume(invocation.engine, "normal", taken.batch);
    await gate.reached;
    world.now = START + 5 * MINUTE;
    invocation.frozen = true;
    expect(await world.sweep()).toMatchObject({ expired: 0, lost: 1 });
    invocation.frozen = false;
    gate.open();
    await world.until(work);
    expect(await world.attempts(id)).toMatchObject([{ number: 1, outcome: "lost" }]);
    await exact(world);
  });
});

describe("a requeue of an expired job runs it: its deadline is over and is dropped, one still ahead is kept", () => {
  const expired = async (world: World) => {
    const id = await one(world);
    world.now = START + 6 * MINUTE;
    await world.deliver();
    return id;
  };

  test("by hand; the audit keeps the deadline that was", async () => {
    const world = new World(probes);
    const id = await expired(world);
    await requeue(world.invocation().engine, { id }, ana);
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", expires_at: null, generation: 2 });
    const [row] = await world.sql<{ before: string }>("SELECT before FROM audit");
    expect(JSON.parse(row?.before ?? "")).toEqual({ state: "dead", generation: 1, expiresAt: inMs(5 * MINUTE) });
    await exact(world);
  });

  test("many at once", async () => {
    const world = new World(probes);
    const id = await expired(world);
    await bulkIds(world.invocation().engine, "requeue", [id], {}, ana);
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", expires_at: null });
  });

  test("a job that died in time keeps its deadline, and expires when that comes", async () => {
    const world = new World(probes);
    const id = await one(world, {}, "probe.permanent");
    await world.deliver();
    await requeue(world.invocation().engine, { id }, ana);
    expect(await world.job(id)).toMatchObject({ state: "pending", expires_at: START + 5 * MINUTE });
    const [row] = await world.sql<{ before: string }>("SELECT before FROM audit");
    expect(JSON.parse(row?.before ?? "")).toEqual({ state: "dead", generation: 1 });
    world.now = START + 5 * MINUTE;
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 1 });
  });
});

test("C007: each kind has a retry policy of its own, whoever settles: base, factor, cap and the number of attempts", async () => {
  const fail = probes.get("probe.fail");
  if (!fail) throw new Error("no probe.fail");
  const retry = { baseMs: 5_000, factor: 3, capMs: 30_000, jitter: 0, maxAttempts: 5 };
  const world = new World(new Map([[fail.name, { ...fail, retry }]]));
  const [id] = (await world.submit({ kind: "probe.fail" })) as [string];
  const delays: number[] = [];
  for (let n = 1; n <= 4; n++) {
    await world.deliver();
    const { run_at } = await world.job(id);
    delays.push(run_at - world.now);
    world.now = run_at;
  }
  expect(delays).toEqual([5_000, 15_000, 30_000, 30_000]);
  await world.deliver();
  expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 5 });
});
