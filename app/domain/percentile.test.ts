import { expect, test } from "vitest";
import { addUp, percentile } from "./percentile";

const histogram = (counts: Record<number, number>) => Array.from({ length: 20 }, (_, bucket) => counts[bucket] ?? 0);

test("a percentile lies in the bucket that holds its rank", () => {
  const hist = histogram({ 3: 50, 10: 45, 13: 5 });
  expect(percentile(hist, 0.5)).toBe(16);
  expect(percentile(hist, 0.25)).toBe(11);
  expect(percentile(hist, 0.95)).toBe(2048);
  expect(percentile(hist, 0.99)).toBeGreaterThan(8192);
  expect(percentile(hist, 1)).toBe(16384);
});

test("where nothing was measured there is none, and not 0", () => {
  expect(percentile([], 0.5)).toBeNull();
  expect(percentile(histogram({}), 0.5)).toBeNull();
});

test("one measure stands for all percentiles of its bucket", () => {
  expect(percentile(histogram({ 0: 1 }), 0.5)).toBe(1);
  expect(percentile(histogram({ 5: 1 }), 0.95)).toBeLessThan(64);
});

test("histograms are added bucket by bucket", () => {
  expect(addUp([histogram({ 1: 2, 5: 1 }), histogram({ 5: 3 })])).toEqual(histogram({ 1: 2, 5: 4 }));
  expect(percentile(addUp([]), 0.5)).toBeNull();
});
