import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { CHECK_OUTCOME_NAMES } from "~/domain/watches/watch";

export const watches = sqliteTable(
  "watches",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    url: text().notNull(),
    selector: text(),
    attribute: text(),
    compare: text({ enum: ["text", "number"] }).notNull(),
    cron: text(),
    every_minutes: integer(),
    anchor_at: integer(),
    time_zone: text().notNull(),
    channels: text().notNull(),
    origin: text(),
    version: integer().notNull(),
    due_at: integer(),
    paused_at: integer(),
    paused_by: text(),
    created_at: integer().notNull(),
    updated_at: integer().notNull(),
    seen: integer().notNull().default(0),
    checked_at: integer(),
    changed_at: integer(),
    failures: integer().notNull().default(0),
    number: real(),
    hash: text(),
    etag: text(),
    last_modified: text(),
    last_error: text(),
    value: text(),
  },
  (t) => [
    index("watches_due").on(t.due_at).where(sql`due_at IS NOT NULL`),
    index("watches_failing").on(t.failures).where(sql`failures > 0`),
  ],
);

export const watch_checks = sqliteTable(
  "watch_checks",
  {
    watch_id: text().notNull(),
    slot_at: integer().notNull(),
    job_id: text().notNull(),
    at: integer().notNull(),
    outcome: text({ enum: CHECK_OUTCOME_NAMES }).notNull(),
    http_status: integer(),
    missed: integer().notNull(),
    number: real(),
    told: text(),
    error: text(),
    previous: text(),
    value: text(),
  },
  (t) => [primaryKey({ columns: [t.watch_id, t.slot_at] })],
);
