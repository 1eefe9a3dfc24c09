import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { frozenAt } from "~/domain/bulk/bulk";
import type { JobPage, JobRow } from "~/domain/feeds";
import { SCAN_ROWS } from "~/domain/limits";
import type { JobFilter } from "~/domain/query/filter";
import { VIEW_NAMES } from "~/domain/states";
import { STOCK_AT, stock, stockId } from "~/testing/stock";
import type { Operation } from "../bulk/bulk";
import { nextChunk } from "../bulk/chunks";
import { measure } from "../bulk/matching";
import { Store, sql } from "../store";
import { listJobs } from "./list";

/** The clock stands still at ten seconds after the stock was made. */
const store = new Store(env.DB, () => STOCK_AT + 10_000);

async function walk(filter: JobFilter, link: "next" | "previous" = "next", from?: JobPage): Promise<JobPage[]> {
  const pages = [from ?? (await listJobs(store, filter))];
  for (let page = pages[0] as JobPage; page[link] !== null; ) {
    page = await listJobs(store, { ...filter, cursor: page[link] as string });
    pages.push(page);
  }
  return pages;
}
const idsOf = (pages: JobPage[]) => pages.flatMap((page) => page.jobs.map((job) => job.id));
const find = async (q: string) => (await walk({ q })).flatMap((page) => page.jobs);

/** Ms after the stock was made. */
const atOf = (instant: string | null) => Date.parse(instant as string) - STOCK_AT;

/** Each finishes a ms after the one before it, but for every third, which ends with its neighbour. */
async function spread(): Promise<void> {
  await store.batch([
    sql(
      `UPDATE jobs SET finished_at = ? + CAST(substr(id, -4) AS INTEGER) / 3 * 3, created_at = ? + CAST(substr(id, -4) AS INTEGER),
         lane = CASE CAST(substr(id, -4) AS INTEGER) % 4 WHEN 0 THEN 'high' WHEN 1 THEN 'long' ELSE 'normal' END
       WHERE finished_at IS NOT NULL`,
      STOCK_AT + 1_000,
      STOCK_AT,
    ),
    sql("UPDATE jobs SET group_key = 'g' || (CAST(substr(id, -4) AS INTEGER) % 3) WHERE id <= ?", stockId(60)),
    sql("UPDATE jobs SET schedule_id = 's' || (CAST(substr(id, -4) AS INTEGER) % 2) WHERE id <= ?", stockId(40)),
    sql(
      "INSERT INTO bulk_operations (id, action, view, cutoff, expected, state, actor, created_at) VALUES ('o0', 'requeue', 'dead', 0, 0, 'running', 'a', 0), ('o1', 'requeue', 'dead', 0, 0, 'running', 'a', 0)",
    ),
    sql("UPDATE jobs SET operation_id = 'o' || (CAST(substr(id, -4) AS INTEGER) % 2) WHERE id <= ?", stockId(50)),
    sql("UPDATE jobs SET idempotency_key = 'key:' || substr(id, -4), request_hash = 'h' WHERE id <= ?", stockId(30)),
    sql("UPDATE jobs SET cause = 'b: it broke, too' WHERE state = 'dead' AND CAST(substr(id, -4) AS INTEGER) % 10 = 5"),
    sql("DELETE FROM dead_counts"),
    sql("INSERT INTO dead_counts SELECT cause, 0, count(*) FROM jobs WHERE state = 'dead' GROUP BY cause"),
    sql(
      `INSERT INTO schedules (id, name, every_minutes, anchor_at, time_zone, kind, priority, missed, missed_max, overlap, version,
         due_at, created_at, updated_at, payload) VALUES ('s0', 'each hour', 60, 0, 'UTC', 'a', 'normal', 'skip', 1, 'allow', 1, 0, 0, 0, '{}')`,
    ),
  ]);
}

