import { beforeEach, describe, expect, test } from "vitest";
import { readSchedule } from "~/store/reads/schedule";
import { listSchedules } from "~/store/reads/schedules";
import { probes } from "~/testing/probes";
import { fatesOf, firedSlots, putSchedule, scheduleOf } from "~/testing/schedules";
import { seeing } from "~/testing/seeing";
import { clean, World } from "~/testing/world";
import { update } from "./schedules/edit";

beforeEach(clean);

const MINUTE = 60_000;
const TWELVE = Date.parse("2026-12-01T12:00:00Z");
const by = { actor: "ann" };

function worldAtTwelve(): World {
  const world = new World(probes);
  world.now = TWELVE;
  return world;
}

describe("C030: a broken schedule", () => {
  test("C030: of a zone that does not exist stops and says so; three good ones fire beside it", async () => {
    const world = worldAtTwelve();
    const good = [await putSchedule(world, TWELVE), await putSchedule(world, TWELVE)];
    const bad = await putSchedule(world, TWELVE - MINUTE, { timeZone: "Mars/Phobos" });
    good.push(await putSchedule(world, TWELVE));
    expect(await world.sweep()).toMatchObject({ fired: 3, error: null });
    for (const id of good) expect(await firedSlots(world, id)).toEqual([TWELVE]);
    expect(await firedSlots(world, bad)).toEqual([]);
    expect(world.events).toMatchObject([{ event: "schedule.failed", scheduleId: bad }]);

    const { store } = world.invocation().engine;
    const listed = (await listSchedules(store, {})).schedules.find(({ id }) => id === bad);
    expect(listed).toMatchObject({ nextAt: null, error: { text: expect.stringContaining('"Mars/Phobos"') } });
    expect(await readSchedule(store, bad, seeing(probes))).toMatchObject({ preview: null, timeZone: "Mars/Phobos" });

    // It costs later sweeps nothing, and a person mends it.
    world.now += MINUTE;
    expect(await world.sweep()).toMatchObject({ fired: 3 });
    expect(world.events).toHaveLength(1);
    const mended = { name: "mended", cron: "* * * * *", timeZone: "America/New_York", kind: "probe.ok", payload: {} };
    expect(await update(world.invocation().engine, bad, JSON.stringify(mended), by)).toMatchObject({
      kind: "saved",
    });
    expect(await scheduleOf(world, bad)).toMatchObject({ error: null, due_at: TWELVE + 2 * MINUTE });
    world.now += MINUTE;
    expect(await world.sweep()).toMatchObject({ fired: 4 });
  });

  test("of an expression that is none stops as well", async () => {
    const world = worldAtTwelve();
    const bad = await putSchedule(world, TWELVE, { cron: "* * * *" });
    const never = await putSchedule(world, TWELVE, { cron: "0 0 30 2 *" });
    await world.sweep();
    expect(await scheduleOf(world, bad)).toMatchObject({ due_at: null, error: expect.stringContaining("4 fields") });
    expect(await scheduleOf(world, never)).toMatchObject({ due_at: null, error: "no further slot ever comes" });
    expect((await listSchedules(world.invocation().engine.store, {})).schedules).toHaveLength(2);
  });

  test("whose kind is gone, or takes its payload no more, loses its slots and goes on", async () => {
    const world = worldAtTwelve();
    const kind = await putSchedule(world, TWELVE, { kind: "gone" });
    const payload = await putSchedule(world, TWELVE, { payload: "[]" });
    const text = await putSchedule(world, TWELVE, { payload: "{" });
    const good = await putSchedule(world, TWELVE);
    expect(await world.sweep()).toMatchObject({ fired: 1, error: null });
    expect(await firedSlots(world, good)).toEqual([TWELVE]);
    for (const id of [kind, payload]) {
      expect(await fatesOf(world, id)).toEqual(["12:00 failed"]);
      expect(await scheduleOf(world, id)).toMatchObject({ due_at: TWELVE + MINUTE, error: expect.any(String) });
    }
    expect((await scheduleOf(world, kind)).error).toContain('"gone" is not a kind here');
    expect(await scheduleOf(world, text)).toMatchObject({ due_at: null });

    // Another release knows it again: the error goes with the first job.
    await world.sql("UPDATE schedules SET kind = 'probe.ok' WHERE id = ?", kind);
    world.now += MINUTE;
    await world.sweep();
    expect(await scheduleOf(world, kind)).toMatchObject({ error: null });
    expect(await fatesOf(world, kind)).toEqual(["12:00 failed", "12:01 fired"]);
  });

  test("whose job D1 refuses to store stops; the others of the same transaction fire", async () => {
    const world = worldAtTwelve();
    await world.sql(
      "CREATE TRIGGER no_such BEFORE INSERT ON jobs WHEN NEW.payload = '{\"no\":1}' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    try {
      const good = await putSchedule(world, TWELVE);
      const bad = await putSchedule(world, TWELVE, { payload: '{"no":1}' });
      const other = await putSchedule(world, TWELVE);
      expect(await world.sweep()).toMatchObject({ fired: 2, error: null });
      for (const id of [good, other]) expect(await firedSlots(world, id)).toEqual([TWELVE]);
      expect(await scheduleOf(world, bad)).toMatchObject({ due_at: null, error: expect.stringContaining("no") });
    } finally {
      await world.sql("DROP TRIGGER no_such");
    }
    const { kept, real } = await world.recount();
    expect(kept).toEqual(real);
  });
});

