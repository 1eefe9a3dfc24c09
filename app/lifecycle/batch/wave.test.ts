import { expect, test } from "vitest";
import { messageFor } from "~/domain/message";
import type { Kind } from "~/kinds/define";
import type { Ticket } from "./ticket";
import { waveOf } from "./wave";

const kinds = new Map<string, Kind>([10, 500, 3_000, 30_000].map((usualMs) => [`k${usualMs}`, { usualMs } as Kind]));
kinds.set("asks", { usualMs: 10, statements: 12 } as Kind);
const line = (...names: string[]) => names.map((kind) => ({ message: messageFor("id", 1, kind) }) as Ticket);
let strain = 0;
const size = (tickets: Ticket[], elapsed = 0, statements = 700) =>
  waveOf({ kinds, strain: { level: () => strain, note: () => {} } }, tickets, elapsed, statements).length;
const many = (n: number, kind: string) => line(...Array<string>(n).fill(kind));

test("a wave takes what can start within 10 s: all hundred of 10 ms, five of 30 s, twenty of 3 s", () => {
  expect(size(many(100, "k10"))).toBe(100);
  expect(size(many(100, "k30000"))).toBe(5);
  expect(size(many(100, "k3000"))).toBe(20);
  expect(size(many(100, "k500"))).toBe(100);
});

test("the time that has gone by counts", () => {
  expect(size(many(100, "k3000"), 6_000)).toBe(10);
});

test("at least one is taken, so a batch always gets on", () => {
  expect(size(many(3, "k30000"), 9_999)).toBe(3);
  expect(size(many(5, "k10"), 10_000)).toBe(1);
});

test("a wave takes what the statements left are enough for, and one in any case; who makes none is not counted", () => {
  expect(size(many(100, "asks"))).toBe(58);
  expect(size(many(100, "asks"), 0, 35)).toBe(2);
  expect(size(many(100, "asks"), 0, 1)).toBe(1);
  expect(size(many(100, "k10"), 0, 1)).toBe(100);
});

test("messages of kinds that are not known take no time: they are only looked up", () => {
  expect(size(many(100, "unknown"))).toBe(100);
});

test("it is halved with each overload of D1, and never empty", () => {
  const sizes = [0, 1, 2, 5].map((level) => {
    strain = level;
    return size(many(100, "k10"));
  });
  strain = 0;
  expect(sizes).toEqual([100, 50, 25, 3]);
});
