import { addToDeadCounts, CHAINED, moveCounts } from "./chain";
import { type Statement, sql } from "./store";

export type BulkAction = "requeue" | "cancel" | "delete";

/** ?2: [id, generation] of the jobs meant. Each move is guarded per job by the state it is for and the generation seen. */
const MEANT = "jobs.id = o.value->>0 AND jobs.generation = o.value->>1";
const FROM = `json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON`;

const FINAL = `${MEANT} AND +jobs.state IN ('done', 'dead', 'cancelled')`;
const CLOSED = `${MEANT} AND +jobs.state IN ('dead', 'cancelled')`;
const WAITS = `${MEANT} AND +jobs.state = 'pending'`;
const RUNS = `${MEANT} AND +jobs.state = 'processing' AND jobs.cancel_requested_at IS NULL`;

const dropDeaths = (guard: string, token: string, rows: string) =>
  addToDeadCounts(
    `SELECT jobs.cause, jobs.finished_at AS died_at, -1 AS n FROM ${FROM} ${guard} AND +jobs.state = 'dead'`,
    token,
    rows,
  );

/**
 * The statements of one action on many jobs, to be run in a batch that `open` has opened with `token`. Counts come before
 * the moves, under the same guard. The last statement answers with the ids that were changed.
 */
export const MOVES: Record<BulkAction, (token: string, rows: string) => Statement[]> = {
  requeue: (token, rows) => [
    moveCounts(`SELECT jobs.kind, jobs.view AS was, 'pending' AS became FROM ${FROM} ${CLOSED}`, token, rows),
    dropDeaths(CLOSED, token, rows),
    sql(
      // Unsent: whoever makes room in a lane sends them, so that 200,000 at once flood nothing.
      `UPDATE jobs SET state = 'pending', token = ?1, generation = generation + 1, forgiven = attempt, trigger = 'requeue',
         run_at = batch.clock, sent_at = NULL, finished_at = NULL, cancel_requested_at = NULL, progress = NULL,
         last_error = NULL, cause = NULL, result = NULL
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${CLOSED}`,
      token,
      rows,
    ),
    sql(`SELECT jobs.id FROM ${FROM} jobs.id = o.value->>0 AND jobs.token = ?1`, token, rows),
  ],
  cancel: (token, rows) => [
    moveCounts(`SELECT jobs.kind, jobs.view AS was, 'cancelled' AS became FROM ${FROM} ${WAITS}`, token, rows),
    sql(
      `UPDATE jobs SET cancel_requested_at = batch.clock FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${RUNS}`,
      token,
      rows,
    ),
    sql(
      `UPDATE jobs SET state = 'cancelled', token = ?1, sent_at = NULL, finished_at = batch.clock
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${WAITS}`,
      token,
      rows,
    ),
    sql(
      `SELECT jobs.id FROM ${FROM} jobs.id = o.value->>0
         AND (jobs.token = ?1 OR (jobs.state = 'processing' AND jobs.cancel_requested_at = batch.clock))`,
      token,
      rows,
    ),
  ],
  delete: (token, rows) => [
    moveCounts(`SELECT jobs.kind, jobs.view AS was, NULL AS became FROM ${FROM} ${FINAL}`, token, rows),
    dropDeaths(FINAL, token, rows),
    // Marked first, so that what hangs on a job goes with it and with nothing else.
    sql(
      `UPDATE jobs SET token = ?1 FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${FINAL}`,
      token,
      rows,
    ),
    ...["attempts", "refusals", "effects"].map((table) =>
      sql(
        `DELETE FROM ${table} WHERE job_id IN (SELECT jobs.id FROM ${FROM} jobs.id = o.value->>0 AND jobs.token = ?1)`,
        token,
        rows,
      ),
    ),
    sql(
      `DELETE FROM jobs WHERE id IN (SELECT jobs.id FROM ${FROM} jobs.id = o.value->>0 AND jobs.token = ?1) RETURNING id`,
      token,
      rows,
    ),
  ],
};