test("what does not fit into one invocation stays due for the next sweep", async () => {
  const world = worldAtTwelve();
  world.statements = 12;
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await putSchedule(world, TWELVE - 99 * MINUTE, { missed: "all" }));
  expect(await world.sweep()).toMatchObject({ more: true, error: null });
  const waiting = async () => (await world.sql("SELECT 1 FROM schedules WHERE due_at <= ?", TWELVE)).length;
  expect(await waiting()).toBeGreaterThan(0);
  for (let sweeps = 0; (await waiting()) > 0 && sweeps < 6; sweeps++) await world.sweep();
  for (const id of ids) expect(await firedSlots(world, id)).toHaveLength(100);
});

test("slots are dropped after two weeks, and of a rare schedule only after a hundred times its pace", async () => {
  const world = worldAtTwelve();
  const often = await putSchedule(world, TWELVE);
  const yearly = await putSchedule(world, TWELVE, { cron: "0 12 1 12 *" });
  const old = TWELVE - 15 * 86_400_000;
  for (const id of [often, yearly]) {
    for (const at of [old, TWELVE - 86_400_000]) {
      await world.sql(
        "INSERT INTO slots (schedule_id, slot_at, fate, decided_at, n) VALUES (?, ?, 'fired', ?, 1)",
        id,
        at,
        at,
      );
    }
  }
  await world.sweep();
  const kept = async (id: string) => (await world.sql("SELECT 1 FROM slots WHERE schedule_id = ?", id)).length;
  expect([await kept(often), await kept(yearly)]).toEqual([2, 3]);
});

test("a thousand schedules that are due at once all fire in one sweep", async () => {
  const world = worldAtTwelve();
  await world.sql(
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 1000)
     INSERT INTO schedules (id, name, cron, time_zone, kind, priority, missed, missed_max, overlap, version, due_at, created_at, updated_at, payload)
     SELECT printf('s%04d', n), printf('s%04d', n), '* * * * *', 'UTC', 'probe.ok', 'normal', 'once', 100, 'skip', 1, ?, 0, 0, '{}' FROM i`,
    TWELVE,
  );
  const invocation = world.invocation();
  expect(await world.sweep(invocation)).toMatchObject({ fired: 1_000 });
  expect(await world.sql("SELECT count(*) AS n FROM jobs")).toEqual([{ n: 1_000 }]);
  expect(invocation.engine.store.used.statements).toBeLessThan(200);
});
