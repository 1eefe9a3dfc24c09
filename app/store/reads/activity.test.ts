import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { ActivityFilter } from "~/domain/audit/filter";
import { SCAN_ROWS } from "~/domain/limits";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { readCursor } from "~/domain/query/cursor";
import { clean } from "~/testing/world";
import { Store, sql } from "../store";
import { listActivity, readActors } from "./activity";

const store = new Store(env.DB);
const AT = Date.UTC(2026, 11, 1, 10);
const JOB = "019ad959-2a80-7000-8000-000000000001";
const idOf = (n: number) =>
  `${(AT + n * 1_000)
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`;

/** Deeds number `from` to `to`, one a second: the first of ten by ben, the others by ann; the second of ten a paused kind. */
async function deeds(from: number, to: number) {
  await store.batch([
    sql(
      `WITH RECURSIVE n(i) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO audit (id, at, actor, action, job_id, after)
       SELECT printf('%08x-%04x-7000-8000-000000000000', (?3 + i * 1000) / 65536, (?3 + i * 1000) % 65536), ?3 + i * 1000,
         CASE i % 10 WHEN 0 THEN 'ben' ELSE 'ann' END, CASE i % 10 WHEN 1 THEN 'pause kind' ELSE 'requeue' END,
         CASE i % 10 WHEN 2 THEN ?4 END, CASE i % 10 WHEN 1 THEN '{"kind":"demo"}' END FROM n`,
      from,
      to,
      AT,
      JOB,
    ),
  ]);
}

const shown = async (filter: ActivityFilter) =>
  (await listActivity(store, { limit: 3, ...filter }, ALL_RIGHTS)).deeds.map(({ id }) => id);

beforeEach(clean);

describe("what people did", () => {
  beforeEach(() => deeds(1, 40));

  test.each<[ActivityFilter, number[]]>([
    [{}, [40, 39, 38]],
    [{ actor: "ben" }, [40, 30, 20]],
    [{ action: "pause kind" }, [31, 21, 11]],
    [{ object: "demo" }, [31, 21, 11]],
    [{ object: JOB }, [32, 22, 12]],
    [{ actor: "ann", action: "pause kind" }, [31, 21, 11]],
    [{ actor: "ben", action: "pause kind" }, []],
    [{ object: JOB, action: "pause kind" }, []],
    [{ object: "nothing" }, []],
    [{ at: "..2026-12-01T10:00:05Z" }, [4, 3, 2]],
    [{ at: "2026-12-01T10:00:12Z..2026-12-01T10:00:22Z", actor: "ben" }, [20]],
    [{ at: "<2026-12-01" }, []],
  ])("%j: those and no others, newest first", async (filter, numbers) => {
    expect(await shown(filter)).toEqual(numbers.map(idOf));
  });

  test("page after page, each is shown once", async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const { deeds, next, scanned } = await listActivity(store, { limit: 7, object: JOB, cursor }, ALL_RIGHTS);
      expect(scanned).toBeNull();
      seen.push(...deeds.map(({ id }) => id));
      [cursor, more] = [next ?? undefined, next !== null];
    }
    expect(seen).toEqual([32, 22, 12, 2].map(idOf));
  });

  test("jobs that were changed together are one deed; of one job its own part is shown", async () => {
    const whole = idOf(50);
    const named = Array.from({ length: 21 }, (_, n) => `${JOB}${n}`);
    await store.batch([
      sql(
        "INSERT INTO audit (id, at, actor, action, after) VALUES (?, 50, 'ann', 'bulk requeue', ?)",
        whole,
        JSON.stringify({ jobs: named }),
      ),
      sql(
        "INSERT INTO audit (id, at, actor, action, job_id, after) SELECT ? || ':' || value, 50, 'ann', 'requeue', value, '{}' FROM json_each(?)",
        whole,
        JSON.stringify([JOB, ...named]),
      ),
    ]);
    for (const filter of [{}, { actor: "ann" }]) expect((await shown(filter)).slice(0, 1)).toEqual([whole]);
    expect((await shown({ action: "requeue" })).slice(0, 1)).toEqual([idOf(40)]);
    expect((await shown({ object: JOB })).slice(0, 2)).toEqual([`${whole}:${JOB}`, idOf(32)]);
    const { deeds } = await listActivity(store, { action: "bulk requeue" }, ALL_RIGHTS);
    expect(deeds.map(({ after }) => after)).toEqual(['{"jobs":21}']);
  });

  test("pages go on behind a job's part in a deed", async () => {
    await store.batch([
      sql(
        "INSERT INTO audit (id, at, actor, action, job_id) SELECT value || ':' || ?2, 50, 'ann', 'requeue', ?2 FROM json_each(?1)",
        JSON.stringify([idOf(23), idOf(27)]),
        JOB,
      ),
    ]);
    const seen: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const { deeds, next } = await listActivity(store, { limit: 1, object: JOB, cursor }, ALL_RIGHTS);
      seen.push(...deeds.map(({ id }) => id));
      if (next !== null) expect(readCursor(next)).not.toBeNull();
      [cursor, more] = [next ?? undefined, next !== null];
    }
    expect(seen).toEqual([idOf(32), `${idOf(27)}:${JOB}`, `${idOf(23)}:${JOB}`, idOf(22), idOf(12), idOf(2)]);
  });

  test("names what it was done to as it is called now, while it is stored", async () => {
    const named = async () => (await listActivity(store, { object: JOB, limit: 1 }, ALL_RIGHTS)).deeds[0]?.name;
    expect(await named()).toBeNull();
    await store.batch([
      sql(
        `INSERT INTO jobs (id, kind, lane, state, payload, label, max_attempts, run_at, token, created_at)
         VALUES (?, 'k', 'normal', 'pending', '{}', 'Invoice 7', 1, 0, 't', 0)`,
        JOB,
      ),
    ]);
    expect(await named()).toBe("Invoice 7");
  });

  test("everybody who did something is known by name", async () => {
    expect(await readActors(store)).toEqual(["ann", "ben"]);
    await clean();
    expect(await readActors(store)).toEqual([]);
  });
});

