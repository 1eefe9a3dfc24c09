import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { Snooze } from "~/domain/errors";
import { LANE_MESSAGES } from "~/domain/limits";
import { defineKind, type JobContext } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { clean, START, World } from "~/testing/world";
import { cancel } from "../cancel";
import { consume } from "../consume";

beforeEach(clean);

/** Whether somebody looks for the first time. */
const first = (world: World): boolean => world.now < START + 30_000;

/**
 * A job of a kind with one place that snoozes at once, and gets its own place again in the same invocation: its lane is
 * full, so no message comes for it. Its second attempt works for two minutes. `during` is called 20 s into it.
 */
async function again(during: (world: World, id: string) => unknown = () => {}, fails = false) {
  const seen = { started: 0, now: 0, most: 0 };
  const kind = defineKind({
    name: "again",
    title: "again",
    description: "again",
    input: z.looseObject({}),
    usualMs: 10,
    timeoutMs: 300_000,
    limits: { running: 1 },
    retry: { jitter: 0 },
    async run(_: unknown, ctx: JobContext) {
      seen.started++;
      if (ctx.attempt === 1) throw new Snooze(0);
      seen.most = Math.max(seen.most, ++seen.now);
      ctx.progress({ done: 1, total: 2 });
      try {
        await ctx.sleep(120_000);
      } finally {
        seen.now--;
      }
      if (fails) throw new TypeError("no");
    },
  } as never);
  const world = new World(registryOf(kind));
  const [id] = (await world.submit({ kind: "again" })) as [string];
  const { lane } = (await world.job(id)) as { lane: "long" };
  for (let i = 0; i <= LANE_MESSAGES; i++) world.queues[lane].put({ filler: i }, 3_600_000);
  const invocation = world.invocation();
  const others: Promise<unknown>[] = [];
  // Other invocations take whatever comes, all the while, as a sweep would send it.
  const look = () =>
    invocation.engine.after(20_000, async () => {
      await during(world, id);
      await world.sweepNow();
      const taken = world.queues[lane].take(1);
      if (taken.batch.messages.length > 0) others.push(consume(world.invocation().engine, lane, taken.batch));
      look();
    });
  look();
  await world.deliver(lane, 1, invocation);
  await world.until(Promise.all(others));
  return { world, id, seen, outcomes: (await world.attempts(id)).map(({ outcome }) => outcome) };
}

test("a job that comes again in its own place keeps its lease as long as it works", async () => {
  const { seen, outcomes, world } = await again();
  expect([seen, outcomes]).toEqual([{ started: 2, now: 0, most: 1 }, ["snoozed", "done"]]);
  expect(world.events.filter(({ event }) => event === "result.refused")).toEqual([]);
});

test("and no message is sent for it beside, which would be looked up and thrown away", async () => {
  const { world } = await again();
  expect(world.queues.long.sent.map(({ body }) => body.attempt)).toEqual([1]);
});

test("and hears that it is to stop", async () => {
  const { outcomes, seen } = await again(async (world, id) => {
    if (first(world)) await cancel(world.invocation().engine, { id }, { actor: "ann" });
  });
  expect([outcomes, seen.now]).toEqual([["snoozed", "cancelled"], 0]);
});

test("and is stopped once somebody else has it", async () => {
  const { world, outcomes, seen } = await again(async (world, id) => {
    if (first(world)) await world.sql("UPDATE jobs SET token = 'somebody', lease_until = 9e15 WHERE id = ?", id);
  });
  expect([outcomes, seen]).toEqual([["snoozed"], { started: 2, now: 0, most: 1 }]);
  expect(world.events.filter(({ event }) => event === "result.refused")).toHaveLength(1);
});

test("what is told of its end names no message: none has asked for it", async () => {
  const { world } = await again(() => {}, true);
  const [failed] = world.events.filter(({ event }) => event === "attempt.failed");
  expect(failed).toMatchObject({ attempt: 2, messageId: null, deliveries: null });
});
