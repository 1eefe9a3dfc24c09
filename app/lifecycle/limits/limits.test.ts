import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { KindLimits } from "~/domain/kind_limits";
import { defineKind, type JobContext, type Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { clean, START, World } from "~/testing/world";
import { bulkIds } from "../bulk";
import { cancel } from "../cancel";
import { consume } from "../consume";
import { requeue } from "../requeue";
import { limitKind } from "./limit_kind";
import { pauseKind, resumeKind } from "./pause_kind";

beforeEach(clean);

const ana = { actor: "ana", reason: "the provider asked for it" };

/** Works for `ms`, and notes how many of its kind, and of its group, run at once. */
function watched(name: string, limits?: KindLimits, ms = 100) {
  const seen = {
    now: 0,
    most: 0,
    starts: [] as number[],
    groups: new Map<string, number>(),
    mostOf: new Map<string, number>(),
  };
  const make = (world: () => World): Kind =>
    defineKind({
      name,
      title: name,
      description: name,
      input: z.looseObject({ group: z.string().optional() }),
      usualMs: ms,
      timeoutMs: 30_000,
      retry: { jitter: 0 },
      limits,
      async run({ group = "" }: { group?: string }, ctx: JobContext) {
        const ofGroup = (n: number) => seen.groups.set(group, (seen.groups.get(group) ?? 0) + n).get(group) as number;
        seen.starts.push(world().now);
        seen.most = Math.max(seen.most, ++seen.now);
        seen.mostOf.set(group, Math.max(seen.mostOf.get(group) ?? 0, ofGroup(1)));
        await ctx.sleep(ms);
        seen.now--;
        ofGroup(-1);
      },
    } as never);
  return { seen, make };
}

function worldOf(...kinds: ReturnType<typeof watched>[]): World {
  let world: World;
  const registry = registryOf(...kinds.map(({ make }) => make(() => world)));
  world = new World(registry);
  return world;
}

const many = (n: number, kind: string, rest: object = {}) => Array.from({ length: n }, () => ({ kind, ...rest }));
/** A message for each job that waits, whoever has sent one before. */
async function ring(world: World): Promise<void> {
  world.queues.normal.messages = [];
  const waiting = "SELECT id, attempt, kind FROM jobs WHERE state = 'pending' ORDER BY id";
  for (const { id, attempt, kind } of await world.sql<{ id: string; attempt: number; kind: string }>(waiting)) {
    world.queues.normal.ask(id, attempt + 1, kind);
  }
}

/** A worker with so many messages in hand that has come to this place, and goes on when it is told. */
async function stopAt(world: World, site: string, messages = 100) {
  const invocation = world.invocation();
  const gate = world.hold(site, invocation);
  const taken = world.queues.normal.take(messages);
  const work = consume(invocation.engine, "normal", taken.batch);
  await gate.reached;
  return {
    invocation,
    open: gate.open,
    async end() {
      gate.open();
      await world.until(work);
      taken.finish();
      return taken;
    },
  };
}

/** Workers that all stand before their claims, and then go on together. */
async function together(world: World, workers: number, messages: number): Promise<void> {
  const all = [];
  for (let n = 0; n < workers; n++) all.push(await stopAt(world, "claim: before write", messages));
  for (const { open } of all) open();
  for (const { end } of all) await end();
}

const states = (world: World) => world.sql("SELECT state, count(*) AS n FROM jobs GROUP BY state ORDER BY state");
const exact = async (world: World) => {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
};

describe("a kind never runs more at once than its limit", () => {
  test("whatever comes in one batch: the others are held, their messages acknowledged, and none uses up an attempt", async () => {
    const five = watched("five", { running: 5 });
    const world = worldOf(five);
    await world.submit(...many(40, "five"));
    expect(world.queues.normal.available()).toHaveLength(5);
    await ring(world);
    const worker = await stopAt(world, "run: before five");
    expect(await states(world)).toEqual([
      { state: "pending", n: 35 },
      { state: "processing", n: 5 },
    ]);
    expect((await worker.end()).acked()).toBe(40);
    await world.drain();
    expect(await states(world)).toEqual([{ state: "done", n: 40 }]);
    expect(five.seen.most).toBe(5);
    expect(await world.sql("SELECT 1 FROM jobs WHERE attempt <> 1")).toEqual([]);
    await exact(world);
  });

  test("what is over it is held while others of its batch work, not only when they have ended", async () => {
    const one = watched("one", { running: 1 });
    const world = worldOf(one);
    const seen: unknown[] = [];
    const kind = world.kinds.get("one") as Kind;
    (world.kinds as Map<string, Kind>).set("one", {
      ...kind,
      async run(_input, ctx) {
        await ctx.sleep(20_000);
        seen.push(await world.sql("SELECT sent_at, count(*) AS n FROM jobs WHERE state = 'pending' GROUP BY 1"));
      },
    });
    await world.submit(...many(3, "one"));
    await ring(world);
    await world.deliver();
    expect(seen[0]).toEqual([{ sent_at: null, n: 2 }]);
  });

  test("several workers that all claim at the same moment share its places", async () => {
    const five = watched("five", { running: 5 });
    const world = worldOf(five);
    await world.submit(...many(60, "five"));
    await ring(world);
    await together(world, 6, 10);
    await world.drain();
    expect(five.seen.most).toBe(5);
    expect(await states(world)).toEqual([{ state: "done", n: 60 }]);
    await exact(world);
  });

  test("the test would see it: without a limit they all run at once", async () => {
    const free = watched("free");
    const world = worldOf(free);
    await world.submit(...many(60, "free"));
    await together(world, 6, 10);
    expect(free.seen.most).toBeGreaterThan(5);
  });
});

describe("each kind has its own", () => {
  test("places and starts of one are not those of another, whoever comes in one batch", async () => {
    const kinds = [
      watched("aaa"),
      watched("two", { running: 2 }),
      watched("three", { running: 3 }),
      watched("four", { rate: { jobs: 4, per: "minute" } }),
      watched("six", { rate: { jobs: 6, per: "minute" } }),
      watched("zzz", { running: 1, rate: { jobs: 9, per: "minute" } }),
    ];
    const world = worldOf(...kinds);
    await world.submit(...[...world.kinds.keys()].flatMap((kind) => many(12, kind)));
    await ring(world);
    const worker = await stopAt(world, "run: before aaa");
    const running = "SELECT kind, count(*) AS n FROM jobs WHERE state = 'processing' GROUP BY kind ORDER BY kind";
    expect(await world.sql(running)).toEqual([
      { kind: "aaa", n: 12 },
      { kind: "four", n: 4 },
      { kind: "six", n: 6 },
      { kind: "three", n: 3 },
      { kind: "two", n: 2 },
      { kind: "zzz", n: 1 },
    ]);
    await worker.end();
    await world.drain();
    expect(await states(world)).toEqual([{ state: "done", n: 72 }]);
    expect(kinds.map(({ seen }) => seen.most).slice(1, 3)).toEqual([2, 3]);
    await exact(world);
  });
});

describe("a place that is left is filled at once", () => {
  test("5 at once with jobs of 100 ms: at least 40 a second, without a sweep", async () => {
    const five = watched("five", { running: 5 });
    const world = worldOf(five);
    await world.submit(...many(400, "five"));
    while (world.queues.normal.available().length > 0) await world.deliver();
    expect(await states(world)).toEqual([{ state: "done", n: 400 }]);
    expect(five.seen.most).toBe(5);
    expect(400 / ((world.now - START) / 1000)).toBeGreaterThanOrEqual(40);
    expect(await world.sql("SELECT 1 FROM sweeps")).toEqual([]);
  });

  test("also the place of a job that fails, or that its worker has lost; the sweep then sends the next one", async () => {
    const one = watched("one", { running: 1 });
    const world = worldOf(one);
    const [first] = await world.submit(...many(2, "one"));
    (await stopAt(world, "run: before one")).invocation.kill();
    expect(await states(world)).toEqual([
      { state: "pending", n: 1 },
      { state: "processing", n: 1 },
    ]);
    world.now += 31_000;
    expect(await world.sweep()).toMatchObject({ lost: 1 });
    await world.drain();
    expect(await states(world)).toEqual([{ state: "done", n: 2 }]);
    expect(await world.attempts(first as string)).toMatchObject([{ outcome: "lost" }, { outcome: "done" }]);
    expect(one.seen.most).toBe(1);
    await exact(world);
  });

  test("a place that is left between the claim and the hold is seen by the hold: the job gets a message, not a rest", async () => {
    const one = watched("one", { running: 1 });
    const world = worldOf(one);
    await world.submit({ kind: "one" });
    const first = await stopAt(world, "run: before one");
    const [late] = (await world.submit({ kind: "one" })) as [string];
    const second = await stopAt(world, "sort out: before hold");
    await first.end();
    await second.end();
    expect(await world.job(late)).toMatchObject({ state: "pending", held_at: null });
    expect((await world.job(late)).sent_at).not.toBeNull();
    expect(world.queues.normal.available()).toHaveLength(1);
    await world.deliver();
    expect(await states(world)).toEqual([{ state: "done", n: 2 }]);
  });

  test("with no place left the same job is held, and gets the place when it is left", async () => {
    const one = watched("one", { running: 1 });
    const world = worldOf(one);
    await world.submit({ kind: "one" });
    const first = await stopAt(world, "run: before one");
    const [late] = (await world.submit({ kind: "one" })) as [string];
    const second = await stopAt(world, "sort out: before hold");
    await second.end();
    expect(await world.job(late)).toMatchObject({ state: "pending", sent_at: null });
    expect(world.queues.normal.messages).toEqual([]);
    await first.end();
    expect(await states(world)).toEqual([{ state: "done", n: 2 }]);
  });

  test("what waits in another lane gets it by a message, high priority first", async () => {
    const one = watched("one", { running: 1 });
    const world = worldOf(one);
    await world.submit({ kind: "one" });
    const first = await stopAt(world, "run: before one");
    await world.submit({ kind: "one" }, { kind: "one", priority: "high" });
    await ring(world);
    world.queues.high.messages = [];
    await world.deliver();
    expect(await world.sql("SELECT 1 FROM jobs WHERE sent_at IS NOT NULL")).toEqual([]);
    await first.end();
    expect(world.queues.high.available()).toHaveLength(1);
    expect(world.queues.normal.available()).toEqual([]);
    await world.drain();
    expect(await states(world)).toEqual([{ state: "done", n: 3 }]);
    expect(one.seen.most).toBe(1);
  });
});

describe("of one group no more than its limit run at once", () => {
  const grouped = (n: number, group: string) => many(n, "two", { groupKey: group, payload: { group } });

  test("others go on beside it; what it holds is put aside with its time, and let go one by one, without a sweep", async () => {
    const two = watched("two", { perGroup: 2 });
    const world = worldOf(two);
    await world.submit(...grouped(20, "a"), ...grouped(3, "b"), ...many(3, "two"));
    const worker = await stopAt(world, "run: before two");
    const running = "SELECT group_key AS g, count(*) AS n FROM jobs WHERE state = 'processing' GROUP BY 1 ORDER BY 1";
    expect(await world.sql(running)).toEqual([
      { g: null, n: 3 },
      { g: "a", n: 2 },
      { g: "b", n: 2 },
    ]);
    await worker.end();
    while (world.queues.normal.available().length > 0) await world.deliver();
    expect(await states(world)).toEqual([{ state: "done", n: 26 }]);
    for (const group of ["a", "b"]) expect(two.seen.mostOf.get(group)).toBe(2);
    expect(two.seen.mostOf.get("")).toBe(3);
    expect(await world.sql("SELECT 1 FROM jobs WHERE held_at IS NOT NULL OR attempt <> 1")).toEqual([]);
    await exact(world);
  });

  test("several workers that claim at the same moment share its places", async () => {
    const two = watched("two", { perGroup: 2 });
    const world = worldOf(two);
    await world.submit(...grouped(40, "a"));
    await together(world, 4, 10);
    await world.drain();
    expect(two.seen.mostOf.get("a")).toBe(2);
    expect(await states(world)).toEqual([{ state: "done", n: 40 }]);
  });

  test("whatever becomes of the one that was let go, the next one is: cancelled, expired, or its worker lost", async () => {
    const one = watched("two", { perGroup: 1 });
    const world = worldOf(one);
    const expiresAt = "2026-12-01T10:00:30Z";
    const jobs = grouped(6, "a").map((job, n) => (n === 1 ? { ...job, expiresAt } : job));
    const [first, second, third, ...others] = (await world.submit(...jobs)) as [string, string, string];
    (await stopAt(world, "run: before two")).invocation.kill();
    await ring(world);
    await world.deliver();
    const held = "SELECT id FROM jobs WHERE held_at IS NOT NULL AND state = 'pending' ORDER BY id";
    const free = "SELECT id FROM jobs WHERE held_at IS NULL AND state = 'pending'";
    expect((await world.sql<{ id: string }>(held)).map(({ id }) => id)).toEqual([second, third, ...others]);
    expect(await world.sql(free)).toEqual([]);
    world.now += 31_000;
    // The one that is lost lets go the second, which has expired by then, and that the third.
    expect(await world.sweep()).toMatchObject({ lost: 1, error: null });
    world.now += 60_000;
    await world.sweep();
    expect(await world.job(second)).toMatchObject({ state: "dead" });
    expect(await world.job(third)).toMatchObject({ state: "pending", held_at: null });
    await cancel(world.invocation().engine, { id: third }, ana);
    await cancel(world.invocation().engine, { id: first }, ana);
    expect((await world.sql(free)).length).toBeGreaterThan(0);
    await world.drain();
    expect(await world.unfinished()).toBe(0);
    expect(one.seen.mostOf.get("a")).toBe(1);
    await exact(world);
  });

  test("a held job that is cancelled and requeued, alone or with others, is held no more", async () => {
    const one = watched("two", { perGroup: 1 });
    const world = worldOf(one);
    const [, second, third] = (await world.submit(...grouped(3, "a"))) as [string, string, string];
    const worker = await stopAt(world, "run: before two", 1);
    await world.deliver();
    expect(await world.sql("SELECT id FROM jobs WHERE held_at IS NOT NULL")).toHaveLength(2);
    for (const id of [second, third]) await cancel(world.invocation().engine, { id }, ana);
    await worker.end();
    await requeue(world.invocation().engine, { id: second }, ana);
    await bulkIds(world.invocation().engine, "requeue", [third], {}, ana);
    await world.drain();
    expect(await states(world)).toEqual([{ state: "done", n: 3 }]);
  });

  test("what is held stays so while its kind is paused, and goes on when it resumes", async () => {
    const one = watched("two", { perGroup: 1 });
    const world = worldOf(one);
    await world.submit(...grouped(6, "a"));
    const worker = await stopAt(world, "run: before two");
    await world.until(pauseKind(world.invocation().engine, "two", ana));
    await worker.end();
    await world.deliver();
    expect(await states(world)).toEqual([
      { state: "done", n: 1 },
      { state: "pending", n: 5 },
    ]);
    await world.until(resumeKind(world.invocation().engine, "two", ana));
    while (world.queues.normal.available().length > 0) await world.deliver();
    expect(await states(world)).toEqual([{ state: "done", n: 6 }]);
  });
});

describe("no more start in a time than the rate allows", () => {
  /** In each stretch of time at most what the bucket held at its begin, and what has come since. */
  const keeps = (starts: number[], jobs: number, perMs: number) => {
    for (const [i, from] of starts.entries()) {
      for (let k = i; k < starts.length; k++) {
        const most = jobs + Math.floor((((starts[k] as number) - from) * jobs) / perMs);
        expect(k - i + 1).toBeLessThanOrEqual(most);
      }
    }
  };

  test("the first ones at once, the others as starts come back, by messages that come just then", async () => {
    const ten = watched("ten", { rate: { jobs: 10, per: "minute" } }, 0);
    const world = worldOf(ten);
    await world.submit(...many(30, "ten"));
    await world.deliver();
    expect(ten.seen.starts).toHaveLength(10);
    for (let second = 1; second <= 119; second++) {
      world.now = START + 1_000 * second;
      if (second % 60 === 0) await world.sweep();
      if (world.queues.normal.available().length > 0) await world.deliver();
    }
    expect(ten.seen.starts.map((at) => at - START).slice(10)).toEqual(
      Array.from({ length: 19 }, (_, n) => 6_000 * (n + 1)),
    );
    keeps(ten.seen.starts, 10, 60_000);
    world.now = START + 120_000;
    await world.drain();
    expect(await states(world)).toEqual([{ state: "done", n: 30 }]);
    expect(await world.sql("SELECT 1 FROM jobs WHERE attempt <> 1")).toEqual([]);
    await exact(world);
  });

  test.each(["none", "after", "twice"])(
    "several workers at the same moment take no start twice; trouble with replies: %s",
    async (trouble) => {
      const ten = watched("ten", { rate: { jobs: 10, per: "minute" } }, 0);
      const world = worldOf(ten);
      await world.submit(...many(40, "ten"));
      await ring(world);
      let calls = 0;
      if (trouble === "after") world.fault = () => (++calls === 1 ? "after" : null);
      world.twice = trouble === "twice";
      await together(world, 4, 10);
      world.twice = false;
      expect((await world.sql("SELECT 1 FROM jobs WHERE attempt > 0")).length).toBe(10);
      expect(await world.sql("SELECT level FROM rate_buckets")).toEqual([{ level: 0 }]);
      await exact(world);
    },
  );

  test("a start that was not used is kept, as many as the rate has and no more", async () => {
    const three = watched("three", { rate: { jobs: 3, per: "second" } }, 0);
    const world = worldOf(three);
    const run = async (n: number) => {
      const before = three.seen.starts.length;
      await world.submit(...many(n, "three"));
      await ring(world);
      await world.deliver();
      return three.seen.starts.length - before;
    };
    expect(await run(5)).toBe(3);
    world.now += 333;
    expect(await run(5)).toBe(0);
    world.now += 1;
    expect(await run(5)).toBe(1);
    world.now += 86_400_000;
    expect(await run(5)).toBe(3);
    keeps(three.seen.starts, 3, 1_000);
  });

  test("attempts are starts: retries wait for theirs as well", async () => {
    const two = watched("two", { rate: { jobs: 2, per: "hour" } }, 0);
    const world = worldOf(two);
    const [kind] = [...world.kinds.values()] as [Kind];
    (world.kinds as Map<string, Kind>).set("two", {
      ...kind,
      run: async () => {
        throw new Error("no");
      },
    });
    const [id] = (await world.submit({ kind: "two" })) as [string];
    await world.deliver();
    world.now += 10_000;
    await world.deliver();
    world.now += 20_000;
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 2 });
    world.now = START + 1_800_000;
    await world.sweep();
    await world.deliver();
    expect((await world.job(id)).attempt).toBe(3);
  });
});

