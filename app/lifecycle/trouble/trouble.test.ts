import { beforeEach, describe, expect, test } from "vitest";
import type { JobContext } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { readOverview } from "~/store/reads/overview";
import { kindOf } from "~/testing/kind";
import { clean, World } from "~/testing/world";
import { overviewOf } from "../overview";
import { insist } from "./insist";

beforeEach(clean);

const MIDNIGHT = Date.parse("2026-12-02T00:00:00Z");
const LIMIT = "D1_ERROR: exceeded free tier daily row write limit";
const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
const LOST = "D1_ERROR: Network connection lost.";

const kind = (name: string, run: (ctx: JobContext) => Promise<unknown>) =>
  kindOf(name, run, { retry: { jitter: 0, maxAttempts: 1 } });
const kinds = registryOf(
  kind("ok", async () => ({ ok: true })) as never,
  kind("effect", (ctx) => ctx.once("mail", async () => "sent", { keyed: true })) as never,
  kind("unkeyed", (ctx) => ctx.once("mail", async () => "sent")) as never,
  kind("works_long", async (ctx) => ctx.sleep(25_000)) as never,
  kind("asks_in_vain", (ctx) => ctx.store.batch([{ sql: "SELECT * FROM nowhere", params: [] }])) as never,
);

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

/** From now on each call to D1 fails so, until told otherwise. */
const down = (world: World, text: string, how: "before" | "after" = "before") => {
  world.lostText = text;
  world.fault = () => how;
};
const up = (world: World) => {
  world.fault = () => null;
};

describe("no trouble of D1 turns a job dead, however few tries it has", () => {
  for (const text of [LOST, OVERLOADED, LIMIT]) {
    for (const how of ["before", "after"] as const) {
      test(`an effect that meets "${text}" ${how} its write goes on later, and uses up no try`, async () => {
        const world = new World(kinds);
        const [id] = (await world.submit({ kind: "effect" })) as [string];
        let claimed = false;
        world.seam = (site) => {
          if (site === "run: before effect") down(world, text, how);
          if (site === "run: between return and settle") up(world);
          claimed ||= site === "run: before effect";
        };
        await world.deliver();
        expect(claimed).toBe(true);
        expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 1, forgiven: 1 });
        const [first] = await world.attempts(id);
        expect(first).toMatchObject({ outcome: "snoozed", log: `not its own failure: ${text}` });
        const due = (await world.job(id)).run_at - world.now;
        if (text === LIMIT) expect(world.now + due).toBeGreaterThan(MIDNIGHT);
        else expect(due).toBeLessThanOrEqual(60_000);
        world.seam = () => {};
        world.now += due;
        await world.drain();
        expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
        await exact(world);
      });
    }
  }

  test("an effect that no receiver knows again is done once, though D1 was away when it had happened", async () => {
    const world = new World(kinds);
    const [id] = (await world.submit({ kind: "unkeyed" })) as [string];
    let minutes = 0;
    world.seam = (site) => {
      if (site !== "effect: after mail") return;
      minutes++;
      const from = world.now;
      world.lostText = LOST;
      world.fault = () => (world.now - from < 120_000 ? "before" : null);
    };
    await world.deliver();
    world.seam = () => {};
    // Given up when no heartbeat got through for a whole lease: not its failure.
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 1, forgiven: 1 });
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2, result: '"sent"' });
    expect(minutes).toBe(1);
    await exact(world);
  });

  test("but what D1 refuses is the job's own failure", async () => {
    const world = new World(kinds);
    const [id] = (await world.submit({ kind: "asks_in_vain" })) as [string];
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "dead", last_error: expect.stringContaining("no such table") });
  });

  test("one whose heartbeat gets no answer for a whole lease stops, and goes on later", async () => {
    const world = new World(kinds);
    world.leaseMs = 15_000;
    const [id] = (await world.submit({ kind: "works_long" })) as [string];
    world.seam = (site) => {
      if (site === "run: before works_long") down(world, LOST);
      if (site === "run: between return and settle") up(world);
    };
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 1, forgiven: 1 });
    expect((await world.attempts(id))[0]).toMatchObject({
      outcome: "snoozed",
      log: expect.stringContaining("unreachable"),
    });
  });

  test("one that works through an outage keeps what came of it: the first sweep after it takes nothing over", async () => {
    const world = new World(kinds);
    await world.sweep();
    const [id] = (await world.submit({ kind: "ok" })) as [string];
    const worker = world.invocation();
    const gate = world.hold("settle: before write", worker);
    const working = world.deliver("normal", 1, worker);
    await gate.reached;
    worker.frozen = true;
    world.now += 240_000;
    expect(await world.sweep()).toMatchObject({ lost: 0 });
    worker.frozen = false;
    gate.open();
    await working;
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    await exact(world);
  });

  test("one whose worker went down in an outage is taken over by the next sweep, and loses no try", async () => {
    const world = new World(kinds);
    await world.sweep();
    const id = await world.lose("ok");
    world.now += 240_000;
    await world.sweep();
    world.now += 60_000;
    expect(await world.sweep()).toMatchObject({ lost: 1 });
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 1, forgiven: 1, suspect: 1 });
    expect(await world.attempts(id)).toMatchObject([
      { outcome: "lost", error: expect.stringContaining("out of reach") },
    ]);
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
    await exact(world);
  });

  test("it is taken over too where no sweep comes to its end any more", async () => {
    const world = new World(kinds);
    await world.sweep();
    await world.sql("UPDATE leases SET retention_at = 0 WHERE key = 'sweep'");
    let cut = 0;
    const minute = async () => {
      world.now += 60_000;
      const sweeping = world.invocation();
      const gone = Promise.withResolvers<void>();
      world.seam = (site, at) => {
        if (at !== sweeping || site !== "retain: between reading and writing") return;
        at.kill();
        cut++;
        gone.resolve();
      };
      // One that finds the lease of the one before still held has nothing to do, and ends.
      await Promise.race([world.sweep(sweeping), gone.promise]);
      world.seam = () => {};
    };
    for (let n = 0; n < 6; n++) await minute();
    const id = await world.lose("ok");
    for (let n = 0; n < 6; n++) await minute();
    expect(cut).toBeGreaterThan(4);
    expect(await world.sql("SELECT 1 FROM sweeps")).toHaveLength(1);
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 1, forgiven: 1 });
    world.now += 120_000;
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
    await exact(world);
  });

  test("without an outage a lost worker costs its try", async () => {
    const world = new World(kinds);
    await world.sweep();
    const id = await world.lose("ok");
    world.now += 60_000;
    expect(await world.sweep()).toMatchObject({ lost: 1 });
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 1, forgiven: 0 });
  });
});

