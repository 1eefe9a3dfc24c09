import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { STOCK_AT, stock, stockId } from "~/testing/stock";
import { Store, sql } from "../store";

const { DB, MIGRATIONS } = env as unknown as { DB: D1Database; MIGRATIONS: { name: string; queries: string[] }[] };
const store = new Store(DB, () => STOCK_AT);
const NAME = "0029_operations_of_jobs.sql";
const OPERATIONS = ["o1", "o2"];

const read = async (text: string) => (await store.batch([sql(text)]))[0];
const told = (operation: string, n: number, action = "requeue") =>
  sql(
    "INSERT INTO audit (id, at, actor, action, job_id, after) VALUES (?1, 0, 'ana', ?2, ?3, json_object('operation', ?4))",
    `${operation}:${stockId(n)}`,
    action,
    stockId(n),
    operation === "none" ? null : operation,
  );

test("what operations changed before the release that remembers it comes from the audit: of each job the last one", async () => {
  const queries = MIGRATIONS.find(({ name }) => name === NAME)?.queries ?? [];
  const made = (what: RegExp) => queries.flatMap((query) => what.exec(query)?.[1] ?? []);
  const columns = (table: string) => made(new RegExp(`ALTER TABLE ${table} ADD COLUMN (\\w+)`));
  expect([columns("jobs"), columns("bulk_operations")]).toEqual([["operation_id"], expect.any(Array)]);
  await store.batch([
    ...made(/CREATE TRIGGER (\w+)/).map((name) => sql(`DROP TRIGGER ${name}`)),
    ...made(/CREATE INDEX (\w+)/).map((name) => sql(`DROP INDEX ${name}`)),
    ...["jobs", "bulk_operations"].flatMap((table) =>
      columns(table).map((column) => sql(`ALTER TABLE ${table} DROP COLUMN ${column}`)),
    ),
  ]);
  await stock(store, 1, 20);
  await store.batch([
    ...OPERATIONS.map((id) =>
      sql(
        "INSERT INTO bulk_operations (id, action, view, cutoff, expected, state, actor, created_at) VALUES (?, 'requeue', 'dead', 0, 0, 'running', 'ana', 0)",
        id,
      ),
    ),
    told("o1", 1),
    told("o1", 4),
    told("o1", 5),
    told("o2", 5),
    told("o2", 6, "cancel"),
    told("none", 7),
  ]);
  await store.batch(queries.map((query) => sql(query)));

  expect(await read("SELECT id, operation_id FROM jobs WHERE operation_id IS NOT NULL ORDER BY id")).toEqual(
    [
      [1, "o1"],
      [4, "o1"],
      [5, "o2"],
      [6, "o2"],
    ].map(([n, operation_id]) => ({ id: stockId(n as number), operation_id })),
  );
  const numbers = "SELECT id, done, dead, cancelled, pending FROM bulk_operations ORDER BY id";
  expect(await read(numbers)).toEqual([
    { id: "o1", done: 1, dead: 1, cancelled: 0, pending: 0 },
    { id: "o2", done: 0, dead: 1, cancelled: 1, pending: 0 },
  ]);
  // From then on they follow the jobs.
  await store.batch([
    sql("DELETE FROM jobs WHERE id = ?", stockId(6)),
    sql("UPDATE jobs SET state = 'pending', finished_at = NULL WHERE id = ?", stockId(5)),
  ]);
  expect(await read(numbers)).toMatchObject([
    { id: "o1", dead: 1 },
    { id: "o2", dead: 0, cancelled: 0 },
  ]);
});
