import { describe, expect, test } from "vitest";
import { etagOf, matchesEtag } from "./etag";

const AT = { revision: 41, now: "2026-12-01T10:00:00.000Z" };

describe("an ETag", () => {
  test("is build, revision and minute", () => {
    expect(etagOf("a1b2c3", AT)).toBe('W/"a1b2c3.41.29935320"');
  });

  test("changes with each of them, and not within a minute", () => {
    const tag = etagOf("a", AT);
    expect(etagOf("a", { ...AT, now: "2026-12-01T10:00:59.999Z" })).toBe(tag);
    expect(etagOf("b", AT)).not.toBe(tag);
    expect(etagOf("a", { ...AT, revision: 42 })).not.toBe(tag);
    expect(etagOf("a", { ...AT, now: "2026-12-01T10:01:00.000Z" })).not.toBe(tag);
  });

  test("holds no character that would end it", () => {
    expect(etagOf('v1 "x"\n', AT)).toBe('W/"v1__x__.41.29935320"');
  });

  test.each([
    ['W/"a.1.2"', true],
    ['"a.1.2"', true],
    ['"x", W/"a.1.2" , "y"', true],
    ['W/"a.1.3"', false],
    ["a.1.2", false],
    ["*", false],
    ["", false],
  ])("If-None-Match %s: %s", (header, matches) => expect(matchesEtag(header, 'W/"a.1.2"')).toBe(matches));
});
