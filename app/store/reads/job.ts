import type { AttemptRow, AuditRow, JobDetail, RunRow } from "~/domain/feeds";
import { jobWithoutPayload, type Reader } from "~/domain/people/hidden";
import { type Hide, hiderOf, maskedJson } from "~/domain/secrets";
import { instant, instantOrNull } from "~/domain/time";
import { type Rows, type Store, sql } from "../store";
import { type Holding, heldBy } from "./held";
import { historyOf, historyStatement } from "./job_history";
import { atOf, REVISION } from "./revision";
import { DETAIL_COLUMNS, jobRowOf } from "./row";
import { fanoutFrom, fanoutStatements } from "./webhooks";

/** Attempts that a job comes with. */
export const ATTEMPT_ROWS = 20;
/** Characters of error, stack and log that come of each but the first of them. */
const TEXT_CHARS = 2_000;

/**
 * Everything about one job, or null, without its secrets: the only read of a payload that is shown, to whoever may
 * see payloads. Attempts are the newest ones up to number `upTo`.
 */
export async function readJob(
  store: Store,
  id: string,
  reader: Reader,
  upTo: number | null = null,
): Promise<JobDetail | null> {
  return (await read(store, id, reader, upTo, false))?.job ?? null;
}

/** The same with the newest runs of the job's kind beside it. */
export const readJobPage = (store: Store, id: string, reader: Reader, upTo: number | null) =>
  read(store, id, reader, upTo, true);

async function read(
  store: Store,
  id: string,
  { known, payloads }: Reader,
  upTo: number | null,
  withRuns: boolean,
): Promise<{ job: JobDetail; runs: RunRow[] } | null> {
  const [revision, jobs, attempts, history = [], ...fanout] = await store.batch([
    REVISION,
    sql(`SELECT ${DETAIL_COLUMNS} FROM jobs WHERE id = ?`, id),
    attemptsOf(id, upTo),
    historyStatement(id, withRuns),
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
  const { runs, ...others } = historyOf(history, hide);
  const detail: JobDetail = {
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
    held: due ? heldBy(job, rules, Date.parse(at.now)) : null,
    attempts: (attempts ?? []).map((row) => withoutSecrets(attemptRowOf(row), hide)),
    ...others,
    schedule:
      job.schedule_id === null
        ? null
        : { id: job.schedule_id, name: job.schedule_name, slotAt: instantOrNull(job.slot_at) },
    fanoutId: job.fanout_id,
    operationId: job.operation_id,
    editedFrom: job.edited_from,
    fanout: fanoutFrom(job, jsonOr(job.payload), fanout),
  };
  return { job: payloads ? detail : jobWithoutPayload(detail), runs };
}

/** However many there are and however much they say: of all but the first only the beginning leaves D1. */
const attemptsOf = (id: string, upTo: number | null) => {
  const texts = ["error", "stack", "log"];
  const begun = texts.map(
    (name) => `CASE WHEN number = top.n THEN ${name} ELSE substr(${name}, 1, ${TEXT_CHARS}) END AS ${name}`,
  );
  const cut = texts.map((name) => `coalesce(length(${name}), 0) > ${TEXT_CHARS}`).join(" OR ");
  return sql(
    `SELECT number, generation, trigger, started_at, finished_at, waited_ms, outcome, app_version, ${begun.join(", ")},
       number <> top.n AND (${cut}) AS cut
     FROM (SELECT max(number) AS n FROM attempts WHERE job_id = ?1 AND number <= ?2) AS top CROSS JOIN attempts
     WHERE job_id = ?1 AND number <= ?2 ORDER BY number DESC LIMIT ${ATTEMPT_ROWS}`,
    id,
    upTo ?? Number.MAX_SAFE_INTEGER,
  );
};

/** A result that was cut to its limit is no JSON any more: then its text is shown. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** They were left out when it ran; of what ran before its kind called them secret, they are now. */
export function withoutSecrets(attempt: AttemptRow, hide: Hide): AttemptRow {
  const [error, stack, log] = [attempt.error, attempt.stack, attempt.log].map(
    (text) => text && hide(text, attempt.cut && text.length >= TEXT_CHARS),
  );
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
    cut: row.cut === 1,
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

type Stored = Holding & {
  id: string;
  edited_from: string | null;
  fanout_id: string | null;
  operation_id: string | null;
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
