import { expect, test } from "vitest";
import { cacheKey, inGrace, lifetimeMs } from "./public_page";

const at = (time: string) => Date.parse(`2026-12-01T${time}Z`);

test("a copy serves for at most its longest life, and never across the end of the grace or of the day", () => {
  expect(lifetimeMs(at("12:00:00"), 300_000)).toBe(300_000);
  expect(lifetimeMs(at("00:09:59"), 300_000)).toBe(1_000);
  expect(lifetimeMs(at("00:10:00"), 300_000)).toBe(300_000);
  expect(lifetimeMs(at("23:59:30"), 300_000)).toBe(30_000);
  expect(lifetimeMs(at("00:00:00"), 60_000)).toBe(60_000);
});

test("the grace is the first ten minutes of a day", () => {
  expect([at("00:00:00"), at("00:09:59.999"), at("00:10:00"), at("23:59:59")].map(inGrace)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("each part of the key makes another key, and parts cannot run into each other", () => {
  const base = {
    environment: "production",
    origin: "https://a.example",
    build: "b1",
    revision: 7,
    until: 9,
    path: "/reports",
  };
  const keys = [
    base,
    { ...base, environment: "x" },
    { ...base, origin: "https://b.example" },
    { ...base, build: "b2" },
    { ...base, revision: 8 },
    { ...base, until: 10 },
    { ...base, path: "/reports/" },
  ];
  expect(new Set(keys.map(cacheKey)).size).toBe(keys.length);
  expect(cacheKey({ ...base, build: "a/b", environment: "c" })).not.toBe(
    cacheKey({ ...base, build: "b", environment: "c/a" }),
  );
});
