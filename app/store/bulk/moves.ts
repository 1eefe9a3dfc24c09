import { BULK_KIND, type BulkAction } from "~/domain/bulk/bulk";
import { addToDeadCounts, CHAINED, moveCounts } from "../chain";
import { AFRESH, type By } from "../reopen";
import { type Statement, sql } from "../store";

/**
 * ?2: [id, generation, view, kind, cause, attempt] of the jobs meant; the last four may be missing. Each move is guarded per
 * job by the state it is for, and by what was seen of it.
 */
const MEANT = `jobs.id = o.value->>0 AND jobs.generation = o.value->>1
  AND (o.value->>2 IS NULL OR jobs.view = o.value->>2) AND (o.value->>3 IS NULL OR jobs.kind = o.value->>3)
  AND (o.value->>4 IS NULL OR jobs.cause IS o.value->>4) AND (o.value->>5 IS NULL OR jobs.attempt = o.value->>5)`;
/** Each goes with its job. Whose delivery it is, is said by the job that holds the event. */
const HANGS_ON_A_JOB = [
  ["attempts", "job_id"],
  ["refusals", "job_id"],
  ["effects", "job_id"],
  ["deliveries", "fanout_id"],
  ["passed_over", "id"],
] as const;
const FROM = `json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON`;

const MARKED = `${FROM} jobs.id = o.value->>0 AND jobs.token = ?1`;
/** Of `jobs`: a job that has not ended delivers what this one holds, and would find nothing. */
export const DELIVERED =
  "EXISTS (SELECT 1 FROM jobs AS d INDEXED BY jobs_of_fanout WHERE d.fanout_id = jobs.id AND d.finished_at IS NULL)";
const FINAL = `${MEANT} AND +jobs.state IN ('done', 'dead', 'cancelled') AND NOT ${DELIVERED}`;
/** The job of an operation only where its kind is named: it would go on with what somebody has seen stop. */
const REVIVES = `(jobs.kind <> '${BULK_KIND}' OR o.value->>3 IS '${BULK_KIND}')`;
const CLOSED = `${MEANT} AND +jobs.state IN ('dead', 'cancelled') AND ${REVIVES}`;
const WAITS = `${MEANT} AND +jobs.state = 'pending'`;
const RUNS = `${MEANT} AND +jobs.state = 'processing' AND jobs.cancel_requested_at IS NULL`;

/** Whether an action can be done with a job that is meant. */
export const MEANT_FOR: Record<BulkAction, string> = {
  requeue: CLOSED,
  cancel: `${MEANT} AND (+jobs.state = 'pending' OR (+jobs.state = 'processing' AND jobs.cancel_requested_at IS NULL))`,
  delete: FINAL,
};

/** Whether this batch has changed what `o` names: beside a LEFT JOINed `jobs` and `batch`. */
export const CHANGED: Record<BulkAction, string> = {
  requeue: "(jobs.token IS ?1)",
  cancel:
    "(jobs.token IS ?1 OR (jobs.state IS 'processing' AND jobs.cancel_requested_at IS batch.clock AND batch.clock IS NOT NULL))",
  delete: "(jobs.id IS NULL AND o.value->>1 IS NOT NULL)",
};

const dropDeaths = (guard: string, token: string, rows: string) =>
  addToDeadCounts(
    `SELECT jobs.cause, jobs.finished_at AS died_at, -1 AS n FROM ${FROM} ${guard} AND +jobs.state = 'dead'`,
    token,
    rows,
  );

/** The statements that remove what `guard`, a term beside `o`, `batch` and `jobs`, holds for: `MEANT_FOR.delete`, and maybe more. */
export const removal = (token: string, rows: string, guard: string): Statement[] => [
  moveCounts(`SELECT jobs.kind, jobs.view AS was, NULL AS became FROM ${FROM} ${guard}`, token, rows),
  dropDeaths(guard, token, rows),
  // Marked first, so that what hangs on a job goes with it and with nothing else.
  sql(`UPDATE jobs SET token = ?1 FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${guard}`, token, rows),
  ...HANGS_ON_A_JOB.map(([table, column]) =>
    sql(`DELETE FROM ${table} WHERE ${column} IN (SELECT jobs.id FROM ${MARKED})`, token, rows),
  ),
  // Mails are found by their key, which begins with their job: "0" comes after "/".
  sql(
    `DELETE FROM outbox_mail WHERE id IN (SELECT mail.id FROM ${MARKED} CROSS JOIN outbox_mail AS mail
       ON mail.key >= jobs.id || '/' AND mail.key < jobs.id || '0')`,
    token,
    rows,
  ),
  sql(`DELETE FROM jobs WHERE id IN (SELECT jobs.id FROM ${MARKED})`, token, rows),
];

