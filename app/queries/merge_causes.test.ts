import { expect, test } from "vitest";
import type { CauseAges } from "~/domain/dead/dead";
import { mergeCauses } from "./merge_causes";

const cause = (name: string, n: number): CauseAges => ({
  cause: name,
  n,
  ages: [n],
  firstHour: "2026-12-01T09:00:00.000Z",
  lastHour: "2026-12-01T10:00:00.000Z",
});

test("causes keep their places and take the numbers of the feed, whichever has most by now", () => {
  const read = [cause("a", 5), cause("b", 2)];
  expect(mergeCauses(read, [cause("b", 9), cause("a", 5)])).toEqual({
    causes: [cause("a", 5), cause("b", 9)],
    left: new Set(),
    fresh: 0,
  });
});

test("one that is gone stays where it is, and says so; new ones are counted", () => {
  const read = [cause("a", 5), cause("b", 2)];
  expect(mergeCauses(read, [cause("c", 7), cause("b", 2)])).toEqual({
    causes: [cause("a", 5), cause("b", 2)],
    left: new Set(["a"]),
    fresh: 1,
  });
  expect(mergeCauses([], [cause("c", 7)])).toEqual({ causes: [cause("c", 7)], left: new Set(), fresh: 0 });
});
