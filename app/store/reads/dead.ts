import {
  AGED_HOURS,
  AGES,
  agesAt,
  type CauseAges,
  type CauseCursor,
  type CauseDetail,
  type DeadPage,
  writeCauseCursor,
} from "~/domain/dead";
import { instant } from "~/domain/time";
import type { TimeRange } from "~/domain/time_range";
import { type Rows, type Store, sql } from "../store";
import { attemptRowOf } from "./job";
import { atOf, REVISION } from "./revision";

const HOUR = 3_600_000;
/** Causes of a page; of more than so many it is not said how many there are. */
const CAUSES = 25;
const COUNTED = 1_000;
/** Newest dead jobs of a cause that are looked at for kinds and versions. */
const LOOKED_AT = 200;
const TREND_HOURS = 48;

/** The hours that ages are made of begin here; older ones are what is left of the sum. */
const SINCE = `({now} / ${HOUR} - ${AGED_HOURS - 1}) * ${HOUR}`;

/** Of an hour of `dead_counts`: which age it is of, as `agesAt` cuts them. */
const AGE = `CASE ${AGES.slice(1)
  .map(({ from }, age) => `WHEN {now} / ${HOUR} - d.hour / ${HOUR} < ${from} THEN ${age}`)
  .join(" ")} ELSE ${AGES.length - 1} END`;

/** Dead jobs by cause and age: sums kept by the writes, so it costs the same however many are dead. */
export async function readDead(store: Store, after: CauseCursor | null): Promise<DeadPage> {
  const page = sql(
    `SELECT cause, n, first_hour AS first, last_hour AS last FROM dead_causes INDEXED BY dead_causes_n
     WHERE n > 0 ${after ? "AND (n, cause) < (?, ?)" : ""} ORDER BY n DESC, cause DESC LIMIT ${CAUSES + 1}`,
    ...(after ? [after.n, after.cause] : []),
  );
  const [revision, rows = [], aged = [], total] = await store.batch([
    REVISION,
    page,
    // Summed up in D1: thousands of hours would take longer on their way than all the rest.
    sql(
      `SELECT c.cause, ${AGE} AS age, sum(d.n) AS n FROM (${page.sql}) AS c
       CROSS JOIN dead_counts AS d ON d.cause = c.cause AND d.hour >= ${SINCE} WHERE d.n > 0 GROUP BY 1, 2`,
      ...page.params,
    ),
    sql(`SELECT count(*) AS n FROM (SELECT 1 FROM dead_causes WHERE n > 0 LIMIT ${COUNTED + 1})`),
  ]);
  const at = atOf(revision);
  const shown = rows.slice(0, CAUSES);
  const last = shown.at(-1) as CauseCursor | undefined;
  const n = total?.[0]?.n as number;
  return {
    ...at,
    causes: shown.map((row) => {
      const of = (aged as Aged[]).filter(({ cause }) => cause === row.cause);
      return agesOf(
        row,
        AGES.map((_, age) => of.find((one) => one.age === age)?.n ?? 0),
      );
    }),
    total: { n: Math.min(n, COUNTED), orMore: n > COUNTED },
    next: rows.length > CAUSES && last ? writeCauseCursor(last) : null,
  };
}

/** One cause: how many died of it and when, what they were, and the newest of them. Null: nothing ever died of it. */
export async function readCause(store: Store, cause: string, atMost = LOOKED_AT): Promise<CauseDetail | null> {
  const [revision, rows, hours = [], looked = [], attempts] = await store.batch([
    REVISION,
    sql("SELECT cause, n, first_hour AS first, last_hour AS last FROM dead_causes WHERE cause = ?", cause),
    sql(`SELECT cause, hour, n FROM dead_counts WHERE cause = ? AND hour >= ${SINCE} AND n > 0`, cause),
    sql(
      `SELECT jobs.id, jobs.kind, jobs.label, jobs.finished_at AS finishedAt, a.app_version AS version
       FROM (SELECT id FROM jobs INDEXED BY jobs_dead_by_cause WHERE state = 'dead' AND cause = ? ORDER BY id DESC LIMIT ?) AS n
       CROSS JOIN jobs ON jobs.id = n.id LEFT JOIN attempts AS a ON a.job_id = jobs.id AND a.number = jobs.attempt`,
      cause,
      atMost,
    ),
    sql(
      `SELECT a.* FROM attempts AS a WHERE job_id = (
         SELECT id FROM jobs INDEXED BY jobs_dead_by_cause WHERE state = 'dead' AND cause = ? ORDER BY id DESC LIMIT 1)
       ORDER BY number DESC LIMIT 1`,
      cause,
    ),
  ]);
  const row = rows?.[0];
  if (!row) return null;
  const at = atOf(revision);
  const now = Date.parse(at.now);
  const newest = looked[0] as Looked | undefined;
  const attempt = attempts?.[0];
  return {
    ...at,
    ...agesOf(row, agesAt(now).map(countIn(hours as Hour[]))),
    hours: trendOf(hours as Hour[], now),
    looked: looked.length,
    kinds: talliesOf(looked.map(({ kind }) => kind as string)),
    versions: talliesOf(looked.flatMap(({ version }) => (version as string | null) ?? [])),
    example: newest
      ? {
          id: newest.id,
          kind: newest.kind,
          label: newest.label,
          finishedAt: instant(newest.finishedAt),
          attempt: attempt ? attemptRowOf(attempt) : null,
        }
      : null,
  };
}

type Hour = { cause: string; hour: number; n: number };
type Aged = { cause: string; age: number; n: number };
type Looked = { id: string; kind: string; label: string | null; finishedAt: number };

/** `counts`: of the hours that were read, by age; none of them is of the last age. */
function agesOf(row: Rows[number], counts: number[]): CauseAges {
  const { cause, n, first, last } = row as { cause: string; n: number; first: number; last: number };
  const older = n - counts.reduce((sum, m) => sum + m, 0);
  return { cause, n, ages: [...counts.slice(0, -1), older], firstHour: instant(first), lastHour: instant(last) };
}

const countIn =
  (hours: Hour[]) =>
  ({ from, to }: TimeRange): number =>
    hours.reduce(
      (sum, { hour, n }) => (from !== null && hour >= from && (to === null || hour < to) ? sum + n : sum),
      0,
    );

function trendOf(hours: Hour[], now: number): CauseDetail["hours"] {
  const first = Math.floor(now / HOUR) - TREND_HOURS + 1;
  const edges = Array.from({ length: TREND_HOURS + 1 }, (_, i) => (first + i) * HOUR);
  return { edges, n: edges.slice(0, -1).map((edge) => hours.find(({ hour }) => hour === edge)?.n ?? 0) };
}

function talliesOf(names: string[]): { name: string; n: number }[] {
  const tallies = new Map<string, number>();
  for (const name of names) tallies.set(name, (tallies.get(name) ?? 0) + 1);
  return [...tallies].map(([name, n]) => ({ name, n })).sort((a, b) => b.n - a.n);
}
