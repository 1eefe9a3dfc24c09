import { describe, expect, test } from "vitest";
import { idSource, idTime, token } from "./ids";

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const many = (n: number, next: () => string) => Array.from({ length: n }, next);

describe("job ids", () => {
  test("are UUIDv7 of their millisecond, strictly increasing also inside one", () => {
    const ids = many(
      5_000,
      idSource(() => 1796119200000),
    );
    for (const id of ids) expect(id).toMatch(V7);
    expect(ids.map(idTime)).toEqual(ids.map(() => 1796119200000));
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test("still increase when the clock stands or goes back", () => {
    const clock = [1000, 1000, 999, 5, 1001, 1000];
    const ids = many(
      6,
      idSource(() => clock.shift() as number),
    );
    expect(ids).toEqual([...ids].sort());
    expect(ids.map(idTime)).toEqual([1000, 1000, 1000, 1000, 1001, 1001]);
  });

  test("count over every byte border", () => {
    const full = (bytes: Uint8Array) => bytes.fill(0xff);
    const ids = many(
      3,
      idSource(() => 1, full),
    );
    expect(ids).toEqual([
      "00000000-0001-700f-bfff-ffffffffffff",
      "00000000-0001-7010-8000-03ffffffffff",
      "00000000-0001-7010-8000-07ffffffffff",
    ]);
  });

  test("of two sources in the same millisecond differ", () => {
    const [one, other] = [idSource(() => 1), idSource(() => 1)];
    expect(new Set([...many(2_000, one), ...many(2_000, other)]).size).toBe(4_000);
  });

  test.each([
    "",
    "x",
    crypto.randomUUID(),
    "019AD959-2A80-7000-8000-000000000001",
    "00000000-0001-7000-c000-000000000001",
  ])("%j is none", (id) => expect(idTime(id)).toBeNull());
});

test("tokens are never the same", () => {
  expect(new Set(many(1_000, token)).size).toBe(1_000);
});
