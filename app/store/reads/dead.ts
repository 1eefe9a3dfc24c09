import {
  AGED_HOURS,
  AGES,
  type CauseAges,
  type CauseCursor,
  type CauseDetail,
  type DeadPage,
  writeCauseCursor,
} from "~/domain/dead/dead";
import type { AttemptRow } from "~/domain/feeds";
import { attemptWithoutLog, type Reader } from "~/domain/people/hidden";
import { hiderOf } from "~/domain/secrets";
import { instant } from "~/domain/time";
import { type Rows, type Store, sql } from "../store";
import { attemptRowOf, withoutSecrets } from "./job";
import { atOf, REVISION } from "./revision";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Causes of a page; of more than so many it is not said how many there are. */
const CAUSES = 25;
const COUNTED = 250;
/** Newest dead jobs of a cause that are looked at for kinds and versions. */
const LOOKED_AT = 50;
const TREND_HOURS = 48;

/**
 * Of a row `c`: the days that hold the hours that ages are made of, at most eight, between the braces of an object. What is
 * older is what is left of the sum. Put together as text: JSON that is told as JSON is read and written once more.
 */
const DAYS = `(SELECT group_concat('"' || d.day || '":' || d.hours) FROM dead_days AS d
  WHERE d.cause = c.cause AND d.day >= ({now} / ${HOUR} - ${AGED_HOURS}) * ${HOUR} / ${DAY} * ${DAY})`;
const COLUMNS = `c.cause, c.n, c.first_hour AS first, c.last_hour AS last, ${DAYS} AS days`;

/** Dead jobs by cause and age: sums kept by the writes, so it costs the same however many are dead. */
export async function readDead(store: Store, after: CauseCursor | null): Promise<DeadPage> {
  const [revision, rows = [], total] = await store.batch([
    REVISION,
    sql(
      `SELECT ${COLUMNS} FROM dead_causes AS c INDEXED BY dead_causes_n
       WHERE c.n > 0 ${after ? "AND (c.n, c.cause) < (?, ?)" : ""} ORDER BY c.n DESC, c.cause DESC LIMIT ${CAUSES + 1}`,
      ...(after ? [after.n, after.cause] : []),
    ),
    sql(`SELECT count(*) AS n FROM (SELECT 1 FROM dead_causes WHERE n > 0 LIMIT ${COUNTED + 1})`),
  ]);
  const at = atOf(revision);
  const shown = rows.slice(0, CAUSES) as Summed[];
  const last = shown.at(-1);
  const n = total?.[0]?.n as number;
  return {
    ...at,
    causes: shown.map((row) => causeOf(row, hoursAgo(row, Date.parse(at.now)))),
    total: { n: Math.min(n, COUNTED), orMore: n > COUNTED },
    next: rows.length > CAUSES && last ? writeCauseCursor(last) : null,
  };
}

/**
 * One cause: how many died of it and when, what they were, and the newest of them, without its secrets. Null: nothing ever
 * died of it.
 */
export async function readCause(
  store: Store,
  cause: string,
  reader: Reader,
  atMost = LOOKED_AT,
): Promise<CauseDetail | null> {
  const [revision, rows, looked = [], attempts] = await store.batch([
    REVISION,
    sql(`SELECT ${COLUMNS} FROM dead_causes AS c WHERE c.cause = ?`, cause),
    sql(
      `SELECT jobs.id, jobs.kind, jobs.label, jobs.finished_at AS finishedAt, a.app_version AS version
       FROM (SELECT id FROM jobs INDEXED BY jobs_dead_by_cause WHERE state = 'dead' AND cause = ? ORDER BY id DESC LIMIT ?) AS n
       CROSS JOIN jobs ON jobs.id = n.id LEFT JOIN attempts AS a ON a.job_id = jobs.id AND a.number = jobs.attempt`,
      cause,
      atMost,
    ),
    sql(
      `SELECT a.*, j.kind, j.payload
       FROM (SELECT id FROM jobs INDEXED BY jobs_dead_by_cause WHERE state = 'dead' AND cause = ? ORDER BY id DESC LIMIT 1) AS n
       CROSS JOIN jobs AS j ON j.id = n.id CROSS JOIN attempts AS a ON a.job_id = j.id ORDER BY a.number DESC LIMIT 1`,
      cause,
    ),
  ]);
  const row = rows?.[0] as Summed | undefined;
  if (!row) return null;
  const at = atOf(revision);
  const now = Date.parse(at.now);
  const ago = hoursAgo(row, now);
  const newest = looked[0] as Looked | undefined;
  const attempt = attempts?.[0];
  return {
    ...at,
    ...causeOf(row, ago),
    hours: trendOf(ago, now),
    looked: looked.length,
    kinds: talliesOf(looked.map(({ kind }) => kind as string)),
    versions: talliesOf(looked.flatMap(({ version }) => (version as string | null) ?? [])),
    example: newest
      ? {
          id: newest.id,
          kind: newest.kind,
          label: newest.label,
          finishedAt: instant(newest.finishedAt),
          attempt: attempt ? shownAttempt(attempt, reader) : null,
        }
      : null,
  };
}

/** As the job itself shows it: neither what its kind calls secret nor, to whoever may not see payloads, its log. */
function shownAttempt(row: Rows[number], { known, payloads }: Reader): AttemptRow {
  const hide = hiderOf(row.payload as string, known.get(row.kind as string));
  const attempt = withoutSecrets(attemptRowOf(row), hide);
  return payloads ? attempt : attemptWithoutLog(attempt);
}

type Summed = { cause: string; n: number; first: number; last: number; days: string | null };
type Looked = { id: string; kind: string; label: string | null; finishedAt: number };

/** How many died of it and are dead now, by hours of the clock since then, the running one first. */
function hoursAgo({ days }: Summed, now: number): number[] {
  const ago = Array<number>(AGED_HOURS + 24).fill(0);
  const running = Math.floor(now / HOUR);
  const told = JSON.parse(`{${days ?? ""}}`) as Record<string, Record<string, number>>;
  for (const day in told) {
    const since = running - Number(day) / HOUR;
    const hours = told[day] as Record<string, number>;
    for (const hour in hours) {
      const i = Math.max(0, since - Number(hour));
      ago[i] = (ago[i] as number) + (hours[hour] as number);
    }
  }
  return ago;
}

function causeOf({ cause, n, first, last }: Summed, ago: number[]): CauseAges {
  const counts = AGES.slice(0, -1).map(({ from }, i) => sumOf(ago.slice(from, AGES[i + 1]?.from)));
  return { cause, n, ages: [...counts, n - sumOf(counts)], firstHour: instant(first), lastHour: instant(last) };
}

const sumOf = (counts: number[]): number => counts.reduce((sum, n) => sum + n, 0);

function trendOf(ago: number[], now: number): CauseDetail["hours"] {
  const first = Math.floor(now / HOUR) - TREND_HOURS + 1;
  const edges = Array.from({ length: TREND_HOURS + 1 }, (_, i) => (first + i) * HOUR);
  return { edges, n: ago.slice(0, TREND_HOURS).reverse() };
}

function talliesOf(names: string[]): { name: string; n: number }[] {
  const tallies = new Map<string, number>();
  for (const name of names) tallies.set(name, (tallies.get(name) ?? 0) + 1);
  return [...tallies].map(([name, n]) => ({ name, n })).sort((a, b) => b.n - a.n);
}
