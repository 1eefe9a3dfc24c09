import { BULK_KIND, type BulkFilter, isKept } from "~/domain/bulk/bulk";
import { type Wanted, wantedOf } from "~/domain/query/wanted";
import type { View } from "~/domain/states";
import { Binds } from "../binds";
import { conditions, idsNear } from "../reads/conditions";
import { type Arm, arm, byEnd, NARROW, ofOperation, rowsOf } from "../reads/sources";
import { type Statement, type Store, sql } from "../store";

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
  const wanted = wantedOf(filter);
  // Of several causes each lies for itself, and what an operation changed too: these are looked at in the order of ids.
  const apart = (wanted.cause.in?.length ?? 1) > 1 || wanted.operation.in !== null;
  const ends = wanted.finished.length > 0 && !apart ? byEnd(wanted, binds).arms[0] : null;
  return sql(
    `SELECT {now} AS cutoff, CASE WHEN count(*) <= ${COUNT_ROWS} THEN coalesce(sum(hit), 0) END AS expected
     FROM (SELECT ${hitOf(filter, wanted, binds)} AS hit ${rowsOf(ends ?? placeOf(filter, wanted, binds))} LIMIT ${COUNT_ROWS + 1})`,
    ...binds.params,
  );
}

/** Where the jobs of a filter lie in the order of ids (`rows`, all of which are looked at), and whether one of these is meant (`hit`). */
export function lookFor(filter: BulkFilter, binds: Binds): { rows: string; hit: string } {
  const wanted = wantedOf(filter);
  return { rows: rowsOf(placeOf(filter, wanted, binds)), hit: hitOf(filter, wanted, binds) };
}

/** A waiting job came to its view when it was submitted, requeued, or left by its last attempt. */
const WAITS_SINCE = `CASE jobs.trigger WHEN 'first' THEN jobs.created_at WHEN 'requeue' THEN jobs.run_at
  ELSE (SELECT a.finished_at FROM attempts AS a WHERE a.job_id = jobs.id AND a.number = jobs.attempt) END`;
/** When a job came to its view, as a term of SQL: who came after the cutoff of an operation was not counted by it, and is not meant. */
export const SINCE: Record<View, string> = {
  scheduled: "jobs.created_at",
  pending: WAITS_SINCE,
  retrying: WAITS_SINCE,
  processing: "jobs.leased_at",
  done: "jobs.finished_at",
  dead: "jobs.finished_at",
  cancelled: "jobs.finished_at",
};

/**
 * Jobs of operations are meant only where their kind is named: a deletion that was stopped must not go on because all dead
 * jobs are requeued.
 */
function hitOf({ kind }: BulkFilter, wanted: Wanted, binds: Binds): string {
  const own = kind === undefined ? [`jobs.kind <> '${BULK_KIND}'`] : [];
  return [...conditions(wanted, binds, []), ...own].join(" AND ");
}

function placeOf(filter: BulkFilter, { created, operation }: Wanted, binds: Binds): Arm {
  const [of, ...more] = operation.in ?? [];
  const { index, where } =
    of !== undefined && more.length === 0 ? ofOperation(of, filter.view, binds) : narrowest(filter, binds);
  return arm(index, [where, ...created.map((range) => idsNear(range, binds))].filter(Boolean).join(" AND "));
}

/** Whether that place holds what is meant and little else. */
export const isWhole = (filter: BulkFilter): boolean =>
  isKept(filter) &&
  (filter.cause !== undefined || filter.view === "dead" || (filter.kind === undefined && NARROW[filter.view] !== null));

/** One part of one index, whatever else is asked: an operation goes from id to id. */
function narrowest({ view, kind, cause }: BulkFilter, binds: Binds): Arm {
  if (cause !== undefined) return arm("jobs_dead_by_cause", `state = 'dead' AND cause = ${binds.add(cause)}`);
  if (view === "dead" && kind !== undefined) {
    return arm("jobs_dead_by_kind", `state = 'dead' AND kind = ${binds.add(kind)}`);
  }
  return NARROW[view] ?? (kind === undefined ? arm(null, "true") : arm("jobs_kind", `kind = ${binds.add(kind)}`));
}
