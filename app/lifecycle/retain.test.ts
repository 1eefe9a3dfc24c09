import { beforeEach, describe, expect, test } from "vitest";
import { createProbeRows, probes } from "~/testing/probes";
import { putWatch, WatchWorld } from "~/testing/watches";
import { clean, START, World } from "~/testing/world";
import { requeue } from "./requeue";
import { setRetention } from "./retain";
import { submit } from "./submit";
import { removeWatchAndHistory } from "./watches/edit";

beforeEach(clean);
beforeEach(createProbeRows);

const DAY = 86_400_000;
const ana = { actor: "ana" };
const keep = (world: World, finishedDays: number, deadDays: number) =>
  world.until(setRetention(world.invocation().engine, { finishedDays, deadDays }, ana));

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect({ counted: kept.counted, dead: kept.dead, causes: kept.causes }).toEqual({
    counted: real.counted,
    dead: real.dead,
    causes: real.causes,
  });
}

/** Stores a job as it would stand, `created` and `finished` in days before now. */
async function put(
  world: World,
  id: string,
  state: "done" | "dead" | "cancelled" | "pending" | "processing",
  created: number,
  finished: number | null,
  attempts = 1,
): Promise<void> {
  const at = (days: number | null) => (days === null ? null : world.now - days * DAY);
  await world.sql(
    `INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, token, created_at, finished_at, lease_until, leased_at,
       cause, idempotency_key, request_hash)
     VALUES (?1, 'probe.ok', 'normal', ?2, '{}', 9, ?3, ?4, 't', ?5, ?6, ?7, ?5, ?8, 'key/' || ?1, 'h')`,
    id,
    state,
    attempts,
    state === "pending" ? world.now + DAY : at(created),
    at(created),
    at(finished),
    state === "processing" ? world.now + 3_600_000 : null,
    state === "dead" ? "probe.ok: it broke" : null,
  );
  for (let n = 1; n <= attempts; n++)
    await world.sql(
      `INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, log, token, app_version)
       VALUES (?1, ?2, 1, 'first', 0, 0, 0, 'done', 'a log', 't', 'test')`,
      id,
      n,
    );
}

/** The counts as they stand with what was stored past them. */
async function counted(world: World): Promise<void> {
  await world.sql("DELETE FROM job_counts");
  await world.sql("INSERT INTO job_counts (kind, view, n) SELECT kind, view, count(*) FROM jobs GROUP BY 1, 2");
  await world.sql("DELETE FROM dead_counts");
  await world.sql(
    "INSERT INTO dead_counts (cause, hour, n) SELECT cause, finished_at / 3600000 * 3600000, count(*) FROM jobs WHERE state = 'dead' GROUP BY 1, 2",
  );
}

const stored = async (world: World) =>
  (await world.sql<{ id: string }>("SELECT id FROM jobs ORDER BY id")).map(({ id }) => id);
const HANGING = ["attempts", "refusals", "effects", "deliveries", "outbox_mail"];
const hanging = async (world: World) =>
  Object.fromEntries(
    await Promise.all(
      HANGING.map(async (table) => [
        table,
        (await world.sql<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))[0]?.n,
      ]),
    ),
  );

async function hang(world: World, id: string): Promise<void> {
  await world.sql("INSERT INTO refusals (job_id, number, token, at, outcome) VALUES (?, 1, 'late', 0, 'done')", id);
  await world.sql("INSERT INTO effects (job_id, name, started_at, token) VALUES (?, 'mail', 0, 't')", id);
  await world.sql(
    `INSERT INTO deliveries (fanout_id, n, type, target, webhook_id, status, attempts, signed, at) VALUES (?, 0, 'slack', 'x', 'w', 'delivered', 1, 0, 0)`,
    id,
  );
  await world.sql(
    `INSERT INTO outbox_mail (key, job_id, at, sender, recipients, subject, headers, attachments) VALUES (?1 || '/mail', ?1, 0, '{}', '{}', 's', '[]', '[]')`,
    id,
  );
}

