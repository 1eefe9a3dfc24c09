import { beforeEach, describe, expect, test } from "vitest";
import { readSchedule } from "~/store/reads/schedule";
import { probes } from "~/testing/probes";
import { fatesOf, firedSlots, minutesOf, scheduleOf } from "~/testing/schedules";
import { seeing } from "~/testing/seeing";
import { clean, World } from "~/testing/world";
import { create, remove, update } from "./edit";
import { pause, resume } from "./pause";
import { run } from "./run";

beforeEach(clean);

const MINUTE = 60_000;
const TWELVE = Date.parse("2026-12-01T12:00:00Z");
const by = { actor: "ann" };
const BASE = { name: "nightly", cron: "* * * * *", kind: "probe.ok", payload: {} };

function worldAt(now = TWELVE - 30_000): World {
  const world = new World(probes);
  world.now = now;
  return world;
}
const made = async (world: World, rest: object = {}): Promise<string> => {
  const saved = await create(world.invocation().engine, JSON.stringify({ ...BASE, ...rest }), by);
  if (saved.kind !== "saved") throw new Error(JSON.stringify(saved));
  return saved.id;
};
const change = (world: World, id: string, rest: object, version?: number) =>
  update(world.invocation().engine, id, JSON.stringify({ ...BASE, ...rest, version }), by);
const sweepAt = async (world: World, now: number) => {
  world.now = now;
  return world.sweep();
};
async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

describe("create", () => {
  test("stores what was sent, to the letter, with the next slot after now", async () => {
    const world = worldAt();
    const text = `{"name": " nightly ", "cron": "30  2 * * *", "timeZone": "Europe/Berlin", "kind": "probe.ok", "payload": {"n": 1.0}}`;
    const saved = await create(world.invocation().engine, text, by);
    expect(saved).toMatchObject({ kind: "saved", version: 1 });
    const { id } = saved as { id: string };
    expect(await scheduleOf(world, id)).toMatchObject({
      name: "nightly",
      cron: "30 2 * * *",
      payload: '{"n": 1.0}',
      due_at: Date.parse("2026-12-02T01:30:00Z"),
      missed: "once",
      overlap: "allow",
    });
    const read = await readSchedule(world.invocation().engine.store, id, seeing(probes));
    expect(read?.audit).toMatchObject([{ actor: "ann", action: "schedule.create" }]);
    expect(await world.revision()).toBe(1);
  });

  test("every n minutes without an anchor are counted from this minute", async () => {
    const world = worldAt();
    const id = await made(world, { cron: undefined, everyMinutes: 10 });
    expect(await scheduleOf(world, id)).toMatchObject({ anchor_at: TWELVE - MINUTE, due_at: TWELVE + 9 * MINUTE });
  });

  test("a name stands for one schedule: a call that is repeated makes no second one", async () => {
    const world = worldAt();
    const id = await made(world);
    const again = await create(world.invocation().engine, JSON.stringify(BASE), by);
    expect(again).toEqual({ kind: "name-taken", id, name: "nightly" });
    expect(await world.sql("SELECT id FROM schedules")).toHaveLength(1);
    expect(await world.sql("SELECT id FROM audit")).toHaveLength(1);
  });

  test("a write whose reply was lost, or that the network does twice, makes one", async () => {
    const world = worldAt();
    let calls = 0;
    world.fault = () => (++calls === 2 ? "after" : null);
    const saved = await world.until(create(world.invocation().engine, JSON.stringify(BASE), by));
    expect(saved).toMatchObject({ kind: "saved" });
    world.fault = () => null;
    world.twice = true;
    await made(world, { name: "other" });
    expect(await world.sql("SELECT name FROM schedules ORDER BY name")).toEqual([
      { name: "nightly" },
      { name: "other" },
    ]);
    expect(await world.sql("SELECT id FROM audit")).toHaveLength(2);
    expect(await world.revision()).toBe(2);
  });

  test("what a submit would refuse is refused now", async () => {
    const world = worldAt();
    for (const [rest, path] of [
      [{ kind: "gone" }, "kind"],
      [{ payload: [] }, "payload"],
      [{ maxAttempts: 0 }, "maxAttempts"],
      [{ payload: { x: "x".repeat(20_000) } }, "payload"],
      [{ cron: "0 0 30 2 *" }, "cron"],
      [{ everyMinutes: 5 }, "cron"],
      [{ cron: undefined }, "cron"],
      [{ anchor: "2026-12-01T10:00:00Z" }, "anchor"],
      [{ cron: undefined, everyMinutes: 5, anchor: "2026-12-01T10:00:01Z" }, "anchor"],
      [{ name: " " }, "name"],
      [{ surprise: 1 }, "surprise"],
    ] as const) {
      const saved = await create(world.invocation().engine, JSON.stringify({ ...BASE, ...rest }), by);
      expect([rest, saved.kind]).toEqual([rest, "rejected"]);
      if (saved.kind === "rejected") expect(saved.rejection.problems[0]?.path).toBe(path);
    }
    expect(await world.sql("SELECT id FROM schedules")).toEqual([]);
  });
});

