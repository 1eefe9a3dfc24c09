import { type Reader, scheduleWithoutPayload } from "~/domain/people/hidden";
import type { ScheduleDetail } from "~/domain/schedules/feeds";
import { previewOf } from "~/domain/schedules/preview";
import { timingOf } from "~/domain/schedules/schedule";
import { maskedJson } from "~/domain/secrets";
import type { View } from "~/domain/states";
import { instant, instantOrNull } from "~/domain/time";
import type { ScheduleRecord } from "../schema/schema";
import { type Store, sql } from "../store";
import { auditRowOf } from "./job";
import { atOf, REVISION } from "./revision";
import { scheduleRowOf, timesOf } from "./schedules";

/** Slots and audit entries that a schedule comes with, and unfinished jobs: the newest of each. */
const SLOTS = 200;
const AUDIT = 50;
const UNFINISHED = 50;

/** Everything about one schedule, or null; its payload without secrets, for whoever may see payloads. */
export async function readSchedule(
  store: Store,
  id: string,
  { known, payloads }: Reader,
): Promise<ScheduleDetail | null> {
  const newest = `SELECT * FROM slots WHERE schedule_id = ?1 ORDER BY slot_at DESC LIMIT ${SLOTS}`;
  const [revision, found, slots = [], views = [], unfinished = [], audit = []] = await store.batch([
    REVISION,
    sql("SELECT * FROM schedules WHERE id = ?1", id),
    sql(newest, id),
    sql(`SELECT jobs.id, jobs.view FROM (${newest}) AS s CROSS JOIN jobs ON jobs.id = s.job_id`, id),
    sql(
      `SELECT id, view, slot_at AS slotAt FROM jobs INDEXED BY jobs_of_schedule
       WHERE schedule_id = ?1 AND finished_at IS NULL ORDER BY id DESC LIMIT ${UNFINISHED}`,
      id,
    ),
    sql(`SELECT * FROM audit WHERE schedule_id = ?1 ORDER BY id DESC LIMIT ${AUDIT}`, id),
  ]);
  const stored = found?.[0] as ScheduleRecord | undefined;
  if (!stored) return null;
  const at = atOf(revision);
  const payloadText = maskedJson(stored.payload, known.get(stored.kind));
  const detail: ScheduleDetail = {
    ...at,
    ...scheduleRowOf(stored, slots),
    payload: jsonOr(payloadText),
    payloadText,
    priority: stored.priority,
    maxAttempts: stored.max_attempts,
    missed: stored.missed,
    missedMax: stored.missed_max,
    overlap: stored.overlap,
    createdAt: instant(stored.created_at),
    updatedAt: instant(stored.updated_at),
    preview: previewOrNull(stored, Date.parse(at.now)),
    jobs: Object.fromEntries(views.map(({ id, view }) => [id as string, view as View])),
    unfinished: unfinished.map((job) => ({
      id: job.id as string,
      view: job.view as View,
      slotAt: instantOrNull(job.slotAt as number | null),
    })),
    audit: audit.map(auditRowOf),
  };
  return payloads ? detail : scheduleWithoutPayload(detail);
}

/** A row that somebody put there by hand may have no zone that exists: its page shows the rest. */
function previewOrNull(stored: ScheduleRecord, now: number): ScheduleDetail["preview"] {
  try {
    return previewOf(timingOf(timesOf(stored)), stored.time_zone, now);
  } catch {
    return null;
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
