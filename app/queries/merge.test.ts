import { describe, expect, test } from "vitest";
import type { JobList } from "~/domain/addresses";
import type { JobPage, JobRow } from "~/domain/feeds";
import { PAGE_SIZE_MAX } from "~/domain/limits";
import { readCursor } from "~/domain/query/cursor";
import { pollAddress } from "./jobs";
import { mergeRows } from "./merge";

const job = (id: string, view = "pending") => ({ id, view }) as JobRow;
const page = (ids: string[], next: string | null = null): JobPage => ({
  revision: 1,
  now: "2026-12-01T10:00:00.000Z",
  jobs: ids.map((id) => job(id)),
  fresh: 0,
  next,
  previous: null,
  scanned: null,
  reach: null,
  total: null,
});
const idsOf = (merged: ReturnType<typeof mergeRows>) =>
  merged.rows.map((row) => row.job.id + (row.left ? " left" : ""));

test("rows keep their places and take what the feed says of them", () => {
  const feed = { ...page([]), jobs: [job("9"), job("5", "done"), job("4")] };
  const merged = mergeRows(page(["5", "4"]), feed);
  expect(merged.rows.map((row) => row.job.view)).toEqual(["done", "pending"]);
  expect([merged.fresh, merged.freshOrMore]).toEqual([1, false]);
});

test("a row that the feed should hold and does not has left the list", () => {
  expect(idsOf(mergeRows(page(["5", "4", "3"]), page(["5", "3"])))).toEqual(["5", "4 left", "3"]);
  expect(idsOf(mergeRows(page(["5", "4"]), page([])))).toEqual(["5 left", "4 left"]);
});

test("a row below the reach of the feed has not left", () => {
  const merged = mergeRows(page(["5", "4", "3"]), page(["9", "8", "5"], "more"));
  expect(idsOf(merged)).toEqual(["5", "4", "3"]);
  // The next poll reaches further.
  expect(merged.stale).toBe(false);
});

test("rows are told to be old where no feed reaches down to them", () => {
  const newer = Array.from({ length: PAGE_SIZE_MAX }, (_, n) => String(900 - n));
  expect(mergeRows(page(["5", "4"]), page(newer, "more"))).toMatchObject({ stale: true, freshOrMore: true });
  expect(mergeRows(page(["800", "4"]), page(newer)).stale).toBe(false);
});

test("a poll says what is on screen, and looks at as many more as came since, up to the most that there is", () => {
  const limitOf = (list: JobList, fresh: number, next: string | null = null) =>
    Number(new URLSearchParams(pollAddress(list, page(["5", "4"], next), fresh).split("?")[1]).get("limit"));
  expect([0, 12, 75, 300].map((fresh) => limitOf({}, fresh))).toEqual([25, 37, 100, 100]);
  // Where the oldest come first, what comes is after the last page: from another one it cannot be seen.
  expect([limitOf({ order: "oldest" }, 0), limitOf({ order: "oldest" }, 0, "more")]).toEqual([100, 25]);

  const sinceOf = (list: JobList, shown = page(["5", "4"])) =>
    readCursor(new URLSearchParams(pollAddress(list, shown, 0).split("?")[1]).get("since") ?? "");
  expect(sinceOf({})).toEqual({ walk: "older", id: "5", inclusive: true });
  expect(sinceOf({ order: "oldest" })).toEqual({ walk: "older", id: "4", inclusive: true });
  const ended = { ...page([]), jobs: [{ id: "5", finishedAt: "2026-12-01T10:00:00.000Z" } as JobRow] };
  for (const list of [{ sort: "finished" }, { q: "finished:1h" }] as const) {
    expect(sinceOf(list, ended)).toMatchObject({ id: "5", at: Date.parse("2026-12-01T10:00:00.000Z") });
  }
  expect([sinceOf({ cursor: "older" }), sinceOf({}, page([]))]).toEqual([null, null]);
});

test("what came beyond the page is only counted", () => {
  const feed = { ...page(["5", "4"], "more"), fresh: 12 };
  expect(mergeRows(page(["5", "4", "3"]), feed)).toMatchObject({ fresh: 12, freshOrMore: false, stale: false });
  expect(idsOf(mergeRows(page(["5", "4", "3"]), feed))).toEqual(["5", "4", "3"]);
  // A page that is held while a newer one was read: those in between have rows of their own.
  expect(mergeRows(page(["3"]), feed).fresh).toBe(14);
  const none = { ...page([], "more"), fresh: 25 };
  expect(mergeRows(page(["5", "4"]), none)).toMatchObject({ fresh: 25, freshOrMore: true });
  expect(idsOf(mergeRows(page(["5", "4"]), none))).toEqual(["5", "4"]);
  expect(idsOf(mergeRows(page(["5", "4"]), { ...page([]), fresh: 2 }))).toEqual(["5 left", "4 left"]);
  expect(mergeRows(page(["5", "4"]), { ...page(["5"], "more"), fresh: 99 }).stale).toBe(true);
});

test("more new jobs than the feed holds are told as at least so many", () => {
  const merged = mergeRows(page(["2", "1"]), page(["9", "8"], "more"));
  expect([merged.fresh, merged.freshOrMore]).toEqual([2, true]);
  expect(mergeRows(page(["2", "1"]), page(["2", "1"])).stale).toBe(false);
});

describe("sorted otherwise", () => {
  const ended = (id: string, second: number) =>
    ({ id, view: "done", finishedAt: `2026-12-01T10:00:0${second}.000Z` }) as JobRow;
  const of = (jobs: JobRow[], next: string | null = null): JobPage => ({ ...page([], next), jobs });

  test("by end, what ended later is new, whenever it was submitted", () => {
    const merged = mergeRows(of([ended("5", 3), ended("9", 2)]), of([ended("1", 4), ended("5", 3), ended("9", 2)]), {
      sort: "finished",
    });
    expect([idsOf(merged), merged.fresh]).toEqual([["5", "9"], 1]);
    expect(mergeRows(of([ended("5", 3)]), of([ended("5", 3), ended("9", 2)]), { sort: "finished" }).fresh).toBe(0);
  });

  test("by end, a row below the reach of the feed has not left, though its id is higher", () => {
    const merged = mergeRows(of([ended("5", 3), ended("9", 2)]), of([ended("5", 3)], "more"), { sort: "finished" });
    expect(idsOf(merged)).toEqual(["5", "9"]);
  });

  test("oldest first, what comes is new at the end, where the page is the last one", () => {
    const oldest = { order: "oldest" } as const;
    expect(mergeRows(page(["1", "2"]), page(["1", "2", "3"]), oldest).fresh).toBe(1);
    expect(mergeRows(page(["1", "2"], "more"), page(["1", "2", "3"]), oldest).fresh).toBe(0);
    expect(idsOf(mergeRows(page(["1", "2", "3"]), page(["1", "3"]), oldest))).toEqual(["1", "2 left", "3"]);
    expect(idsOf(mergeRows(page(["1", "2"], "more"), page(["1"], "more"), oldest))).toEqual(["1", "2"]);
    const more = { ...page(["1"], "more"), fresh: 3 };
    expect(idsOf(mergeRows(page(["1", "2"]), more, oldest))).toEqual(["1", "2 left"]);
    expect(mergeRows(page(["1", "2"]), more, oldest)).toMatchObject({ fresh: 3, freshOrMore: false });
    expect(mergeRows(page(["1", "2"]), { ...more, fresh: 99 }, oldest).freshOrMore).toBe(true);
  });
});
