import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineKind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { readDue } from "~/store/schedules/schedules";
import { createProbeRows, probes } from "~/testing/probes";
import { fatesOf, firedSlots, minutesOf, putSchedule, scheduleOf } from "~/testing/schedules";
import { clean, World } from "~/testing/world";
import { fireSchedules } from "./schedule";
import { sweep } from "./sweep";

beforeAll(createProbeRows);
beforeEach(clean);

const at = (text: string) => Date.parse(text);
const MINUTE = 60_000;
const TWELVE = at("2026-12-01T12:00:00Z");

function worldAt(time: string | number): World {
  const world = new World(probes);
  world.now = typeof time === "number" ? time : at(time);
  return world;
}
const sweepAt = async (world: World, time: string | number) => {
  world.now = typeof time === "number" ? time : at(time);
  return world.sweep();
};
async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

describe("a slot yields exactly one job", () => {
  test("C032: sweeps at once, again, and late make one job for 12:00 and one for 12:01", async () => {
    const world = worldAt(TWELVE);
    const id = await putSchedule(world, TWELVE);
    const five = Array.from({ length: 5 }, () => sweep(world.invocation().engine));
    await world.until(Promise.all(five));
    expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00"]);
    await sweepAt(world, TWELVE + 20_000);
    await sweepAt(world, TWELVE + 90_000);
    expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00", "12:01"]);
    expect(await world.sql("SELECT slot_at, created_at FROM jobs ORDER BY slot_at")).toEqual([
      { slot_at: TWELVE, created_at: TWELVE },
      { slot_at: TWELVE + MINUTE, created_at: TWELVE + 90_000 },
    ]);
    expect(world.queues.normal.sent).toHaveLength(2);
    expect(world.events).toEqual([]);
    await exact(world);
  });

  test("C032: also where five have read the same slot as due and no lease keeps them apart", async () => {
    const world = worldAt(TWELVE);
    const id = await putSchedule(world, TWELVE);
    const engines = Array.from({ length: 5 }, () => world.invocation().engine);
    const due = await Promise.all(engines.map((engine) => readDue(engine.store, 100)));
    const made = await world.until(Promise.all(engines.map((engine, i) => fireSchedules(engine, due[i] as never))));
    expect(made.sort()).toEqual([0, 0, 0, 0, 1]);
    expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00"]);
    expect(await world.sql("SELECT * FROM slots")).toHaveLength(1);
    expect(world.queues.normal.sent).toHaveLength(1);
    expect(world.events).toEqual([]);
    await exact(world);
  });

  test("one that is held between its reading and its writing finds that another was faster, and changes nothing", async () => {
    const world = worldAt(TWELVE);
    const id = await putSchedule(world, TWELVE);
    const slow = world.invocation();
    const gate = world.hold("schedules: between reading and writing", slow);
    const held = fireSchedules(slow.engine, await readDue(slow.engine.store, 100));
    await world.until(gate.reached);
    await sweepAt(world, TWELVE);
    const revision = await world.revision();
    gate.open();
    expect(await world.until(held)).toBe(0);
    expect(await world.revision()).toBe(revision);
    expect(await fatesOf(world, id)).toEqual(["12:00 fired"]);
    await exact(world);
  });

  test("a write whose reply was lost, and one that the network does twice, make one job and send it once", async () => {
    for (const fault of ["after", "twice"] as const) {
      await clean();
      const world = worldAt(TWELVE);
      const id = await putSchedule(world, TWELVE);
      if (fault === "twice") world.twice = true;
      const { engine } = world.invocation();
      const due = await readDue(engine.store, 100);
      let calls = 0;
      if (fault === "after") world.fault = () => (calls++ === 0 ? "after" : null);
      expect(await world.until(fireSchedules(engine, due))).toBe(1);
      world.fault = () => null;
      expect(minutesOf(await firedSlots(world, id))).toEqual(["12:00"]);
      expect(world.queues.normal.sent).toHaveLength(1);
      await exact(world);
    }
  });

  test("a crash between the write and the message costs time, not the job", async () => {
    const world = worldAt(TWELVE);
    const id = await putSchedule(world, TWELVE, { cron: "0 12 * * *" });
    const crashing = world.invocation();
    const crashed = Promise.withResolvers<void>();
    world.seam = (site, invocation) => {
      if (site !== "schedules: between write and send" || invocation !== crashing) return;
      invocation.kill();
      crashed.resolve();
    };
    void sweep(crashing.engine);
    await crashed.promise;
    expect(world.queues.normal.sent).toEqual([]);
    // The sweep that died holds its lease for two minutes.
    await sweepAt(world, TWELVE + 3 * MINUTE);
    expect(world.queues.normal.sent).toHaveLength(1);
    await world.deliver();
    expect(await world.sql("SELECT schedule_id, state FROM jobs")).toEqual([{ schedule_id: id, state: "done" }]);
  });

  test("C032: the handler is told the slot that its job is for, however late it runs; a job of no schedule has none", async () => {
    const slot = defineKind({
      name: "probe.slot",
      title: "slot",
      description: "answers its slot",
      input: z.looseObject({}),
      usualMs: 10,
      timeoutMs: 30_000,
      run: async (_input, ctx) => ctx.slotAt,
    });
    const world = new World(registryOf(slot));
    world.now = TWELVE + 70_000;
    await putSchedule(world, TWELVE, { cron: "0 12 * * *", kind: "probe.slot" });
    await world.sweep();
    const [plain] = await world.submit({ kind: "probe.slot" });
    world.now += 10 * MINUTE;
    await world.deliver();
    expect(await world.sql("SELECT result FROM jobs WHERE id <> ?", plain)).toEqual([{ result: String(TWELVE) }]);
    expect((await world.job(plain as string)).result).toBe("null");
  });

  test("a schedule that is not due, or paused, makes none", async () => {
    const world = worldAt(TWELVE);
    const id = await putSchedule(world, TWELVE + 1);
    const paused = await putSchedule(world, TWELVE);
    await world.sql("UPDATE schedules SET paused_at = 1 WHERE id = ?", paused);
    expect(await world.sweep()).toMatchObject({ fired: 0 });
    expect(await firedSlots(world, id)).toEqual([]);
    expect(await firedSlots(world, paused)).toEqual([]);
  });
});

