import type { View } from "~/domain/states";
import { type BulkAction, MOVES } from "./bulk_moves";
import { CHAINED, open } from "./chain";
import { type Store, sql } from "./store";

export type { BulkAction };
export type BulkFilter = { view: View; kind?: string; cause?: string };
export type Operation = {
  id: string;
  action: BulkAction;
  view: View;
  kind: string | null;
  cause: string | null;
  cutoff: number;
  expected: number;
  pace: number | null;
  state: "running" | "done" | "aborted";
  cursor: string;
  changed: number;
  skipped: number;
  actor: string;
  reason: string | null;
  createdAt: number;
  endedAt: number | null;
};
const COLUMNS = `id, action, view, kind, cause, cutoff, expected, pace, state, cursor, changed, skipped, actor, reason,
  created_at AS createdAt, ended_at AS endedAt`;

/** What an operation is to do, frozen: the filter, up to when, and the exact count at that moment. */
export type Plan = {
  operationId: string;
  action: BulkAction;
  view: View;
  kind?: string;
  cause?: string;
  cutoff: number;
  expected: number;
  pace?: number;
  actor: string;
  reason?: string;
};

/** The exact number of jobs that match now, from the counts, never by counting jobs; and D1's clock. */
export async function measure(
  store: Store,
  { view, kind, cause }: BulkFilter,
): Promise<{ expected: number; cutoff: number }> {
  const [rows] = await store.batch([
    sql(
      `SELECT {now} AS cutoff, CASE WHEN ?3 IS NOT NULL THEN coalesce((SELECT sum(n) FROM dead_counts WHERE cause = ?3), 0)
         ELSE coalesce((SELECT sum(n) FROM job_counts WHERE view = ?1 AND (?2 IS NULL OR kind = ?2)), 0) END AS expected`,
      view,
      kind ?? null,
      cause ?? null,
    ),
  ]);
  return (rows as [{ expected: number; cutoff: number }])[0];
}

/** Opens an operation with its audit entry, if it is not there yet, and answers it as it stands. */
export async function beginOperation(store: Store, token: string, plan: Plan): Promise<Operation> {
  const { operationId: id, action, view, kind, cause, cutoff, expected, pace, actor, reason } = plan;
  const results = await store.batch([
    open(token, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM bulk_operations WHERE id = ?2)", id),
    sql(
      `INSERT INTO bulk_operations (id, action, view, kind, cause, cutoff, expected, pace, state, actor, reason, created_at)
       SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'running', ?10, ?11, clock FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      id,
      action,
      view,
      kind ?? null,
      cause ?? null,
      cutoff,
      expected,
      pace ?? null,
      actor,
      reason ?? null,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, after, reason)
       SELECT ?2, clock, o.actor, 'bulk ' || o.action,
         json_object('operation', o.id, 'view', o.view, 'kind', o.kind, 'cause', o.cause, 'jobs', o.expected), o.reason
       FROM ${CHAINED} CROSS JOIN bulk_operations AS o ON o.id = ?2 WHERE true ON CONFLICT DO NOTHING`,
      token,
      id,
    ),
    sql(`SELECT ${COLUMNS} FROM bulk_operations WHERE id = ?1`, id),
  ]);
  return (results.at(-1) as [Operation])[0];
}

export async function readOperation(store: Store, id: string): Promise<Operation | null> {
  const [rows] = await store.batch([sql(`SELECT ${COLUMNS} FROM bulk_operations WHERE id = ?1`, id)]);
  return (rows?.[0] as Operation | undefined) ?? null;
}

export async function listOperations(store: Store, limit: number): Promise<Operation[]> {
  const [rows] = await store.batch([sql(`SELECT ${COLUMNS} FROM bulk_operations ORDER BY id DESC LIMIT ?1`, limit)]);
  return rows as Operation[];
}

export async function listSkips(store: Store, id: string, limit: number): Promise<{ jobId: string; reason: string }[]> {
  const [rows] = await store.batch([
    sql("SELECT job_id AS jobId, reason FROM bulk_skips WHERE operation_id = ?1 ORDER BY job_id LIMIT ?2", id, limit),
  ]);
  return rows as { jobId: string; reason: string }[];
}

/** No chunk begins after this. Answers whether it was still running. */
export async function abortOperation(store: Store, token: string, id: string): Promise<boolean> {
  const results = await store.batch([
    open(token, "SELECT 1 FROM bulk_operations WHERE id = ?2 AND state = 'running'", id),
    sql(
      `UPDATE bulk_operations SET state = 'aborted', ended_at = batch.clock FROM ${CHAINED} AS batch WHERE id = ?2 AND state = 'running' RETURNING id`,
      token,
      id,
    ),
  ]);
  return (results[1] as unknown[]).length > 0;
}

export type Chunk = { rows: { id: string; generation: number }[]; cursor: string; end: boolean };

/** Rows looked at for one chunk, whatever matches of them. */
const LOOKED_AT = 5_000;

/** The index that holds a view in the order of ids. */
const INDEX: Partial<Record<View, string>> = {
  processing: "jobs_leased",
  dead: "jobs_dead",
  cancelled: "jobs_cancelled",
  scheduled: "jobs_waiting",
  pending: "jobs_waiting",
  retrying: "jobs_waiting",
};

