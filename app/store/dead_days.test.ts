import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { seeing } from "~/testing/seeing";
import { clean } from "~/testing/world";
import { readCause, readDead } from "./reads/dead";
import { pruneSite } from "./site_history";
import { Store, sql } from "./store";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse("2026-12-01T10:20:00.000Z");
const TODAY = Math.floor(NOW / DAY) * DAY;
const { DB, MIGRATIONS } = env as unknown as { DB: D1Database; MIGRATIONS: { name: string; queries: string[] }[] };
const store = new Store(DB, () => NOW);

beforeEach(clean);

const all = async (query: string) => (await store.batch([sql(query)]))[0];
const days = () => all("SELECT cause, day, hours FROM dead_days ORDER BY 1, 2");
const count = (cause: string, hour: number, n: number) =>
  sql(
    "INSERT INTO dead_counts VALUES (?1, ?2, ?3) ON CONFLICT (cause, hour) DO UPDATE SET n = n + excluded.n",
    cause,
    hour,
    n,
  );

describe("the hours of a day in one row", () => {
  test("follow what is counted by the hour, and go with the last dead job of the day", async () => {
    await store.batch([count("a", TODAY + 9 * HOUR, 2), count("a", TODAY + 10 * HOUR, 1), count("a", TODAY - HOUR, 4)]);
    await store.batch([count("a", TODAY + 9 * HOUR, 3), count("b", TODAY, 1), count("b", TODAY + HOUR, 0)]);
    expect(await days()).toEqual([
      { cause: "a", day: TODAY - DAY, hours: '{"23":4}' },
      { cause: "a", day: TODAY, hours: '{"9":5,"10":1}' },
      { cause: "b", day: TODAY, hours: '{"0":1}' },
    ]);
    await store.batch([count("a", TODAY + 9 * HOUR, -5), count("a", TODAY - HOUR, -4), count("b", TODAY, -1)]);
    expect(await days()).toEqual([{ cause: "a", day: TODAY, hours: '{"10":1}' }]);
    await store.batch([
      count("a", TODAY + 9 * HOUR, 1),
      sql("DELETE FROM dead_counts WHERE n = 1 AND hour > ?", NOW - HOUR),
    ]);
    expect(await days()).toEqual([{ cause: "a", day: TODAY, hours: '{"9":1}' }]);
    await store.batch([sql("DELETE FROM dead_counts")]);
    expect(await days()).toEqual([]);
  });

  test("a death, and a death that is taken back, write one of them", async () => {
    const written = async (of: string) => {
      const before = store.used.rowsWritten;
      await store.batch([count(of, NOW, 1)]);
      await store.batch([count(of, NOW, 1)]);
      await store.batch([count(of, NOW, -2)]);
      return store.used.rowsWritten - before;
    };
    const withThem = await written("a");
    for (const name of ["added", "changed", "emptied", "removed"]) await DB.exec(`DROP TRIGGER dead_days_${name}`);
    const without = await written("b");
    await migrate();
    expect(withThem - without).toBe(3);
  });

  test("are carried over from what was stored before, without those of which nobody is dead", async () => {
    await store.batch([count("a", TODAY + 9 * HOUR, 2), count("a", TODAY + 10 * HOUR, 1), count("b", TODAY, 0)]);
    const kept = await days();
    await migrate();
    expect(await days()).toEqual(kept);
    expect(kept).toEqual([{ cause: "a", day: TODAY, hours: '{"9":2,"10":1}' }]);
  });
});

/** As on the day of the release: whatever is counted by then was counted without them. */
async function migrate(): Promise<void> {
  await store.batch([sql("DROP INDEX dead_causes_none"), sql("DROP TABLE dead_days")]);
  for (const name of ["added", "changed", "emptied", "removed"]) {
    await store.batch([sql(`DROP TRIGGER IF EXISTS dead_days_${name}`)]);
  }
  for (const { queries } of MIGRATIONS.filter((one) => one.name.includes("dead_days"))) {
    for (const query of queries) await store.batch([sql(query)]);
  }
}

describe("what the ages of causes cost", () => {
  /** So many causes with dead jobs in every hour of so many days. */
  const fill = (causes: number, of: number) =>
    store.batch([
      sql(
        `INSERT INTO dead_counts (cause, hour, n) WITH RECURSIVE h(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM h WHERE i < ?2 - 1),
         c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1)
         SELECT printf('cause %02d', c.i), ?3 - h.i * ${HOUR}, c.i FROM c CROSS JOIN h`,
        causes,
        24 * of,
        Math.floor(NOW / HOUR) * HOUR,
      ),
    ]);
  const cost = async (read: () => Promise<unknown>) => {
    const before = store.used.rowsRead;
    await read();
    return store.used.rowsRead - before;
  };

  test("a row a day and cause, of eight days at most, however long and dense they die", async () => {
    await fill(25, 30);
    const page = await readDead(store, null);
    expect(page.causes[0]).toMatchObject({
      cause: "cause 25",
      n: 720 * 25,
      ages: [1, 5, 18, 48, 96, 552].map((n) => 25 * n),
    });
    const [dead, cause] = [
      await cost(() => readDead(store, null)),
      await cost(() => readCause(store, "cause 25", seeing(new Map()))),
    ];
    expect(dead).toBeLessThanOrEqual(25 * 8 + 3 * 25 + 5);
    expect(cause).toBeLessThanOrEqual(8 + 5);

    await store.batch([sql("DELETE FROM dead_counts"), sql("DELETE FROM dead_causes")]);
    await fill(25, 9);
    expect(await cost(() => readDead(store, null))).toBe(dead);
  });
});

test("hours and causes of which nobody is dead are removed in bounded steps, and no other", async () => {
  const long = NOW - 401 * DAY;
  await store.batch([
    sql(
      `INSERT INTO dead_counts (cause, hour, n) WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 5100)
       SELECT 'cause ' || n, ?1, 0 FROM i`,
      long,
    ),
    count("alive", long, 1),
  ]);
  const left = async () =>
    (await store.batch(["dead_counts", "dead_causes"].map((table) => sql(`SELECT count(*) AS n FROM ${table}`)))).map(
      (rows) => (rows as [{ n: number }])[0].n,
    );
  await store.batch(pruneSite);
  expect(await left()).toEqual([101, 101]);
  await store.batch(pruneSite);
  expect(await left()).toEqual([1, 1]);
  expect(await days()).toEqual([{ cause: "alive", day: Math.floor(long / DAY) * DAY, hours: '{"10":1}' }]);
});
