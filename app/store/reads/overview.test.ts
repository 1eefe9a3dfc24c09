import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { type ChartView, dayOf } from "~/domain/overview/chart_range";
import { successText } from "~/domain/overview/overview";
import { clean } from "~/testing/world";
import { addToStats } from "../stats";
import { Store, sql } from "../store";
import { readOverview } from "./overview";

beforeEach(clean);

const NEW_YORK = "America/New_York";
const at = (text: string) => Date.parse(text);
const NOW = at("2026-12-02T12:30:20.000Z");
const store = new Store(env.DB, () => NOW);
const read = (view: Partial<ChartView> = {}, now = NOW) =>
  readOverview(store, { range: "24h", day: null, zone: "UTC", ...view }, now);

/** Attempts that ended so, each at its instant, having run and waited `ms`. */
const ended = (outcome: string, instants: string[], ms = 100) =>
  store.batch(
    instants.map((text) =>
      addToStats("SELECT 'a' AS kind, ?3 AS at, ?1 AS outcome, ?2 AS ran, ?2 AS waited", outcome, ms, at(text)),
    ),
  );

test("C087: days are those of the chosen zone, and their sum is the total beside them", async () => {
  await ended("done", ["2026-12-01T04:59:59.999Z", "2026-12-01T05:00:00.000Z", "2026-12-02T04:59:59.999Z"]);
  const { charts } = await read({ range: "30d", zone: NEW_YORK });
  const days = Object.fromEntries(charts.done.map((n, i) => [dayOf(NEW_YORK, charts.edges[i] as number), n]));
  expect([days["2026-11-30"], days["2026-12-01"], days["2026-12-02"]]).toEqual([1, 2, 0]);
  expect(charts.done.reduce((sum, n) => sum + n, 0)).toBe(charts.totals.done);
  expect(charts.totals.done).toBe(3);
  // The same instants are other days in UTC.
  const utc = (await read({ range: "30d" })).charts;
  const inUtc = Object.fromEntries(utc.done.map((n, i) => [dayOf("UTC", utc.edges[i] as number), n]));
  expect([inUtc["2026-11-30"], inUtc["2026-12-01"], inUtc["2026-12-02"]]).toEqual([undefined, 2, 1].map((n) => n ?? 0));
});

test("C087: days of a zone with quarter hours are as exact", async () => {
  // Midnight in Kathmandu is 18:15 UTC.
  await ended("done", ["2026-11-30T18:14:59.999Z", "2026-11-30T18:15:00.000Z", "2026-12-01T18:14:59.999Z"]);
  const { charts } = await read({ range: "30d", zone: "Asia/Kathmandu" });
  const days = Object.fromEntries(charts.done.map((n, i) => [dayOf("Asia/Kathmandu", charts.edges[i] as number), n]));
  expect([days["2026-11-30"], days["2026-12-01"], days["2026-12-02"]]).toEqual([1, 2, 0]);
});

test("C087: an hourly chart of a local day has 25, 23 or 24 buckets", async () => {
  for (const [day, hours] of [
    ["2026-11-01", 25],
    ["2026-03-08", 23],
    ["2026-12-01", 24],
  ] as const) {
    const { charts } = await read({ day, zone: NEW_YORK });
    for (const series of [charts.done, charts.failed, charts.run.p50, charts.messages])
      expect(series).toHaveLength(hours);
  }
});

test("C087: hours in which nothing ran are zeros, and gaps in the lines of latencies", async () => {
  await ended("done", ["2026-12-02T03:10:00.000Z", "2026-12-02T03:20:00.000Z"]);
  await ended("failed", ["2026-12-02T09:00:00.000Z"], 5_000);
  const { charts } = await read();
  expect(charts.done).toHaveLength(25);
  expect(charts.done.filter((n) => n > 0)).toEqual([2]);
  expect(charts.failed.filter((n) => n > 0)).toEqual([1]);
  expect(charts.done.filter((n) => n === 0)).toHaveLength(24);
  expect(charts.run.p95.filter((ms) => ms !== null)).toHaveLength(2);
  expect(charts.run.p95.filter((ms) => ms === 0)).toEqual([]);
  expect(charts.wait.p50.filter((ms) => ms !== null)).toHaveLength(2);
});

test("C087: where there are no jobs at all there are zeros, and no rate", async () => {
  const { charts, oldest, failing } = await read();
  expect(charts.done).toEqual(Array(25).fill(0));
  expect(charts.run.p50).toEqual(Array(25).fill(null));
  expect(charts.totals).toEqual({
    done: 0,
    failed: 0,
    other: 0,
    dead: 0,
    run: { p50: null, p95: null },
    wait: { p50: null, p95: null },
  });
  expect([oldest, failing]).toEqual([null, []]);
  expect([successText(0, 0), successText(0, 5), successText(2, 1)]).toEqual(["-", "0 %", "66.7 %"]);
  expect([successText(3, 0), successText(100_000, 1)]).toEqual(["100 %", "99.9 %"]);
});

