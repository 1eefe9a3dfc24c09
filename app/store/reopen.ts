import type { State } from "~/domain/states";
import { openOnce } from "./audit";
import { addToDeadCounts, CHAINED, moveCounts } from "./chain";
import { type Store, sql } from "./store";

export type By = { actor: string; reason?: string };
export type Standing = { id: string; kind: string; lane: string; state: State; generation: number; attempt: number };

/** As the audit keeps it: a deadline that the requeue drops would be told nowhere else. */
const STOOD = `CASE WHEN jobs.expires_at <= batch.clock
  THEN json_object('state', jobs.state, 'generation', jobs.generation, 'expiresAt', strftime('%Y-%m-%dT%H:%M:%fZ', jobs.expires_at / 1000.0, 'unixepoch'))
  ELSE json_object('state', jobs.state, 'generation', jobs.generation) END`;
const REOPENABLE = "jobs.id = ?2 AND jobs.generation = ?3 AND +jobs.state IN ('dead', 'cancelled')";

export async function standingOf(store: Store, id: string): Promise<Standing | null> {
  const [rows] = await store.batch([
    sql("SELECT id, kind, lane, state, generation, attempt FROM jobs WHERE id = ?1", id),
  ]);
  return (rows?.[0] as Standing | undefined) ?? null;
}

/**
 * Who runs a job again wants it run: a deadline that has passed is dropped, one that is still ahead holds. What held it when
 * it ended holds it no more.
 */
export const AFRESH = "held_at = NULL, expires_at = CASE WHEN expires_at > batch.clock THEN expires_at END";

/**
 * Opens the next generation of a dead or cancelled job, if it still is one and still in `generation`: of two people who
 * press at once, one wins. History and attempt number stay; the tries start anew. What counts the old state comes
 * before the move, under the same guard. `audit` is a fresh id. Answers how the job stands, whether this call did it, and
 * whether its message is owed yet.
 */
export async function reopenJob(
  store: Store,
  token: string,
  { id, generation, repeatUnknown }: { id: string; generation: number; repeatUnknown?: boolean },
  audit: string,
  by: By,
): Promise<(Standing & { mine: number; owed: number }) | null> {
  const results = await store.batch([
    openOnce(token, audit, `SELECT 1 FROM jobs WHERE ${REOPENABLE}`, id, generation),
    moveCounts(
      `SELECT jobs.kind, jobs.view AS was, 'pending' AS became FROM ${CHAINED} CROSS JOIN jobs ON ${REOPENABLE}`,
      token,
      id,
      generation,
    ),
    addToDeadCounts(
      `SELECT jobs.cause, jobs.finished_at AS died_at, -1 AS n FROM ${CHAINED} CROSS JOIN jobs ON ${REOPENABLE} WHERE jobs.state = 'dead'`,
      token,
      id,
      generation,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, job_id, before, after, reason)
       SELECT ?4, batch.clock, ?5, 'requeue', jobs.id, ${STOOD},
         json_object('state', 'pending', 'generation', jobs.generation + 1${repeatUnknown ? ", 'repeatUnknown', json('true')" : ""}), ?6
       FROM ${CHAINED} AS batch CROSS JOIN jobs ON ${REOPENABLE}`,
      token,
      id,
      generation,
      audit,
      by.actor,
      by.reason ?? null,
    ),
    ...(repeatUnknown
      ? [
          sql(
            `DELETE FROM effects WHERE job_id = ?2 AND finished_at IS NULL
             AND EXISTS (SELECT 1 FROM ${CHAINED} CROSS JOIN jobs ON ${REOPENABLE})`,
            token,
            id,
            generation,
          ),
        ]
      : []),
    sql(
      `UPDATE jobs SET state = 'pending', token = ?1, generation = generation + 1, forgiven = attempt, trigger = 'requeue',
         run_at = batch.clock, sent_at = batch.clock, finished_at = NULL, cancel_requested_at = NULL, progress = NULL,
         last_error = NULL, cause = NULL, result = NULL, ${AFRESH}
       FROM ${CHAINED} AS batch WHERE ${REOPENABLE}`,
      token,
      id,
      generation,
    ),
    sql(
      `SELECT id, kind, lane, state, generation, attempt, token = ?1 AS owed, EXISTS (SELECT 1 FROM audit WHERE audit.id = ?3) AS mine
       FROM jobs WHERE id = ?2`,
      token,
      id,
      audit,
    ),
  ]);
  return (results.at(-1)?.[0] as (Standing & { mine: number; owed: number }) | undefined) ?? null;
}

const WAITING = "jobs.id = ?2 AND +jobs.state = 'pending'";
const RUNNING = "jobs.id = ?2 AND +jobs.state = 'processing' AND jobs.cancel_requested_at IS NULL";

/** Cancels a waiting job at once, and asks a running one to stop: it then ends at its next heartbeat or its settle. */
export async function cancelJob(
  store: Store,
  token: string,
  id: string,
  audit: string,
  by: By,
): Promise<(Standing & { requested: number; mine: number }) | null> {
  const either = `((${WAITING}) OR (${RUNNING}))`;
  const results = await store.batch([
    openOnce(token, audit, `SELECT 1 FROM jobs WHERE jobs.id = ?2 AND ${either}`, id),
    moveCounts(
      `SELECT jobs.kind, jobs.view AS was, 'cancelled' AS became FROM ${CHAINED} CROSS JOIN jobs ON ${WAITING}`,
      token,
      id,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, job_id, before, after, reason)
       SELECT ?3, batch.clock, ?4, 'cancel', jobs.id, json_object('state', jobs.state),
         json_object('state', CASE jobs.state WHEN 'pending' THEN 'cancelled' ELSE 'processing, asked to stop' END), ?5
       FROM ${CHAINED} AS batch CROSS JOIN jobs ON jobs.id = ?2 AND ${either}`,
      token,
      id,
      audit,
      by.actor,
      by.reason ?? null,
    ),
    // The running attempt keeps its claim token: that is what its settle is guarded by.
    sql(`UPDATE jobs SET cancel_requested_at = batch.clock FROM ${CHAINED} AS batch WHERE ${RUNNING}`, token, id),
    sql(
      `UPDATE jobs SET state = 'cancelled', token = ?1, sent_at = NULL, finished_at = batch.clock
       FROM ${CHAINED} AS batch WHERE ${WAITING}`,
      token,
      id,
    ),
    sql(
      `SELECT id, kind, lane, state, generation, attempt, cancel_requested_at IS NOT NULL AS requested,
         EXISTS (SELECT 1 FROM audit WHERE audit.id = ?3) AS mine FROM jobs WHERE id = ?2 AND ?1 IS NOT NULL`,
      token,
      id,
      audit,
    ),
  ]);
  return (results.at(-1)?.[0] as (Standing & { requested: number; mine: number }) | undefined) ?? null;
}
