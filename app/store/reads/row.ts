import type { JobRow } from "~/domain/feeds";
import { triesOf } from "~/domain/states";
import { instant, instantOrNull } from "~/domain/time";
import { RUNNING } from "../limits";
import type { Rows } from "../store";

/** Characters of an error that leave D1 for a list, and those that the line of a wide screen has room for. */
const LIST_ERROR_CHARS = 200;
const LINE_ERROR_CHARS = 120;

const SHARED = `jobs.id, jobs.kind, jobs.lane, jobs.state, jobs.view, jobs.label, jobs.attempt, jobs.forgiven,
  jobs.max_attempts, jobs.generation, jobs.run_at, jobs.created_at, jobs.leased_at, jobs.finished_at, jobs.cause,
  jobs.state = 'pending' AND jobs.held_at IS NOT NULL AS held_by_group`;

/** A list never touches payloads and results, and of an error only its beginning leaves D1. */
export const LIST_COLUMNS = `${SHARED}, substr(jobs.last_error, 1, ${LIST_ERROR_CHARS}) AS last_error`;
export const DETAIL_COLUMNS = `${SHARED}, jobs.last_error, jobs.payload, jobs.result, jobs.progress, jobs.idempotency_key,
  jobs.expires_at, jobs.group_key, jobs.sent_at, jobs.lease_until, jobs.cancel_requested_at, jobs.fanout_id, jobs.edited_from, jobs.schedule_id, jobs.slot_at, jobs.operation_id,
  (SELECT paused_at FROM kinds WHERE kinds.name = jobs.kind) AS paused_at,
  (SELECT pause_reason FROM kinds WHERE kinds.name = jobs.kind) AS pause_reason,
  jobs.held_at, (SELECT limits FROM kinds WHERE kinds.name = jobs.kind) AS limits,
  ${RUNNING("jobs.kind")} AS kind_running,
  (SELECT json_object('level', level, 'perMs', per_ms, 'at', at) FROM rate_buckets WHERE rate_buckets.kind = jobs.kind) AS bucket,
  (SELECT name FROM schedules WHERE schedules.id = jobs.schedule_id) AS schedule_name`;

export function jobRowOf(row: Rows[number]): JobRow {
  const job = row as unknown as Stored;
  return {
    id: job.id,
    kind: job.kind,
    lane: job.lane,
    state: job.state,
    view: job.view,
    label: job.label,
    attempt: job.attempt,
    tries: triesOf(job),
    maxAttempts: job.max_attempts,
    generation: job.generation,
    runAt: instant(job.run_at),
    createdAt: instant(job.created_at),
    startedAt: instantOrNull(job.leased_at),
    finishedAt: instantOrNull(job.finished_at),
    lastError: job.last_error,
    cause: job.cause,
    heldByGroup: job.held_by_group === 1,
  };
}

/** Without what no row on a screen shows: the rest stands on the job's own page. */
export function briefRowOf(row: Rows[number]): JobRow {
  const job = jobRowOf(row);
  const lastError = job.lastError && [...job.lastError].slice(0, LINE_ERROR_CHARS).join("");
  return { ...job, lastError, cause: null };
}

type Stored = Pick<JobRow, "id" | "kind" | "lane" | "state" | "view" | "label" | "attempt" | "generation" | "cause"> & {
  forgiven: number;
  max_attempts: number;
  run_at: number;
  created_at: number;
  leased_at: number | null;
  finished_at: number | null;
  last_error: string | null;
  held_by_group: number;
};