test("what is told of the minute that runs and of attempts that were stopped", async () => {
  await ended("done", ["2026-12-02T12:30:10.000Z"]);
  await ended("cancelled", ["2026-12-02T12:00:00.000Z"]);
  await ended("lost", ["2026-12-02T12:01:00.000Z"], 60_000);
  const { charts } = await read({ range: "1h" });
  expect(charts.done).toHaveLength(61);
  expect(charts.done.at(-1)).toBe(1);
  expect([charts.totals.failed, charts.totals.other]).toEqual([1, 1]);
  // A worker that was lost ran until nobody knows when.
  expect(charts.totals.run.p95).toBeLessThan(256);
});

test("only what a person should look at is told of kinds, schedules, watches and submitters", async () => {
  await store.batch([
    sql(
      "INSERT INTO kinds (name, paused_at, paused_by, pause_reason) VALUES ('a', 5000, 'ana', 'SMTP is down'), ('b', NULL, NULL, NULL)",
    ),
    ...(
      [
        ["a", "failed", 6, NOW - 60_000],
        ["a", "done", 2, NOW - 60_000],
        ["b", "done", 2, NOW - 60_000],
        ["b", "failed", 9, NOW - 3_600_000],
        ["a", "dead", 1, NOW - 60_000],
        ["a", "snoozed", 9, NOW - 60_000],
      ] as const
    ).map(([kind, outcome, n, at]) =>
      addToStats(
        "SELECT ?1 AS kind, ?2 AS at, ?3 AS outcome, 1 AS ran, 1 AS waited FROM json_each(?4)",
        kind,
        at,
        outcome,
        JSON.stringify(Array(n).fill(0)),
      ),
    ),
    ...[
      ["broken", "NULL", "'no such zone'", "7000", "NULL"],
      ["silent", String(NOW - 400_000), "NULL", "NULL", "NULL"],
      ["paused", String(NOW - 400_000), "NULL", "NULL", "1"],
      ["fine", String(NOW - 200_000), "NULL", "NULL", "NULL"],
    ].map(([name, due, error, errorAt, pausedAt]) =>
      sql(
        `INSERT INTO schedules (id, name, cron, time_zone, kind, priority, missed, missed_max, overlap, version, due_at, error, error_at, paused_at, created_at, updated_at, payload)
         VALUES ('${name}', '${name}', '* * * * *', 'UTC', 'a', 'normal', 'once', 1, 'allow', 1, ${due}, ${error}, ${errorAt}, ${pausedAt}, 0, 0, '{}')`,
      ),
    ),
    sql("INSERT INTO submitters (name, daily_limit) VALUES ('ana', 5), ('ben', 5), ('cy', NULL)"),
    sql(
      "INSERT INTO daily_numbers (submitter, day, first, last) VALUES ('ana', ?1, 1, 5), ('ben', ?1, 1, 4), ('cy', ?1, 1, 9)",
      Math.floor(NOW / 86_400_000),
    ),
    sql("INSERT INTO deploys (at, version) VALUES (?1, 'old'), (?2, 'new')", NOW - 90_000_000, NOW - 3_600_000),
  ]);
  const overview = await read();
  expect(overview).toMatchObject({
    failing: [{ kind: "a", failed: 6, ended: 8 }],
    paused: [{ kind: "a", since: "1970-01-01T00:00:05.000Z", by: "ana", reason: "SMTP is down" }],
    broken: [{ id: "broken", error: "no such zone" }],
    silent: [{ id: "silent" }],
    watches: [],
    full: [{ submitter: "ana", limit: 5 }],
  });
  expect(overview.charts.deploys).toEqual([{ at: NOW - 3_600_000, version: "new" }]);
});

test("the backlog is the most that was seen in each bucket, and not known where no sweep was", async () => {
  const sweep = (fence: number, ago: number, lanes: object | null) =>
    sql(
      "INSERT INTO sweeps (fence, started_at, finished_at, lost, sent, resent, more, lanes) VALUES (?1, ?2, ?2, 0, 0, 0, 0, ?3)",
      fence,
      NOW - ago,
      lanes && JSON.stringify(lanes),
    );
  await store.batch([
    sweep(1, 180_000, { normal: [9, NOW - 240_000], high: [1, null], long: [null, null] }),
    sweep(2, 120_000, null),
    sweep(3, 60_000, { normal: [0, null], high: [0, null], long: [0, null] }),
    sql("INSERT INTO backlogs (hour, messages, oldest_ms) VALUES (?1, 77, 5000)", at("2026-12-02T03:00:00Z")),
  ]);
  const { charts, lanes } = await read({ range: "1h" });
  expect(charts.messages.slice(-4)).toEqual([10, null, 0, null]);
  expect(charts.oldestMs.slice(-4)).toEqual([60_000, null, 0, null]);
  expect(lanes.map(({ messages }) => messages)).toEqual([0, null, 10]);
  const hours = (await read()).charts.messages;
  expect(hours.filter((n) => n !== null)).toEqual([77, 10]);
});

test("the job that waits longest is told, unless its kind is paused", async () => {
  const job = (id: string, kind: string) =>
    sql(
      "INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at) VALUES (?1, ?2, 'normal', 'pending', '{}', 1, 5000, 't', 5000)",
      id,
      kind,
    );
  await store.batch([job("1", "a"), job("2", "b"), sql("INSERT INTO kinds (name, paused_at) VALUES ('a', 1)")]);
  expect((await read()).oldest).toEqual({ id: "2", kind: "b", runAt: "1970-01-01T00:00:05.000Z" });
});