describe("what is asked again, and when", () => {
  async function asked(text: string): Promise<number[]> {
    const world = new World(kinds);
    const { engine } = world.invocation();
    const at: number[] = [];
    down(world, text);
    const write = () => {
      at.push(world.now);
      return engine.store.batch([{ sql: "SELECT 1", params: [] }]);
    };
    await expect(world.until(insist(engine, "test", write))).rejects.toThrow(text);
    return at.map((ms) => ms - (at[0] as number));
  }

  test("a lost reply soon, an overloaded D1 not at once, a limit of the day and a refusal not at all", async () => {
    expect(await asked(LOST)).toEqual([0, 50, 300]);
    expect(await asked(OVERLOADED)).toEqual([0, 1_000]);
    expect(await asked(LIMIT)).toEqual([0]);
    expect(await asked("D1_ERROR: UNIQUE constraint failed: SQLITE_CONSTRAINT")).toEqual([0]);
  });

  test("not all who lost a reply ask again at the same moment", async () => {
    const at = await Promise.all(
      [0, 0.999].map(async (random) => {
        const world = new World(kinds);
        world.random = random;
        down(world, LOST);
        const { engine } = world.invocation();
        await world
          .until(insist(engine, "test", () => engine.store.batch([{ sql: "SELECT 1", params: [] }])))
          .catch(() => {});
        return world.now;
      }),
    );
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThan(250);
  });

  test("an overloaded D1 gets smaller waves, for a minute after the last time", async () => {
    const world = new World(kinds);
    await world.submit(...Array.from({ length: 100 }, () => ({ kind: "ok" })));
    let calls = 0;
    world.lostText = OVERLOADED;
    world.fault = () => (++calls === 1 ? "before" : null);
    const waves: number[] = [];
    world.seam = async (site) => {
      if (site !== "claim: after write") return;
      const [row] = await world.sql<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE state = 'processing'");
      waves.push(row?.n ?? 0);
    };
    while (world.queues.normal.available().length > 0) await world.deliver();
    expect(await world.unfinished()).toBe(0);
    expect(Math.max(...waves)).toBe(50);
    await world.submit(...Array.from({ length: 100 }, () => ({ kind: "ok" })));
    world.now += 60_000;
    waves.length = 0;
    await world.deliver();
    expect(waves).toEqual([100]);
  });

  test("on a day whose limit is reached messages come again after midnight, and not all at once", async () => {
    const world = new World(kinds);
    await world.submit({ kind: "ok" });
    down(world, LIMIT);
    expect((await world.deliver()).acked()).toBe(1);
    const [copy] = world.queues.normal.messages;
    expect(copy?.availableAt).toBeGreaterThanOrEqual(MIDNIGHT);
    expect(copy?.availableAt).toBeLessThanOrEqual(MIDNIGHT + 300_000);
    up(world);
    world.now = copy?.availableAt as number;
    await world.deliver();
    expect(await world.unfinished()).toBe(0);
  });
});

