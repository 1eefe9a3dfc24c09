import { expect, test } from "vitest";
import type { View } from "~/domain/states";
import { askOf } from "./ask_of";
import type { Picked } from "./selection";

const job = (view: View, kind = "demo", list: View | null = view): Picked => ({
  view,
  kind,
  name: `a ${view} one`,
  place: { list: `/jobs?view=${list}`, filter: list && { view: list } },
});
const of = (picked: Record<string, Picked>, all: { view: View } | null = null, matching: number | null = null) => ({
  selection: { picked: new Map(Object.entries(picked)), all: all && { of: all, filter: all, counted: null } },
  matching,
  parts: [],
  who: "ana",
});

test("of a mixed selection it is asked for those that the action fits, each group in its own list", () => {
  const picked = { a: job("dead"), b: job("done"), c: job("cancelled", "http_request"), d: job("dead", "demo", null) };
  expect(askOf("requeue", of(picked))).toEqual({
    question: {
      action: "requeue",
      n: 3,
      filter: null,
      left: 1,
      parts: [
        { label: "demo", n: 2 },
        { label: "http_request", n: 1 },
      ],
      names: ["a dead one", "a cancelled one", "a dead one"],
      reason: "Requeued by ana",
    },
    groups: [
      { from: { view: "dead" }, ids: ["a"] },
      { from: { view: "cancelled" }, ids: ["c"] },
      { from: null, ids: ["d"] },
    ],
  });
});

test("all that match are one filter and a number, whatever is ticked", () => {
  expect(askOf("delete", of({ a: job("pending") }, { view: "dead" }, 1_204))).toMatchObject({
    question: { n: 1_204, filter: { view: "dead" }, left: 0 },
    groups: [],
  });
});

test("what cannot be done says why", () => {
  const why = (...args: Parameters<typeof askOf>) => askOf(...args) as { why: string };
  expect(why("requeue", of({})).why).toBe("select jobs first");
  expect(why("cancel", of({ a: job("dead") })).why).toBe("only jobs that have not ended are cancelled");
  expect(why("requeue", of({}, { view: "done" }, 5)).why).toBe("only dead and cancelled jobs are requeued");
  expect(why("requeue", of({}, { view: "dead" }, 0)).why).toBe("nothing matches");
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [String(n), job("dead")]));
  expect(why("requeue", of(many)).why).toBe("at most 1,000 jobs can be selected one by one");
});
