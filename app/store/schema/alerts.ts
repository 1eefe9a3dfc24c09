import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { CONDITION_NAMES, NOTICE_TYPE_NAMES } from "~/domain/alerts/alerts";
import { CHANNEL_TYPES } from "~/domain/channels";

export const deaths = sqliteTable(
  "deaths",
  {
    minute: integer().notNull(),
    cause: text().notNull(),
    kind: text().notNull(),
    n: integer().notNull(),
    example: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.minute, t.cause] })],
);

export const alert_rules = sqliteTable("alert_rules", {
  id: text().primaryKey(),
  name: text().notNull(),
  condition: text({ enum: CONDITION_NAMES }).notNull(),
  kind: text(),
  more_than: integer().notNull(),
  window_minutes: integer().notNull(),
  remind_minutes: integer().notNull(),
  channels: text().notNull(),
  origin: text(),
  version: integer().notNull(),
  disabled_at: integer(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
});

export const alerts = sqliteTable(
  "alerts",
  {
    id: text().primaryKey(),
    rule_id: text().notNull(),
    rule_name: text().notNull(),
    subject: text().notNull(),
    subject_name: text(),
    opened_at: integer().notNull(),
    told_at: integer().notNull(),
    notices: integer().notNull(),
    n: integer().notNull(),
    example: text(),
    cleared_at: integer(),
    token: text().notNull(),
  },
  (t) => [uniqueIndex("alerts_open").on(t.rule_id, t.subject).where(sql`cleared_at IS NULL`)],
);

export const alert_notices = sqliteTable(
  "alert_notices",
  {
    alert_id: text().notNull(),
    number: integer().notNull(),
    place: integer().notNull(),
    type: text({ enum: NOTICE_TYPE_NAMES }).notNull(),
    at: integer().notNull(),
    n: integer().notNull(),
    channel: text({ enum: CHANNEL_TYPES }),
    target: text(),
    job_id: text(),
    error: text(),
  },
  (t) => [primaryKey({ columns: [t.alert_id, t.number, t.place] })],
);
