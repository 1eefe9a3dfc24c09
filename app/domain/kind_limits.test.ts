import { expect, test } from "vitest";
import { groupLimitsOf, type KindLimits, raisedIn } from "./kind_limits";

const of = (limits: Record<string, KindLimits | undefined>) =>
  groupLimitsOf(new Map(Object.entries(limits).map(([kind, limits]) => [kind, { limits }])));

test("groups may let more run where their limit is higher by now, or gone, also with its kind", () => {
  const before = of({ raised: { perGroup: 1 }, dropped: { perGroup: 2 }, gone: { perGroup: 3 } });
  expect(raisedIn(before, of({ raised: { perGroup: 2 }, dropped: { running: 1 } }))).toEqual([
    "raised",
    "dropped",
    "gone",
  ]);
});

test("and nowhere else: not where it is as it was, lower or new, and other limits hold no group", () => {
  const before = of({ same: { perGroup: 2 }, lowered: { perGroup: 3 }, fast: { running: 1 }, added: undefined });
  const now = of({
    same: { perGroup: 2, running: 9 },
    lowered: { perGroup: 1 },
    fast: { running: 5 },
    added: { perGroup: 1 },
  });
  expect(raisedIn(before, now)).toEqual([]);
  expect(raisedIn(before, before)).toEqual([]);
});

test("where nobody knows what was before, all may", () => {
  expect(raisedIn(null, of({ a: { perGroup: 1 } }))).toBeNull();
});