describe("C086: retention", () => {
  test("C086: counts from the end of a job, leaves unfinished ones alone, and takes all that hangs on a job with it", async () => {
    const world = new World(probes);
    await put(world, "a", "done", 60, 1);
    await put(world, "b", "done", 60, 31, 5);
    await put(world, "c", "pending", 60, null, 0);
    await put(world, "d", "processing", 40, null);
    await put(world, "e", "dead", 60, 31);
    await put(world, "f", "done", 60, 30);
    await put(world, "g", "cancelled", 60, 31, 0);
    await put(world, "h", "dead", 200, 91);
    for (const id of ["a", "b", "h"]) await hang(world, id);
    await counted(world);
    const revision = await world.revision();
    // Done and cancelled ones 30 days, dead ones 90. One that ended exactly 30 days ago goes.
    expect(await world.sweep()).toMatchObject({ removed: 4, more: false, error: null });
    expect(await stored(world)).toEqual(["a", "c", "d", "e"]);
    expect(await world.revision()).toBe(revision + 1);
    expect(await hanging(world)).toEqual({ attempts: 3, refusals: 1, effects: 1, deliveries: 1, outbox_mail: 1 });
    for (const table of ["attempts", "refusals", "effects"])
      expect(await world.sql(`SELECT 1 FROM ${table} WHERE job_id NOT IN (SELECT id FROM jobs)`)).toEqual([]);
    await exact(world);
  });

  test("C086: one that ended a millisecond less than 30 days ago stays", async () => {
    const world = new World(probes);
    await put(world, "f", "done", 60, 30 - 1 / DAY);
    await counted(world);
    expect(await world.sweep()).toMatchObject({ removed: 0 });
    expect(await stored(world)).toEqual(["f"]);
  });

  test("C086: 10,000 go in bounded steps, all in the end, while jobs are submitted and run", async () => {
    const world = new World(probes);
    await world.sql(
      `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 10000)
       INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, token, created_at, finished_at)
       SELECT printf('old-%05d', n), 'probe.ok', 'normal', 'done', '{}', 9, 5, 0, 't', 0, ?1 FROM i`,
      world.now - 31 * DAY,
    );
    await world.sql(
      `INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, log, token, app_version)
       SELECT jobs.id, n.value, 1, 'first', 0, 0, 0, 'done', 'a log', 't', 'test' FROM jobs CROSS JOIN json_each('[1,2,3,4,5]') AS n`,
    );
    await counted(world);
    let sweeps = 0;
    for (let removed = 0; removed < 10_000; sweeps++) {
      const { engine } = world.invocation();
      const began = Date.now();
      const report = await world.sweep({ engine, killed: false, frozen: false, kill() {} });
      expect(Date.now() - began).toBeLessThan(10_000);
      removed += report?.removed ?? 0;
      expect(report?.removed).toBeLessThanOrEqual(4_000);
      expect(engine.store.used.statements).toBeLessThanOrEqual(200);
      const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
      await world.deliver();
      expect((await world.job(id)).state).toBe("done");
      world.now += 60_000;
      expect(sweeps).toBeLessThan(10);
    }
    expect(sweeps).toBeGreaterThan(2);
    expect(await world.sql("SELECT 1 FROM jobs WHERE id LIKE 'old-%'")).toEqual([]);
    expect(await world.sql("SELECT count(*) AS n FROM attempts")).toEqual([{ n: sweeps }]);
    await exact(world);
  }, 60_000);

  test("C086: on the free plan's statements they go as well, one step a sweep", async () => {
    const world = new World(probes);
    world.statements = 35;
    for (let n = 0; n < 3; n++) await put(world, `old-${n}`, "done", 60, 31, 5);
    await counted(world);
    const invocation = world.invocation();
    expect(await world.sweep(invocation)).toMatchObject({ removed: 3 });
    expect(invocation.engine.store.used.statements).toBeLessThanOrEqual(50);
  });

  test("C086: 0 keeps for ever", async () => {
    const world = new World(probes);
    await put(world, "b", "done", 9_000, 8_999);
    await put(world, "e", "dead", 9_000, 8_999);
    await put(world, "g", "cancelled", 9_000, 8_999, 0);
    await counted(world);
    await keep(world, 0, 0);
    expect(await world.sweep()).toMatchObject({ removed: 0, more: false });
    await keep(world, 0, 1);
    expect(await world.sweep()).toMatchObject({ removed: 1 });
    expect(await stored(world)).toEqual(["b", "g"]);
    await exact(world);
  });

  test("C086: keys protect within their day, and as long as their job is stored; then the key is free", async () => {
    const world = new World(probes);
    await keep(world, 1, 1);
    const ask = () =>
      submit(world.invocation().engine, [
        { kind: "probe.ok", payload: {}, payloadText: "{}", idempotencyKey: "welcome-email:42" },
      ]);
    await world.until(ask());
    await world.deliver();
    world.now += DAY - 1;
    expect(await world.sweep()).toMatchObject({ removed: 0 });
    expect(await world.until(ask())).toMatchObject({ jobs: [{ replayed: true }] });
    world.now += 3_600_000;
    expect(await world.sweep()).toMatchObject({ removed: 1 });
    expect(await world.until(ask())).toMatchObject({ jobs: [{ replayed: false }] });
  });
});

