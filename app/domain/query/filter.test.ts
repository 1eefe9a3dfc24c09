import { describe, expect, test } from "vitest";
import { problemsOf } from "../submission";
import { writeCursor } from "./cursor";
import { JOB_FILTER } from "./filter";

const BY_END = writeCursor({ walk: "older", id: "a", inclusive: true, at: 1 });

describe("the filter of a list", () => {
  test("asks for everything where nothing is said", () => {
    expect(JOB_FILTER.parse({})).toEqual({ limit: 25 });
  });

  test("takes every parameter", () => {
    const cursor = writeCursor({ walk: "older", id: "a", inclusive: false });
    const filter = { view: "dead", state: "dead", kind: "demo", cause: "demo: x", order: "oldest", cursor };
    expect(JOB_FILTER.parse({ ...filter, limit: "100" })).toEqual({ ...filter, limit: 100 });
    const since = { since: BY_END, q: "finished:1h", limit: "37", brief: "1" };
    expect(JOB_FILTER.parse(since)).toEqual({ ...since, limit: 37 });
  });

  test.each([
    [{ view: "running" }, "view"],
    [{ state: "retrying" }, "state"],
    [{ state: "" }, "state"],
    [{ kind: "" }, "kind"],
    [{ order: "up" }, "order"],
    [{ cursor: "x" }, "cursor"],
    [{ since: "x" }, "since"],
    [{ since: BY_END }, "since"],
    [{ since: BY_END, sort: "finished", cursor: BY_END }, "since"],
    [{ brief: "0" }, "brief"],
    [{ limit: "0" }, "limit"],
    [{ limit: "101" }, "limit"],
    [{ limit: "1.5" }, "limit"],
    [{ limit: "25 " }, "limit"],
    [{ limit: "" }, "limit"],
    [{ page: "2" }, "page"],
    [{ view: "retrying", state: "dead" }, "view"],
    [{ cause: "demo: x", view: "retrying" }, "cause"],
    [{ cause: "demo: x", state: "pending" }, "cause"],
  ])("%o: the error is at %s", (filter, path) => {
    const parsed = JOB_FILTER.safeParse(filter);
    expect(parsed.success ? [] : problemsOf(parsed.error).map((problem) => problem.path)).toEqual([path]);
  });
});
