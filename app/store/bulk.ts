import type { BulkAction, BulkFilter } from "~/domain/bulk";
import type { OperationState } from "~/domain/bulk_feeds";
import type { View } from "~/domain/states";
import { CHAINED, open } from "./chain";
import type { By } from "./reopen";
import { type Statement, type Store, sql } from "./store";

/** A row of `bulk_operations`. */
export type Operation = {
  id: string;
  action: BulkAction;
  view: View;
  kind: string | null;
  cause: string | null;
  cutoff: number;
  expected: number;
  pace: number | null;
  state: OperationState;
  cursor: string;
  changed: number;
  skipped: number;
  actor: string;
  reason: string | null;
  createdAt: number;
  endedAt: number | null;
};
export const OPERATION_COLUMNS = `id, action, view, kind, cause, cutoff, expected, pace, state, cursor, changed, skipped, actor,
  reason, created_at AS createdAt, ended_at AS endedAt`;

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

/** The idempotency key of the job that works an operation off. */
export const jobKey = (operationId: string): string => `bulk:${operationId}`;

/** How many jobs match now, exactly: from the counts, never by counting jobs. The arguments are terms of SQL. */
export const matchingOf = (view: string, kind: string, cause: string): string =>
  `CASE WHEN ${cause} IS NOT NULL THEN coalesce((SELECT d.n FROM dead_causes AS d WHERE d.cause = ${cause}), 0)
   ELSE coalesce((SELECT sum(c.n) FROM job_counts AS c WHERE c.view = ${view} AND (${kind} IS NULL OR c.kind = ${kind})), 0) END`;

/** The exact number of jobs that match now, and D1's clock. */
export async function measure(
  store: Store,
  { view, kind, cause }: BulkFilter,
): Promise<{ expected: number; cutoff: number }> {
  const [rows] = await store.batch([
    sql(`SELECT {now} AS cutoff, ${matchingOf("?1", "?2", "?3")} AS expected`, view, kind ?? null, cause ?? null),
  ]);
  return (rows as [{ expected: number; cutoff: number }])[0];
}

const byId = (id: string): Statement => sql(`SELECT ${OPERATION_COLUMNS} FROM bulk_operations WHERE id = ?1`, id);

export async function readOperation(store: Store, id: string): Promise<Operation | null> {
  const [rows] = await store.batch([byId(id)]);
  return (rows?.[0] as Operation | undefined) ?? null;
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
    byId(id),
  ]);
  return (results.at(-1) as [Operation])[0];
}

/** No chunk begins after this. `audit` is a fresh id. Answers how it stands, and whether this call stopped it. */
export async function abortOperation(
  store: Store,
  token: string,
  id: string,
  audit: string,
  by: By,
): Promise<(Operation & { mine: number }) | null> {
  const results = await store.batch([
    open(token, "SELECT 1 FROM bulk_operations WHERE id = ?2 AND state = 'running'", id),
    sql(
      `INSERT INTO audit (id, at, actor, action, before, after, reason)
       SELECT ?3, clock, ?4, 'abort bulk', json_object('operation', o.id, 'changed', o.changed, 'skipped', o.skipped),
         json_object('state', 'aborted'), ?5
       FROM ${CHAINED} CROSS JOIN bulk_operations AS o ON o.id = ?2 AND o.state = 'running' WHERE true ON CONFLICT DO NOTHING`,
      token,
      id,
      audit,
      by.actor,
      by.reason ?? null,
    ),
    sql(
      `UPDATE bulk_operations SET state = 'aborted', ended_at = batch.clock FROM ${CHAINED} AS batch WHERE id = ?2 AND state = 'running'`,
      token,
      id,
    ),
    sql(
      `SELECT ${OPERATION_COLUMNS}, EXISTS (SELECT 1 FROM audit WHERE audit.id = ?2) AS mine FROM bulk_operations WHERE id = ?1`,
      id,
      audit,
    ),
  ]);
  return (results.at(-1)?.[0] as (Operation & { mine: number }) | undefined) ?? null;
}
