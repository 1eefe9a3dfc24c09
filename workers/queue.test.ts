import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { onBatch } from "./queue";

beforeEach(clean);

const delivered = (world: World, queue: string) => {
  const { batch } = world.queues.normal.take(100);
  return world.until(onBatch(world.invocation().engine, { ...batch, messages: batch.messages, queue }));
};

test("a queue is known by the last word of its name", async () => {
  for (const [queue, state] of [
    ["shop-jobs-normal", "done"],
    ["shop-jobs-dead", "dead"],
  ] as const) {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    await delivered(world, queue);
    expect(await world.job(id)).toMatchObject({ state });
  }
});

test("the messages of any other are not taken for dead letters: nothing ends by them, and they come again", async () => {
  const world = new World(probes);
  const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
  await expect(delivered(world, "redrive-normal-staging")).rejects.toThrow(
    "the queue redrive-normal-staging is none of Redrive's: their names end in -normal, -high, -long or -dead",
  );
  expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0 });
});