test("many dead jobs among the old are passed once, not each time, and stay", async () => {
  const world = new World(probes);
  await world.sql(
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 1200)
     INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, token, created_at, finished_at, cause)
     SELECT printf('old-%05d', n), 'probe.ok', 'normal', 'dead', '{}', 9, 1, 0, 't', 0, ?1, 'probe.ok: it broke' FROM i`,
    world.now - 40 * DAY,
  );
  await put(world, "after", "done", 60, 39);
  await counted(world);
  expect(await world.sweep()).toMatchObject({ removed: 1, more: false });
  expect(await stored(world)).toHaveLength(1_200);
  world.now += 3_600_000;
  const invocation = world.invocation();
  await put(world, "later", "done", 60, 30);
  await counted(world);
  expect(await world.sweep(invocation)).toMatchObject({ removed: 1 });
  expect(invocation.engine.store.used.rowsRead).toBeLessThan(300);
});

test("jobs that weigh much go a few at a time", async () => {
  const world = new World(probes);
  for (const id of ["x", "y", "z"]) await put(world, id, "done", 60, 31, 1);
  await world.sql("UPDATE jobs SET attempt = 4000");
  await counted(world);
  const rounds: number[] = [];
  world.seam = async (site) => {
    if (site === "retain: between reading and writing") rounds.push((await stored(world)).length);
  };
  expect(await world.sweep()).toMatchObject({ removed: 3 });
  expect(rounds).toEqual([3, 2, 1]);
});

test("one that a person requeues between the look and the removal stays", async () => {
  const world = new World(probes);
  await put(world, "e", "dead", 200, 100);
  await put(world, "h", "dead", 200, 100);
  await counted(world);
  const invocation = world.invocation();
  const gate = world.hold("retain: between reading and writing", invocation);
  const sweeping = world.sweep(invocation);
  await gate.reached;
  expect(await requeue(world.invocation().engine, { id: "e" }, ana)).toMatchObject({ kind: "requeued" });
  gate.open();
  await sweeping;
  expect(await stored(world)).toEqual(["e"]);
  expect(await world.job("e")).toMatchObject({ state: "pending", generation: 2 });
  await exact(world);
});

test("a removal whose reply was lost counts once", async () => {
  const world = new World(probes);
  for (const id of ["b", "e"]) await put(world, id, "done", 60, 31);
  await counted(world);
  const before = await world.revision();
  let calls = 0;
  // The fourth: what to do, what is left over, which jobs, and then the removal.
  world.fault = () => (++calls === 4 ? "after" : null);
  expect(await world.sweep()).toMatchObject({ removed: 2, error: null });
  expect(await stored(world)).toEqual([]);
  expect(await world.revision()).toBe(before + 1);
  await exact(world);
});

test("it looks once an hour where nothing is left, at once where the time is changed, and a late result leaves no orphan", async () => {
  const world = new World(probes);
  await world.sweep();
  await put(world, "b", "done", 60, 31);
  await counted(world);
  world.now += 3_540_000;
  expect(await world.sweep()).toMatchObject({ removed: 0 });
  await keep(world, 31, 31);
  expect(await world.sweep()).toMatchObject({ removed: 1 });
  expect(await world.sql("SELECT actor, action, before, after FROM audit")).toEqual([
    {
      actor: "ana",
      action: "retention",
      before: '{"finishedDays":30,"deadDays":90}',
      after: '{"finishedDays":31,"deadDays":31}',
    },
  ]);
  const { finishEffect } = await import("~/store/effects");
  const { store } = world.invocation().engine;
  expect(await finishEffect(store, { id: "b", attempt: 1, token: "t" }, "mail", "1")).toBe(false);
  expect(await world.sql("SELECT 1 FROM effects")).toEqual([]);
});

test("a time that is set while a sweep is at work is not lost: the next one goes by it", async () => {
  const world = new World(probes);
  const invocation = world.invocation();
  await put(world, "b", "done", 60, 20);
  await counted(world);
  const gate = world.hold("retain: between reading and writing", invocation);
  const sweeping = world.sweep(invocation);
  await gate.reached;
  const setting = setRetention(world.invocation().engine, { finishedDays: 10, deadDays: 10 }, ana);
  await setting;
  gate.open();
  expect(await sweeping).toMatchObject({ removed: 0 });
  world.now += 60_000;
  expect(await world.sweep()).toMatchObject({ removed: 1 });
});

test("a watch with a long history is deleted at once, and its history by and by", async () => {
  const world = new WatchWorld(START);
  const id = await putWatch(world, START, { everyMinutes: 60 });
  await world.sweep();
  await world.sql(
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 12000)
     INSERT INTO watch_checks (watch_id, slot_at, job_id, at, outcome, missed) SELECT ?1, n, 'j', n, 'unchanged', 0 FROM i`,
    id,
  );
  const checks = async () => (await world.sql<{ n: number }>("SELECT count(*) AS n FROM watch_checks"))[0]?.n;
  const { engine } = world.invocation();
  expect(await world.until(removeWatchAndHistory(engine, id, ana))).toBe("removed");
  expect(await world.sql("SELECT 1 FROM watches")).toEqual([]);
  const seen = [await checks()];
  for (let minute = 0; (await checks()) !== 0; minute++) {
    expect(minute).toBeLessThan(5);
    world.now += 60_000;
    expect((await world.sweep())?.error).toBeNull();
    seen.push(await checks());
  }
  expect(seen).toEqual([11_000, 6_000, 1_000, 0]);
  expect(await world.sql("SELECT * FROM leftovers")).toEqual([]);
});

