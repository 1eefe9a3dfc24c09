import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registryOf } from "~/kinds/registry";
import { readJob } from "~/store/reads/job";
import { createProbeRows, probes } from "~/testing/probes";
import { seeing } from "~/testing/seeing";
import { clean, World } from "~/testing/world";
import { cancel } from "./cancel";
import { consume } from "./consume";

beforeAll(createProbeRows);
beforeEach(clean);

const poison = { ...probes.get("probe.ok"), name: "probe.poison" };
const kinds = registryOf(...probes.values(), poison as never);

/** Delivers a batch to a worker that goes down, memory and acks gone, the moment it starts a poisonous job. */
async function deliverToMortal(world: World): Promise<boolean> {
  const taken = world.queues.normal.take(100);
  const invocation = world.invocation();
  const crashed = Promise.withResolvers<"crashed">();
  world.seam = (site, at) => {
    if (site !== "run: before probe.poison") return;
    at.kill();
    crashed.resolve("crashed");
  };
  const end = await world.until(Promise.race([consume(invocation.engine, "normal", taken.batch), crashed.promise]));
  if (end === "crashed") taken.crash();
  else taken.finish();
  return end === "crashed";
}

async function live(world: World, minutes: number): Promise<number> {
  let crashes = 0;
  for (let minute = 0; minute < minutes && (await world.unfinished()) > 0; minute++) {
    for (let batch = 0; batch < 20 && world.queues.normal.available().length > 0; batch++) {
      if (await deliverToMortal(world)) crashes++;
    }
    world.now += 30_000;
    if (minute % 2 === 1) await world.sweep();
  }
  return crashes;
}

describe("a worker that goes down", () => {
  test("C005: an attempt counts from its claim; a job that loses its worker too often is dead and says so", async () => {
    const world = new World(kinds);
    const [id] = (await world.submit({ kind: "probe.poison", maxAttempts: 3 })) as [string];
    expect(await live(world, 60)).toBe(3);
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 3, last_error: "worker lost 3 times" });
    expect(await world.attempts(id)).toMatchObject([{ outcome: "lost" }, { outcome: "lost" }, { outcome: "lost" }]);
    expect((await readJob(world.invocation().engine.store, id, seeing(kinds)))?.attempts).toHaveLength(3);
    for (let hour = 0; hour < 24; hour++) {
      world.now += 3_600_000;
      await world.sweep();
      await world.deliver();
    }
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 3 });
  });

  test("C005: cancel pressed between two claims ends it at once", async () => {
    const world = new World(kinds);
    const [id] = (await world.submit({ kind: "probe.poison", maxAttempts: 3 })) as [string];
    await deliverToMortal(world);
    world.now += 31_000;
    await world.sweep();
    expect(await cancel(world.invocation().engine, { id }, { actor: "ana" })).toEqual({ kind: "cancelled" });
    world.now += 600_000;
    await world.sweep();
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "cancelled", attempt: 1 });
  });

  test("a batch of 100 whose 38th job takes its worker down each time: 99 done, that one dead, nobody else lost twice", async () => {
    const world = new World(kinds);
    const jobs = Array.from({ length: 100 }, (_, n) => ({
      kind: n === 37 ? "probe.poison" : "probe.ok",
      maxAttempts: 4,
    }));
    const ids = await world.submit(...jobs);
    expect(await live(world, 120)).toBe(4);
    const poisoned = ids[37] as string;
    expect(await world.job(poisoned)).toMatchObject({ state: "dead", attempt: 4, last_error: "worker lost 4 times" });
    for (const id of ids.filter((one) => one !== poisoned)) {
      expect((await world.job(id)).state).toBe("done");
      expect((await world.attempts(id)).filter((attempt) => attempt.outcome === "lost").length).toBeLessThanOrEqual(1);
    }
    const { kept, real } = await world.recount();
    expect(kept).toEqual(real);
  });

  test("a suspect that behaves is no suspect any more", async () => {
    const world = new World(kinds);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    await world.sql("UPDATE jobs SET suspect = 1 WHERE id = ?", id);
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", suspect: 0 });
  });
});
