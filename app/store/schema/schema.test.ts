import { env } from "cloudflare:workers";
import type { SQL } from "drizzle-orm";
import { getTableConfig, SQLiteSyncDialect, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import { OUTCOMES, STATE_NAMES, STATES, TRIGGERS, VIEW_NAMES, VIEWS } from "~/domain/states";
import { CLEANED } from "~/testing/world";
import * as schema from "./schema";

const db = (env as { DB: D1Database }).DB;
const tables = Object.values(schema) as SQLiteTable[];
const all = async <T>(sql: string) => (await db.prepare(sql).all<T>()).results;
const textOf = (where: SQL | undefined) => (where ? new SQLiteSyncDialect().sqlToQuery(where).sql : null);

type Column = { name: string; type: string; notnull: number; dflt_value: string | null; pk: number; hidden: number };

async function stored(table: string) {
  const columns = await all<Column>(`PRAGMA table_xinfo(${table})`);
  const [made] = await all<{ sql: string }>(`SELECT sql FROM sqlite_schema WHERE name = '${table}'`);
  const indexes = await all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${table}' AND sql IS NOT NULL ORDER BY name`,
  );
  return { columns, made: made?.sql ?? "", indexes };
}

describe("the schema in code is the schema that the migrations make", () => {
  test("no table is missing on either side", async () => {
    const made = await all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%cf_%' AND name <> 'd1_migrations'",
    );
    expect(made.map(({ name }) => name).sort()).toEqual(tables.map((table) => getTableConfig(table).name).sort());
  });

  test("no table keeps rows from one test to the next", () => {
    expect([...CLEANED, "leases", "site_state"].sort()).toEqual(
      tables.map((table) => getTableConfig(table).name).sort(),
    );
  });

  for (const table of tables) {
    const config = getTableConfig(table);
    test(`${config.name}: columns, types, keys, defaults and indexes`, async () => {
      const real = await stored(config.name);
      const keys =
        config.primaryKeys[0]?.columns.map((column) => column.name) ??
        config.columns.filter((c) => c.primary).map((c) => c.name);
      expect(
        config.columns.map((column) => ({
          name: column.name,
          type: column.getSQLType().toUpperCase(),
          pk: keys.indexOf(column.name) + 1,
          nullable: !column.notNull && !column.primary,
          default: column.default === undefined ? null : String(column.default),
          generated: column.generated !== undefined,
        })),
      ).toEqual(
        real.columns.map((column) => ({
          name: column.name,
          type: column.type,
          pk: column.pk,
          nullable: column.notnull === 0 && column.pk === 0,
          default: column.dflt_value?.replaceAll("'", "") ?? null,
          generated: column.hidden === 2,
        })),
      );
      expect(
        config.indexes
          .map(({ config: one }) => {
            const columns = one.columns.map((column) => (column as { name: string }).name).join(", ");
            const where = textOf(one.where);
            return `CREATE ${one.unique ? "UNIQUE " : ""}INDEX ${one.name} ON ${config.name} (${columns})${where ? ` WHERE ${where}` : ""}`;
          })
          .sort(),
      ).toEqual(real.indexes.map(({ sql }) => sql.replace(/\s+/g, " ")).sort());
    });

    test(`${config.name} is STRICT, and its enumerations are the ones in code`, async () => {
      const { made } = await stored(config.name);
      expect(made).toMatch(/\) STRICT(, WITHOUT ROWID)?$/);
      for (const column of config.columns) {
        const checked = new RegExp(
          `^\\s+${column.name} TEXT[^\\n]*CHECK \\(${column.name} IN \\(([^)]*)\\)\\)`,
          "m",
        ).exec(made);
        if (checked)
          expect(
            checked[1]?.split(", ").map((word) => word.slice(1, -1)),
            column.name,
          ).toEqual(column.enumValues);
      }
    });
  }
});

test("the checks name what the domain names: states, views, triggers, outcomes", async () => {
  const jobs = (await stored("jobs")).made;
  const list = (words: string[]) => words.map((word) => `'${word}'`).join(", ");
  expect(jobs).toContain(`state IN (${list(STATE_NAMES)})`);
  expect(jobs).toContain(`trigger IN (${list(Object.keys(TRIGGERS))})`);
  const finals = STATE_NAMES.filter((state) => STATES[state].final);
  expect(jobs).toContain(`(state IN (${list(finals)})) = (finished_at IS NOT NULL)`);
  expect((await stored("attempts")).made).toContain(`outcome IN (${list(Object.keys(OUTCOMES))})`);
  expect((await stored("job_counts")).made).toContain(`view IN (${list(VIEW_NAMES)})`);
  const waiting = VIEW_NAMES.filter((view) => VIEWS[view].state === "pending");
  for (const view of waiting) expect(jobs).toContain(`'${view}'`);
});

describe("the tables defend themselves", () => {
  const insert = (set: string) =>
    db
      .prepare(
        `INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at${set ? `, ${set.split(" = ")[0]}` : ""})
         VALUES (?, 'k', 'normal', 'pending', '{}', 1, 0, 't', 0${set ? `, ${set.split(" = ")[1]}` : ""})`,
      )
      .bind(crypto.randomUUID())
      .run();

  test("a sound row is taken", async () => {
    expect((await insert("")).meta.changes).toBe(1);
  });

  for (const wrong of [
    "lease_until = 5",
    "finished_at = 5",
    "forgiven = 1",
    "attempt = -1",
    "request_hash = 'h'",
    "generation = 0",
  ]) {
    test(`a waiting job with ${wrong} is refused`, async () => {
      await expect(insert(wrong)).rejects.toThrow("CHECK constraint failed");
    });
  }
});
