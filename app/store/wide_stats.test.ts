import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { RANGE_NAMES } from "~/domain/overview/chart_range";
import { clean } from "~/testing/world";
import { readForReport } from "./publications";
import { readKinds } from "./reads/kinds";
import { readOverview } from "./reads/overview";
import { ENDS, WAIT } from "./stat_columns";
import { addToStats } from "./stats";
import { Store, sql } from "./store";

const { DB, MIGRATIONS } = env as unknown as { DB: D1Database; MIGRATIONS: { name: string; queries: string[] }[] };
const NOW = Date.parse("2026-12-02T12:37:20.000Z");
const HOUR = 3_600_000;
const store = new Store(DB, () => NOW);

beforeEach(clean);

type End = { kind: string; at: number; outcome: string; ran: number | null; waited: number | null };

/** Ends of every sort, of three kinds, each some minutes before the other, run and waited for times of every bucket. */
function someEnds(): End[] {
  const attempts = Array.from({ length: 1_200 }, (_, n) => ({
    kind: ["a", "b", "c"][n % 3] as string,
    // Dense in the last hours, thin in the days before.
    at: NOW - Math.round((n * n * 30 * 24 * HOUR) / 1_200 ** 2),
    outcome: ENDS[(n * 7) % 6] as string,
    ran: Math.round(2 ** ((n * 13) % 21) * (1 + (n % 10) / 10)),
    waited: Math.round(2 ** ((n * 11) % 32) * (1 + (n % 10) / 10)),
  }));
  const others = attempts
    .filter((_, n) => n % 5 === 0)
    .map(({ kind, at }, n) => ({ kind, at, outcome: n % 2 ? "dead" : "refused", ran: null, waited: null }));
  return [...attempts, ...others];
}

const rows = (ends: End[]) =>
  JSON.stringify(ends.map(({ kind, at, outcome, ran, waited }) => [kind, at, outcome, ran, waited]));
const ENDED = "value->>0 AS kind, value->>1 AS at, value->>2 AS outcome, value->>3 AS ran, value->>4 AS waited";

/** What earlier releases wrote of them, into the tables as they were. */
async function asBefore(ends: End[]): Promise<void> {
  const made = MIGRATIONS.flatMap(({ queries }) => queries).filter((query) => /TABLE (job|site)_stats \(/.test(query));
  const bucket = (ms: string) => `CAST(log2(max(1, ${ms})) AS INTEGER)`;
  await store.batch([
    ...made.map((query) => sql(query)),
    sql(
      `INSERT INTO job_stats SELECT g.value, at / g.value * g.value, kind, outcome, coalesce(${bucket("ran")}, -1), count(*), sum(coalesce(ran, 0)), sum(coalesce(waited, 0))
       FROM (SELECT ${ENDED} FROM json_each(?1)) CROSS JOIN json_each('[60000, 900000]') AS g GROUP BY 1, 2, 3, 4, 5`,
      rows(ends),
    ),
    sql(
      `INSERT INTO site_stats SELECT g.value, at / g.value * g.value, measure, bucket, count(*) FROM (
         SELECT at, outcome AS measure, coalesce(${bucket("ran")}, -1) AS bucket FROM (SELECT ${ENDED} FROM json_each(?1)) WHERE outcome <> 'refused'
         UNION ALL SELECT at, 'waited', ${bucket("waited")} FROM (SELECT ${ENDED} FROM json_each(?1)) WHERE waited IS NOT NULL)
       CROSS JOIN json_each('[60000, 900000, 3600000]') AS g GROUP BY 1, 2, 3, 4`,
      rows(ends),
    ),
  ]);
}

async function shown() {
  const kinds = await readKinds(store, []);
  const charts = [];
  for (const range of RANGE_NAMES) {
    for (const zone of ["UTC", "Asia/Kathmandu", "America/New_York"]) {
      const { failing, charts: told } = await readOverview(store, { range, day: null, zone }, NOW);
      charts.push({ range, zone, failing, told });
    }
  }
  const report = await readForReport(store, "report:2026-12-01", Date.parse("2026-12-01T00:00:00Z"));
  return { kinds, charts, report };
}

const stats = async () => (await store.batch([sql("SELECT * FROM stats ORDER BY kind, grain, at")]))[0] as object[];

test("numbers that earlier releases have kept come over to the last one, and show the same", async () => {
  const ends = someEnds();
  await store.batch(["a", "b", "c"].map((kind) => sql("INSERT INTO job_counts VALUES (?1, 'done', 1)", kind)));
  await store.batch([addToStats(`SELECT ${ENDED} FROM json_each(?1)`, rows(ends))]);
  const [written, before] = [await stats(), await shown()];
  for (const { told } of before.charts)
    for (const n of [
      told.totals.done,
      told.totals.failed,
      told.totals.other,
      told.totals.run.p95,
      told.totals.wait.p50,
    ])
      expect(n).toBeGreaterThan(0);
  expect(before.kinds.kinds[0]?.lastHour.p95Ms).toBeGreaterThan(0);
  expect(before.report.stats.length).toBeGreaterThan(10);

  await store.batch([sql("DROP TABLE stats")]);
  await asBefore(ends);
  const migration = MIGRATIONS.find(({ name }) => name === "0020_wide_stats.sql");
  await store.batch((migration?.queries ?? []).map((query) => sql(query)));

  // Of each kind alone waits were not kept.
  const unknown = Object.fromEntries(WAIT.map((name) => [name, 0]));
  expect(await stats()).toEqual(
    written.map((row) => ((row as { kind: string }).kind === "" ? row : { ...row, ...unknown })),
  );
  const after = await shown();
  expect(after.charts).toEqual(before.charts);
  expect(after.kinds).toEqual(before.kinds);
  expect(after.report.stats).toEqual(before.report.stats);
});
