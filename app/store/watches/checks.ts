import type { CheckOutcome } from "~/domain/watches/watch";
import { open } from "../chain";
import { type Statement, type Store, sql } from "../store";
import { STANDS } from "./watches";

/** A check, and where its end leaves the watch. */
export type Ending = { watch: string; slot: number; job: string; next: number | null; missed: number };

/**
 * What a check that did not succeed leaves behind: its row of the history, and for its watch the next slot. `when` says
 * in which batch: in a settle `{final}`. A check whose slot was dealt with before (a requeued one) moves nothing on.
 */
export const endCheck = (ending: Ending, when: string): Statement[] => [
  sql(
    `INSERT INTO watch_checks (watch_id, slot_at, job_id, at, outcome, missed, error)
     SELECT watches.id, ?2, jobs.id, jobs.finished_at, CASE jobs.state WHEN 'cancelled' THEN 'cancelled' ELSE 'failed' END, ?4,
       coalesce(jobs.last_error, CASE jobs.state WHEN 'done' THEN 'its job ended without a look at the page' END)
     FROM jobs CROSS JOIN watches ON watches.id = ?1
     WHERE jobs.id = ?3 AND jobs.finished_at IS NOT NULL AND ${when}
     ON CONFLICT (watch_id, slot_at) DO UPDATE SET at = excluded.at, outcome = excluded.outcome, error = excluded.error
     WHERE outcome IN ('failed', 'cancelled')`,
    ending.watch,
    ending.slot,
    ending.job,
    ending.missed,
  ),
  move(ending, `failures = failures + (jobs.state <> 'cancelled'), last_error = jobs.last_error`, when),
];

const move = ({ watch, slot, job, next }: Ending, rest: string, when: string): Statement =>
  sql(
    `UPDATE watches SET due_at = CASE WHEN paused_at IS NULL THEN ?4 END, checked_at = jobs.finished_at, ${rest}
     FROM jobs WHERE watches.id = ?1 AND watches.due_at = ?2 AND jobs.id = ?3 AND jobs.finished_at IS NOT NULL AND ${when}`,
    watch,
    slot,
    job,
    next,
  );

export type Look = {
  outcome: Exclude<CheckOutcome, "failed" | "cancelled">;
  status: number;
  hash: string;
  value: string;
  number: number | null;
  etag: string | null;
  lastModified: string | null;
  previous: string | null;
  /** What came of telling: job ids, or why there are none. */
  told: string[];
  error: string | null;
};
/** As the watch was when the page was compared: who finds another one there keeps only the history. */
export type Compared = { version: number; seen: number };

const SUCCEEDED = "jobs.state = 'done' AND {final}";

/** What a look at the page leaves behind, in the batch of its settle. */
export const keepLook = (ending: Ending, look: Look, compared: Compared, keptMs: number): Statement[] => [
  sql(
    `INSERT INTO watch_checks (watch_id, slot_at, job_id, at, outcome, http_status, missed, number, told, error, previous, value)
     SELECT watches.id, ?2, jobs.id, jobs.finished_at, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
     FROM jobs CROSS JOIN watches ON watches.id = ?1 WHERE jobs.id = ?3 AND ${SUCCEEDED}
     ON CONFLICT (watch_id, slot_at) DO UPDATE SET job_id = excluded.job_id, at = excluded.at, outcome = excluded.outcome,
       http_status = excluded.http_status, number = excluded.number, told = excluded.told, error = excluded.error,
       previous = excluded.previous, value = excluded.value
     WHERE outcome IN ('failed', 'cancelled')`,
    ending.watch,
    ending.slot,
    ending.job,
    look.outcome,
    look.status,
    ending.missed,
    look.number,
    look.told.length > 0 ? JSON.stringify(look.told) : null,
    look.error,
    look.outcome === "changed" ? look.previous : null,
    look.outcome === "unchanged" ? null : look.value,
  ),
  move(ending, "failures = 0, last_error = NULL", SUCCEEDED),
  sql(
    `UPDATE watches SET seen = seen + 1, hash = ?5, value = ?6, number = ?7, etag = ?8, last_modified = ?9,
       changed_at = CASE WHEN ?10 = 'changed' THEN jobs.finished_at ELSE changed_at END,
       checked_at = jobs.finished_at, failures = 0, last_error = NULL
     FROM jobs WHERE watches.id = ?1 AND watches.version = ?3 AND watches.seen = ?4 AND jobs.id = ?2 AND ${SUCCEEDED}`,
    ending.watch,
    ending.job,
    compared.version,
    compared.seen,
    look.hash,
    look.value,
    look.number,
    look.etag,
    look.lastModified,
    look.outcome,
  ),
  sql(
    `DELETE FROM watch_checks WHERE watch_id = ?1 AND slot_at IN (
       SELECT slot_at FROM watch_checks WHERE watch_id = ?1 AND slot_at < {now} - ?2 ORDER BY slot_at LIMIT 50) AND {final}`,
    ending.watch,
    keptMs,
  ),
];

/** For checks that no handler ended: buried, cancelled before they ran, given up after lost workers. */
export async function endChecks(store: Store, token: string, endings: Ending[]): Promise<void> {
  const moves = JSON.stringify(endings.map(({ watch, slot }) => [watch, slot]));
  const mine = `(SELECT chain FROM site_state WHERE id = 1) = '${token.replaceAll("'", "''")}'`;
  await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS m CROSS JOIN watches AS w ON ${STANDS}`, moves),
    ...endings.flatMap((ending) =>
      endCheck(ending, `${mine} AND EXISTS (SELECT 1 FROM watches AS w WHERE w.id = ?1 AND w.due_at = ?2)`),
    ),
  ]);
}