describe("every filter shows exactly the jobs it names", () => {
  let all: (JobRow & { n: number })[];
  beforeAll(async () => {
    await stock(store, 1, 150);
    await spread();
    const rows = (await walk({})).flatMap((page) => page.jobs);
    all = rows.map((job) => ({ ...job, n: Number(job.id.slice(-4)) }));
  });

  const wanted: [string, (job: JobRow & { n: number }) => boolean][] = [
    ["kind:b", (job) => job.kind === "b"],
    ["kind:a,b", () => true],
    ["-kind:b", (job) => job.kind !== "b"],
    ["-kind:a,b", () => false],
    ["state:dead,retrying", (job) => ["dead", "retrying"].includes(job.view)],
    ["state:dead,done", (job) => ["dead", "done"].includes(job.view)],
    ["-state:done", (job) => job.view !== "done"],
    ["-state:done,dead kind:a", (job) => job.kind === "a" && !["done", "dead"].includes(job.view)],
    ["state:dead kind:a,b", (job) => job.view === "dead"],
    ["state:dead kind:b", (job) => job.view === "dead" && job.kind === "b"],
    ["state:dead -kind:b", (job) => job.view === "dead" && job.kind !== "b"],
    ['cause:"a: it broke"', (job) => job.view === "dead" && job.cause === "a: it broke"],
    ['cause:"a: it broke","b: it broke, too"', (job) => job.view === "dead" && job.cause !== "b: it broke"],
    ['-cause:"a: it broke" state:dead', (job) => job.view === "dead" && job.cause !== "a: it broke"],
    ['-cause:"a: it broke"', (job) => job.cause !== "a: it broke"],
    ["key:key:0007", (job) => job.n === 7],
    ["key:key:0007,key:0009,none", (job) => job.n === 7 || job.n === 9],
    ["-key:key:0007", (job) => job.n !== 7],
    ["group:g1", (job) => job.n <= 60 && job.n % 3 === 1],
    ["group:g1,g2 kind:a", (job) => job.n <= 60 && job.n % 3 > 0 && job.kind === "a"],
    ["-group:g1", (job) => job.n > 60 || job.n % 3 !== 1],
    ['schedule:"each hour"', (job) => job.n <= 40 && job.n % 2 === 0],
    ["schedule:s0,s1", (job) => job.n <= 40],
    ['-schedule:"each hour"', (job) => job.n > 40 || job.n % 2 !== 0],
    ["operation:o1", (job) => job.n <= 50 && job.n % 2 === 1],
    ["operation:o0,o1,none", (job) => job.n <= 50],
    [
      "operation:o1 state:dead,retrying",
      (job) => job.n <= 50 && job.n % 2 === 1 && ["dead", "retrying"].includes(job.view),
    ],
    [
      'operation:o1 cause:"a: it broke"',
      (job) => job.n <= 50 && job.n % 2 === 1 && job.view === "dead" && job.cause === "a: it broke",
    ],
    ["operation:o0 kind:a", (job) => job.n <= 50 && job.n % 2 === 0 && job.kind === "a"],
    ["-operation:o1", (job) => job.n > 50 || job.n % 2 === 0],
    [`operation:o1,${Array.from({ length: 19 }, (_, n) => `none${n}`)}`, (job) => job.n <= 50 && job.n % 2 === 1],
    ["priority:high", (job) => job.lane === "high"],
    ["-priority:normal state:dead", (job) => job.lane !== "normal" && job.view === "dead"],
    ["created:>2026-12-01T10:00:00.050Z", (job) => job.createdAt >= "2026-12-01T10:00:00.050Z"],
    ["created:2026-12-01", () => true],
    ["created:<2026-12-01", () => false],
    ["it broke", (job) => job.cause !== null],
    ["job 14", (job) => job.label?.includes("job 14") ?? false],
    ["job 14 state:done", (job) => (job.label?.includes("job 14") ?? false) && job.view === "done"],
    ["JOB", () => false],
  ];

  test.each(wanted)("%s", async (q, holds) => {
    const ids = all.filter(holds).map((job) => job.id);
    const pages = await walk({ q, limit: 7 });
    expect(idsOf(pages)).toEqual(ids);
    expect(idsOf((await walk({ q, limit: 7 }, "previous", pages.at(-1))).reverse())).toEqual(ids);
    expect(idsOf(await walk({ q, limit: 7, order: "oldest" }))).toEqual(ids.toReversed());
    for (const { total } of pages) expect(total === null || total === ids.length, `total of ${total}`).toBe(true);
  });

  const ended = (job: JobRow) => job.finishedAt !== null;
  test.each([
    ...wanted,
    ["finished:5m", ended],
    ["finished:2026-12-01T10:00:01Z..2026-12-01T10:00:01.100Z", (job) => ended(job) && atOf(job.finishedAt) < 1_100],
    ["finished:>2026-12-01T10:00:01.050Z it broke", (job) => job.cause !== null && atOf(job.finishedAt) >= 1_050],
  ] satisfies typeof wanted)("meant as a whole: %s", async (q, holds) => {
    for (const view of VIEW_NAMES) {
      for (const own of [{}, { kind: "a" }, ...(view === "dead" ? [{ cause: "a: it broke" }] : [])]) {
        const { kind, cause } = { kind: undefined, cause: undefined, ...own };
        const filter = { view, ...own, q };
        const is = (job: JobRow) =>
          job.view === view && (kind ?? job.kind) === job.kind && (cause ?? job.cause) === job.cause;
        const ids = all.filter((job) => is(job) && holds(job)).map(({ id }) => id);
        const { expected, cutoff } = await measure(store, filter);
        const operation = { kind: null, cause: null, ...frozenAt(filter, cutoff), cutoff, cursor: "" };
        const { rows, end } = await nextChunk(store, operation as Operation, 1_000);
        expect([filter, expected, rows.map(({ id }) => id), end]).toEqual([filter, ids.length, ids.toReversed(), true]);
      }
    }
  });

  test.each([
    "",
    "state:dead",
    "kind:b",
    'cause:"a: it broke","b: it broke, too"',
    "priority:high it broke",
    "state:dead,cancelled",
  ])("by end: %s", async (q) => {
    const plain = new Set(idsOf(await walk({ q })));
    const ids = all
      .filter((job) => job.finishedAt !== null && plain.has(job.id))
      .sort((a, b) => (`${a.finishedAt}${a.id}` < `${b.finishedAt}${b.id}` ? 1 : -1))
      .map((job) => job.id);
    const pages = await walk({ q, sort: "finished", limit: 7 });
    expect(idsOf(pages)).toEqual(ids);
    expect(idsOf((await walk({ q, sort: "finished", limit: 7 }, "previous", pages.at(-1))).reverse())).toEqual(ids);
    expect(idsOf(await walk({ q, sort: "finished", limit: 7, order: "oldest" }))).toEqual(ids.toReversed());
  });

  test("a part that does not know what comes after its end keeps the rest waiting: no job is left out or twice", async () => {
    // Of kind a 7,200 and of kind b 800: the end of what is looked at of a is far above the end of b.
    await stock(store, 1_001, 9_000);
    const rare = [stockId(8_998), stockId(4_016), stockId(1_009)];
    await store.batch([sql("UPDATE jobs SET label = 'rare' WHERE id IN (?, ?, ?)", ...rare)]);
    const pages = await walk({ q: "kind:a,b rare" });
    expect(pages.map((page) => idsOf([page]))).toEqual([[rare[0]], [rare[1]], [rare[2]]]);
    expect(pages.map((page) => page.scanned)).toEqual([SCAN_ROWS, SCAN_ROWS, null]);
    await store.batch([sql("DELETE FROM jobs WHERE id > ?", stockId(1_000)), sql("DELETE FROM job_counts")]);
  });
});

