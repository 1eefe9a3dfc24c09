import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { Store, sql } from "../store";
import { readVitals } from "./health";
import { readRevision } from "./revision";
import { readStats } from "./stats";

const NOW = Date.UTC(2026, 11, 1, 10);
const store = new Store(env.DB, () => NOW);
const NONE = { scheduled: 0, pending: 0, retrying: 0, processing: 0, done: 0, dead: 0, cancelled: 0 };

test("an empty site has zeros, not gaps", async () => {
  expect(await readStats(store, new Map(["a", "b", "c"].map((kind) => [kind, {}])))).toEqual({
    revision: 0,
    now: "2026-12-01T10:00:00.000Z",
    counts: NONE,
    kinds: [],
    held: [],
    running: [],
    lastSweep: null,
    causes: [],
  });
  expect(await readVitals(store)).toEqual({ now: NOW, lastSweep: null, oldestJobAt: null, queuesLimited: false });
});

test("counts come by kind and in total, causes with the most deaths first, the sweep is the newest", async () => {
  await store.batch([
    sql(
      "INSERT INTO job_counts (kind, view, n) VALUES ('a', 'done', 7), ('a', 'dead', 2), ('b', 'dead', 3), ('c', 'dead', 0)",
    ),
    sql(
      "INSERT INTO dead_counts (cause, hour, n) VALUES ('a: x', 0, 2), ('b: y', 3600000, 1), ('b: y', 7200000, 2), ('c: z', 0, 0)",
    ),
    sql(
      `INSERT INTO sweeps (fence, started_at, finished_at, lost, sent, resent, more, error)
       VALUES (1, 1000, 1500, 9, 9, 9, 0, NULL), (2, 2000, 2500, 1, 2, 3, 1, 'no answer')`,
    ),
    sql("UPDATE site_state SET revision = 41"),
  ]);
  const stats = await readStats(store, new Map(["a", "b", "c"].map((kind) => [kind, {}])));
  expect(stats.revision).toBe(41);
  expect(stats.counts).toEqual({ ...NONE, done: 7, dead: 5 });
  expect(stats.kinds).toEqual([
    { kind: "a", counts: { ...NONE, done: 7, dead: 2 } },
    { kind: "b", counts: { ...NONE, dead: 3 } },
  ]);
  expect(stats.causes).toEqual([
    { cause: "b: y", n: 3, lastHour: "1970-01-01T02:00:00.000Z" },
    { cause: "a: x", n: 2, lastHour: "1970-01-01T00:00:00.000Z" },
  ]);
  expect(stats.lastSweep).toEqual({
    startedAt: "1970-01-01T00:00:02.000Z",
    finishedAt: "1970-01-01T00:00:02.500Z",
    lost: 1,
    expired: 0,
    fired: 0,
    removed: 0,
    sent: 2,
    resent: 3,
    more: true,
    error: "no answer",
  });
  expect(await readRevision(store)).toEqual({ revision: 41, now: "2026-12-01T10:00:00.000Z" });
  expect((await readVitals(store)).lastSweep).toEqual({ finishedAt: 2500, error: "no answer" });
});

test("kinds whose jobs wait are told: the paused ones with who and why, and those that this release does not know", async () => {
  await store.batch([
    sql("DELETE FROM job_counts"),
    sql(
      "INSERT INTO job_counts (kind, view, n) VALUES ('a', 'pending', 1), ('old', 'scheduled', 2), ('older', 'done', 3), ('b', 'retrying', 1)",
    ),
    sql(
      "INSERT INTO kinds (name, paused_at, paused_by, pause_reason) VALUES ('a', 1000, 'ana', 'the provider is down'), ('b', NULL, NULL, NULL)",
    ),
  ]);
  expect((await readStats(store, new Map(["a", "b"].map((kind) => [kind, {}])))).held).toEqual([
    { kind: "a", by: "paused", since: "1970-01-01T00:00:01.000Z", who: "ana", reason: "the provider is down" },
    { kind: "old", by: "unknown-kind", since: null, who: null, reason: null },
  ]);
});
