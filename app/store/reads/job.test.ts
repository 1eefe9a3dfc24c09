import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { KnownKinds } from "~/domain/secrets";
import { seeing } from "~/testing/seeing";
import { Store, sql } from "../store";
import { ATTEMPT_ROWS, readJob, readJobPage } from "./job";

const NOW = Date.UTC(2026, 11, 1, 10);
const store = new Store(env.DB, () => NOW);
let id = "";

beforeEach(async () => {
  id = crypto.randomUUID();
  await store.batch([
    sql(
      `INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at)
       VALUES (?, 'probe.ok', 'normal', 'pending', '{"n": 9007199254740993}', 3, ?, 't', ?)`,
      id,
      NOW,
      NOW - 1500,
    ),
    sql("DELETE FROM kinds"),
  ]);
});
const set = (text: string, ...params: (string | number | null)[]) =>
  store.batch([sql(`UPDATE jobs SET ${text} WHERE id = ?`, ...params, id)]);
const read = (known: KnownKinds = new Map([["probe.ok", {}]])) => readJob(store, id, seeing(known));

describe("a job", () => {
  test("comes with its payload, once as JSON and once as the text that was sent", async () => {
    expect(await read()).toEqual({
      revision: 0,
      now: "2026-12-01T10:00:00.000Z",
      id,
      kind: "probe.ok",
      lane: "normal",
      state: "pending",
      view: "scheduled",
      label: null,
      attempt: 0,
      tries: 0,
      maxAttempts: 3,
      generation: 1,
      runAt: "2026-12-01T10:00:00.000Z",
      createdAt: "2026-12-01T09:59:58.500Z",
      startedAt: null,
      finishedAt: null,
      lastError: null,
      cause: null,
      payload: { n: 9007199254740992 },
      payloadText: '{"n": 9007199254740993}',
      result: null,
      progress: null,
      idempotencyKey: null,
      expiresAt: null,
      groupKey: null,
      heldByGroup: false,
      sentAt: null,
      leaseUntil: null,
      cancelRequestedAt: null,
      held: null,
      attempts: [],
      refusals: [],
      audit: [],
      schedule: null,
      fanoutId: null,
      operationId: null,
      editedFrom: null,
      editedTo: [],
      effects: [],
      fanout: null,
    });
  });

  test("that nobody stored is null", async () => {
    expect(await readJob(store, crypto.randomUUID(), seeing(new Map()))).toBeNull();
  });

  test.each([
    ['{"a":1}', { a: 1 }],
    ['"text"', "text"],
    ['{"a": … [cut: 70000 bytes]', '{"a": … [cut: 70000 bytes]'],
  ])("shows the result %s as it is, JSON or not", async (result, shown) => {
    await set("result = ?", result);
    expect((await read())?.result).toEqual(shown);
  });

  test("has its history newest first, bounded, and the number of its last attempt says what is left out", async () => {
    await set("attempt = 101, forgiven = 100");
    await store.batch([
      sql(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)
         INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, error, token, app_version)
         SELECT ?, i, 1, 'retry', 1000 * i, 1000 * i + 250, 5, 'failed', 'no ' || i, 't', 'v1' FROM n`,
        id,
      ),
      sql(
        "INSERT INTO refusals (job_id, number, token, at, outcome, error) VALUES (?, 1, 'late', 2000, 'done', NULL)",
        id,
      ),
      sql(
        "INSERT INTO audit (id, at, actor, action, job_id, reason) VALUES (?, 3000, 'ann', 'requeue', ?, 'again')",
        `a-${id}`,
        id,
      ),
    ]);
    const job = await read();
    expect(job).toMatchObject({ attempt: 101, tries: 1, view: "retrying" });
    expect(job?.attempts).toHaveLength(ATTEMPT_ROWS);
    expect(job?.attempts[0]).toEqual({
      number: 101,
      generation: 1,
      trigger: "retry",
      startedAt: "1970-01-01T00:01:41.000Z",
      finishedAt: "1970-01-01T00:01:41.250Z",
      waitedMs: 5,
      ranMs: 250,
      outcome: "failed",
      error: "no 101",
      stack: null,
      log: null,
      cut: false,
      appVersion: "v1",
    });
    expect(job?.refusals).toEqual([{ number: 1, at: "1970-01-01T00:00:02.000Z", outcome: "done", error: null }]);
    expect(job?.audit).toEqual([
      {
        id: `a-${id}`,
        at: "1970-01-01T00:00:03.000Z",
        actor: "ann",
        action: "requeue",
        jobId: id,
        before: null,
        after: null,
        reason: "again",
      },
    ]);
  });
});

describe("a job with a long history", () => {
  beforeEach(async () => {
    await set("attempt = 300, forgiven = 299");
    await store.batch([
      sql(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
         INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, error, stack, log, token, app_version)
         SELECT ?1, i, 1, 'retry', i, i, 0, 'failed', ?2, ?2, ?2, 't', 'v1' FROM n`,
        id,
        "x".repeat(16_000),
      ),
    ]);
  });

  test("comes a page at a time, of any place, and reads no more than that", async () => {
    const before = store.used.rowsRead;
    const numbers = async (upTo: number | null) =>
      (await readJob(store, id, seeing(new Map()), upTo))?.attempts.map(({ number }) => number) ?? [];
    expect((await numbers(null)).slice(0, 2)).toEqual([300, 299]);
    expect(store.used.rowsRead - before).toBeLessThan(3 * ATTEMPT_ROWS);
    expect(await numbers(7)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(await numbers(1_000)).toHaveLength(ATTEMPT_ROWS);
  });

  test("has all that its newest attempt says, or the one that was asked for, and of the others the beginning", async () => {
    for (const upTo of [null, 150]) {
      const [first, second] = (await readJob(store, id, seeing(new Map()), upTo))?.attempts ?? [];
      expect(first).toMatchObject({ number: upTo ?? 300, cut: false, log: "x".repeat(16_000) });
      expect(second).toMatchObject({ cut: true, error: "x".repeat(2_000), stack: "x".repeat(2_000) });
    }
    expect(JSON.stringify(await readJob(store, id, seeing(new Map()))).length).toBeLessThan(200_000);
  });
});

