import type { View } from "~/domain/states";
import type { BulkAction } from "./bulk_moves";
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
export const COLUMNS = `id, action, view, kind, cause, cutoff, expected, pace, state, cursor, changed, skipped, actor, reason,
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