describe("C088: from the first moment up to, and without, the second", () => {
  beforeAll(async () => {
    await store.batch([sql("DELETE FROM jobs")]);
    await stock(store, 1, 5);
    const moments = [0, 1, 500, 999, 1_000];
    await store.batch(
      moments.map((ms, i) =>
        sql(
          "UPDATE jobs SET state = 'done', finished_at = ?1, created_at = ?1, leased_at = ?1, cause = NULL, lease_until = NULL, attempt = 1 WHERE id = ?2",
          STOCK_AT + ms,
          stockId(i + 1),
        ),
      ),
    );
  });

  test.each([
    ["2026-12-01T10:00:00Z..2026-12-01T10:00:01Z", [4, 3, 2, 1]],
    [">2026-12-01T10:00:00.500Z", [5, 4, 3]],
    ["<2026-12-01T10:00:00.500Z", [2, 1]],
    [">2026-12-01T10:00:01Z", [5]],
    [">2026-12-01T10:00:01.001Z", []],
    ["2026-12-01T10:00Z..2026-12-01T10:00Z", []],
    ["9s", [5]],
    ["<9s", [4, 3, 2, 1]],
    ["10s..9s", [4, 3, 2, 1]],
  ])("created: and finished: have the same bounds: %s", async (range, ns) => {
    const ids = ns.map((n) => stockId(n));
    expect((await find(`created:${range}`)).map((job) => job.id)).toEqual(ids);
    expect((await find(`finished:${range}`)).map((job) => job.id)).toEqual(ids);
  });
});

