import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PRIORITIES } from "~/domain/lanes";
import { FATES, type Fate, MISSED, type MissedPolicy, OVERLAP, type OverlapPolicy } from "~/domain/schedules/schedule";

const namesOf = <T extends string>(record: Record<T, unknown>) => Object.keys(record) as [T, ...T[]];

export const schedules = sqliteTable(
  "schedules",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    cron: text(),
    every_minutes: integer(),
    anchor_at: integer(),
    time_zone: text().notNull(),
    kind: text().notNull(),
    priority: text({ enum: PRIORITIES }).notNull(),
    max_attempts: integer(),
    missed: text({ enum: namesOf<MissedPolicy>(MISSED) }).notNull(),
    missed_max: integer().notNull(),
    overlap: text({ enum: namesOf<OverlapPolicy>(OVERLAP) }).notNull(),
    version: integer().notNull(),
    due_at: integer(),
    paused_at: integer(),
    paused_by: text(),
    error: text(),
    error_at: integer(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    payload: text().notNull(),
  },
  (t) => [
    uniqueIndex("schedules_name").on(t.name),
    index("schedules_broken").on(t.id).where(sql`error IS NOT NULL`),
    index("schedules_due").on(t.due_at).where(sql`paused_at IS NULL AND due_at IS NOT NULL`),
  ],
);

export const slots = sqliteTable(
  "slots",
  {
    schedule_id: text().notNull(),
    slot_at: integer().notNull(),
    fate: text({ enum: namesOf<Fate>(FATES) }).notNull(),
    decided_at: integer().notNull(),
    through_at: integer(),
    n: integer(),
    job_id: text(),
    error: text(),
  },
  (t) => [
    primaryKey({ columns: [t.schedule_id, t.slot_at] }),
    index("slots_missed").on(t.decided_at).where(sql`fate IN ('late', 'skipped', 'failed')`),
  ],
);

export type ScheduleRecord = typeof schedules.$inferSelect;
export type SlotRecord = typeof slots.$inferSelect;