test("numbers of a minute go after two days, also where there are more of them than go at once; others stay 13 months", async () => {
  const world = new World(probes);
  await world.sql(
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 6000)
     INSERT INTO stats (grain, at, kind)
     SELECT 60000, ?1 - n * 60000, '' FROM i UNION ALL SELECT 60000, ?1 + 60000, 'kept'
     UNION ALL SELECT grain.value, ?1 - 397 * 86400000, 'kept' FROM json_each('[900000, 3600000]') AS grain
     UNION ALL SELECT grain.value, ?1 - 400 * 86400000, 'old' FROM json_each('[900000, 3600000]') AS grain`,
    world.now - 2 * DAY - 1,
  );
  const left = async () => (await world.sql<{ n: number }>("SELECT count(*) AS n FROM stats"))[0]?.n;
  expect(await world.sweep()).toMatchObject({ more: true });
  expect(await left()).toBe(1_005);
  expect(await world.sweep()).toMatchObject({ more: false });
  expect(await world.sql("SELECT DISTINCT kind FROM stats")).toEqual([{ kind: "kept" }]);
  expect(await left()).toBe(3);
});

test("what people did, dead letters and numbers of the day are kept for their time, and no longer", async () => {
  const world = new World(probes);
  const id = (daysAgo: number) => {
    const hex = (world.now - daysAgo * DAY).toString(16).padStart(12, "0");
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
  };
  for (const days of [399, 401]) {
    await world.sql("INSERT INTO audit (id, at, actor, action) VALUES (?1, 0, 'ana', ?2)", id(days), String(days));
    await world.sql(
      `INSERT INTO bulk_operations (id, action, view, cutoff, expected, state, actor, created_at, ended_at) VALUES (?1, 'cancel', 'pending', 0, 0, 'done', ?2, 0, 0)`,
      id(days),
      String(days),
    );
    // Never ended, and its job is gone.
    await world.sql(
      `INSERT INTO bulk_operations (id, action, view, cutoff, expected, state, actor, created_at) VALUES (?1, 'cancel', 'pending', 0, 0, 'running', ?2, 0)`,
      `${id(days)}f`,
      `${days}, stopped`,
    );
    await world.sql(
      "INSERT INTO bulk_skips (operation_id, job_id, reason) VALUES (?1, ?2, 'r')",
      id(days),
      String(days),
    );
    await world.sql(
      "INSERT INTO daily_numbers (submitter, day, first, last) VALUES ('ann', ?1, 1, 1), ('bob', ?1, 1, 1)",
      Math.floor(world.now / DAY) - days,
    );
  }
  for (const days of [89, 91])
    await world.sql(
      "INSERT INTO dead_letters (message_id, queue, at, body, fate) VALUES (?1, 'q', ?2, '', 'ignored')",
      String(days),
      world.now - days * DAY,
    );
  for (let minute = 0; minute < 61; minute++) {
    world.now += 1_000;
    expect((await world.sweep())?.error).toBeNull();
  }
  expect(await world.sql("SELECT action FROM audit")).toEqual([{ action: "399" }]);
  expect(await world.sql("SELECT actor FROM bulk_operations")).toEqual([{ actor: "399" }, { actor: "399, stopped" }]);
  expect(await world.sql("SELECT job_id FROM bulk_skips")).toEqual([{ job_id: "399" }]);
  expect(await world.sql("SELECT submitter, ?1 - day AS ago FROM daily_numbers", Math.floor(world.now / DAY))).toEqual([
    { submitter: "ann", ago: 399 },
    { submitter: "bob", ago: 399 },
  ]);
  expect(await world.sql("SELECT message_id FROM dead_letters")).toEqual([{ message_id: "89" }]);
});
