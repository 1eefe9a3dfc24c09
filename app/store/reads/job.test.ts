import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { KnownKinds } from "~/domain/secrets";
import { Store, sql } from "../store";
import { HISTORY_ROWS, readJob } from "./job";

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
const read = (known: KnownKinds = new Map([["probe.ok", {}]])) => readJob(store, id, known);

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
      sentAt: null,
      leaseUntil: null,
      cancelRequestedAt: null,
      held: null,
      attempts: [],
      refusals: [],
      audit: [],
      schedule: null,
      fanoutId: null,
      fanout: null,
    });
  });

  test("that nobody stored is null", async () => {
    expect(await readJob(store, crypto.randomUUID(), new Map())).toBeNull();
  });

  test.each([
    ['{"a":1}', { a: 1 }],
    ['"text"', "text"],
    ['{"a": … [cut: 70000 bytes]', '{"a": … [cut: 70000 bytes]'],
  ])("shows the result %s as it is, JSON or not", async (result, shown) => {
    await set("result = ?", result);
    expect((await read())?.result).toEqual(shown);
  });

  test("has its history newest first, a hundred rows of it, and the number of its last attempt says what is left out", async () => {
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
    expect(job?.attempts).toHaveLength(HISTORY_ROWS);
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

describe("why a job is not running", () => {
  const pause = () =>
    store.batch([
      sql("INSERT INTO kinds (name, paused_at, paused_by, pause_reason) VALUES ('probe.ok', 5000, 'ann', 'too many')"),
    ]);

  test("its kind is paused", async () => {
    await pause();
    expect((await read())?.held).toEqual({ by: "paused", reason: "too many", since: "1970-01-01T00:00:05.000Z" });
  });

  test("the running code does not know its kind, paused or not", async () => {
    await pause();
    expect((await read(new Map()))?.held).toEqual({ by: "unknown-kind", reason: null, since: null });
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