describe("what a page of it reads", () => {
  const filters: ActivityFilter[] = [
    {},
    { actor: "ben" },
    { action: "pause kind" },
    { object: "demo" },
    { object: JOB },
    { object: "nothing" },
    { at: "..2026-12-01T10:01:40Z" },
  ];
  const cost = async (read: () => Promise<unknown>) => {
    const before = store.used.rowsRead;
    await read();
    return store.used.rowsRead - before;
  };
  const all = async () => {
    const rows: number[] = [];
    for (const filter of filters) rows.push(await cost(() => listActivity(store, filter, ALL_RIGHTS)));
    rows.push(await cost(() => readActors(store)));
    return rows;
  };

  test("does not grow with the deeds that are kept, nor with jobs that were changed together", async () => {
    await deeds(1, 1_000);
    const small = await all();
    await deeds(1_001, 20_000);
    await store.batch([
      sql(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
         INSERT INTO audit (id, at, actor, action, job_id) SELECT ? || ':' || i, 0, 'ann', 'requeue', i FROM n`,
        idOf(30_000),
      ),
    ]);
    for (const [i, rows] of (await all()).entries()) {
      expect(
        Math.abs(rows - (small[i] as number)),
        `${JSON.stringify(filters[i])}: ${small[i]}, then ${rows}`,
      ).toBeLessThanOrEqual(4);
    }
  });

  test("what no index serves is looked for in so many rows a page, and goes on from there", async () => {
    await deeds(1, 2 * SCAN_ROWS);
    await store.batch([sql("UPDATE audit SET action = 'cancel' WHERE id = ?", idOf(1))]);
    const filter = { actor: "ann", action: "cancel" } as const;
    const first = await listActivity(store, filter, ALL_RIGHTS);
    expect([first.deeds, first.scanned]).toEqual([[], SCAN_ROWS]);
    expect(await cost(() => listActivity(store, filter, ALL_RIGHTS))).toBeLessThan(3 * SCAN_ROWS);
    const second = await listActivity(store, { ...filter, cursor: first.next as string }, ALL_RIGHTS);
    expect([second.deeds.map(({ id }) => id), second.scanned, second.next]).toEqual([[idOf(1)], null, null]);
  });
});
