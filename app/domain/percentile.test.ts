import { expect, test } from "vitest";
import { percentile } from "./percentile";

test("a percentile lies in the bucket that holds its rank", () => {
  const hist = new Map([
    [3, 50],
    [10, 45],
    [13, 5],
  ]);
  expect(percentile(hist, 0.5)).toBe(16);
  expect(percentile(hist, 0.25)).toBe(11);
  expect(percentile(hist, 0.95)).toBe(2048);
  expect(percentile(hist, 0.99)).toBeGreaterThan(8192);
  expect(percentile(hist, 1)).toBe(16384);
});

test("where nothing was measured there is none, and not 0", () => {
  expect(percentile(new Map(), 0.5)).toBeNull();
  expect(percentile(new Map([[-1, 3]]), 0.5)).toBeNull();
  expect(percentile(new Map([[4, 0]]), 0.5)).toBeNull();
});

test("one measure stands for all percentiles of its bucket", () => {
  expect(percentile(new Map([[0, 1]]), 0.5)).toBe(1);
  expect(percentile(new Map([[5, 1]]), 0.95)).toBeLessThan(64);
});
