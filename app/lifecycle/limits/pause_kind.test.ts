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
  expect(await resume(world)).toEqual({ kind: "as-it-was" });
  expect(await pause(world)).toEqual({ kind: "changed" });
  const revision = await world.revision();
  expect(await pause(world)).toEqual({ kind: "as-it-was" });
  expect(await world.revision()).toBe(revision);
  expect(await world.sql("SELECT actor, action, reason FROM audit")).toEqual([
    { actor: "ana", action: "pause kind", reason: "the provider is down" },
  ]);
});

test("a pause whose reply was lost, sent again, is one pause and one entry", async () => {
  const world = new World(probes);
  const faults = ["after"] as const;
  let call = 0;
  world.fault = () => faults[call++] ?? null;
  expect(await pause(world)).toEqual({ kind: "changed" });
  expect(await world.sql("SELECT count(*) AS n FROM audit")).toEqual([{ n: 1 }]);
});

test("a kind that only an earlier release knew can be paused while it has jobs; one that nobody knows cannot", async () => {
  const world = new World(probes);
  const old = () => world.until(pauseKind(world.invocation().engine, "probe.old", ana));
  expect(await old()).toEqual({ kind: "not-found" });
  await world.sql("INSERT INTO job_counts (kind, view, n) VALUES ('probe.old', 'pending', 1)");
  expect(await old()).toEqual({ kind: "changed" });
  expect(await world.sql("SELECT name, paused_by FROM kinds")).toEqual([{ name: "probe.old", paused_by: "ana" }]);
});

test("bulk operations are never held", async () => {
  const world = new World(probes);
  expect(await pauseKind(world.invocation().engine, "bulk", ana)).toEqual({ kind: "never-held" });
  expect(await world.sql("SELECT * FROM kinds")).toEqual([]);
});

test("a message that is sorted out as held while its kind resumes is sent again at once, not by a sweep", async () => {
  const world = new World(probes);
  const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
  await pause(world);
  world.seam = async (site) => {
    if (site !== "sort out: before hold") return;
    world.seam = () => {};
    await resumeKind(world.invocation().engine, "probe.ok", ana);
  };
  await world.deliver();
  expect(await world.job(id)).toMatchObject({ state: "pending", sent_at: world.now });
  await world.deliver();
  expect((await world.job(id)).state).toBe("done");
});