describe("a filter as large as one may be", () => {
  const list = (name: string) => Array.from({ length: 20 }, (_, n) => `${name}${n}`).join(",");
  const ranges = (field: string) => Array.from({ length: 18 }, (_, n) => `${field}:${n + 30}d..${n + 1}m`).join(" ");
  beforeAll(() => store.batch([sql("DELETE FROM jobs")]));

  test.each([
    `group:${list("g")} ${ranges("created")}`,
    `cause:${list("c")} ${ranges("created")} words`,
    `cause:${list("c")} ${ranges("finished")}`,
    `state:dead kind:${list("k")} ${ranges("created")}`,
    `group:${list("g")} kind:${list("k")} -cause:${list("c")} -key:${list("y")} schedule:${list("s")} words`,
  ])("is a statement that D1 takes: %s", async (q) => expect(await find(q)).toEqual([]));
});

describe("C047: search finds exactly the characters typed", () => {
  const labels = ["100%", "a_b", "aXb", "C:\\tmp", "it's", '"quoted"', "50 percent", "plain"];
  beforeAll(async () => {
    await store.batch([sql("DELETE FROM jobs")]);
    await stock(store, 1, 8);
    await store.batch(
      labels.map((label, i) => sql("UPDATE jobs SET label = ?, cause = NULL WHERE id = ?", label, stockId(i + 1))),
    );
  });

  test.each([
    ["%", ["100%"]],
    ["_", ["a_b"]],
    ["a_b", ["a_b"]],
    ["\\", ["C:\\tmp"]],
    ["'", ["it's"]],
    ["100%", ["100%"]],
    ["%25", []],
    ["", labels],
    ["   ", labels],
    ['"', ['"quoted"']],
    ["plain' OR '1'='1", []],
  ])("C047: %j", async (q, found) => {
    expect((await find(q)).map((job) => job.label).sort()).toEqual([...found].sort());
  });

  test("C047: also in the cause, and never across the two", async () => {
    await store.batch([sql("UPDATE jobs SET cause = 'demo: 100% of it broke' WHERE id = ?", stockId(8))]);
    expect((await find("100%")).map((job) => job.label)).toEqual(["plain", "100%"]);
    expect(await find("plaindemo")).toEqual([]);
  });

  test("it says how far it looked, and goes on from there", async () => {
    await stock(store, 1_001, 7_000);
    const first = await listJobs(store, { q: "percent" });
    expect(first).toMatchObject({ jobs: [], scanned: SCAN_ROWS, reach: "2026-12-01T10:00:00.000Z", total: null });
    const second = await listJobs(store, { q: "percent", cursor: first.next as string });
    expect(second.jobs.map((job) => job.label)).toEqual(["50 percent"]);
    expect(second).toMatchObject({ scanned: null, reach: null, next: null });
    const full = await listJobs(store, { q: "it broke", limit: 10 });
    expect(full).toMatchObject({ scanned: null, reach: expect.any(String), next: expect.any(String) });
  });
});
