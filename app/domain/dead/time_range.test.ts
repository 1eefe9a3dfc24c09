import { expect, test } from "vitest";
import { parseRange } from "../query/times";
import { rangeText, rangeWords } from "./time_range";

const FROM = Date.parse("2026-12-01T10:00:00.000Z");
const TO = Date.parse("2026-12-01T11:00:00.000Z");

test("what is written is what the filter of a list reads", () => {
  for (const range of [
    { from: FROM, to: TO },
    { from: FROM, to: null },
    { from: null, to: TO },
  ]) {
    const read = parseRange(rangeText(range));
    expect(read).toEqual({
      from: range.from === null ? null : { at: range.from },
      to: range.to === null ? null : { at: range.to },
    });
  }
});

test("a stretch is told in words", () => {
  expect(rangeWords({ from: FROM, to: TO })).toBe("2026-12-01 10:00 to 11:00 UTC");
  expect(rangeWords({ from: FROM - 86_400_000, to: TO + 30_000 })).toBe("2026-11-30 10:00 to 2026-12-01 11:00:30 UTC");
  expect(rangeWords({ from: null, to: TO })).toBe("before 2026-12-01 11:00 UTC");
  expect(rangeWords({ from: FROM, to: null })).toBe("from 2026-12-01 10:00 UTC");
});
