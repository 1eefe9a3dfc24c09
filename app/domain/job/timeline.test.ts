import { expect, test } from "vitest";
import type { AttemptRow } from "../feeds";
import { ownFrames } from "./stack";
import { backoffOf } from "./timeline";

const attempt = (number: number, startS: number, endS: number, waitedMs: number, generation = 1) =>
  ({
    number,
    generation,
    waitedMs,
    startedAt: new Date(startS * 1_000).toISOString(),
    finishedAt: new Date(endS * 1_000).toISOString(),
  }) as AttemptRow;

test("the backoff goes from one end to the next due time, and waiting is no part of it", () => {
  const first = attempt(1, 10, 13, 0);
  expect(backoffOf(attempt(2, 25, 26, 2_000), first)).toBe(10_000);
  // Clocks of two machines: never negative.
  expect(backoffOf(attempt(2, 13, 14, 2_000), first)).toBe(0);
});

test("there is none before the first attempt, after a requeue, or where an attempt is missing", () => {
  const first = attempt(1, 10, 13, 0);
  expect(backoffOf(first, undefined)).toBeNull();
  expect(backoffOf(attempt(2, 25, 26, 0, 2), first)).toBeNull();
  expect(backoffOf(attempt(3, 25, 26, 0), first)).toBeNull();
});

test("of a stack the work's own frames come first: before the engine, without the runtime and the machine", () => {
  const stack = [
    "Error: at no place",
    "    at parse (file:///srv/x/build/server/assets/zod-1.js:1:2)",
    "    at new Promise (<anonymous>)",
    "    at /srv/x/index.js:9:1",
    "    at Object.run (file:///srv/x/index.js:12:5)",
    "    at async perform$1 (file:///srv/x/index.js:2:1)",
    "    at async Promise.race (index 1)",
    "    at async run (file:///srv/x/index.js:3:1)",
  ].join("\n");
  expect(ownFrames(stack)).toEqual(["parse (zod-1.js:1:2)", "index.js:9:1", "Object.run (index.js:12:5)"]);
  expect(ownFrames("Error: no\n    at f (index.js:1:1)")).toEqual([]);
  expect(ownFrames(`Error: deep\n${"    at f (a.js:1:1)\n".repeat(50)}    at perform (a.js:2:2)`)).toHaveLength(5);
});
