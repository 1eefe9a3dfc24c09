import { describe, expect, test } from "vitest";
import { causeOf } from "./cause";

describe("a cause names a failure without what varies", () => {
  test.each([
    ["GET https://x.example/u/48151 answered 503", "GET https://x.example/u/<n> answered 503"],
    ["no user 019ad959-2a80-7000-8000-000000000001 here", "no user <id> here"],
    ["cannot reach ann.b+c@mail.example.com.", "cannot reach <email>."],
    ["commit 0123456789abcdef0123 is gone", "commit <hex> is gone"],
    ["at 0xDEADBEEF00112233", "at <hex>"],
    ["internal error; reference = 1hg31ucafvncb0j5isdhfn3g", "internal error; reference = <id>"],
    ["no order with reference = 48151", "no order with reference = <n>"],
    ["due 2026-12-01T10:00:00.000Z, now 2026-12-01 10:05:00+01:00", "due <time>, now <time>"],
    ["job1234567 took 123456789012 ms", "job<n> took <n> ms"],
    ["first line\nsecond line", "first line"],
    [" a \t b\r\n", "a b"],
    ["a\0b\u0007c", "a b c"],
    ["", "no message"],
    ["\n", "no message"],
    ["HTTP 404", "HTTP 404"],
  ])("%j is %j", (message, cause) => expect(causeOf("k", message)).toBe(`k: ${cause}`));

  test("the same failure of two kinds is two causes", () => {
    expect(causeOf("a", "x")).not.toBe(causeOf("b", "x"));
  });

  test("is at most 160 characters, well-formed, and quick for a line of a megabyte", () => {
    const before = Date.now();
    for (const text of ["😀", "a.", "a@", "1-", "\ud800"]) {
      const cause = causeOf("k", text.repeat(500_000));
      expect([...cause].length).toBeLessThanOrEqual(163);
      expect(cause.isWellFormed()).toBe(true);
    }
    expect(Date.now() - before).toBeLessThan(10_000);
  });
});