describe("turned clocks, on the real sweep", () => {
  /** A sweep a minute over a few hours around the turn. */
  async function walk(cron: string, timeZone: string, dueAt: string, from: string, to: string) {
    const world = worldAt(from);
    const id = await putSchedule(world, at(dueAt), { cron, timeZone });
    for (let now = at(from); now <= at(to); now += MINUTE) await sweepAt(world, now);
    await exact(world);
    return (await firedSlots(world, id)).map((slot) => `${new Date(slot).toISOString().slice(0, 16)}Z`);
  }

  test("C021: a fixed wall time fires once in an hour that comes twice", async () => {
    expect(
      await walk("30 1 * * *", "America/New_York", "2026-11-01T05:30Z", "2026-11-01T05:00Z", "2026-11-01T07:30Z"),
    ).toEqual(["2026-11-01T05:30Z"]);
    await clean();
    expect(
      await walk("30 2 * * *", "Europe/Berlin", "2026-10-25T00:30Z", "2026-10-25T00:00Z", "2026-10-25T02:30Z"),
    ).toEqual(["2026-10-25T00:30Z"]);
  });

  test("C021: one job per local date over the days around it", async () => {
    const world = worldAt("2026-10-31T12:00Z");
    const id = await putSchedule(world, at("2026-11-01T05:30Z"), { cron: "30 1 * * *", timeZone: "America/New_York" });
    for (let now = at("2026-11-01T05:00Z"); now <= at("2026-11-03T07:00Z"); now += 10 * MINUTE)
      await sweepAt(world, now);
    const slots = await firedSlots(world, id);
    expect(slots.map((slot) => new Date(slot).toISOString().slice(0, 16))).toEqual([
      "2026-11-01T05:30",
      "2026-11-02T06:30",
      "2026-11-03T06:30",
    ]);
  });

  test("C019: a wall time that does not exist fires once, at the first instant after the gap", async () => {
    expect(
      await walk("30 2 * * *", "America/New_York", "2026-03-08T07:00Z", "2026-03-08T06:00Z", "2026-03-08T08:30Z"),
    ).toEqual(["2026-03-08T07:00Z"]);
  });
});

