import { expect, test } from "vitest";
import { exportAddress, jobAddress, jobListOf, jobsAddress, jobsFeedAddress, safePath } from "./addresses";
import { writeCursor } from "./query/cursor";

const read = (query: string) => jobListOf(new URLSearchParams(query));
const cursor = writeCursor({ walk: "older", id: "a", inclusive: false });

test("C051: a list and its address stand for each other", () => {
  const list = { view: "dead" as const, kind: "demo", cause: "demo: a&b=c #1", cursor };
  expect(jobListOf(new URL(jobsAddress(list), "http://x").searchParams)).toEqual(list);
  expect(jobsAddress()).toBe("/jobs");
});

test("C051: what an address does not know is left out", () => {
  expect(read("view=nonsense&kind=&cursor=zzz&other=1")).toEqual({});
  expect(read(`kind=${"x".repeat(101)}&cause=${"x".repeat(501)}&sort=up&order=down&columns=x`)).toEqual({});
});

test("a cause asks for dead jobs, and goes away where another view is asked for", () => {
  expect(read("cause=demo%3A+boom")).toEqual({ view: "dead", cause: "demo: boom" });
  expect(read("cause=demo%3A+boom&view=done")).toEqual({ view: "done" });
});

test("the feed of a list is asked for with the same words", () => {
  const list = { view: "dead", kind: "a b", q: "priority:high", columns: "id" } as const;
  expect(jobsFeedAddress(list, { limit: 25 })).toBe(
    "/api/v1/jobs?view=dead&kind=a+b&q=priority%3Ahigh&limit=25&brief=1",
  );
  expect(exportAddress({ ...list, cursor: "x" }, "csv")).toBe("/api/v1/jobs.csv?view=dead&kind=a+b&q=priority%3Ahigh");
  expect(jobAddress("../x")).toBe("/jobs/..%2Fx");
});

test("a way back leads to this site only", () => {
  expect(safePath("/jobs?view=dead", "/")).toBe("/jobs?view=dead");
  for (const bad of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "jobs",
    "",
    null,
    "/a\nb",
    "/\t/evil.example",
  ]) {
    expect(safePath(bad, "/home")).toBe("/home");
  }
});