describe("what a job did, and what came of it", () => {
  test("effects: how they ended, or that nobody knows, newest first", async () => {
    await store.batch([
      sql("INSERT INTO effects (job_id, name, started_at, token) VALUES (?, 'unknown', 2000, 't')", id),
      sql(
        "INSERT INTO effects (job_id, name, started_at, token, finished_at, result) VALUES (?, 'sent', 1000, 't', 1500, ?)",
        id,
        `"${"y".repeat(5_000)}"`,
      ),
    ]);
    expect((await read())?.effects).toEqual([
      { name: "unknown", startedAt: "1970-01-01T00:00:02.000Z", finishedAt: null, result: null },
      {
        name: "sent",
        startedAt: "1970-01-01T00:00:01.000Z",
        finishedAt: "1970-01-01T00:00:01.500Z",
        result: `"${"y".repeat(1_999)} …`,
      },
    ]);
  });

  test("an effect and an older attempt that are cut keep no part of a secret", async () => {
    const token = "abcdefghijklmnopqrstuvwxyz0123456789";
    const text = `"${"y".repeat(1_969)}${token}${"z".repeat(100)}"`;
    const attempt = `INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, app_version, token, error)
      VALUES (?1, ?2, 1, 'retry', 1, 2, 0, 'failed', 'v', 't', ?3)`;
    await set("payload = ?", JSON.stringify({ token }));
    await store.batch([
      sql(
        "INSERT INTO effects (job_id, name, started_at, token, finished_at, result) VALUES (?, 'sent', 1, 't', 2, ?)",
        id,
        text,
      ),
      sql(attempt, id, 1, text),
      sql(attempt, id, 2, text),
    ]);
    const job = await read(new Map([["probe.ok", { secrets: ["token"] }]]));
    const beginning = `"${"y".repeat(1_969)}`;
    expect(job?.effects[0]?.result).toBe(`${beginning} …`);
    expect(job?.attempts.map(({ error }) => error)).toEqual([`${beginning}••••••••${"z".repeat(100)}"`, beginning]);
  });

  test("a job that was made of it, from both sides", async () => {
    const other = crypto.randomUUID();
    await store.batch([
      sql(
        `INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at, edited_from)
         VALUES (?, 'probe.ok', 'normal', 'pending', '{}', 3, ?3, 't', ?3, ?2)`,
        other,
        id,
        NOW,
      ),
    ]);
    expect((await read())?.editedTo).toEqual([{ id: other, view: "pending" }]);
    expect(await readJob(store, other, seeing(new Map()))).toMatchObject({ editedFrom: id, editedTo: [] });
  });

  test("the newest runs of its kind, none of which has not run, whatever else is stored", async () => {
    const kind = `runs-${id}`;
    await set("kind = ?", kind);
    await store.batch([
      sql(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
         INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at, leased_at, finished_at)
         SELECT printf('%s-%03d', ?1, i), ?2, 'normal', iif(i % 2, 'done', 'dead'), '{}', 3, 0, 't', 0,
           iif(i = 90, NULL, 1000 * i), 1000 * i + 7 FROM n`,
        id,
        kind,
      ),
    ]);
    const page = await readJobPage(store, id, seeing(new Map()), null);
    expect(page?.runs).toHaveLength(60);
    expect(page?.runs[0]).toEqual({
      id: `${id}-089`,
      view: "done",
      ranMs: 7,
      finishedAt: "1970-01-01T00:01:29.007Z",
    });
    expect((await readJobPage(store, crypto.randomUUID(), seeing(new Map()), null))?.runs).toBeUndefined();
  });
});

describe("why a job is not running", () => {
  const pause = () =>
    store.batch([
      sql("INSERT INTO kinds (name, paused_at, paused_by, pause_reason) VALUES ('probe.ok', 5000, 'ann', 'too many')"),
    ]);

  test("its kind is paused", async () => {
    await pause();
    expect((await read())?.held).toEqual({
      by: "paused",
      reason: "too many",
      since: "1970-01-01T00:00:05.000Z",
      limit: null,
      per: null,
      next: null,
    });
  });

  test("the running code does not know its kind, paused or not", async () => {
    await pause();
    expect((await read(new Map()))?.held).toMatchObject({ by: "unknown-kind", reason: null, since: null });
  });

  test("nothing holds a job that is not due yet, has ended, or whose kind was resumed", async () => {
    await store.batch([sql("INSERT INTO kinds (name, paused_at) VALUES ('probe.ok', NULL)")]);
    expect((await read())?.held).toBeNull();
    await store.batch([sql("DELETE FROM kinds")]);
    await pause();
    await set("run_at = ?", NOW + 1);
    expect((await read())?.held).toBeNull();
    await set("run_at = ?, state = 'dead', finished_at = ?", NOW, NOW);
    expect((await read(new Map()))?.held).toBeNull();
  });
});