test("where neither D1 nor the queue takes anything, messages are given back for days before they would count as dead", async () => {
  const world = new World(kinds);
  const [id] = (await world.submit({ kind: "ok" })) as [string];
  down(world, LOST);
  world.queues.normal.failSends = new Error("down");
  const from = world.now;
  for (let n = 0; n < 100; n++) {
    await world.deliver();
    world.now = world.queues.normal.messages[0]?.availableAt ?? Number.NaN;
  }
  expect(world.now - from).toBeGreaterThan(3 * 86_400_000);
  up(world);
  world.queues.normal.failSends = null;
  await world.deliver();
  expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
});

describe("the daily limit of Queues", () => {
  async function limited() {
    const world = new World(kinds);
    await world.sweep();
    world.queues.normal.failSends = new Error("Queue sendBatch failed: FreeTierLimitExceeded (10253)");
    const [id] = (await world.submit({ kind: "ok" })) as [string];
    return { world, id };
  }

  test("is known from the first send that fails; sweeps mark and send nothing more that day, and all of it after midnight", async () => {
    const { world, id } = await limited();
    expect(await world.job(id)).toMatchObject({ state: "pending", sent_at: null });
    for (let minute = 0; minute < 3; minute++) {
      world.now += 60_000;
      expect(await world.sweep()).toMatchObject({ sent: 0, error: null });
    }
    expect(world.events.filter(({ event }) => event === "send.failed")).toHaveLength(1);
    world.queues.normal.failSends = null;
    world.now = MIDNIGHT;
    expect(await world.sweep()).toMatchObject({ sent: 1 });
    await world.deliver();
    expect((await world.job(id)).state).toBe("done");
  });

  test("is shown on the overview until midnight; another failure of a send is not", async () => {
    const { world } = await limited();
    const view = { range: "1h", day: null, zone: "UTC" } as never;
    const shown = async () => (await readOverview(world.invocation().engine.store, view, world.now)).limits;
    expect(await shown()).toEqual(["queues"]);
    world.now = MIDNIGHT;
    expect(await shown()).toEqual([]);
    world.queues.normal.failSends = new Error("down");
    await world.submit({ kind: "ok" });
    expect(await shown()).toEqual([]);
  });
});

test("a daily limit of writes is shown on the overview, where D1 still answers reads and so no sweep can say it", async () => {
  const world = new World(kinds);
  const view = { range: "1h", day: null, zone: "UTC" } as never;
  await world.sweep();
  world.now += 300_001;
  world.lostText = LIMIT;
  let calls = 0;
  world.fault = () => (++calls > 1 ? "before" : null);
  expect((await world.until(overviewOf(world.invocation().engine, view))).limits).toEqual(["database"]);
  calls = 0;
  world.lostText = LOST;
  expect((await world.until(overviewOf(world.invocation().engine, view))).limits).toEqual([]);
  up(world);
  const { engine } = world.invocation();
  await world.sweep();
  expect((await world.until(overviewOf(engine, view))).limits).toEqual([]);
  expect(engine.store.used.calls).toBe(1);
});
