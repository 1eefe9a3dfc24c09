import { describe, expect, test } from "vitest";
import type { JobPage, JobRow } from "~/domain/feeds";
import { PAGE_SIZE_MAX } from "~/domain/limits";
import { windowOf } from "./jobs";
import { mergeRows } from "./merge";

const job = (id: string, view = "pending") => ({ id, view }) as JobRow;
const page = (ids: string[], next: string | null = null): JobPage => ({
  revision: 1,
  now: "2026-12-01T10:00:00.000Z",
  jobs: ids.map((id) => job(id)),
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

test("a poll asks for a page of rows and the newer ones above them, up to the most that there is", () => {
  expect([0, 12, 75, 300].map((fresh) => windowOf({}, fresh))).toEqual([25, 37, 100, 100]);
  expect([windowOf({ cursor: "older" }, 12), windowOf({ order: "oldest" }, 0)]).toEqual([25, 100]);
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
  });
});
