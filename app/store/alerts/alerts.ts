import { ALERT_KIND, type Observed, type OpenAlert, type Rule, WINDOW_MINUTES_MAX } from "~/domain/alerts/alerts";
import { MADE_BEFORE } from "../prunes";
import { type Rows, type Statement, type Store, sql } from "../store";

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
