import type { Definition } from "~/domain/schedules/schedule";
import { type Statement, type Store, sql } from "../store";

/** A schedule as the sweep needs it. */
export type Scheduled = Definition & {
  id: string;
  version: number;
  /** The slot that is next; null: it is broken. */
  dueAt: number | null;
  pausedAt: number | null;
  error: string | null;
  /** D1's clock when it was read. */
  now: number;
};

const COLUMNS = `id, version, due_at AS dueAt, paused_at AS pausedAt, error, {now} AS now, name, cron,
  every_minutes AS everyMinutes, anchor_at AS anchorAt, time_zone AS timeZone, kind, payload, priority,
  max_attempts AS maxAttempts, missed, missed_max AS missedMax, overlap`;

export type DueSchedule = Scheduled & { dueAt: number };

/** Schedules whose next slot has come, the longest due first. Only a hint: what is written of them asks again. */
export const dueSchedules = (limit: number): Statement =>
  sql(
    `SELECT ${COLUMNS} FROM schedules INDEXED BY schedules_due
     WHERE paused_at IS NULL AND due_at IS NOT NULL AND due_at <= {now} ORDER BY due_at LIMIT ?1`,
    limit,
  );

export async function readDue(store: Store, limit: number): Promise<DueSchedule[]> {
  const [rows] = await store.batch([dueSchedules(limit)]);
  return rows as DueSchedule[];
}

export async function findSchedule(store: Store, id: string): Promise<Scheduled | null> {
  const [rows] = await store.batch([sql(`SELECT ${COLUMNS} FROM schedules WHERE id = ?1`, id)]);
  return (rows?.[0] as Scheduled | undefined) ?? null;
}

/** D1's clock, for a schedule that is not stored yet. */
export async function readClock(store: Store): Promise<number> {
  const [rows] = await store.batch([sql("SELECT {now} AS now")]);
  return rows?.[0]?.now as number;
}
