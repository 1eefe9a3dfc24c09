import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { JobPage } from "~/domain/feeds";
import { writeCursor } from "~/domain/query/cursor";
import type { JobFilter } from "~/domain/query/filter";
import { VIEW_NAMES } from "~/domain/states";
import { stock, stockId } from "~/testing/stock";
import { Store, sql } from "../store";
import { listJobs } from "./list";

const store = new Store(env.DB);

/** Follows one of a page's links until there is none. */
async function walk(filter: JobFilter, link: "next" | "previous", from?: JobPage): Promise<JobPage[]> {
  const pages = [from ?? (await listJobs(store, filter))];
  for (let page = pages[0] as JobPage; page[link] !== null; ) {
    page = await listJobs(store, { ...filter, cursor: page[link] as string });
    pages.push(page);
  }
  return pages;
}
const idsOf = (pages: JobPage[]) => pages.flatMap((page) => page.jobs.map((job) => job.id));
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => stockId(from + i));

describe("C049: walking the pages shows every job exactly once", () => {
  beforeAll(async () => {
    await stock(store, 1, 60);
    await store.batch([
      sql(
        "UPDATE jobs SET state = 'processing', lease_until = 1, leased_at = 1 WHERE state = 'pending' AND id <= ?",
        stockId(20),
      ),
    ]);
    await store.batch(
      [1, 2, 3, 4, 5].map((number) =>
        sql(
          `INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, token, app_version)
           SELECT id, ?, 1, 'retry', 1, 2, 0, 'failed', 't', 'test' FROM jobs WHERE state = 'dead'`,
          number,
        ),
      ),
    );
  });

  test("C049: newest first, in pages of 25, while jobs come and go", async () => {
    const first = await listJobs(store, {});
    expect(first.jobs.map((job) => job.id)).toEqual(numbers(36, 60).reverse());
    expect(first.previous).toBeNull();

    await stock(store, 61, 70);
    await store.batch([sql("DELETE FROM jobs WHERE id = ?", stockId(50))]);

    const pages = await walk({}, "next", first);
    expect(pages.map((page) => page.jobs.length)).toEqual([25, 25, 10]);
    expect(idsOf(pages)).toEqual(numbers(1, 60).reverse());
  });

  test("C049: the way back from the last page shows the same rows, and the new ones only at the top", async () => {
    const down = await walk({}, "next");
    const up = await walk({}, "previous", down.at(-1));
    expect(idsOf(down)).toEqual(
      numbers(1, 70)
        .filter((id) => id !== stockId(50))
        .reverse(),
    );
    expect(up.map((page) => page.jobs)).toEqual(down.map((page) => page.jobs).reverse());
    for (const [index, page] of up.slice(1).entries()) {
      const back = await listJobs(store, { cursor: page.next as string });
      expect(back.jobs).toEqual((up[index] as JobPage).jobs);
    }
  });

  test("C049: oldest first shows the same jobs the other way round", async () => {
    const oldest = await walk({ order: "oldest" }, "next");
    expect(idsOf(oldest)).toEqual(idsOf(await walk({}, "next")).reverse());
    expect(idsOf(await walk({ order: "oldest" }, "previous", oldest.at(-1)))).toHaveLength(69);
  });

  test("C049: a page whose neighbour is gone still leads back to all rows before it", async () => {
    const first = await listJobs(store, { kind: "b", limit: 5 });
    await store.batch([sql("UPDATE jobs SET kind = 'c' WHERE kind = 'b' AND id < ?", first.jobs.at(-1)?.id ?? "")]);
    const empty = await listJobs(store, { kind: "b", limit: 5, cursor: first.next as string });
    expect(empty).toMatchObject({ jobs: [], next: null });
    const back = await listJobs(store, { kind: "b", limit: 5, cursor: empty.previous as string });
    expect(back.jobs).toEqual(first.jobs);
  });
});

describe("filters", () => {
  const all: JobFilter[] = [
    ...VIEW_NAMES.flatMap((view) => [{ view }, { view, kind: "a" }, { view, kind: "nobody" }]),
    ...(["pending", "processing", "done", "dead", "cancelled"] as const).flatMap((state) => [
      { state },
      { state, kind: "a" },
    ]),
    {},
    { kind: "a" },
    { cause: "a: it broke" },
    { cause: "a: it broke", kind: "a" },
    { cause: "a: it broke", kind: "b" },
  ];

  test("every combination shows exactly the jobs it names, in both orders and both ways", async () => {
    const everything = (await walk({}, "next")).flatMap((page) => page.jobs);
    for (const filter of all) {
      const wanted = everything.filter(
        (job) =>
          (filter.view ?? job.view) === job.view &&
          (filter.state ?? job.state) === job.state &&
          (filter.kind ?? job.kind) === job.kind &&
          (filter.cause === undefined || (job.state === "dead" && job.cause === filter.cause)),
      );
      const pages = await walk({ ...filter, limit: 4 }, "next");
      expect(
        pages.flatMap((page) => page.jobs),
        JSON.stringify(filter),
      ).toEqual(wanted);
      const back = await walk({ ...filter, limit: 4 }, "previous", pages.at(-1));
      expect(idsOf(back.reverse()), JSON.stringify(filter)).toEqual(idsOf(pages));
      expect(idsOf(await walk({ ...filter, limit: 4, order: "oldest" }, "next"))).toEqual(idsOf(pages).reverse());
    }
  });

  test("a cursor that no list gave out is refused, also one of another list's shape", async () => {
    const otherSort = writeCursor({ walk: "older", id: "a", inclusive: false, at: 1 });
    for (const cursor of ["", "x", "1'--", "PDA=", btoa("<"), btoa("?1"), btoa("<a b"), btoa("=a"), otherSort]) {
      await expect(listJobs(store, { cursor })).rejects.toThrow(RangeError);
    }
  });
});

describe("what a row shows", () => {
  test("an error is cut to 200 characters, and the payload stays in the store", async () => {
    const id = stockId(999_000);
    await stock(store, 999_000, 999_000);
    await store.batch([
      sql("UPDATE jobs SET last_error = ?, payload = ? WHERE id = ?", "😀".repeat(300), `"${"p".repeat(200_000)}"`, id),
    ]);
    const page = await listJobs(store, { limit: 1 });
    expect(page.jobs[0]).toEqual({
      id,
      kind: "b",
      lane: "normal",
      state: "done",
      view: "done",
      label: "job 999000",
      attempt: 1,
      tries: 1,
      maxAttempts: 5,
      generation: 1,
      runAt: "2026-12-01T10:00:00.000Z",
      createdAt: "2026-12-01T10:00:00.000Z",
      startedAt: "2026-12-01T10:00:00.000Z",
      finishedAt: "2026-12-01T10:00:01.000Z",
      lastError: "😀".repeat(200),
      cause: null,
      heldByGroup: false,
    });
    expect(JSON.stringify(page).length).toBeLessThan(2_000);
  });
});
