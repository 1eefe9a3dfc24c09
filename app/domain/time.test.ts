import { describe, expect, test } from "vitest";
import { instant, instantOrNull, parseInstant } from "./time";

describe("C044: times are RFC 3339 with an offset", () => {
  test.each([
    ["2026-12-01T10:00:00Z", 1796119200000],
    ["2026-12-01T10:00:00+05:30", 1796099400000],
    ["2026-12-01t10:00:00z", 1796119200000],
    ["2026-12-01T10:00:00.001Z", 1796119200001],
    ["2026-12-01T10:00:00.123456789Z", 1796119200123],
    ["2026-12-01T10:00:00.5-00:00", 1796119200500],
    ["2028-02-29T00:00:00Z", 1835395200000],
    ["0000-02-29T00:00:00Z", -62162121600000],
    ["0000-01-01T00:01:00+00:01", -62167219200000],
    ["9999-12-31T23:59:59.999Z", 253402300799999],
    ["9999-12-31T23:58:59.999-00:01", 253402300799999],
  ])("C044: %s is %i", (text, ms) => expect(parseInstant(text)).toBe(ms));

  test.each([
    "",
    "-1",
    "120",
    "1796119200",
    "2026-12-01",
    "2026-12-01T10:00:00",
    "2026-12-01 10:00:00Z",
    "2026-12-01T10:00Z",
    "2026-02-29T10:00:00Z",
    "2026-02-30T10:00:00Z",
    "2026-04-31T10:00:00Z",
    "2026-00-01T10:00:00Z",
    "2026-13-01T10:00:00Z",
    "2026-12-00T10:00:00Z",
    "2026-12-01T24:00:00Z",
    "2026-12-01T10:60:00Z",
    "2026-12-01T10:00:60Z",
    "2026-12-01T10:00:00+24:00",
    "2026-12-01T10:00:00+05:60",
    "2026-12-01T10:00:00+0530",
    "2026-12-01T10:00:00.Z",
    " 2026-12-01T10:00:00Z",
    "2026-12-01T10:00:00Z\n",
    "+002026-12-01T10:00:00Z",
    "9999-12-31T23:59:59-00:01",
    "0000-01-01T00:00:00+00:01",
    "tomorrow",
  ])("C044: %j is refused", (text) => expect(parseInstant(text)).toBeNull());
});

describe("C088: every time that leaves has milliseconds and Z", () => {
  test("C088: and comes back as the same instant", () => {
    for (const ms of [0, 1, 1796119200000, 1796119200001, 1796119200999]) {
      expect(instant(ms)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(parseInstant(instant(ms))).toBe(ms);
    }
  });

  test("C088: no time is null, and zero is a time", () => {
    expect(instantOrNull(null)).toBeNull();
    expect(instantOrNull(undefined)).toBeNull();
    expect(instantOrNull(0)).toBe("1970-01-01T00:00:00.000Z");
  });
});
