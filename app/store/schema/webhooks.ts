import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { DELIVERY_STATUSES, ENDPOINT_TYPES } from "~/domain/webhooks/webhooks";

export const endpoints = sqliteTable("endpoints", {
  id: text().primaryKey(),
  name: text().notNull(),
  type: text({ enum: ENDPOINT_TYPES }).notNull(),
  address: text().notNull(),
  service: text(),
  headers: text().notNull(),
  secret: text(),
  previous_secret: text(),
  previous_until: integer(),
  created_at: integer().notNull(),
  disabled_at: integer(),
  disabled_reason: text(),
});

export const deliveries = sqliteTable(
  "deliveries",
  {
    fanout_id: text().notNull(),
    n: integer().notNull(),
    endpoint_id: text(),
    type: text({ enum: ENDPOINT_TYPES }).notNull(),
    target: text().notNull(),
    webhook_id: text().notNull(),
    status: text({ enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer().notNull(),
    http_status: integer(),
    duration_ms: integer(),
    signed: integer().notNull(),
    delay_ms: integer(),
    job_id: text(),
    at: integer().notNull(),
    error: text(),
    answer: text(),
  },
  (t) => [
    primaryKey({ columns: [t.fanout_id, t.n] }),
    index("deliveries_endpoint").on(t.endpoint_id, t.fanout_id, t.n).where(sql`endpoint_id IS NOT NULL`),
  ],
);
