import type { Fate } from "~/domain/schedules/schedule";
import { CHAINED, open } from "../chain";
import { countRows, type Inserted, insertRows, type NewJob, readRows } from "../insert_jobs";
import { type Store, sql } from "../store";

/** What a sweep makes of one due schedule. */
export type Firing = {
  id: string;
  /** As it was read: who finds another slot or version there changes nothing. */
  dueAt: number;
  version: number;
  /** null: it has none, and `error` says why. */
  next: number | null;
  error: string | null;
  slots: FiredSlot[];
  /** Older slots than this are dropped. */
  keepFrom: number;
};
export type FiredSlot = {
  at: number;
  fate: Fate;
  through: number | null;
  n: number | null;
  /** The job that this very batch is to store for it. */
  jobId: string | null;
  error: string | null;
};

/** `m` is [schedule, due slot, version …]: the schedule still stands where it was read. */
const STANDS = `schedules.id = m.value->>0 AND schedules.due_at = m.value->>1 AND schedules.version = m.value->>2
  AND schedules.paused_at IS NULL`;

/** The index is named: another one holds the finished jobs of a schedule too. */
const UNFINISHED = `SELECT 1 FROM jobs AS busy INDEXED BY jobs_of_schedule
  WHERE busy.schedule_id = schedules.id AND busy.finished_at IS NULL`;
/** True where nothing keeps a schedule from having one more job. */
export const FREE = `(schedules.overlap = 'allow' OR NOT EXISTS (${UNFINISHED}))`;

/** Of ?5, the schedules of this batch. A slot that finds an earlier job unfinished gets none. */
const WHICH = `EXISTS (SELECT 1 FROM json_each(?5) AS m CROSS JOIN schedules ON ${STANDS}
  WHERE m.value->>0 = o.value->>12 AND ${FREE})`;

/** Rows dropped a schedule and sweep. */
const DROPPED = 200;

/**
 * Makes the jobs of due slots, keeps what became of each slot, and moves the schedules on: one transaction. Of two sweeps
 * at once, one finds a schedule where it was read. Safe to send again.
 */
export async function fireSlots(
  store: Store,
  token: string,
  firings: Firing[],
  jobs: NewJob[],
  aheadMs: number,
): Promise<Inserted["stored"]> {
  const moves = JSON.stringify(
    firings.map(({ id, dueAt, version, next, error, keepFrom }) => [id, dueAt, version, next, error, keepFrom]),
  );
  const slots = JSON.stringify(
    firings.flatMap(({ id, slots }) =>
      slots.map(({ at, fate, through, n, jobId, error }) => [id, at, fate, through, n, jobId, error]),
    ),
  );
  const results = await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS m CROSS JOIN schedules ON ${STANDS}`, moves),
    ...(jobs.length > 0 ? insertRows(token, jobs, aheadMs, WHICH, moves) : []),
    countRows(token, jobs),
    // A job that was not stored just now found an earlier one in its way.
    sql(
      `INSERT INTO slots (schedule_id, slot_at, fate, decided_at, through_at, n, job_id, error)
       SELECT schedules.id, o.value->>1,
         CASE WHEN o.value->>5 IS NULL OR jobs.id IS NOT NULL THEN o.value->>2 ELSE 'overlapped' END,
         batch.clock, o.value->>3, o.value->>4, jobs.id, o.value->>6
       FROM ${CHAINED} AS batch CROSS JOIN json_each(?2) AS m CROSS JOIN schedules ON ${STANDS}
       CROSS JOIN json_each(?3) AS o ON o.value->>0 = schedules.id LEFT JOIN jobs ON jobs.id = o.value->>5
       WHERE true ON CONFLICT DO NOTHING`,
      token,
      moves,
      slots,
    ),
    sql(
      `DELETE FROM slots WHERE (schedule_id, slot_at) IN (
         SELECT old.schedule_id, old.slot_at FROM ${CHAINED} CROSS JOIN json_each(?2) AS m CROSS JOIN slots AS old
         ON old.schedule_id = m.value->>0 AND old.slot_at < m.value->>5 LIMIT ?3)`,
      token,
      moves,
      DROPPED * firings.length,
    ),
    sql(
      `UPDATE schedules SET due_at = m.value->>3, error = m.value->>4,
         error_at = CASE WHEN m.value->>4 IS NOT NULL THEN batch.clock END
       FROM ${CHAINED} AS batch CROSS JOIN json_each(?2) AS m WHERE ${STANDS}`,
      token,
      moves,
    ),
    readRows(token, jobs),
  ]);
  return results.at(-1) as Inserted["stored"];
}
