import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { KindLimits } from "~/domain/kind_limits";
import { defineKind, type JobContext, type Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { clean, START, World } from "~/testing/world";

beforeEach(clean);

/** Works for `ms`, and notes how many of its kind, and of its group, run at once. */
function watched(name: string, limits?: KindLimits, ms = 100) {
  const seen = { now: 0, most: 0, starts: [] as number[], groups: new Map<string, number>(), mostOfGroup: 0 };
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
        seen.mostOfGroup = Math.max(seen.mostOfGroup, ofGroup(1));
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
    const invocation = world.invocation();
    const at = world.hold("run: before five", invocation);
    const delivering = world.deliver("normal", 100, invocation);
    await at.reached;
    expect(await states(world)).toEqual([
      { state: "pending", n: 35 },
      { state: "processing", n: 5 },
    ]);
    at.open();
    const { acked } = await delivering;
    expect(acked()).toBe(40);
    await world.drain();
    expect(await states(world)).toEqual([{ state: "done", n: 40 }]);
    expect(five.seen.most).toBe(5);
    expect(await world.sql("SELECT 1 FROM jobs WHERE attempt <> 1")).toEqual([]);
    await exact(world);
  });

  test("several workers that all claim at the same moment share its places", async () => {
    const five = watched("five", { running: 5 });
    const world = worldOf(five);
    await world.submit(...many(60, "five"));
    const invocations = Array.from({ length: 6 }, () => world.invocation());
    const gates = invocations.map((invocation) => world.hold("claim: before write", invocation));
    const running = invocations.map((invocation) => world.deliver("normal", 10, invocation));
    await Promise.all(gates.map(({ reached }) => reached));
    for (const { open } of gates) open();
    await Promise.all(running);
    await world.drain();
    expect(five.seen.most).toBe(5);
    expect(await states(world)).toEqual([{ state: "done", n: 60 }]);
    await exact(world);
  });

  test("the test would see it: without a limit they all run at once", async () => {
    const free = watched("free");
    const world = worldOf(free);
    await world.submit(...many(60, "free"));
    await Promise.all(Array.from({ length: 6 }, () => world.deliver("normal", 10)));
    expect(free.seen.most).toBeGreaterThan(5);
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
});
