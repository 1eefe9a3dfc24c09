import { BULK_KIND, type BulkFilter, isKept } from "~/domain/bulk";
import { wantedOf } from "~/domain/query/wanted";
import type { View } from "~/domain/states";
import { Binds } from "./binds";
import { conditions, during, idsNear } from "./reads/conditions";
import { type Statement, type Store, sql } from "./store";

/** So many jobs are looked at to count some, at most: 50 bytes of index and one row each, a few tenths of a second. */
export const COUNT_ROWS = 250_000;

/**
 * How many jobs match now, exactly, from the numbers that every write keeps. The arguments are terms of SQL. Those of
 * operations match by their kind alone; a cause begins with the kind of all its jobs.
 */
export const keptCountOf = (view: string, kind: string, cause: string): string =>
  `CASE WHEN ${cause} IS NOT NULL THEN coalesce((SELECT d.n FROM dead_causes AS d
     WHERE d.cause = ${cause} AND d.cause NOT GLOB '${BULK_KIND}: *'), 0)
   ELSE coalesce((SELECT sum(c.n) FROM job_counts AS c WHERE c.view = ${view}
     AND CASE WHEN ${kind} IS NULL THEN c.kind <> '${BULK_KIND}' ELSE c.kind = ${kind} END), 0) END`;

/** D1's clock, ms since 1970, and the exact number of jobs that match by it; null: more than COUNT_ROWS would have to be looked at. */
export async function measure(store: Store, filter: BulkFilter): Promise<{ expected: number | null; cutoff: number }> {
  const [rows] = await store.batch([isKept(filter) ? keptCount(filter) : lookedCount(filter)]);
  return (rows as [{ expected: number | null; cutoff: number }])[0];
}

const keptCount = ({ view, kind, cause }: BulkFilter): Statement =>
  sql(`SELECT {now} AS cutoff, ${keptCountOf("?1", "?2", "?3")} AS expected`, view, kind ?? null, cause ?? null);

function lookedCount(filter: BulkFilter): Statement {
  const binds = new Binds();
  const { index, where } = byEnd(filter, binds) ?? placeOf(filter, binds);
  return sql(
    `SELECT {now} AS cutoff, CASE WHEN count(*) <= ${COUNT_ROWS} THEN coalesce(sum(hit), 0) END AS expected
     FROM (SELECT ${hitOf(filter, binds)} AS hit FROM jobs ${index} WHERE ${where} LIMIT ${COUNT_ROWS + 1})`,
    ...binds.params,
  );
}

/** Whether a row of `jobs` is meant. Jobs of operations are only where their kind is named. */
export function hitOf(filter: BulkFilter, binds: Binds): string {
  const wanted = wantedOf(filter);
  const ended = wanted.finished.map((range) => `coalesce(${during("jobs.finished_at", range, binds)}, 0)`);
  const own = filter.kind === undefined ? [`jobs.kind <> '${BULK_KIND}'`] : [];
  return [...conditions(wanted, binds, []), ...ended, ...own].join(" AND ");
}

/** Where the jobs of a filter lie in the order of ids: an index, and which part of it. All of it is looked at. */
export function placeOf(filter: BulkFilter, binds: Binds): { index: string; where: string } {
  const near = wantedOf(filter).created.map((range) => idsNear(range, binds));
  const { index, where } = narrowest(filter, binds);
  return { index: index && `INDEXED BY ${index}`, where: [where, ...near].filter(Boolean).join(" AND ") };
}

function narrowest({ view, kind, cause }: BulkFilter, binds: Binds): { index: string; where: string } {
  if (cause !== undefined)
    return { index: "jobs_dead_by_cause", where: `state = 'dead' AND cause = ${binds.add(cause)}` };
  if (view === "dead" && kind !== undefined) {
    return { index: "jobs_dead_by_kind", where: `state = 'dead' AND kind = ${binds.add(kind)}` };
  }
  const index = INDEX[view];
  if (index)
    return { index, where: index === WAITING ? `state = 'pending' AND view = '${view}'` : `state = '${view}'` };
  return kind === undefined ? { index: "", where: "true" } : { index: "jobs_kind", where: `kind = ${binds.add(kind)}` };
}

const WAITING = "jobs_waiting";
const INDEX: Partial<Record<View, string>> = {
  processing: "jobs_leased",
  dead: "jobs_dead",
  cancelled: "jobs_cancelled",
  scheduled: WAITING,
  pending: WAITING,
  retrying: WAITING,
};

/** Where jobs of a stretch of time lie in the order of their ends; null: none is asked for. */
function byEnd(filter: BulkFilter, binds: Binds): { index: string; where: string } | null {
  const { finished } = wantedOf(filter);
  if (finished.length === 0) return null;
  const within = finished.map((range) => during("finished_at", range, binds)).join(" AND ");
  const { view, cause } = filter;
  if (cause !== undefined) {
    return {
      index: "INDEXED BY jobs_dead_by_cause_end",
      where: `state = 'dead' AND cause = ${binds.add(cause)} AND ${within}`,
    };
  }
  if (view === "dead") return { index: "INDEXED BY jobs_dead_by_end", where: `state = 'dead' AND ${within}` };
  return { index: "INDEXED BY jobs_finished", where: `finished_at IS NOT NULL AND ${within}` };
}
