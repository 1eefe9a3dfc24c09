import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const outbox_mail = sqliteTable("outbox_mail", {
  id: integer().primaryKey(),
  key: text().notNull().unique(),
  job_id: text().notNull(),
  at: integer().notNull(),
  sender: text().notNull(),
  recipients: text().notNull(),
  subject: text().notNull(),
  headers: text().notNull(),
  attachments: text().notNull(),
  text: text(),
  html: text(),
});

export const signups = sqliteTable("signups", {
  id: text().primaryKey(),
  same_email: text().notNull().unique(),
  email: text().notNull(),
  name: text().notNull(),
  created_at: integer().notNull(),
});
