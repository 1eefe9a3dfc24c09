import type { AttemptRow, AuditRow, JobDetail, RefusalRow } from "~/domain/feeds";
import { type Hide, hiderOf, type KnownKinds, maskedJson } from "~/domain/secrets";
import { instant, instantOrNull } from "~/domain/time";
import { type Rows, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";
import { DETAIL_COLUMNS, jobRowOf } from "./row";
import { fanoutFrom, fanoutStatements } from "./webhooks";

/** Attempts, refusals and audit rows that a job comes with: the newest of each. Older attempts exist while `attempt` is higher. */
export const HISTORY_ROWS = 100;

/**
 * Everything about one job, or null, without its secrets: the only read of a payload that is shown. `known` are the
 * kinds that the running code can run.
 */
export async function readJob(store: Store, id: string, known: KnownKinds): Promise<JobDetail | null> {
  const [revision, jobs, attempts, refusals, audit, kinds, ...fanout] = await store.batch([
    REVISION,
    sql(`SELECT ${DETAIL_COLUMNS} FROM jobs WHERE id = ?`, id),
    sql(`SELECT * FROM attempts WHERE job_id = ? ORDER BY number DESC LIMIT ?`, id, HISTORY_ROWS),
    sql(`SELECT * FROM refusals WHERE job_id = ? ORDER BY number DESC, token LIMIT ?`, id, HISTORY_ROWS),
    sql(`SELECT * FROM audit WHERE job_id = ? ORDER BY id DESC LIMIT ?`, id, HISTORY_ROWS),
    sql("SELECT * FROM kinds WHERE name = (SELECT kind FROM jobs WHERE id = ?)", id),
    ...fanoutStatements(id),
  ]);
  const job = jobs?.[0] as (Rows[number] & Stored) | undefined;
  if (!job) return null;
  const at = atOf(revision);
  const rules = known.get(job.kind);
  const payloadText = maskedJson(job.payload, rules);
  const hide = hiderOf(job.payload, rules);
  const orNull = (text: string | null) => (text === null ? null : hide(text));
  const due = job.state === "pending" && job.run_at <= Date.parse(at.now);
  return {
    ...at,
    ...jobRowOf({ ...job, last_error: orNull(job.last_error) }),
    payload: jsonOr(payloadText),
    payloadText,
    result: job.result === null ? null : jsonOr(hide(job.result)),
    progress: orNull(job.progress),
    idempotencyKey: job.idempotency_key,
    expiresAt: instantOrNull(job.expires_at),
    groupKey: job.group_key,
    sentAt: instantOrNull(job.sent_at),
    leaseUntil: instantOrNull(job.lease_until),
    cancelRequestedAt: instantOrNull(job.cancel_requested_at),
    held: due ? heldBy(kinds?.[0] as PausedKind | undefined, rules !== undefined) : null,
    attempts: (attempts ?? []).map((row) => withoutSecrets(attemptRowOf(row), hide)),
    refusals: (refusals ?? []).map(
      (row) =>
        ({
          number: row.number,
          at: instant(row.at as number),
          outcome: row.outcome,
          error: orNull(row.error as string | null),
        }) as RefusalRow,
    ),
    audit: (audit ?? []).map(auditRowOf),
    schedule:
      job.schedule_id === null
        ? null
        : { id: job.schedule_id, name: job.schedule_name, slotAt: instantOrNull(job.slot_at) },
    fanoutId: job.fanout_id,
    fanout: fanoutFrom(job, jsonOr(job.payload), fanout),
  };
}

/** A kind that nobody here can run holds its jobs whether it is paused or not: resuming it would not help. */
function heldBy(kind: PausedKind | undefined, known: boolean): JobDetail["held"] {
  if (!known) return { by: "unknown-kind", reason: null, since: null };
  if (!kind?.paused_at) return null;
  return { by: "paused", reason: kind.pause_reason, since: instant(kind.paused_at) };
}

/** A result that was cut to its limit is no JSON any more: then its text is shown. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** They were left out when it ran; of what ran before its kind called them secret, they are now. */
function withoutSecrets(attempt: AttemptRow, hide: Hide): AttemptRow {
  const [error, stack, log] = [attempt.error, attempt.stack, attempt.log].map((text) => text && hide(text));
  return { ...attempt, error: error ?? null, stack: stack ?? null, log: log ?? null };
}

export function attemptRowOf(row: Rows[number]): AttemptRow {
  const { started_at: started, finished_at: finished } = row as { started_at: number; finished_at: number };
  return {
    number: row.number,
    generation: row.generation,
    trigger: row.trigger,
    startedAt: instant(started),
    finishedAt: instant(finished),
    waitedMs: row.waited_ms,
    ranMs: Math.max(0, finished - started),
    outcome: row.outcome,
    error: row.error,
    stack: row.stack,
    log: row.log,
    appVersion: row.app_version,
  } as AttemptRow;
}

export const auditRowOf = (row: Rows[number]): AuditRow =>
  ({
    id: row.id,
    at: instant(row.at as number),
    actor: row.actor,
    action: row.action,
    jobId: row.job_id,
    before: row.before,
    after: row.after,
    reason: row.reason,
  }) as AuditRow;

type PausedKind = { paused_at: number | null; pause_reason: string | null };
type Stored = {
  id: string;
  fanout_id: string | null;
  schedule_id: string | null;
  schedule_name: string | null;
  slot_at: number | null;
  state: string;
  kind: string;
  last_error: string | null;
  run_at: number;
  payload: string;
  result: string | null;
  progress: string | null;
  idempotency_key: string | null;
  expires_at: number | null;
  group_key: string | null;
  sent_at: number | null;
  lease_until: number | null;
  cancel_requested_at: number | null;
};