describe("update", () => {
  test("of the payload alone leaves the slot that is due", async () => {
    const world = worldAt();
    const id = await made(world);
    world.now = TWELVE + 1;
    expect(await change(world, id, { payload: { n: 2 } })).toMatchObject({ kind: "saved", version: 2 });
    expect((await scheduleOf(world, id)).due_at).toBe(TWELVE);
    await world.sweep();
    expect(await world.sql("SELECT slot_at, payload FROM jobs")).toEqual([{ slot_at: TWELVE, payload: '{"n":2}' }]);
  });

  test("of the times goes on from now by the new ones", async () => {
    const world = worldAt();
    const id = await made(world);
    await change(world, id, { cron: "*/15 * * * *" });
    expect((await scheduleOf(world, id)).due_at).toBe(TWELVE);
    world.now = TWELVE + 5 * MINUTE;
    await change(world, id, { cron: "0 * * * *" });
    expect((await scheduleOf(world, id)).due_at).toBe(TWELVE + 60 * MINUTE);
  });

  test("of what somebody else changed meanwhile is refused", async () => {
    const world = worldAt();
    const id = await made(world);
    expect(await change(world, id, { payload: { n: 2 } }, 1)).toMatchObject({ kind: "saved" });
    expect(await change(world, id, { payload: { n: 3 } }, 1)).toEqual({ kind: "changed", version: 2 });
    expect((await scheduleOf(world, id)).payload).toBe('{"n":2}');
    expect(await change(world, "gone", {})).toEqual({ kind: "not-found" });
    const other = await made(world, { name: "other" });
    expect(await change(world, id, { name: "other" })).toEqual({ kind: "name-taken", id: other, name: "other" });
  });

  test("while a sweep holds what it read: the sweep changes nothing, and the next one fires what is there then", async () => {
    const world = worldAt(TWELVE);
    world.now -= MINUTE;
    const id = await made(world);
    world.now = TWELVE;
    const slow = world.invocation();
    const gate = world.hold("schedules: between reading and writing", slow);
    const held = world.sweep(slow);
    await gate.reached;
    await change(world, id, { payload: { n: 2 } });
    gate.open();
    expect(await held).toMatchObject({ fired: 0 });
    expect(await sweepAt(world, TWELVE + MINUTE)).toMatchObject({ fired: 2 });
    expect(await world.sql("SELECT payload FROM jobs")).toEqual([{ payload: '{"n":2}' }, { payload: '{"n":2}' }]);
    await exact(world);
  });
});

describe("pause and resume", () => {
  test("no burst: slots of the pause do not run, whatever the policy for missed ones", async () => {
    const world = worldAt();
    const id = await made(world, { missed: "all" });
    await sweepAt(world, TWELVE);
    expect(await pause(world.invocation().engine, id, by)).toBe("done");
    expect(await pause(world.invocation().engine, id, by)).toBe("already");
    for (let minute = 1; minute <= 30; minute++) await sweepAt(world, TWELVE + minute * MINUTE);
    expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00"]);
    world.now = TWELVE + 30 * MINUTE + 20_000;
    expect(await resume(world.invocation().engine, id, by)).toBe("done");
    expect(await resume(world.invocation().engine, id, by)).toBe("already");
    expect(await world.sweep()).toMatchObject({ fired: 0 });
    await sweepAt(world, TWELVE + 31 * MINUTE);
    expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00", "12:31"]);
    expect(await resume(world.invocation().engine, "gone", by)).toBe("not-found");
    const { audit } = (await readSchedule(world.invocation().engine.store, id, seeing(probes))) as NonNullable<
      Awaited<ReturnType<typeof readSchedule>>
    >;
    expect(audit.map(({ action }) => action)).toEqual(["schedule.resume", "schedule.pause", "schedule.create"]);
  });

  test("a pause between a sweep's reading and its writing holds", async () => {
    const world = worldAt(TWELVE - MINUTE);
    const id = await made(world);
    world.now = TWELVE;
    const slow = world.invocation();
    const gate = world.hold("schedules: between reading and writing", slow);
    const held = world.sweep(slow);
    await gate.reached;
    await pause(world.invocation().engine, id, by);
    gate.open();
    expect(await held).toMatchObject({ fired: 0 });
    expect(await firedSlots(world, id)).toEqual([]);
  });
});

