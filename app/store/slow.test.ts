import { expect, test } from "vitest";
import { type Slow, Store, sql } from "./store";

/** A D1 whose statements take so long, each. */
const taking = (...durations: number[]) =>
  ({
    prepare: () => ({ bind: () => ({}) }),
    batch: async () =>
      durations.map((duration) => ({ results: [], meta: { duration, rows_read: 7, rows_written: 3 } })),
  }) as unknown as D1Database;

test("a statement that takes D1 as long as the bound is told of, with how its text begins and without what is bound", async () => {
  const told: Slow[] = [];
  const store = new Store(taking(999, 1_000)).tellSlow(1_000, (slow) => told.push(slow));
  await store.batch([sql("SELECT 1"), sql(`UPDATE jobs\n  SET payload = ?1 WHERE ${"x".repeat(200)}`, "a secret")]);
  expect(told).toEqual([
    { ms: 1_000, rowsRead: 7, rowsWritten: 3, statement: `UPDATE jobs SET payload = ?1 WHERE ${"x".repeat(85)}` },
  ]);
});

test("a shorter one is not, and what both have used is counted alike", async () => {
  const told: Slow[] = [];
  const store = new Store(taking(999, 0)).tellSlow(1_000, (slow) => told.push(slow));
  await store.batch([sql("SELECT 1"), sql("SELECT 2")]);
  expect(told).toEqual([]);
  expect(store.used).toEqual({ calls: 1, statements: 2, rowsRead: 14, rowsWritten: 6 });
});
