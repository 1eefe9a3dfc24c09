import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { CAUSES_AMONG } from "~/domain/bulk/feeds";
import { SCAN_ROWS } from "~/domain/limits";
import type { JobFilter } from "~/domain/query/filter";
import { VIEW_NAMES } from "~/domain/states";
import { seeing } from "~/testing/seeing";
import { stock, stockId } from "~/testing/stock";
import { Store, sql } from "../store";
import { readCause, readDead } from "./dead";
import { readVitals } from "./health";
import { readJob } from "./job";
import { readKinds } from "./kinds";
import { listJobs } from "./list";
import { listOperations, readOperationDetail } from "./operations";
import { readOverview } from "./overview";
import { readRevision } from "./revision";
import { readStats } from "./stats";

const store = new Store(env.DB);
const LIMIT = 5;
/** Rows that a read may cost more or less, depending on where in the mixture its page begins. */
const SLACK = 4 * LIMIT;

const filters: JobFilter[] = [
  {},
  { kind: "a" },
  ...VIEW_NAMES.flatMap((view) => [{ view }, { view, kind: "a" }]),
  { state: "pending" },
  { state: "pending", kind: "a" },
  { cause: "a: it broke" },
  { cause: "a: it broke", kind: "a" },
  { sort: "finished" },
  { sort: "finished", view: "dead" },
  { sort: "finished", view: "dead", cause: "a: it broke" },
  { sort: "finished", view: "done", kind: "a" },
  { q: "kind:a,b" },
  { q: "kind:a,b state:dead" },
  { q: "-kind:b state:dead,cancelled,retrying" },
  { q: 'cause:"a: it broke","b: it broke"' },
  { q: "created:2026-12-01" },
  { q: "finished:>2026-12-01 state:dead" },
  { q: 'finished:2026-12-01 cause:"a: it broke"' },
  { q: "it broke" },
  { q: "it broke state:dead,retrying" },
  { q: "job priority:normal" },
  { q: "operation:o1" },
  { q: "operation:o1 state:dead" },
  { q: 'operation:o1 cause:"a: it broke"' },
];

/** Asked for by names that a stock of jobs does not have: an index says so at once. */
const nowhere: JobFilter[] = [
  "key:none,neither",
  "group:none",
  "schedule:none",
  "kind:none",
  "cause:none",
  "kind:none state:dead",
  "operation:none",
].map((q) => ({ q }));

const reads: Record<string, () => Promise<unknown>> = {
  ...Object.fromEntries(
    filters.flatMap((filter) => [
      [`list ${JSON.stringify(filter)}`, () => listJobs(store, { ...filter, limit: LIMIT })],
      [
        `list ${JSON.stringify(filter)} oldest first`,
        () => listJobs(store, { ...filter, limit: LIMIT, order: "oldest" }),
      ],
    ]),
  ),
  ...Object.fromEntries(nowhere.map((filter) => [`list ${filter.q}`, () => listJobs(store, filter)])),
  "list from the middle": async () => {
    const page = await listJobs(store, { limit: LIMIT });
    return listJobs(store, { limit: LIMIT, cursor: page.next as string });
  },
  job: () => readJob(store, stockId(50), seeing(new Map([["a", {}]]))),
  stats: () =>
    readStats(
      store,
      new Map([
        ["a", {}],
        ["b", {}],
      ]),
    ),
  dead: () => readDead(store, null),
  cause: () => readCause(store, "a: it broke", seeing(new Map([["a", {}]])), LIMIT),
  "list of a cell": () =>
    listJobs(store, { view: "dead", cause: "a: it broke", q: "finished:2026-12-01T10:00:00.000Z..", limit: LIMIT }),
  overview: () => readOverview(store, { range: "24h", day: null, zone: "UTC" }, Date.now()),
  kinds: () => readKinds(store, []),
  operations: () => listOperations(store),
  vitals: () => readVitals(store),
  revision: () => readRevision(store),
};

async function rowsRead(): Promise<Record<string, number>> {
  const cost: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads)) {
    const before = store.used.rowsRead;
    await read();
    cost[name] = store.used.rowsRead - before;
  }
  return cost;
}

