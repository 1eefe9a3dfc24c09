import { ALERT_KIND, type Change, changesOf, type NoticeType } from "~/domain/alerts/alerts";
import { alertMessage } from "~/domain/alerts/message";
import { channelsOf, shownChannel } from "~/domain/channels";
import { SEND_AHEAD_MS } from "~/domain/limits";
import { capText } from "~/domain/text";
import { readForAlerts } from "~/store/alerts/alerts";
import { type Notice, type NoticeRow, writeNotices } from "~/store/alerts/notices";
import type { NewJob } from "~/store/insert_jobs";
import type { Engine } from "./engine";
import { type Deed, prepare, sendStored } from "./submit";
import { insist } from "./trouble/insist";

const ERROR_BYTES = 500;

/**
 * Asks the rules, and tells what has changed since it was last told. What was told stands in rows, so neither a second
 * sweep nor a new release tells it again.
 */
export async function tellAlerts(engine: Engine): Promise<void> {
  const { rules, observed } = await readForAlerts(engine.store);
  const changes = changesOf(rules, observed);
  if (changes.length === 0) return;
  await engine.seam("alerts: between reading and writing");
  await tell(
    engine,
    changes.map((change) => ({ ...change, alertId: change.alert?.id ?? engine.newId() })),
    observed.now,
  );
}

export type Telling = Omit<Change, "type"> & { type: NoticeType; alertId: string };

/**
 * Writes notices and their jobs, then sends the jobs. Answers the ids of those that were made now. `deed`: of the person who
 * asked for it.
 */
export async function tell(engine: Engine, tellings: Telling[], at: number, deed?: Deed): Promise<string[]> {
  const jobs: NewJob[] = [];
  const notices: Notice[] = [];
  for (const telling of tellings) {
    const { type, alertId, rule, alert, subject, subjectName, n, example } = telling;
    const rows = await rowsOf(engine, telling, at, jobs);
    const notice = { type, alertId, ruleId: rule.id, ruleName: rule.name, subject, subjectName, n, example, rows };
    notices.push({ ...notice, notices: alert?.notices ?? 0 });
  }
  const token = engine.newToken();
  const entry = deed && { ...deed, id: engine.newId() };
  const stored = await insist(engine, "tell alerts", () =>
    writeNotices(engine.store, token, notices, jobs, SEND_AHEAD_MS, entry),
  );
  await engine.seam("alerts: between write and send");
  await sendStored(engine, jobs, stored);
  return stored.map(({ id }) => id);
}

/** One row a channel, and its job; a channel that must not be used any more has a reason instead. */
async function rowsOf(engine: Engine, telling: Telling, at: number, jobs: NewJob[]): Promise<NoticeRow[]> {
  const { type, rule, alertId, alert } = telling;
  const message = alertMessage(type, rule, telling, at);
  const number = (alert?.notices ?? 0) + 1;
  const rows: NoticeRow[] = [];
  for (const channel of channelsOf(rule.channels)) {
    const payload = { channel, message };
    const made = await prepare(engine, [
      {
        kind: ALERT_KIND,
        payload,
        payloadText: JSON.stringify(payload),
        idempotencyKey: `alert/${alertId}/${number}/${channel.type}`,
      },
    ]);
    const row = { channel: channel.type, target: shownChannel(channel), jobId: null, error: null };
    if ("status" in made) {
      const [problem] = made.problems;
      rows.push({ ...row, error: capText(`${problem?.path}: ${problem?.message}`, ERROR_BYTES) });
    } else {
      jobs.push(...made);
      rows.push({ ...row, jobId: (made[0] as NewJob).id });
    }
  }
  return rows.length > 0 ? rows : [NOBODY];
}

const NOBODY: NoticeRow = { channel: null, target: null, jobId: null, error: null };
