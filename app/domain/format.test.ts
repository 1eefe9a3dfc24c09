import { describe, expect, test } from "vitest";
import {
  bytesText,
  clockText,
  count,
  duration,
  elapsed,
  firstLine,
  hourText,
  planned,
  plural,
  relative,
  shortId,
  utcText,
  zonedClock,
  zonedText,
} from "./format";

const now = Date.UTC(2026, 11, 1, 1, 10, 9, 123);

describe("times", () => {
  test("are written in UTC and say so", () => {
    expect(utcText(now)).toBe("2026-12-01 01:10:09 UTC");
    expect(clockText(now)).toBe("01:10:09 UTC");
  });

  test("by another clock say how far it is from UTC", () => {
    expect(zonedText(now, 330)).toBe("2026-12-01 06:40:09 +05:30");
    expect(zonedText(now, -480)).toBe("2026-11-30 17:10:09 -08:00");
    expect(zonedClock(now, 0)).toBe("01:10:09 +00:00");
  });

  test("of what is planned say once they have come that it is due, not that it was done", () => {
    expect(planned(now + 300_000, now, "due")).toBe("in 5 min");
    expect(planned(now + 999, now, "due")).toBe("now");
    expect(planned(now, now, "due")).toBe("due now");
    expect(planned(now - 4_000, now, "due")).toBe("due 4 s ago");
    expect(planned(now - 4_000, now, "ran out")).toBe("ran out 4 s ago");
  });

  test("are told relative to now, past and future", () => {
    expect(relative(now - 12_400, now)).toBe("12 s ago");
    expect(relative(now - 59_999, now)).toBe("59 s ago");
    expect(relative(now - 60_000, now)).toBe("1 min ago");
    expect(relative(now - 3 * 3_600_000, now)).toBe("3 h ago");
    expect(relative(now - 30 * 86_400_000, now)).toBe("30 d ago");
    expect(relative(now + 300_000, now)).toBe("in 5 min");
  });

  test("within a second are now, more than a month away the day itself", () => {
    expect(relative(now - 999, now)).toBe("now");
    expect(relative(now + 999, now)).toBe("now");
    expect(relative(now - 40 * 86_400_000, now)).toBe("2026-10-22");
  });
});

test("what is counted by the hour is told by the hour", () => {
  const hour = Date.UTC(2026, 11, 1, 1);
  expect(hourText(hour, now)).toBe("this hour");
  expect(hourText(hour - 3_600_000, now)).toBe("1 h ago");
  expect(hourText(hour - 50 * 3_600_000, now)).toBe("2 d ago");
  expect(hourText(hour + 3_600_000, now)).toBe("this hour");
});

describe("durations", () => {
  test("keep two units", () => {
    expect(duration(0)).toBe("0 ms");
    expect(duration(340)).toBe("340 ms");
    expect(duration(3_290)).toBe("3.2 s");
    expect(duration(59_999)).toBe("59.9 s");
    expect(duration(81_000)).toBe("1 min 21 s");
    expect(duration(120_000)).toBe("2 min");
    expect(duration(7_500_000)).toBe("2 h 5 min");
    expect(duration(273_600_000)).toBe("3 d 4 h");
  });

  test("C057: are never negative, even where two clocks differ", () => {
    expect(duration(-3_000)).toBe("0 ms");
    expect(elapsed(-3_000)).toBe("0 s");
  });

  test("of a running clock tick in whole seconds", () => {
    expect(elapsed(1_900)).toBe("1 s");
    expect(elapsed(81_900)).toBe("1 min 21 s");
  });
});

describe("numbers and texts", () => {
  test("numbers are grouped by thousands and exact", () => {
    expect(count(0)).toBe("0");
    expect(count(999)).toBe("999");
    expect(count(1_000)).toBe("1,000");
    expect(count(12_345_678)).toBe("12,345,678");
    expect(plural(1, "job")).toBe("1 job");
    expect(plural(1_204, "job")).toBe("1,204 jobs");
    expect(plural(2, "entry", "entries")).toBe("2 entries");
  });

  test("a short id is the part that differs", () => {
    expect(shortId("019ae0c2-0000-7000-8000-0000a91c3f20")).toBe("…a91c3f20");
  });

  test("the first line of an error stands for it", () => {
    expect(firstLine("boom\n  at x")).toBe("boom");
    expect(firstLine("")).toBe("");
  });

  test("sizes are told in the unit of the limits", () => {
    expect(bytesText(999)).toBe("999 bytes");
    expect(bytesText(262_144)).toBe("262.1 KB");
    expect(bytesText(100_000_000)).toBe("100 MB");
    expect(bytesText(2_147_483_648)).toBe("2.1 GB");
  });
});
