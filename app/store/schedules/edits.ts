import { type Definition, SCHEDULES_MAX } from "~/domain/schedules/schedule";
import { auditRow, type Entry, openOnce } from "../audit";
import { CHAINED } from "../chain";
import { dropHistory } from "../retention";
import { type Statement, type Store, sql } from "../store";

/** How things stand after a write: `mine` tells whether this very call did it. */
export type Edited = {
  mine: number;
  version: number | null;
  pausedAt: number | null;
  nameHolder: string | null;
  stored: number;
};

/** A definition in the order of its columns. */
const COLUMNS =
  "name, cron, every_minutes, anchor_at, time_zone, kind, payload, priority, max_attempts, missed, missed_max, overlap";
const valuesOf = (d: Definition): string =>
  JSON.stringify([
    ...[d.name, d.cron, d.everyMinutes, d.anchorAt, d.timeZone, d.kind, d.payload, d.priority, d.maxAttempts],
    ...[d.missed, d.missedMax, d.overlap],
  ]);
const VALUES = COLUMNS.split(", ")
  .map((_, index) => `?3->>${index}`)
  .join(", ");

/** Stores a schedule under a name that no other has. */
export const createSchedule = (store: Store, token: string, id: string, d: Definition, dueAt: number, entry: Entry) =>
  edit(store, id, d.name, entry, [
    openOnce(
      token,
      entry.id,
      `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM schedules WHERE id = ?2 OR name = ?3)
       AND (SELECT count(*) FROM schedules) < ${SCHEDULES_MAX}`,
      id,
      d.name,
    ),
    sql(
      `INSERT INTO schedules (id, ${COLUMNS}, version, due_at, created_at, updated_at)
       SELECT ?2, ${VALUES}, 1, ?4, clock, clock FROM ${CHAINED}`,
      token,
      id,
      valuesOf(d),
      dueAt,
    ),
    auditRow(token, { ...entry, scheduleId: id }),
  ]);

/** Changes what was looked at as `version`. `dueAt`: null leaves the next slot as it is. */
export const updateSchedule = (
  store: Store,
  token: string,
  { id, version }: { id: string; version: number },
  d: Definition,
  dueAt: number | null,
  entry: Entry,
) =>
  edit(store, id, d.name, entry, [
    openOnce(
      token,
      entry.id,
      `SELECT 1 FROM schedules WHERE id = ?2 AND version = ?3
       AND NOT EXISTS (SELECT 1 FROM schedules AS other WHERE other.name = ?4 AND other.id <> ?2)`,
      id,
      version,
      d.name,
    ),
    sql(
      `UPDATE schedules SET (${COLUMNS}) = (SELECT ${VALUES}), version = version + 1, due_at = coalesce(?4, due_at),
         error = NULL, error_at = NULL, updated_at = batch.clock FROM ${CHAINED} AS batch WHERE id = ?2`,
      token,
      id,
      valuesOf(d),
      dueAt,
    ),
    auditRow(token, { ...entry, scheduleId: id }),
  ]);

export const pauseSchedule = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, null, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM schedules WHERE id = ?2 AND paused_at IS NULL", id),
    sql(
      `UPDATE schedules SET paused_at = batch.clock, paused_by = ?3 FROM ${CHAINED} AS batch WHERE id = ?2`,
      token,
      id,
      entry.actor,
    ),
    auditRow(token, { ...entry, scheduleId: id }),
  ]);

/** Goes on at `dueAt`, which lies ahead: what came meanwhile is no burst. null: it is broken, and `error` says how. */
export const resumeSchedule = (
  store: Store,
  token: string,
  { id, version }: { id: string; version: number },
  dueAt: number | null,
  error: string | null,
  entry: Entry,
) =>
  edit(store, id, null, entry, [
    openOnce(
      token,
      entry.id,
      "SELECT 1 FROM schedules WHERE id = ?2 AND version = ?3 AND paused_at IS NOT NULL",
      id,
      version,
    ),
    sql(
      `UPDATE schedules SET paused_at = NULL, paused_by = NULL, due_at = ?3, error = ?4,
         error_at = CASE WHEN ?4 IS NOT NULL THEN batch.clock END FROM ${CHAINED} AS batch WHERE id = ?2`,
      token,
      id,
      dueAt,
      error,
    ),
    auditRow(token, { ...entry, scheduleId: id }),
  ]);

/** Takes the schedule away, and what became of its slots, a long history by and by. Its jobs stay. */
export const removeSchedule = (store: Store, token: string, id: string, entry: Entry) =>
  edit(store, id, null, entry, [
    openOnce(token, entry.id, "SELECT 1 FROM schedules WHERE id = ?2", id),
    auditRow(token, { ...entry, scheduleId: id }),
    ...dropHistory("schedule", token, id),
    sql(`DELETE FROM schedules WHERE id = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`, token, id),
  ]);

/** All of it is harmless to repeat: the audit entry, by its id, says whether this call has landed. */
async function edit(store: Store, id: string, name: string | null, entry: Entry, batch: Statement[]): Promise<Edited> {
  const results = await store.batch([
    ...batch,
    sql(
      `SELECT EXISTS (SELECT 1 FROM audit WHERE id = ?3) AS mine, (SELECT version FROM schedules WHERE id = ?1) AS version,
         (SELECT paused_at FROM schedules WHERE id = ?1) AS pausedAt,
         (SELECT id FROM schedules WHERE name = ?2) AS nameHolder, (SELECT count(*) FROM schedules) AS stored`,
      id,
      name,
      entry.id,
    ),
  ]);
  return results.at(-1)?.[0] as Edited;
}
