import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { STAT_COLUMNS } from "../stat_columns";

export const stats = sqliteTable(
  "stats",
  {
    kind: text().notNull(),
    grain: integer().notNull(),
    at: integer().notNull(),
    ...Object.fromEntries(STAT_COLUMNS.map((name) => [name, integer().notNull().default(0)])),
  },
  (t) => [primaryKey({ columns: [t.kind, t.grain, t.at] })],
);

export const deploys = sqliteTable("deploys", { at: integer().primaryKey(), version: text().notNull() });

export const backlogs = sqliteTable("backlogs", {
  hour: integer().primaryKey(),
  messages: integer().notNull(),
  oldest_ms: integer().notNull(),
});

export const dead_causes = sqliteTable(
  "dead_causes",
  {
    cause: text().primaryKey(),
    n: integer().notNull(),
    first_hour: integer().notNull(),
    last_hour: integer().notNull(),
  },
  (t) => [
    index("dead_causes_n").on(t.n, t.cause).where(sql`n > 0`),
    index("dead_causes_none").on(t.last_hour).where(sql`n = 0`),
  ],
);

export const dead_days = sqliteTable(
  "dead_days",
  { cause: text().notNull(), day: integer().notNull(), hours: text().notNull() },
  (t) => [primaryKey({ columns: [t.cause, t.day] })],
);
