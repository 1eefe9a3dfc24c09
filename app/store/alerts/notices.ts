import type { NoticeType } from "~/domain/alerts/alerts";
import type { ChannelType } from "~/domain/channels";
import { auditRow, type Entry } from "../audit";
import { CHAINED, open } from "../chain";
import { countRows, type Inserted, insertRows, type NewJob, readRows } from "../insert_jobs";
import { type Store, sql } from "../store";

/** One channel's share of a notice. `jobId`: of the job that this very batch is to store. */
export type NoticeRow = {
  channel: ChannelType | null;
  target: string | null;
  jobId: string | null;
  error: string | null;
};
/** What becomes of an alert in one write. `notices`: told so often before, as it was read. */
export type Notice = {
  type: NoticeType;
  alertId: string;
  ruleId: string;
  ruleName: string;
  subject: string;
  subjectName: string | null;
  notices: number;
  n: number;
  example: string | null;
  rows: NoticeRow[];
};

/** `m` is [alert, rule, name, subject, subject name, notices before, n, example, type, rows], a row [channel, target, job, error]. */
const encode = (notices: Notice[]): string =>
  JSON.stringify(
    notices.map((m) => [
      ...[m.alertId, m.ruleId, m.ruleName, m.subject, m.subjectName, m.notices, m.n, m.example, m.type],
      m.rows.map(({ channel, target, jobId, error }) => [channel, target, jobId, error]),
    ]),
  );
/** The rule is on, and no alert of it stands open for the subject. A test stands for itself. */
const OPENS = `m.value->>8 IN ('alert', 'test') AND EXISTS (SELECT 1 FROM alert_rules AS r
    WHERE r.id = m.value->>1 AND (r.disabled_at IS NULL OR m.value->>8 = 'test'))
  AND NOT EXISTS (SELECT 1 FROM alerts AS a WHERE a.id = m.value->>0)
  AND (m.value->>8 = 'test' OR NOT EXISTS (SELECT 1 FROM alerts AS a INDEXED BY alerts_open
    WHERE a.rule_id = m.value->>1 AND a.subject = m.value->>3 AND a.cleared_at IS NULL))`;
/** It is still open, and told as often as it was read. Found by its id, never among all that are open. */
const GOES_ON = `m.value->>8 IN ('reminder', 'clear') AND alerts.id = m.value->>0 AND alerts.notices = m.value->>5
  AND +alerts.cleared_at IS NULL`;

/**
 * Writes what has changed together with the jobs that tell of it, in one transaction: of two sweeps that found the same,
 * one writes and one finds it written. Safe to send again.
 */
export async function writeNotices(
  store: Store,
  token: string,
  notices: Notice[],
  jobs: NewJob[],
  aheadMs: number,
  entry?: Entry,
): Promise<Inserted["stored"]> {
  const changes = encode(notices);
  const alertOf = JSON.stringify(
    Object.fromEntries(notices.flatMap(({ alertId, rows }) => rows.map(({ jobId }) => [jobId, alertId]))),
  );
  const results = await store.batch([
    open(
      token,
      `SELECT 1 FROM json_each(?2) AS m WHERE ${OPENS} UNION ALL SELECT 1 FROM json_each(?2) AS m CROSS JOIN alerts ON ${GOES_ON}`,
      changes,
    ),
    sql(
      `INSERT INTO alerts (id, rule_id, rule_name, subject, subject_name, opened_at, told_at, notices, n, example, cleared_at, token)
       SELECT m.value->>0, m.value->>1, m.value->>2, m.value->>3, m.value->>4, clock, clock, 1, m.value->>6, m.value->>7,
         CASE WHEN m.value->>8 = 'test' THEN clock END, ?1
       FROM ${CHAINED} CROSS JOIN json_each(?2) AS m WHERE ${OPENS} ON CONFLICT DO NOTHING`,
      token,
      changes,
    ),
    sql(
      `UPDATE alerts SET told_at = batch.clock, notices = notices + 1, n = m.value->>6, example = m.value->>7, token = ?1,
         cleared_at = CASE WHEN m.value->>8 = 'clear' THEN batch.clock END
       FROM json_each(?2) AS m CROSS JOIN ${CHAINED} AS batch WHERE ${GOES_ON}`,
      token,
      changes,
    ),
    sql(
      `INSERT INTO alert_notices (alert_id, number, place, type, at, n, channel, target, job_id, error)
       SELECT alerts.id, alerts.notices, o.key, m.value->>8, clock, m.value->>6, o.value->>0, o.value->>1, o.value->>2, o.value->>3
       FROM ${CHAINED} CROSS JOIN json_each(?2) AS m CROSS JOIN alerts ON alerts.id = m.value->>0 AND alerts.token = ?1
       CROSS JOIN json_each(m.value, '$[9]') AS o WHERE true ON CONFLICT DO NOTHING`,
      token,
      changes,
    ),
    ...(entry ? [auditRow(token, entry)] : []),
    ...(jobs.length > 0
      ? insertRows(
          token,
          jobs,
          aheadMs,
          // Of an alert that this batch has moved.
          "EXISTS (SELECT 1 FROM alerts WHERE alerts.id = ?5->>(o.value->>0) AND alerts.token = ?1)",
          alertOf,
        )
      : []),
    countRows(token, jobs),
    readRows(token, jobs),
  ]);
  return results.at(-1) as Inserted["stored"];
}