describe("run now", () => {
  test("makes a job outside of all slots, paused or not, and moves no slot", async () => {
    const world = worldAt();
    const id = await made(world, { priority: "high" });
    const first = await run(world.invocation().engine, { id }, by);
    expect(first).toMatchObject({ kind: "made", replayed: false });
    await pause(world.invocation().engine, id, by);
    expect(await run(world.invocation().engine, { id }, by)).toMatchObject({ kind: "made", replayed: false });
    expect(await world.sql("SELECT schedule_id, slot_at, lane FROM jobs")).toEqual([
      { schedule_id: id, slot_at: null, lane: "high" },
      { schedule_id: id, slot_at: null, lane: "high" },
    ]);
    expect((await scheduleOf(world, id)).due_at).toBe(TWELVE);
    expect(await fatesOf(world, id)).toEqual([]);
    const { jobId } = first as { jobId: string };
    expect(await world.sql("SELECT action, job_id FROM audit WHERE job_id = ?", jobId)).toEqual([
      { action: "schedule.run", job_id: jobId },
    ]);
    expect(world.queues.high.sent).toHaveLength(2);
    await exact(world);
  });

  test("with one key makes one job, also where the reply was lost", async () => {
    const world = worldAt();
    const id = await made(world);
    let calls = 0;
    world.fault = () => (++calls === 2 ? "after" : null);
    const first = await world.until(run(world.invocation().engine, { id, key: "k" }, by));
    world.fault = () => null;
    world.twice = true;
    const second = await run(world.invocation().engine, { id, key: "k" }, by);
    expect(second).toEqual({ ...first, replayed: true });
    await run(world.invocation().engine, { id }, by);
    expect(await world.sql("SELECT id FROM jobs")).toHaveLength(2);
    expect(await world.sql("SELECT id FROM audit WHERE action = 'schedule.run'")).toHaveLength(2);
    await exact(world);
  });

  test("under the overlap policy skip is refused while a job of it is unfinished", async () => {
    const world = worldAt();
    const id = await made(world, { overlap: "skip" });
    const first = await run(world.invocation().engine, { id }, by);
    expect(first).toMatchObject({ kind: "made" });
    const { jobId } = first as { jobId: string };
    expect(await run(world.invocation().engine, { id }, by)).toEqual({ kind: "busy", jobId });
    await sweepAt(world, TWELVE);
    expect(await fatesOf(world, id)).toEqual(["12:00 overlapped"]);
    await world.deliver();
    expect(await run(world.invocation().engine, { id }, by)).toMatchObject({ kind: "made" });
    expect(await run(world.invocation().engine, { id: "gone" }, by)).toEqual({ kind: "not-found" });
    await exact(world);
  });
});

test("delete takes the schedule and its slots; its jobs and the audit stay", async () => {
  const world = worldAt();
  const id = await made(world);
  await sweepAt(world, TWELVE);
  expect(await remove(world.invocation().engine, id, by)).toBe("removed");
  expect(await remove(world.invocation().engine, id, by)).toBe("not-found");
  expect(await sweepAt(world, TWELVE + MINUTE)).toMatchObject({ fired: 0 });
  expect(await world.sql("SELECT 1 FROM slots")).toEqual([]);
  expect(await firedSlots(world, id)).toEqual([TWELVE]);
  expect(await world.sql("SELECT action FROM audit ORDER BY id")).toEqual([
    { action: "schedule.create" },
    { action: "schedule.delete" },
  ]);
});