describe("what a person sets stands before the definition", () => {
  const limit = (world: World, name: string, limits: KindLimits | null) =>
    world.until(limitKind(world.invocation().engine, name, limits, ana));

  test("of a kind without limits, and no worker that has not heard of it claims more", async () => {
    const free = watched("free");
    const world = worldOf(free);
    expect(await limit(world, "free", { running: 2 })).toEqual({ kind: "changed" });
    expect(await limit(world, "free", { running: 2 })).toEqual({ kind: "as-it-was" });
    world.limited.clear();
    await world.submit(...many(20, "free"));
    await world.drain();
    expect(free.seen.most).toBe(2);
    expect(await states(world)).toEqual([{ state: "done", n: 20 }]);
    expect(await world.sql("SELECT limits, limits_by, limits_reason FROM kinds")).toEqual([
      { limits: '{"running":2}', limits_by: "ana", limits_reason: ana.reason },
    ]);
    expect(await world.sql("SELECT action, after FROM audit")).toEqual([
      { action: "limit kind", after: '{"kind":"free","limits":{"running":2}}' },
    ]);
    await exact(world);
  });

  test("it can lift them, and give them back", async () => {
    const one = watched("one", { running: 1 });
    const world = worldOf(one);
    await world.submit(...many(8, "one"));
    await limit(world, "one", {});
    await world.deliver();
    await world.drain();
    expect(one.seen.most).toBeGreaterThan(1);
    one.seen.most = 0;
    await limit(world, "one", null);
    await world.submit(...many(8, "one"));
    await world.drain();
    expect(one.seen.most).toBe(1);
    expect(await states(world)).toEqual([{ state: "done", n: 16 }]);
  });

  test("what waits is sent at once where there is more room now, also what groups have held", async () => {
    const one = watched("one", { perGroup: 1 });
    const world = worldOf(one);
    await world.submit(...many(10, "one", { groupKey: "a" }));
    await stopAt(world, "run: before one", 1);
    await world.deliver();
    expect(world.queues.normal.available()).toEqual([]);
    await limit(world, "one", { perGroup: 4 });
    expect(world.queues.normal.available()).toHaveLength(9);
    await world.deliver();
    expect(one.seen.most).toBe(3);
  });

  test("operations have none, nor has what nobody knows", async () => {
    const world = worldOf(watched("one"));
    expect(await limit(world, "bulk", { running: 1 })).toEqual({ kind: "never-held" });
    expect(await limit(world, "nobody", { running: 1 })).toEqual({ kind: "not-found" });
    expect(await world.sql("SELECT 1 FROM kinds UNION ALL SELECT 1 FROM audit")).toEqual([]);
  });
});
