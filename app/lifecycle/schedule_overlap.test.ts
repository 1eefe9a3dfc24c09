import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readSchedule } from "~/store/reads/schedule";
import { readDue } from "~/store/schedules/schedules";
import { createProbeRows, probes } from "~/testing/probes";
import { fatesOf, firedSlots, minutesOf, putSchedule, scheduleOf } from "~/testing/schedules";
import { seeing } from "~/testing/seeing";
import { clean, World } from "~/testing/world";
import { fireSchedules } from "./schedule";

beforeAll(createProbeRows);
beforeEach(clean);

const MINUTE = 60_000;
const TWELVE = Date.parse("2026-12-01T12:00:00Z");

/** Stands in for consumers: each job that has run for 150 s ends. `seen` is what was unfinished after each step. */
async function observe(world: World, id: string, minutes: number, runs = true) {
  const seen: number[] = [];
  for (let now = TWELVE; now < TWELVE + minutes * MINUTE; now += 10_000) {
    world.now = now;
    if (runs) await finish(world, now - 150_000);
    if ((now - TWELVE) % MINUTE === 0) await world.sweep();
    if (runs) await start(world);
    seen.push(await unfinished(world, id));
  }
  return seen;
}
const start = (world: World) =>
  world.sql(
    `UPDATE jobs SET state = 'processing', sent_at = NULL, attempt = 1, leased_at = ?1, lease_until = ?1 + 9e9 WHERE state = 'pending'`,
    world.now,
  );
const finish = (world: World, startedBy: number) =>
  world.sql(
    "UPDATE jobs SET state = 'done', lease_until = NULL, finished_at = ?1 WHERE state = 'processing' AND leased_at <= ?2",
    world.now,
    startedBy,
  );
const unfinished = async (world: World, id: string) =>
  (await world.sql("SELECT 1 FROM jobs WHERE schedule_id = ? AND finished_at IS NULL", id)).length;

describe("C035: every minute, a job takes 150 s", () => {
  test("C035: skip: never two unfinished, skipped slots are kept, a run starts at the first free slot", async () => {
    const world = new World(probes);
    const id = await putSchedule(world, TWELVE, { overlap: "skip" });
    const seen = await observe(world, id, 10);
    expect(Math.max(...seen)).toBe(1);
    expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00", "12:03", "12:06", "12:09"]);
    expect(await fatesOf(world, id)).toEqual([
      "12:00 fired",
      "12:01 overlapped",
      "12:02 overlapped",
      "12:03 fired",
      "12:04 overlapped",
      "12:05 overlapped",
      "12:06 fired",
      "12:07 overlapped",
      "12:08 overlapped",
      "12:09 fired",
    ]);
    expect((await scheduleOf(world, id)).due_at).toBe(TWELVE + 10 * MINUTE);
  });

  test("C035: allow: ten jobs, one a slot", async () => {
    const world = new World(probes);
    const id = await putSchedule(world, TWELVE, { overlap: "allow" });
    const seen = await observe(world, id, 10);
    expect(await firedSlots(world, id)).toEqual(Array.from({ length: 10 }, (_, n) => TWELVE + n * MINUTE));
    expect(Math.max(...seen)).toBe(3);
  });

  test("C035: a first job that waits for five minutes holds the others back, and the schedule goes on after it", async () => {
    const world = new World(probes);
    const id = await putSchedule(world, TWELVE, { overlap: "skip" });
    expect(Math.max(...(await observe(world, id, 5, false)))).toBe(1);
    expect(await fatesOf(world, id)).toEqual([
      "12:00 fired",
      ...["1", "2", "3", "4"].map((n) => `12:0${n} overlapped`),
    ]);
    await world.deliver();
    world.now = TWELVE + 5 * MINUTE;
    await world.sweep();
    expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00", "12:05"]);
    const page = await readSchedule(world.invocation().engine.store, id, seeing(probes));
    expect(page?.recent.filter(({ fate }) => fate === "overlapped")).toHaveLength(4);
  });
});

test("a job that was requeued counts as unfinished again", async () => {
  const world = new World(probes);
  const id = await putSchedule(world, TWELVE, { overlap: "skip", kind: "probe.permanent" });
  world.now = TWELVE;
  await world.sweep();
  await world.deliver();
  world.now += MINUTE;
  await world.sweep();
  expect(await fatesOf(world, id)).toEqual(["12:00 fired", "12:01 fired"]);
  await world.sql("UPDATE jobs SET state = 'pending', finished_at = NULL, cause = NULL WHERE slot_at = ?", TWELVE);
  await world.deliver();
  world.now += MINUTE;
  await world.sweep();
  expect(await fatesOf(world, id)).toEqual(["12:00 fired", "12:01 fired", "12:02 overlapped"]);
});

test("several missed slots of a schedule that has one job at a time make one job", async () => {
  const world = new World(probes);
  const id = await putSchedule(world, TWELVE, { overlap: "skip", missed: "all", cron: "*/15 * * * *" });
  world.now = TWELVE + 40 * MINUTE;
  await world.sweep();
  expect(await fatesOf(world, id)).toEqual(["12:00 late", "12:15 overlapped", "12:30 overlapped"]);
});

test("a firing reads as few rows with 20,000 finished jobs of the schedule as with none", async () => {
  const reads: number[] = [];
  for (const stored of [0, 20_000]) {
    await clean();
    const world = new World(probes);
    world.now = TWELVE;
    const id = await putSchedule(world, TWELVE, { overlap: "skip" });
    await world.sql(
      `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?1)
       INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at, finished_at, schedule_id, slot_at)
       SELECT 'j' || n, 'probe.ok', 'normal', 'done', '{}', 1, 0, 't', 0, 1, ?2, n FROM i WHERE ?1 > 0`,
      stored,
      id,
    );
    const { engine } = world.invocation();
    const due = await readDue(engine.store, 100);
    const before = { ...engine.store.used };
    expect(await world.until(fireSchedules(engine, due))).toBe(1);
    expect(engine.store.used.calls - before.calls).toBe(1);
    reads.push(engine.store.used.rowsRead - before.rowsRead);
  }
  expect(reads[1]).toBeLessThanOrEqual((reads[0] as number) + 3);
  expect(reads[1]).toBeLessThan(60);
});
