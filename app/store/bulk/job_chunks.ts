import { byteLength } from "~/domain/text";
import type { NewJob } from "../insert_jobs";
import { PARAMETER_BYTES } from "../store";

/** JSON arrays of rows, each small enough for one parameter, with the ids of the rows in those before. */
export function chunks(jobs: NewJob[]): { rows: string; earlier: string }[] {
  const out: { rows: string; earlier: string }[] = [];
  const ids: string[] = [];
  let earlier = "[]";
  let rows: string[] = [];
  let size = 0;
  for (const job of jobs) {
    const row = JSON.stringify([
      job.id,
      job.kind,
      job.lane,
      job.payload,
      job.label,
      job.maxAttempts,
      job.delayMs,
      job.runAt,
      job.key,
      job.hash,
      job.room ? 1 : 0,
      job.fanoutId,
      job.scheduleId,
      job.slotAt,
      job.expiresAt,
      job.groupKey,
      job.editedFrom,
    ]);
    const bytes = byteLength(row) + 1;
    if (size + bytes > PARAMETER_BYTES - 2) {
      out.push({ rows: `[${rows}]`, earlier });
      rows = [];
      size = 0;
      earlier = JSON.stringify(ids);
    }
    rows.push(row);
    ids.push(job.id);
    size += bytes;
  }
  return [...out, { rows: `[${rows}]`, earlier }];
}
