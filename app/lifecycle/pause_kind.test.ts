import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { pauseKind, resumeKind } from "./pause_kind";

beforeEach(clean);

const ana = { actor: "ana", reason: "the provider is down" };
const pause = (world: World) => world.until(pauseKind(world.invocation().engine, "probe.ok", ana));
const resume = (world: World) => world.until(resumeKind(world.invocation().engine, "probe.ok", ana));

test("a paused kind starts nothing and uses up no attempt; resumed, its held jobs are sent at once", async () => {
  const world = new World(probes);
  await pause(world);
  const ids = await world.submit(...Array.from({ length: 30 }, () => ({ kind: "probe.ok" })), { kind: "probe.effect" });
  await world.sql("CREATE TABLE IF NOT EXISTS probe_rows (job_id TEXT NOT NULL, attempt INTEGER NOT NULL)");
  await world.deliver();
  expect(await world.sql("SELECT state, count(*) AS n FROM jobs GROUP BY state")).toEqual([
    { state: "done", n: 1 },
    { state: "pending", n: 30 },
  ]);
  const before = await world.sql("SELECT sum(attempt) AS n FROM jobs WHERE kind = 'probe.ok'");
  expect(before).toEqual([{ n: 0 }]);
  await resume(world);
  expect(world.queues.normal.available()).toHaveLength(30);
  await world.deliver();
  expect((await world.job(ids[0] as string)).state).toBe("done");
});

test("held jobs cost nothing a minute: sweeps write none of them", async () => {
  const world = new World(probes);
  await pause(world);
  await world.submit(...Array.from({ length: 200 }, () => ({ kind: "probe.ok" })));
  while (world.queues.normal.available().length > 0) await world.deliver();
  world.now += 120_000;
  const sweeper = world.invocation();
  await world.sweep(sweeper);
  expect(world.queues.normal.available()).toEqual([]);
  expect(sweeper.engine.store.used.rowsWritten).toBeLessThanOrEqual(4);
});

test("pausing twice, or resuming what runs, changes nothing and records nothing", async () => {
  const world = new World(probes);
  expect(await resume(world)).toBe(false);
  expect(await pause(world)).toBe(true);
  const revision = await world.revision();
  expect(await pause(world)).toBe(false);
  expect(await world.revision()).toBe(revision);
  expect(await world.sql("SELECT actor, action, reason FROM audit")).toEqual([
    { actor: "ana", action: "pause kind", reason: "the provider is down" },
  ]);
});
