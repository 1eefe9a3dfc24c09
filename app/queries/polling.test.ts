import { expect, test } from "vitest";
import { pollInterval } from "./polling";

const active = { paused: false, hidden: false, final: false, failed: false, unchanged: 0 };

test("while things change it asks every 2 s, then every 5 s, then every 15 s", () => {
  const waits = [0, 4, 5, 14, 15, 1_000].map((unchanged) => pollInterval({ ...active, unchanged }));
  expect(waits).toEqual([2_000, 2_000, 5_000, 5_000, 15_000, 15_000]);
});

test("what is dear to read is asked for more seldom, and no faster than things stand still", () => {
  expect(pollInterval({ ...active, everyMs: 10_000 })).toBe(10_000);
  expect(pollInterval({ ...active, everyMs: 10_000, unchanged: 15 })).toBe(15_000);
  expect(pollInterval({ ...active, everyMs: 10_000, hidden: true })).toBe(false);
});

test("it stops in a hidden tab, on a final job, and when the user says so", () => {
  expect(pollInterval({ ...active, hidden: true })).toBe(false);
  expect(pollInterval({ ...active, final: true })).toBe(false);
  expect(pollInterval({ ...active, paused: true })).toBe(false);
});

test("after a failure it goes on, but no faster than every 5 s", () => {
  expect(pollInterval({ ...active, failed: true })).toBe(5_000);
  expect(pollInterval({ ...active, failed: true, everyMs: 60_000 })).toBe(60_000);
  expect(pollInterval({ ...active, failed: true, paused: true })).toBe(false);
});