/** ?3: a job remembers the operation that changed it last. Null: an action on named jobs, which is none. */
const REMEMBERED = "operation_id = coalesce(?3, operation_id)";

/**
 * The statements of one action on many jobs, to be run in a batch that `open` has opened with `token`. Counts come before
 * the moves, under the same guard.
 */
export const MOVES: Record<BulkAction, (token: string, rows: string, operation: string | null) => Statement[]> = {
  requeue: (token, rows, operation) => [
    moveCounts(`SELECT jobs.kind, jobs.view AS was, 'pending' AS became FROM ${FROM} ${CLOSED}`, token, rows),
    dropDeaths(CLOSED, token, rows),
    sql(
      // Unsent: whoever makes room in a lane sends them, so that 200,000 at once flood nothing.
      `UPDATE jobs SET state = 'pending', token = ?1, generation = generation + 1, forgiven = attempt, trigger = 'requeue',
         run_at = batch.clock, sent_at = NULL, finished_at = NULL, cancel_requested_at = NULL, progress = NULL,
         last_error = NULL, cause = NULL, result = NULL, ${AFRESH}, ${REMEMBERED}
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${CLOSED}`,
      token,
      rows,
      operation,
    ),
  ],
  cancel: (token, rows, operation) => [
    moveCounts(`SELECT jobs.kind, jobs.view AS was, 'cancelled' AS became FROM ${FROM} ${WAITS}`, token, rows),
    sql(
      `UPDATE jobs SET cancel_requested_at = batch.clock, ${REMEMBERED}
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${RUNS}`,
      token,
      rows,
      operation,
    ),
    sql(
      `UPDATE jobs SET state = 'cancelled', token = ?1, sent_at = NULL, finished_at = batch.clock, ${REMEMBERED}
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${WAITS}`,
      token,
      rows,
      operation,
    ),
  ],
  delete: (token, rows) => removal(token, rows, FINAL),
};

/** Why a job that was meant was not changed: what `o` says of it, beside a LEFT JOINed `jobs`. */
export const unchanged = (action: BulkAction): string =>
  `CASE WHEN jobs.id IS NULL THEN CASE WHEN o.value->>1 IS NULL THEN 'is not stored' ELSE 'is not stored any more' END
  WHEN jobs.generation <> o.value->>1 THEN 'was requeued meanwhile'
  WHEN jobs.state = 'processing' AND jobs.cancel_requested_at IS NOT NULL THEN 'was asked to stop before'
  ${action === "requeue" ? `WHEN jobs.state IN ('dead', 'cancelled') AND NOT ${REVIVES} THEN 'is an operation that was stopped: requeue it by itself'` : ""}
  ${action === "delete" ? `WHEN jobs.finished_at IS NOT NULL AND ${DELIVERED} THEN 'has deliveries that are not finished'` : ""}
  WHEN o.value->>2 IS NULL THEN 'is ' || jobs.state || ' now'
  WHEN o.value->>2 <> jobs.view THEN 'is ' || jobs.view || ' now'
  ELSE 'does not match any more' END`;

/** On the page of each job that was changed: who did it. Deleted ones have no page. */
export const auditJobs = (
  token: string,
  rows: string,
  action: BulkAction,
  audit: string,
  by: By,
  operation: string | null,
) =>
  sql(
    `INSERT INTO audit (id, at, actor, action, job_id, after, reason)
     SELECT ?3 || ':' || jobs.id, batch.clock, ?4, ?5, jobs.id,
       json_object('state', jobs.state, 'generation', jobs.generation, 'operation', ?7), ?6
     FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON jobs.id = o.value->>0
     WHERE ${action === "delete" ? "false" : CHANGED[action]}
       AND NOT EXISTS (SELECT 1 FROM bulk_skips AS b WHERE b.operation_id = ?7 AND b.job_id = jobs.id) ON CONFLICT DO NOTHING`,
    token,
    rows,
    audit,
    by.actor,
    action,
    by.reason ?? null,
    operation,
  );
