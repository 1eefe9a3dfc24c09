import { describe, expect, test } from "vitest";
import { VIEW_NAMES, type View } from "../states";
import { kindCounts, viewCounts } from "./counts";

const countsOf = (given: Partial<Record<View, number>>) =>
  ({ ...Object.fromEntries(VIEW_NAMES.map((view) => [view, 0])), ...given }) as Record<View, number>;
const stats = {
  counts: countsOf({ done: 6, dead: 3 }),
  kinds: [
    { kind: "a", counts: countsOf({ done: 1, dead: 2 }) },
    { kind: "b", counts: countsOf({ done: 5 }) },
    { kind: "c", counts: countsOf({ dead: 1 }) },
  ],
};

describe("C050: the number on a tab is that of the filter, or there is none", () => {
  test.each([
    [{}, countsOf({ done: 6, dead: 3 })],
    [{ view: "done" as const }, countsOf({ done: 6, dead: 3 })],
    [{ kind: "a" }, countsOf({ done: 1, dead: 2 })],
    [{ kind: "nobody" }, countsOf({})],
    [{ q: "kind:a,b" }, countsOf({ done: 6, dead: 2 })],
    [{ q: "-kind:a" }, countsOf({ done: 5, dead: 1 })],
    [{ q: "text" }, null],
    [{ view: "dead" as const, cause: "x" }, null],
    [{ q: "priority:high" }, null],
  ])("C050: %j", (list, counts) => expect(viewCounts(list, stats)).toEqual(counts));

  test("C050: a kind is counted in the views that are shown", () => {
    expect(kindCounts({}, stats)).toEqual([
      { kind: "b", n: 5 },
      { kind: "a", n: 3 },
      { kind: "c", n: 1 },
    ]);
    expect(kindCounts({ view: "dead" }, stats)[0]).toEqual({ kind: "a", n: 2 });
    expect(kindCounts({ q: "state:dead,done" }, stats)[1]).toEqual({ kind: "a", n: 3 });
  });
});
