import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { type ChartView, RANGE_NAMES, type Range } from "~/domain/overview/chart_range";
import { clean } from "~/testing/world";
import { STAT_COLUMNS } from "../stat_columns";
import { Store, sql } from "../store";
import { readKinds } from "./kinds";
import { readOverview } from "./overview";

const NOW = Date.parse("2026-12-31T12:37:20.000Z");
const store = new Store(env.DB, () => NOW);
const KINDS = ["a", "b", "c"];
/** Rows of a chart: a row a minute or hour, a row a quarter where hours of the zone begin within one. */
const MOST: Record<Range, { whole: number; within: number }> = {
  "1h": { whole: 61, within: 61 },
  "24h": { whole: 25, within: 25 * 4 },
  "7d": { whole: 169, within: 169 * 4 },
  "30d": { whole: 31 * 24, within: 31 * (23 + 4) },
};
const ZONES = {
  UTC: "whole",
  "America/New_York": "whole",
  "Asia/Kolkata": "within",
  "Asia/Kathmandu": "within",
} as const;

/** A site on which, for so many days, in every minute attempts of every sort ended after times of every length. */
const dense = (days: number) => [
  sql(
    `WITH RECURSIVE minute(at) AS (SELECT ?1 UNION ALL SELECT at - 60000 FROM minute WHERE at > ?1 - ?2)
     INSERT INTO stats (kind, grain, at, ${STAT_COLUMNS})
     SELECT k.value, g.value->>0, at, ${STAT_COLUMNS.map((_, i) => i + 1)} FROM json_each(?3) AS k CROSS JOIN json_each(?4) AS g CROSS JOIN minute
     WHERE at % (g.value->>0) = 0 AND at > ?1 - (g.value->>1)`,
    NOW - (NOW % 60_000),
    days * 86_400_000,
    JSON.stringify(["", ...KINDS]),
    JSON.stringify([
      [60_000, 2 * 86_400_000],
      [900_000, days * 86_400_000],
      [3_600_000, days * 86_400_000],
    ]),
  ),
];

async function rowsRead(read: () => Promise<unknown>): Promise<number> {
  const before = store.used.rowsRead;
  await read();
  return store.used.rowsRead - before;
}

const views = RANGE_NAMES.flatMap((range) =>
  Object.entries(ZONES).map(([zone, hours]) => [range, zone, MOST[range][hours]] as const),
);
const overview = (view: Partial<ChartView>) => () =>
  readOverview(store, { range: "24h", day: null, zone: "UTC", ...view }, NOW);
const kinds = () => readKinds(store, []);

describe("what a chart reads is bounded by what it draws, however much ended of however many sorts", () => {
  const none: Record<string, number> = {};

  beforeAll(async () => {
    await clean();
    for (const [range, zone] of views) none[`${range} ${zone}`] = await rowsRead(overview({ range, zone }));
    none.day = await rowsRead(overview({ day: "2026-12-30" }));
    none.kinds = await rowsRead(kinds);
    await store.batch(dense(40));
  });

  // The overview tells of failures too: 15 minutes of each kind, and finds out which they are.
  const FAILING = KINDS.length * (15 + 2);

  test.each(views)("%s in %s", async (range, zone, most) => {
    const rows = (await rowsRead(overview({ range, zone }))) - (none[`${range} ${zone}`] as number);
    expect(rows).toBeLessThanOrEqual(most + FAILING);
    const { charts } = await overview({ range, zone })();
    for (const n of charts.done) expect(n).toBeGreaterThan(0);
  });

  test("one day", async () => {
    expect((await rowsRead(overview({ day: "2026-12-30" }))) - (none.day as number)).toBeLessThanOrEqual(24 + FAILING);
  });

  test("the page of kinds: the minutes of a quarter hour and four quarters of each", async () => {
    const rows = (await rowsRead(kinds)) - (none.kinds as number);
    expect(rows).toBeLessThanOrEqual(KINDS.length * (14 + 4 + 2 + 2));
    // Sixty minutes of 1 each: those of its edge by the minute, the others by the quarter.
    for (const { lastHour } of (await kinds()).kinds) expect(lastHour.done).toBe(7 + 4);
  });

  test("a read that looks through all of it is seen", async () => {
    const through = () => store.batch([sql("SELECT sum(done) FROM stats WHERE grain = 60000")]);
    expect(await rowsRead(through)).toBeGreaterThan(10_000);
  });
});
