import { expect, test } from "vitest";
import type { JobPage, JobRow } from "../feeds";
import { writeCursor } from "../query/cursor";
import { leftOf, rangeOf } from "./selection";

const page = (ids: string[], cuts: Partial<Pick<JobPage, "previous" | "next">> = {}): JobPage => ({
  revision: 1,
  now: "2026-12-01T10:00:00.000Z",
  jobs: ids.map((id) => ({ id }) as JobRow),
  fresh: 0,
  previous: null,
  next: null,
  scanned: null,
  reach: null,
  total: null,
  ...cuts,
});
const above = (id: string) => writeCursor({ walk: "newer", id, inclusive: true });
const below = (id: string) => writeCursor({ walk: "older", id, inclusive: false });

test("a chosen job that its page shows no more has left the list", () => {
  expect(leftOf(page(["9", "7", "5"]), ["9", "8", "5"])).toEqual(["8"]);
  expect(leftOf(page([]), ["1"])).toEqual(["1"]);
});

test("one that stands on another page has not", () => {
  const middle = page(["7", "6", "5"], { previous: above("8"), next: below("5") });
  expect(leftOf(middle, ["9", "8", "7", "6", "5", "4"])).toEqual([]);
  expect(leftOf(page(["7", "5"], { previous: above("8"), next: below("5") }), ["8", "6", "4"])).toEqual(["6"]);
});

test("the first and the last row of a page leave it too: what counts are the cuts, not the rows that are left", () => {
  expect(leftOf(page(["6"], { previous: above("8"), next: below("5") }), ["8", "7", "6", "5", "4"])).toEqual([
    "7",
    "5",
  ]);
});

test("in the order of ends nobody can tell from an id, so nothing is said to have left", () => {
  const cut = writeCursor({ walk: "older", id: "5", inclusive: false, at: 1 });
  expect(leftOf(page(["9", "7"], { next: cut }), ["8", "3"])).toEqual([]);
  expect(leftOf(page(["9", "7"]), ["8"])).toEqual(["8"]);
});

test("a range goes from one row to the other, both included, whichever stands first", () => {
  const ids = ["9", "8", "7", "6"];
  expect(rangeOf(ids, "8", "6")).toEqual(["8", "7", "6"]);
  expect(rangeOf(ids, "6", "8")).toEqual(["8", "7", "6"]);
  expect(rangeOf(ids, null, "7")).toEqual(["7"]);
  expect(rangeOf(ids, "gone", "7")).toEqual(["7"]);
});