/** All jobs, by one operation. */
const changedBy = (operation: string) =>
  store.batch([
    sql(
      "INSERT INTO bulk_operations (id, action, view, cutoff, expected, state, actor, created_at) VALUES (?, 'requeue', 'dead', 0, 0, 'running', 'a', 0) ON CONFLICT DO NOTHING",
      operation,
    ),
    sql("UPDATE jobs SET operation_id = ?", operation),
  ]);

describe("what a page reads does not grow with the jobs stored", () => {
  let small: Record<string, number>;

  beforeAll(async () => {
    await stock(store, 1, 100);
    await store.batch([
      sql(
        "UPDATE jobs SET state = 'processing', lease_until = 1, leased_at = 1 WHERE state = 'pending' AND id <= ?",
        stockId(20),
      ),
    ]);
    await changedBy("o1");
    small = await rowsRead();
    await stock(store, 101, 20_000);
    await changedBy("o1");
  });

  const same = async () => {
    for (const [name, rows] of Object.entries(await rowsRead())) {
      expect(Math.abs(rows - (small[name] as number)), `${name}: ${small[name]}, then ${rows}`).toBeLessThanOrEqual(
        SLACK,
      );
    }
  };

  test("100 and 20,000 jobs cost the same", same);
  test("100 and 20,000 jobs cost the same after ANALYZE", async () => {
    await store.batch([sql("ANALYZE")]);
    await same();
  });
  test("an unchanged poll costs one row", () => expect(small.revision).toBe(1));

  test("what became of 20,000 jobs of an operation is told from its row, what those died of from 500 of them", async () => {
    const before = store.used.rowsRead;
    expect(await readOperationDetail(store, "o1")).toMatchObject({
      became: { done: 8_000, dead: 4_000, cancelled: 2_000 },
      causes: [
        { cause: "a: it broke", n: 450 },
        { cause: "b: it broke", n: 50 },
      ],
    });
    expect(store.used.rowsRead - before).toBeLessThanOrEqual(2 * CAUSES_AMONG + 50);
  });
});

describe("a filter that no index serves", () => {
  test.each([
    "nowhere in any label",
    "priority:high",
    "nowhere state:dead,cancelled,retrying,scheduled",
    "-kind:a,b",
    "priority:long finished:>2026-12-01",
    "priority:long created:>2026-12-01",
    "-cause:x kind:a priority:high",
  ])("looks at no more than 5,000 jobs a page: %s", async (q) => {
    const before = store.used.rowsRead;
    const page = await listJobs(store, { q });
    expect(page.jobs).toEqual([]);
    // For each that is looked at its place in the index, its row, and its place again, to find where to go on from.
    expect(store.used.rowsRead - before).toBeLessThanOrEqual(3 * SCAN_ROWS + 50);
  });

  test("looks at 5,000 rows a page, says so, and goes on from there until the end", async () => {
    await store.batch([sql("UPDATE jobs SET state = 'dead' WHERE state = 'done'")]);
    await store.batch([
      sql("UPDATE jobs SET state = 'done' WHERE id IN (?, ?, ?)", stockId(15_001), stockId(14_991), stockId(2)),
    ]);
    const seen: string[][] = [];
    let page = await listJobs(store, { view: "done" });
    const scanned = [page.scanned];
    seen.push(page.jobs.map((job) => job.id));
    while (page.next) {
      page = await listJobs(store, { view: "done", cursor: page.next });
      scanned.push(page.scanned);
      seen.push(page.jobs.map((job) => job.id));
    }
    expect(seen).toEqual([[stockId(15_001)], [stockId(14_991)], [], [stockId(2)], []]);
    expect(scanned).toEqual([SCAN_ROWS, SCAN_ROWS, SCAN_ROWS, SCAN_ROWS, null]);
    const back = await listJobs(store, { view: "done", cursor: page.previous as string });
    expect(back.jobs.map((job) => job.id)).toEqual([stockId(2)]);
    expect(back).toMatchObject({ scanned: SCAN_ROWS });
  });

  test("stops looking as soon as the page is full", async () => {
    await store.batch([sql("UPDATE jobs SET state = 'done' WHERE state = 'dead'")]);
    const before = store.used.rowsRead;
    const page = await listJobs(store, { view: "done", limit: 10 });
    expect(page).toMatchObject({ scanned: null });
    expect(page.jobs).toHaveLength(10);
    expect(store.used.rowsRead - before).toBeLessThan(100);
  });
});
