import { beforeEach, expect, test } from "vitest";
import { registry } from "~/kinds/registry";
import { probes } from "~/testing/probes";
import { fanOut, Receivers } from "~/testing/receivers";
import { clean, World } from "~/testing/world";
import { bulkIds, startBulk } from "./bulk";
import { pauseKind, resumeKind } from "./limits/pause_kind";
import { setRetention } from "./retain";

beforeEach(clean);

/** What retention meets and must leave: events that something is yet to be delivered of, and jobs that are kept longer by then. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ann = { actor: "ann" };
const keep = (world: World, finishedDays: number, deadDays: number) =>
  setRetention(world.invocation().engine, { finishedDays, deadDays }, ann);
const kinds = (world: World) => world.sql("SELECT kind, state, count(*) AS n FROM jobs GROUP BY 1, 2 ORDER BY 1, 2");
const passedOver = async (world: World) => (await world.sql("SELECT id FROM passed_over")).length;

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept.counted).toEqual(real.counted);
}

/** An event whose only receiver does not answer, after its first pass: a delivery of its own goes on with it. */
async function undelivered() {
  const world = new World(registry);
  const receivers = new Receivers(world);
  const up = { now: false };
  receivers.answer = () => (up.now ? new Response("ok") : new Response("busy", { status: 503 }));
  const event = await fanOut(world, [{ url: "https://receiver.example/a" }]);
  await world.deliver("long");
  expect(await kinds(world)).toEqual([
    { kind: "webhook_delivery", state: "pending", n: 1 },
    { kind: "webhook_fanout", state: "done", n: 1 },
  ]);
  return { world, event, up };
}

test("an event outlives its days while a delivery of it waits; that finds it, and then it goes", async () => {
  const { world, event, up } = await undelivered();
  await world.until(pauseKind(world.invocation().engine, "webhook_delivery", ann));
  for (let day = 0; day < 32; day++) {
    world.now += DAY;
    expect(await world.sweep()).toMatchObject({ removed: 0, error: null });
  }
  expect(await passedOver(world)).toBe(1);
  up.now = true;
  await world.until(resumeKind(world.invocation().engine, "webhook_delivery", ann));
  await world.drain();
  expect(await world.sql("SELECT kind, state FROM jobs WHERE id <> ?", event)).toEqual([
    { kind: "webhook_delivery", state: "done" },
  ]);
  world.now += HOUR;
  expect(await world.sweep()).toMatchObject({ removed: 1 });
  expect(await world.sql("SELECT id FROM jobs WHERE id = ?", event)).toEqual([]);
  expect(await passedOver(world)).toBe(0);
  await exact(world);
});

test("a person cannot delete it before either, one by one or with all that are done, and is told why", async () => {
  const { world, event, up } = await undelivered();
  const why = "has deliveries that are not finished";
  const { engine } = world.invocation();
  expect(await world.until(bulkIds(engine, "delete", [event], {}, ann))).toMatchObject({
    changed: 0,
    skipped: [{ id: event, reason: why }],
  });
  const filter = { view: "done" } as const;
  await world.until(startBulk(engine, { id: world.newId(), action: "delete", filter, confirm: 1 }, ann));
  await world.deliver("high");
  expect(await world.sql("SELECT job_id, reason FROM bulk_skips")).toEqual([{ job_id: event, reason: why }]);
  up.now = true;
  await world.drain();
  expect(await world.sql("SELECT state FROM jobs WHERE kind = 'webhook_delivery'")).toEqual([{ state: "done" }]);
  expect(await world.until(bulkIds(world.invocation().engine, "delete", [event], {}, ann))).toMatchObject({
    changed: 1,
  });
  await exact(world);
});

/** Done jobs `event-…` with a pending one each that delivers it. */
async function many(world: World, n: number): Promise<void> {
  await world.sql(
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?1)
     INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, token, created_at, finished_at)
     SELECT printf('event-%05d', n), 'probe.ok', 'normal', 'done', '{}', 9, 1, 0, 't', 0, ?2 FROM i`,
    n,
    world.now - 31 * DAY,
  );
  await world.sql(
    `INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at, fanout_id)
     SELECT 'late-' || id, 'probe.ok', 'normal', 'pending', '{}', 9, ?1, 't', 0, id FROM jobs`,
    world.now + 9_000 * DAY,
  );
  await world.sql("INSERT INTO job_counts (kind, view, n) SELECT kind, view, count(*) FROM jobs GROUP BY 1, 2");
}

test("however many are passed over, an hour looks at some hundreds, a minute at none, and all go in the end", async () => {
  const world = new World(probes);
  await many(world, 1_200);
  await keep(world, 30, 90);
  expect(await world.sweep()).toMatchObject({ removed: 0, more: false });
  expect(await passedOver(world)).toBe(1_200);

  world.now += 60_000;
  const minute = world.invocation();
  await world.sweep(minute);
  expect(minute.engine.store.used.rowsRead).toBeLessThan(30);
  world.now += HOUR;
  const hour = world.invocation();
  expect(await world.sweep(hour)).toMatchObject({ removed: 0 });
  expect(hour.engine.store.used.rowsRead).toBeLessThan(50 * 500);

  await world.sql(
    "UPDATE jobs SET state = 'cancelled', finished_at = ?1, sent_at = NULL WHERE fanout_id IS NOT NULL",
    world.now,
  );
  await world.sql("UPDATE job_counts SET view = 'cancelled' WHERE view = 'scheduled'");
  world.now += HOUR;
  for (const removed of [500, 500, 200]) {
    expect(await world.sweep()).toMatchObject({ removed, error: null });
    world.now += 60_000;
  }
  expect([await passedOver(world), await kinds(world)]).toEqual([
    0,
    [{ kind: "probe.ok", state: "cancelled", n: 1_200 }],
  ]);
  await exact(world);
});

test("kept for ever, said while a sweep removes: nothing more goes, and nothing is passed for good", async () => {
  const world = new World(probes);
  const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
  const [dead] = (await world.submit({ kind: "probe.permanent" })) as [string];
  await world.deliver();
  world.now += 91 * DAY;
  let said = false;
  world.seam = async (site) => {
    if (site !== "retain: between reading and writing" || said) return;
    said = true;
    await keep(world, 0, 0);
  };
  expect(await world.sweep()).toMatchObject({ removed: 0, error: null });
  world.now += 60_000;
  expect(await world.sweep()).toMatchObject({ removed: 0 });
  expect((await world.sql("SELECT id FROM jobs ORDER BY id")).map((row) => row.id)).toEqual([id, dead]);
  await keep(world, 30, 90);
  expect(await world.sweep()).toMatchObject({ removed: 2 });
  await exact(world);
});
