import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { ROLES } from "~/domain/people/roles";

export const tokens = sqliteTable(
  "tokens",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    hash: text().notNull(),
    hint: text().notNull(),
    role: text({ enum: ROLES }).notNull(),
    payloads: integer().notNull(),
    created_at: integer().notNull(),
    created_by: text().notNull(),
    expires_at: integer(),
    last_used_at: integer(),
  },
  (t) => [uniqueIndex("tokens_hash").on(t.hash), uniqueIndex("tokens_name").on(t.name)],
);

export const people = sqliteTable("people", {
  name: text().primaryKey(),
  role: text({ enum: ROLES }).notNull(),
  payloads: integer().notNull(),
  updated_at: integer().notNull(),
  updated_by: text().notNull(),
});