/** The next jobs of an operation after its cursor, at most `limit`; `end`: there are no more after them. */
export async function nextChunk(store: Store, operation: Operation, limit: number): Promise<Chunk> {
  const { view, kind, cause, cursor, cutoff } = operation;
  const index = cause !== null ? "jobs_dead_by_cause" : (INDEX[view] ?? (kind === null ? null : "jobs_kind"));
  const arm =
    index === "jobs_waiting"
      ? `state = 'pending' AND view = '${view}'`
      : index === "jobs_dead_by_cause"
        ? "state = 'dead' AND cause = ?4"
        : index === "jobs_kind"
          ? "kind = ?3"
          : INDEX[view]
            ? `state = '${view}'`
            : "true";
  const [rows] = await store.batch([
    sql(
      `SELECT id, generation, view = ?1 AND (?3 IS NULL OR kind = ?3) AND (?4 IS NULL OR cause = ?4)
         AND coalesce(finished_at, created_at) <= ?5 AS hit
       FROM jobs ${index ? `INDEXED BY ${index}` : ""} WHERE ${arm} AND id > ?2 ORDER BY id LIMIT ${LOOKED_AT}`,
      view,
      cursor,
      kind,
      cause,
      cutoff,
    ),
  ]);
  const seen = rows as { id: string; generation: number; hit: number }[];
  const hits = seen.filter((row) => row.hit);
  const full = hits.length > limit;
  const taken = hits.slice(0, limit);
  const last = full ? (taken.at(-1) as { id: string }).id : (seen.at(-1)?.id ?? cursor);
  return { rows: taken, cursor: last, end: !full && seen.length < LOOKED_AT };
}

/**
 * Works one chunk off: its jobs and the operation's cursor and numbers move together, or nothing does. Guarded by the
 * cursor it was read at, so a chunk that is sent again, or by two workers, counts once. Answers the operation as it
 * stands then.
 */
export async function applyChunk(
  store: Store,
  token: string,
  { id, action, cursor }: Operation,
  chunk: Chunk,
): Promise<Operation> {
  const rows = JSON.stringify(chunk.rows.map((row) => [row.id, row.generation]));
  const changed = changedBy(action);
  const results = await store.batch([
    open(token, "SELECT 1 FROM bulk_operations WHERE id = ?2 AND state = 'running' AND cursor = ?3", id, cursor),
    ...MOVES[action](token, rows),
    sql(
      `INSERT INTO bulk_skips (operation_id, job_id, reason)
       SELECT ?3, o.value->>0, coalesce('is ' || jobs.state || ' now', 'is not stored any more')
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch LEFT JOIN jobs ON jobs.id = o.value->>0
       WHERE NOT ${changed} ON CONFLICT DO NOTHING`,
      token,
      rows,
      id,
    ),
    sql(
      `UPDATE bulk_operations SET cursor = ?4, skipped = skipped + s.n, changed = changed + json_array_length(?2) - s.n,
         state = CASE WHEN ?5 THEN 'done' ELSE state END, ended_at = CASE WHEN ?5 THEN batch.clock END
       FROM ${CHAINED} AS batch CROSS JOIN (SELECT count(*) AS n FROM json_each(?2) AS o
         WHERE EXISTS (SELECT 1 FROM bulk_skips AS b WHERE b.operation_id = ?3 AND b.job_id = o.value->>0)) AS s
       WHERE bulk_operations.id = ?3`,
      token,
      rows,
      id,
      chunk.cursor,
      chunk.end ? 1 : 0,
    ),
    sql(`SELECT ${COLUMNS} FROM bulk_operations WHERE id = ?1`, id),
  ]);
  return (results.at(-1) as [Operation])[0];
}

/** Of the jobs meant, those that this batch has changed: true for `o` beside a LEFT JOINed `jobs`. */
const changedBy = (action: BulkAction): string =>
  action === "delete"
    ? "(jobs.id IS NULL)"
    : action === "requeue"
      ? "(jobs.token IS ?1)"
      : "(jobs.token IS ?1 OR (jobs.state IS 'processing' AND jobs.cancel_requested_at IS batch.clock))";

export type Skip = { id: string; reason: string };

/** One action on named jobs, at once and in one transaction. Unknown and unfit ones are skipped, with the reason. */
export async function applyToIds(
  store: Store,
  token: string,
  action: BulkAction,
  ids: string[],
  audit: string,
  actor: string,
  reason: string | null,
): Promise<{ changed: number; skipped: Skip[] }> {
  const [standing] = await store.batch([
    sql("SELECT jobs.id, generation FROM json_each(?1) AS o CROSS JOIN jobs ON jobs.id = o.value", JSON.stringify(ids)),
  ]);
  const rows = JSON.stringify(
    (standing as { id: string; generation: number }[]).map((row) => [row.id, row.generation]),
  );
  const results = await store.batch([
    open(token, "SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value->>0", rows),
    ...MOVES[action](token, rows),
    sql(
      `SELECT o.value AS id, coalesce('is ' || jobs.state || ' now', 'is not stored') AS reason
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch LEFT JOIN jobs ON jobs.id = o.value
       WHERE NOT ${action === "delete" ? "(jobs.id IS NULL AND o.value IN (SELECT k.value->>0 FROM json_each(?3) AS k))" : changedBy(action)} AND ?3 IS NOT NULL`,
      token,
      JSON.stringify(ids),
      rows,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, after, reason)
       SELECT ?2, clock, ?3, 'bulk ' || ?4, json_object('jobs', json(?5)), ?6 FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      audit,
      actor,
      action,
      JSON.stringify(ids),
      reason,
    ),
  ]);
  const skipped = standing?.length ? (results.at(-2) as Skip[]) : ids.map((id) => ({ id, reason: "is not stored" }));
  return { changed: ids.length - skipped.length, skipped };
}
