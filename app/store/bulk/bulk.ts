import type { BulkAction } from "~/domain/bulk/bulk";
import type { OperationState } from "~/domain/bulk/feeds";
import { VIEW_NAMES, type View } from "~/domain/states";
import { CHAINED, open } from "../chain";
import type { By } from "../reopen";
import { type Statement, type Store, sql } from "../store";

/** A row of `bulk_operations`, with what its job says of it. */
export type Operation = {
  id: string;
  action: BulkAction;
  view: View;
  kind: string | null;
  cause: string | null;
  q: string | null;
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
  why: string | null;
  /** JSON: how many of the jobs that it changed last are in each view by now. */
  became: string;
};
/** The idempotency key of the job that works an operation off. */
export const jobKey = (operationId: string): string => `${PREFIX}${operationId}`;
const PREFIX = "bulk:";

/** The job of an operation `o`, as a term of SQL, and what is true of one whose job will not go on with it. */
const ITS_JOB = `j.idempotency_key = '${PREFIX}' || o.id`;
const STOPPED = "o.state = 'running' AND (j.id IS NULL OR j.finished_at IS NOT NULL)";

export const BECAME = `json_object(${VIEW_NAMES.map((view) => `'${view}', o.${view}`).join(", ")})`;

/**
 * Operations `o` as they are read. That one is stopped is seen by its job: so it is true in the transaction in which the
 * job ends, whatever ends it, and no more in the one in which that job is requeued.
 */
export const OPERATIONS = `SELECT o.id, o.action, o.view, o.kind, o.cause, o.q, o.cutoff, o.expected, o.pace,
  CASE WHEN ${STOPPED} THEN 'stopped' ELSE o.state END AS state, o.cursor, o.changed, o.skipped, o.actor, o.reason,
  o.created_at AS createdAt, CASE WHEN o.state = 'running' THEN j.finished_at ELSE o.ended_at END AS endedAt,
  CASE WHEN NOT (${STOPPED}) THEN NULL WHEN j.id IS NULL THEN 'its job is stored no more'
    WHEN j.state = 'dead' THEN 'its job died: ' || coalesce(j.last_error, 'without a word') ELSE 'its job was ' || j.state END AS why,
  ${BECAME} AS became
  FROM bulk_operations AS o LEFT JOIN jobs AS j ON ${ITS_JOB}`;

/** ?2 is an operation that goes on, read at the cursor ?3. Nothing moves in the name of one that is stopped. */
export const GOES_ON = `SELECT 1 FROM bulk_operations AS o CROSS JOIN jobs AS j ON ${ITS_JOB}
  WHERE o.id = ?2 AND o.state = 'running' AND o.cursor = ?3 AND j.finished_at IS NULL`;

/** What an operation is to do, frozen: the filter, up to when, and the exact count at that moment. */
export type Plan = {
  operationId: string;
  action: BulkAction;
  view: View;
  kind?: string;
  cause?: string;
  q?: string;
  cutoff: number;
  expected: number;
  pace?: number;
  actor: string;
  reason?: string;
};

/** Those that run, newest first, as one term of SQL: JSON. They are looked for among those that have not ended. */
export const runningOperations = (limit: number): string =>
  `(SELECT json_group_array(json(one)) FROM (SELECT json_object('id', o.id, 'action', o.action, 'view', o.view, 'kind', o.kind,
      'cause', o.cause, 'q', o.q, 'expected', o.expected, 'changed', o.changed, 'skipped', o.skipped) AS one
    FROM bulk_operations AS o INDEXED BY bulk_operations_running CROSS JOIN jobs AS j ON ${ITS_JOB}
    WHERE o.state = 'running' AND j.finished_at IS NULL ORDER BY o.id DESC LIMIT ${limit}))`;

/** Those that have stopped, newest first. They are looked for among those that have not ended. */
export const stoppedOperations = (limit: number): Statement =>
  sql(`${OPERATIONS} WHERE ${STOPPED} ORDER BY o.id DESC LIMIT ?1`, limit);

export const operationById = (id: string): Statement => sql(`${OPERATIONS} WHERE o.id = ?1`, id);

export async function readOperation(store: Store, id: string): Promise<Operation | null> {
  const [rows] = await store.batch([operationById(id)]);
  return (rows?.[0] as Operation | undefined) ?? null;
}

/** Opens an operation with its audit entry, if it is not there yet, and answers it as it stands. */
export async function beginOperation(store: Store, token: string, plan: Plan): Promise<Operation> {
  const { operationId: id, action, view, kind, cause, q, cutoff, expected, pace, actor, reason } = plan;
  const results = await store.batch([
    open(token, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM bulk_operations WHERE id = ?2)", id),
    sql(
      `INSERT INTO bulk_operations (id, action, view, kind, cause, q, cutoff, expected, pace, state, actor, reason, created_at)
       SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'running', ?11, ?12, clock FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      id,
      action,
      view,
      kind ?? null,
      cause ?? null,
      q ?? null,
      cutoff,
      expected,
      pace ?? null,
      actor,
      reason ?? null,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, after, reason)
       SELECT ?2, clock, o.actor, 'bulk ' || o.action,
         json_object('operation', o.id, 'view', o.view, 'kind', o.kind, 'cause', o.cause, 'q', o.q, 'jobs', o.expected), o.reason
       FROM ${CHAINED} CROSS JOIN bulk_operations AS o ON o.id = ?2 WHERE true ON CONFLICT DO NOTHING`,
      token,
      id,
    ),
    operationById(id),
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
      `INSERT INTO audit (id, at, actor, action, job_id, before, after, reason)
       SELECT ?3, clock, ?4, 'abort bulk', (SELECT j.id FROM jobs AS j WHERE ${ITS_JOB}), json_object('operation', o.id, 'changed', o.changed, 'skipped', o.skipped),
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
    operationById(id),
    sql("SELECT 1 FROM audit WHERE id = ?1", audit),
  ]);
  const operation = results.at(-2)?.[0] as Operation | undefined;
  return operation ? { ...operation, mine: (results.at(-1) as unknown[]).length } : null;
}
