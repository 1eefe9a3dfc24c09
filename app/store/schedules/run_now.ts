import { auditRow, type Entry, openOnce } from "../audit";
import { countRows, type Inserted, insertRows, type NewJob, readRows } from "../insert_jobs";
import { type Store, sql } from "../store";
import { FREE } from "./firings";

export type RanNow = {
  stored: Inserted["stored"];
  /** The unfinished job that keeps it from running, where its overlap policy is skip. */
  busy: string | null;
  /** The schedule is stored. */
  known: number;
  /** Who has the idempotency key, if the call had one. */
  holder: string | null;
};

/** One job outside of all slots, made by a person. Its overlap policy is asked in the same transaction. */
export async function runNow(
  store: Store,
  token: string,
  id: string,
  job: NewJob,
  entry: Entry,
  aheadMs: number,
): Promise<RanNow> {
  const results = await store.batch([
    openOnce(
      token,
      entry.id,
      `SELECT 1 FROM schedules WHERE id = ?2 AND ${FREE} AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ?3)
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE idempotency_key = ?4)`,
      id,
      job.id,
      job.key,
    ),
    ...insertRows(token, [job], aheadMs),
    countRows(token, [job]),
    auditRow(token, { ...entry, scheduleId: id, jobId: job.id }),
    sql(
      `SELECT EXISTS (SELECT 1 FROM schedules WHERE id = ?1) AS known,
         (SELECT jobs.id FROM schedules CROSS JOIN jobs ON jobs.schedule_id = schedules.id
          WHERE schedules.id = ?1 AND NOT ${FREE} AND jobs.finished_at IS NULL LIMIT 1) AS busy,
         (SELECT jobs.id FROM jobs WHERE idempotency_key = ?2) AS holder`,
      id,
      job.key,
    ),
    readRows(token, [job]),
  ]);
  const [found, stored] = results.slice(-2) as [[Omit<RanNow, "stored">], Inserted["stored"]];
  return { ...found[0], stored };
}
