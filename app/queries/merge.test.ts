import { expect, test } from "vitest";
import type { JobPage, JobRow } from "~/domain/feeds";
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
  expect(merged.stale).toBe(true);
});

test("more new jobs than the feed holds are told as at least so many", () => {
  const merged = mergeRows(page(["2", "1"]), page(["9", "8"], "more"));
  expect([merged.fresh, merged.freshOrMore]).toEqual([2, true]);
  expect(mergeRows(page(["2", "1"]), page(["2", "1"])).stale).toBe(false);
});
