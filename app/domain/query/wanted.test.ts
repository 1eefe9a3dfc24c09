import { describe, expect, test } from "vitest";
import { isCounted, operationsAlone, wantedOf } from "./wanted";

describe("what a filter asks for", () => {
  test("is said by parameters and by the box alike", () => {
    const own = wantedOf({ view: "dead", kind: "a", cause: "x" });
    expect(wantedOf({ q: "state:dead kind:a cause:x" })).toEqual(own);
    expect(wantedOf({ view: "dead", q: "kind:a cause:x" })).toEqual(own);
    expect(own).toMatchObject({ views: ["dead"], kind: { in: ["a"], out: [] }, cause: { in: ["x"], out: [] } });
  });

  test("said in two places, both hold", () => {
    expect(wantedOf({ kind: "a", q: "kind:a,b" }).kind.in).toEqual(["a"]);
    expect(wantedOf({ kind: "c", q: "kind:a,b" }).kind.in).toEqual([]);
    expect(wantedOf({ view: "done", q: "state:dead" }).views).toEqual([]);
    expect(wantedOf({ view: "dead", q: "-state:dead" }).views).toEqual([]);
  });

  test("a state of pending is three views, and none left out is all of them", () => {
    expect(wantedOf({ state: "pending" }).views).toEqual(["scheduled", "pending", "retrying"]);
    expect(wantedOf({ q: "-state:done,dead,cancelled" }).views).toEqual([
      "scheduled",
      "pending",
      "retrying",
      "processing",
    ]);
    expect(wantedOf({}).views).toBeNull();
  });

  test("a cause asks for dead jobs; by end, only what has ended is shown", () => {
    expect(wantedOf({ q: "cause:x" }).views).toEqual(["dead"]);
    expect(wantedOf({ q: "-cause:x" }).views).toBeNull();
    expect(wantedOf({ sort: "finished" }).views).toEqual(["done", "dead", "cancelled"]);
    expect(wantedOf({ q: "finished:1h" })).toMatchObject({ sort: "finished", views: ["done", "dead", "cancelled"] });
    expect(wantedOf({ q: "finished:1h state:pending" }).views).toEqual([]);
  });

  test("counts are kept by kind and view, and of the dead by cause", () => {
    for (const q of ["", "kind:a,b", "-kind:a state:dead,done", "cause:x,y"])
      expect([q, isCounted(wantedOf({ q }))]).toEqual([q, true]);
    for (const q of [
      "text",
      "cause:x kind:a",
      "-cause:x",
      "key:k",
      "group:g",
      "schedule:s",
      "operation:o",
      "priority:high",
      "created:1h",
    ]) {
      expect([q, isCounted(wantedOf({ q }))]).toEqual([q, false]);
    }
  });

  test("an operation keeps count of its jobs by view, where nothing else is asked", () => {
    for (const q of ["operation:o,p", "operation:o,p state:dead"])
      expect([q, operationsAlone(wantedOf({ q }))]).toEqual([q, ["o", "p"]]);
    for (const q of [
      "state:dead",
      "-operation:o",
      "operation:o -operation:p",
      "operation:o kind:a",
      "operation:o cause:x",
      "operation:o text",
    ])
      expect([q, operationsAlone(wantedOf({ q }))]).toEqual([q, null]);
  });
});
