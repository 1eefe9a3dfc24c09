import {
  ALERT_KIND,
  type NoticeType,
  type Observed,
  type OpenAlert,
  type Rule,
  WINDOW_MINUTES_MAX,
} from "~/domain/alerts";
import type { ChannelType } from "~/domain/channels";
import { CHAINED, open } from "./chain";
import { countRows, type Inserted, insertRows, type NewJob, readRows } from "./insert_jobs";
import { type Rows, type Statement, type Store, sql } from "./store";

/** The longest window of a rule that is on, from now, to the minute. */
const SINCE = `({now} / 60000 * 60000 - (SELECT max(window_minutes) FROM alert_rules WHERE disabled_at IS NULL) * 60000)`;
const MISSED = "fate IN ('late', 'skipped', 'failed')";
/** Newest rows that the rules are asked of: more than the highest threshold, so what they say is true. */
const ROWS = 2_000;

/** The longest window that a rule can have. */
const LONGEST = `{now} - ${(WINDOW_MINUTES_MAX + 1) * 60_000}`;

/** One row where rules may have something to say: a cheap look, part of every sweep's first call. */
export const lookForAlerts: Statement = sql(
  `SELECT 1 WHERE EXISTS (SELECT 1 FROM alerts INDEXED BY alerts_open WHERE cleared_at IS NULL)
     OR EXISTS (SELECT 1 FROM deaths WHERE minute >= ${LONGEST} AND kind <> '${ALERT_KIND}')
     OR EXISTS (SELECT 1 FROM dead_letters INDEXED BY dead_letters_at WHERE at >= ${LONGEST})
     OR EXISTS (SELECT 1 FROM slots INDEXED BY slots_missed WHERE ${MISSED} AND decided_at >= ${LONGEST})`,
);

const KEPT_DEATHS_MS = 48 * 3_600_000;
const KEPT_ALERTS_MS = 400 * 86_400_000;
/** Ids tell the time at which they were made. */
const MADE_BEFORE = `printf('%08x-%04x', ({now} - ?1) / 65536, ({now} - ?1) % 65536)`;

/** Drops what no rule and no page asks for any more, a bounded part of it. */
export const pruneAlerts: Statement[] = [
  sql(
    `DELETE FROM deaths WHERE (minute, cause) IN (
       SELECT minute, cause FROM deaths WHERE minute < {now} - ?1 ORDER BY minute LIMIT 5000)`,
    KEPT_DEATHS_MS,
  ),
  sql(
    `DELETE FROM alert_notices WHERE (alert_id, number, place) IN (
       SELECT alert_id, number, place FROM alert_notices WHERE alert_id < ${MADE_BEFORE} ORDER BY alert_id LIMIT 1000)`,
    KEPT_ALERTS_MS,
  ),
  sql(
    `DELETE FROM alerts WHERE cleared_at IS NOT NULL AND id IN (
       SELECT id FROM alerts WHERE id < ${MADE_BEFORE} ORDER BY id LIMIT 1000)`,
    KEPT_ALERTS_MS,
  ),
];

const RULE_COLUMNS = `id, name, condition, kind, more_than AS moreThan, window_minutes AS windowMinutes,
  remind_minutes AS remindMinutes, channels, origin`;

export const ruleOf = (row: Rows[number]): Rule => ({ ...row, channels: JSON.parse(row.channels as string) }) as Rule;

/** The rules that are on, and what they are asked of. Jobs are not counted here: their deaths were, as they died. */
export async function readForAlerts(store: Store): Promise<{ rules: Rule[]; observed: Observed }> {
  const [clock, rules = [], deaths, letters, missed, alerts] = await store.batch([
    sql("SELECT {now} AS now"),
    sql(`SELECT ${RULE_COLUMNS} FROM alert_rules WHERE disabled_at IS NULL ORDER BY id`),
    sql(
      `SELECT minute, cause, kind, n, example FROM deaths WHERE minute >= ${SINCE} AND kind <> '${ALERT_KIND}'
       ORDER BY minute DESC LIMIT ${ROWS}`,
    ),
    sql(
      `SELECT at, job_id AS jobId FROM dead_letters INDEXED BY dead_letters_at WHERE at >= ${SINCE} ORDER BY at DESC LIMIT ${ROWS}`,
    ),
    sql(
      `SELECT slots.decided_at AS at, slots.schedule_id AS schedule, schedules.name, coalesce(slots.n, 1) AS n, slots.job_id AS jobId
       FROM slots INDEXED BY slots_missed LEFT JOIN schedules ON schedules.id = slots.schedule_id
       WHERE ${MISSED} AND slots.decided_at >= ${SINCE} ORDER BY slots.decided_at DESC LIMIT ${ROWS}`,
    ),
    sql(
      `SELECT id, rule_id AS ruleId, subject, subject_name AS subjectName, told_at AS toldAt, notices, example
       FROM alerts INDEXED BY alerts_open WHERE cleared_at IS NULL`,
    ),
  ]);
  return {
    rules: rules.map(ruleOf),
    observed: {
      now: clock?.[0]?.now as number,
      deaths: deaths as Observed["deaths"],
      letters: letters as Observed["letters"],
      missed: missed as Observed["missed"],
      open: alerts as OpenAlert[],
    },
  };
}

