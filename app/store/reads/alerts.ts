import { RULES_MAX } from "~/domain/alerts/alerts";
import type { AlertRow, AlertsPage, NoticeShown, RuleRow } from "~/domain/alerts/feeds";
import { channelsOf, shownChannel } from "~/domain/channels";
import { firstLine } from "~/domain/format";
import { PAGE_SIZE } from "~/domain/limits";
import { preview } from "~/domain/text";
import { instant, instantOrNull } from "~/domain/time";
import { shownAddress } from "~/domain/webhooks/webhooks";
import type { alert_notices, alert_rules, alerts } from "../schema/schema";
import { type Rows, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

/** Of one alert, newest first: one that stays open for weeks is reminded of often. */
const NOTICES = 12;

/** All rules, and a page of what they raised: the newest, or those before alert `before`. */
export async function readAlerts(
  store: Store,
  { before, limit = PAGE_SIZE }: { before?: string; limit?: number } = {},
): Promise<AlertsPage> {
  const page = "SELECT id FROM alerts WHERE id < ?1 ORDER BY id DESC LIMIT ?2";
  const from = before ?? "~";
  const [revision, rules = [], found = [], notices = []] = await store.batch([
    REVISION,
    sql(
      `SELECT r.*, (SELECT count(*) FROM alerts INDEXED BY alerts_open WHERE alerts.rule_id = r.id AND cleared_at IS NULL) AS open
       FROM alert_rules AS r ORDER BY r.id LIMIT ${RULES_MAX}`,
    ),
    sql(
      `SELECT a.*, r.condition FROM alerts AS a LEFT JOIN alert_rules AS r ON r.id = a.rule_id
       WHERE a.id < ?1 ORDER BY a.id DESC LIMIT ?2`,
      from,
      limit + 1,
    ),
    sql(
      `SELECT n.*, jobs.view, jobs.attempt - jobs.forgiven AS tries, jobs.last_error
       FROM (${page}) AS p CROSS JOIN alert_notices AS n ON n.alert_id = p.id
         AND n.number > (SELECT notices FROM alerts WHERE alerts.id = p.id) - ${NOTICES}
       LEFT JOIN jobs ON jobs.id = n.job_id ORDER BY n.alert_id, n.number DESC, n.place`,
      from,
      limit,
    ),
  ]);
  const shown = found.slice(0, limit);
  return {
    ...atOf(revision),
    rules: rules.map(ruleRowOf),
    alerts: shown.map((row) =>
      alertRowOf(
        row,
        notices.filter((notice) => notice.alert_id === row.id),
      ),
    ),
    next: found.length > limit ? (shown.at(-1)?.id as string) : null,
  };
}

function ruleRowOf(row: Rows[number]): RuleRow {
  const stored = row as typeof alert_rules.$inferSelect & { open: number };
  return {
    id: stored.id,
    name: stored.name,
    condition: stored.condition,
    kind: stored.kind,
    moreThan: stored.more_than,
    windowMinutes: stored.window_minutes,
    remindMinutes: stored.remind_minutes,
    tells: channelsOf(JSON.parse(stored.channels)).map((channel) => ({
      type: channel.type,
      target: shownChannel(channel),
    })),
    version: stored.version,
    disabledAt: instantOrNull(stored.disabled_at),
    open: stored.open,
  };
}

function alertRowOf(row: Rows[number], notices: Rows): AlertRow {
  const stored = row as typeof alerts.$inferSelect & Pick<AlertRow, "condition">;
  return {
    id: stored.id,
    ruleId: stored.rule_id,
    ruleName: stored.rule_name,
    condition: stored.condition,
    subject: stored.subject || null,
    subjectName: stored.subject_name,
    openedAt: instant(stored.opened_at),
    clearedAt: instantOrNull(stored.cleared_at),
    n: stored.n,
    example: stored.example,
    notices: notices.map(noticeOf),
  };
}

const ERROR_CHARS = 200;

function noticeOf(row: Rows[number]): NoticeShown {
  const stored = row as typeof alert_notices.$inferSelect &
    Pick<NoticeShown, "view" | "tries"> & { last_error: string | null };
  const error = stored.error ?? stored.last_error;
  return {
    number: stored.number,
    type: stored.type,
    at: instant(stored.at),
    n: stored.n,
    channel: stored.channel,
    // What an earlier release wrote told the path as well.
    target: stored.target && shownAddress(stored.target),
    jobId: stored.job_id,
    view: stored.view,
    tries: stored.tries,
    error: error === null ? null : preview(firstLine(error), ERROR_CHARS),
  };
}