describe("missed slots", () => {
  const quarter = { cron: "*/15 * * * *" };
  const every15 = { cron: null, everyMinutes: 15, anchorAt: at("2026-12-01T10:00:00Z") };
  const SOON = "2026-12-01T11:07:41Z";

  for (const [name, times] of Object.entries({ "*/15": quarter, "every 15 minutes from 10:00": every15 })) {
    test(`C033: ${name}: by default one catch-up job, at the latest missed slot; the cadence keeps its anchor`, async () => {
      const world = worldAt(SOON);
      const id = await putSchedule(world, at("2026-12-01T10:15:00Z"), times);
      expect(await world.sweep()).toMatchObject({ fired: 1 });
      expect(await fatesOf(world, id)).toEqual(["10:15 skipped", "10:30 skipped", "10:45 skipped", "11:00 late"]);
      expect((await scheduleOf(world, id)).due_at).toBe(at("2026-12-01T11:15:00Z"));
      expect(await sweepAt(world, "2026-12-01T11:08:41Z")).toMatchObject({ fired: 0 });
      await sweepAt(world, "2026-12-01T11:15:02Z");
      await sweepAt(world, "2026-12-01T11:30:59Z");
      expect(minutesOf(await firedSlots(world, id))).toEqual(["11:00", "11:15", "11:30"]);
      await exact(world);
    });
  }

  test("C033: skip makes no catch-up job, all makes each of them, and no more than that", async () => {
    const world = worldAt(SOON);
    const due = at("2026-12-01T10:15:00Z");
    const skip = await putSchedule(world, due, { ...quarter, missed: "skip" });
    const all = await putSchedule(world, due, { ...quarter, missed: "all" });
    const two = await putSchedule(world, due, { ...quarter, missed: "all", missedMax: 2 });
    await world.sweep();
    expect(minutesOf(await firedSlots(world, skip))).toEqual([]);
    expect(minutesOf(await firedSlots(world, all))).toEqual(["10:15", "10:30", "10:45", "11:00"]);
    expect(await fatesOf(world, two)).toEqual(["10:15 skipped", "10:30 skipped", "10:45 late", "11:00 late"]);
    for (const id of [skip, all, two]) expect((await scheduleOf(world, id)).due_at).toBe(at("2026-12-01T11:15:00Z"));
    await exact(world);
  });

  test("C033: a run of 20 minutes does not move the slots after it", async () => {
    const world = worldAt("2026-12-01T11:00:00Z");
    const id = await putSchedule(world, world.now, { ...quarter, kind: "probe.slow", payload: '{"ms":1200000}' });
    await world.sweep();
    const [job] = await world.sql<{ id: string }>("SELECT id FROM jobs");
    await world.sql(
      "UPDATE jobs SET state = 'processing', sent_at = NULL, lease_until = 9e15, leased_at = 1, attempt = 1 WHERE id = ?",
      job?.id,
    );
    for (let minute = 1; minute <= 31; minute++) await sweepAt(world, at("2026-12-01T11:00:00Z") + minute * MINUTE);
    expect(minutesOf(await firedSlots(world, id))).toEqual(["11:00", "11:15", "11:30"]);
  });

  test("a daily 08:00 that was down from 4 to 6 August 10:00 runs next on 7 August 08:00", async () => {
    const world = worldAt("2026-08-06T10:00:00Z");
    const skip = await putSchedule(world, at("2026-08-04T08:00:00Z"), { cron: "0 8 * * *", missed: "skip" });
    const once = await putSchedule(world, at("2026-08-04T08:00:00Z"), { cron: "0 8 * * *" });
    await world.sweep();
    expect(await firedSlots(world, skip)).toEqual([]);
    expect(await firedSlots(world, once)).toEqual([at("2026-08-06T08:00:00Z")]);
    for (const id of [skip, once]) expect((await scheduleOf(world, id)).due_at).toBe(at("2026-08-07T08:00:00Z"));
    expect(await world.sql("SELECT fate FROM slots WHERE schedule_id = ?", skip)).toHaveLength(3);
  });

  test("a sweep that comes a minute late misses nothing", async () => {
    const world = worldAt(TWELVE + 65_000);
    const id = await putSchedule(world, TWELVE, { missed: "skip" });
    await world.sweep();
    expect(await fatesOf(world, id)).toEqual(["12:00 fired", "12:01 fired"]);
  });

  test("after a month without sweeps a schedule of every minute goes on at once: the newest hundred are told one by one", async () => {
    const world = worldAt("2026-12-31T12:00:45Z");
    const cron = await putSchedule(world, TWELVE);
    const every = await putSchedule(world, TWELVE, { cron: null, everyMinutes: 1, anchorAt: TWELVE, missed: "all" });
    expect(await world.sweep()).toMatchObject({ fired: 101, more: false });
    const rows = await world.sql("SELECT * FROM slots WHERE schedule_id = ? ORDER BY slot_at", cron);
    expect(rows).toHaveLength(101);
    expect(rows[0]).toMatchObject({
      slot_at: TWELVE,
      fate: "skipped",
      n: null,
      through_at: at("2026-12-31T10:20:00Z"),
    });
    const [stretch] = await world.sql("SELECT * FROM slots WHERE schedule_id = ? ORDER BY slot_at LIMIT 1", every);
    expect(stretch).toMatchObject({ fate: "skipped", n: 30 * 1_440 - 99, through_at: at("2026-12-31T10:20:00Z") });
    expect((await scheduleOf(world, cron)).due_at).toBe(at("2026-12-31T12:01:00Z"));
    await exact(world);
  });
});