export type StoredRule = Rule & { version: number; disabledAt: number | null };

export async function findRule(store: Store, id: string): Promise<StoredRule | null> {
  const [rows] = await store.batch([
    sql(`SELECT ${RULE_COLUMNS}, version, disabled_at AS disabledAt FROM alert_rules WHERE id = ?1`, id),
  ]);
  return rows?.[0] ? (ruleOf(rows[0]) as StoredRule) : null;
}

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

/** `m` is [alert, rule, name, subject, subject name, notices before, n, example, type]. */
const encode = (notices: Notice[]): string =>
  JSON.stringify(
    notices.map((m) => [m.alertId, m.ruleId, m.ruleName, m.subject, m.subjectName, m.notices, m.n, m.example, m.type]),
  );
/** The rule is on, and no alert of it stands open for the subject. A test stands for itself. */
const OPENS = `m.value->>8 IN ('alert', 'test') AND EXISTS (SELECT 1 FROM alert_rules AS r
    WHERE r.id = m.value->>1 AND (r.disabled_at IS NULL OR m.value->>8 = 'test'))
  AND NOT EXISTS (SELECT 1 FROM alerts AS a WHERE a.id = m.value->>0)
  AND (m.value->>8 = 'test' OR NOT EXISTS (SELECT 1 FROM alerts AS a INDEXED BY alerts_open
    WHERE a.rule_id = m.value->>1 AND a.subject = m.value->>3 AND a.cleared_at IS NULL))`;
/** It is still open, and told as often as it was read. */
const GOES_ON = `m.value->>8 IN ('reminder', 'clear') AND alerts.id = m.value->>0 AND alerts.notices = m.value->>5
  AND alerts.cleared_at IS NULL`;
/** Moved by this batch. */
const TOLD = (m: string) => `alerts.id = ${m}.value->>0 AND alerts.token = ?1`;

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
): Promise<Inserted["stored"]> {
  const changes = encode(notices);
  const rows = JSON.stringify(
    notices.flatMap(({ alertId, rows }) =>
      rows.map(({ channel, target, jobId, error }, place) => [alertId, place, channel, target, jobId, error]),
    ),
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
       FROM ${CHAINED} AS batch CROSS JOIN json_each(?2) AS m WHERE ${GOES_ON}`,
      token,
      changes,
    ),
    sql(
      `INSERT INTO alert_notices (alert_id, number, place, type, at, n, channel, target, job_id, error)
       SELECT alerts.id, alerts.notices, o.value->>1, m.value->>8, clock, m.value->>6, o.value->>2, o.value->>3, o.value->>4, o.value->>5
       FROM ${CHAINED} CROSS JOIN json_each(?2) AS m CROSS JOIN alerts ON ${TOLD("m")}
       CROSS JOIN json_each(?3) AS o ON o.value->>0 = alerts.id WHERE true ON CONFLICT DO NOTHING`,
      token,
      changes,
      rows,
    ),
    ...(jobs.length > 0
      ? insertRows(
          token,
          jobs,
          aheadMs,
          `EXISTS (SELECT 1 FROM json_each(?5) AS r CROSS JOIN alerts ON ${TOLD("r")} WHERE r.value->>4 = o.value->>0)`,
          rows,
        )
      : []),
    countRows(token, jobs),
    readRows(token, jobs),
  ]);
  return results.at(-1) as Inserted["stored"];
}
