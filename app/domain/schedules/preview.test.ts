import { describe, expect, test } from "vitest";
import { previewOf } from "./preview";

const at = (text: string) => Date.parse(text);
const preview = (cron: string, zone: string, now: string) => previewOf({ cron, zone }, zone, at(now));
const rows = (cron: string, zone: string, now: string, n: number) =>
  preview(cron, zone, now)
    .firings.slice(0, n)
    .map((firing) => `${firing.wall} = ${firing.at.slice(0, 16)}Z${firing.note ? ` (${firing.note})` : ""}`);

test("C019: the preview marks a time that does not exist, and runs it where the sweep will", () => {
  expect(rows("30 2 * * *", "America/New_York", "2026-03-07T08:00Z", 3)).toEqual([
    "2026-03-08 03:00 = 2026-03-08T07:00Z (02:30 does not exist on this day: runs at the first instant after it)",
    "2026-03-09 02:30 = 2026-03-09T06:30Z",
    "2026-03-10 02:30 = 2026-03-10T06:30Z",
  ]);
  expect(rows("30 2 * * *", "Europe/Berlin", "2026-03-28T02:00Z", 2)).toEqual([
    "2026-03-29 03:00 = 2026-03-29T01:00Z (02:30 does not exist on this day: runs at the first instant after it)",
    "2026-03-30 02:30 = 2026-03-30T00:30Z",
  ]);
});

test("C021: the preview marks a time that comes twice, and has it once", () => {
  expect(rows("30 1 * * *", "America/New_York", "2026-10-31T12:00Z", 3)).toEqual([
    "2026-11-01 01:30 = 2026-11-01T05:30Z (01:30 comes twice on this day: runs the first time only)",
    "2026-11-02 01:30 = 2026-11-02T06:30Z",
    "2026-11-03 01:30 = 2026-11-03T06:30Z",
  ]);
  expect(rows("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 3)).toEqual([
    "2026-10-25 02:30 = 2026-10-25T00:30Z (02:30 comes twice on this day: runs the first time only)",
    "2026-10-26 02:30 = 2026-10-26T01:30Z",
    "2026-10-27 02:30 = 2026-10-27T01:30Z",
  ]);
});

test("every n minutes show both passes of a doubled hour", () => {
  expect(rows("*/30 * * * *", "Europe/Berlin", "2026-10-24T23:30Z", 4)).toEqual([
    "2026-10-25 02:00 = 2026-10-25T00:00Z (02:00 comes twice on this day: this is the first)",
    "2026-10-25 02:30 = 2026-10-25T00:30Z (02:30 comes twice on this day: this is the first)",
    "2026-10-25 02:00 = 2026-10-25T01:00Z (02:00 comes twice on this day: this is the second)",
    "2026-10-25 02:30 = 2026-10-25T01:30Z (02:30 comes twice on this day: this is the second)",
  ]);
});

test("C023: the preview tells the wall time of the zone, whatever the process's own is", () => {
  expect(rows("0 9 * * *", "Asia/Kathmandu", "2026-12-01T00:00Z", 1)).toEqual(["2026-12-01 09:00 = 2026-12-01T03:15Z"]);
  expect(rows("0 9 * * *", "Pacific/Kiritimati", "2026-12-01T00:00Z", 1)).toEqual([
    "2026-12-02 09:00 = 2026-12-01T19:00Z",
  ]);
  expect(rows("0 * * * *", "UTC", "2025-10-05T02:00Z", 1)).toEqual(["2025-10-05 03:00 = 2025-10-05T03:00Z"]);
});

describe("clock changes of the coming year", () => {
  const changes = (cron: string, zone = "Europe/Berlin") => preview(cron, zone, "2026-01-01T00:00Z").changes;

  test("are told where the schedule fires in their hours", () => {
    expect(changes("30 2 * * *")).toEqual([
      {
        at: "2026-03-29T01:00:00.000Z",
        text: "2026-03-29 02:00 to 03:00 does not exist: what is due then runs once, at the first instant after it",
      },
      { at: "2026-10-25T01:00:00.000Z", text: "2026-10-25 02:00 to 03:00 comes twice: it runs the first time only" },
    ]);
    expect(changes("*/20 2 * * *").map(({ text }) => text)).toEqual([
      "2026-03-29 02:00 to 03:00 does not exist: what is due then is left out",
      "2026-10-25 02:00 to 03:00 comes twice: it runs both times",
    ]);
    expect(changes("0 * * * *").map(({ text }) => text)).toEqual([
      "2026-03-29 02:00 to 03:00 does not exist: it goes on by elapsed time",
      "2026-10-25 02:00 to 03:00 comes twice: it goes on by elapsed time",
    ]);
  });

  test("are not told where they touch nothing", () => {
    expect(changes("0 9 * * *")).toEqual([]);
    expect(changes("30 2 * * *", "UTC")).toEqual([]);
    const every = previewOf({ everyMinutes: 15, anchor: 0 }, "Europe/Berlin", at("2026-01-01T00:00Z"));
    expect(every.changes).toEqual([]);
    expect(every.firings).toHaveLength(10);
  });
});

test("C026: text and runs of one preview agree", () => {
  const { text, firings } = preview("0 12 13 * 5", "UTC", "2026-04-01T00:00Z");
  expect(text).toBe("At 12:00 on day 13 OR on Friday");
  const days = ["04-03", "04-10", "04-13", "04-17", "04-24", "05-01"];
  expect(firings.slice(0, 6).map((firing) => firing.wall)).toEqual(days.map((day) => `2026-${day} 12:00`));
});

test("C027: the preview of steps claims no even interval where there is none", () => {
  const { text, firings } = preview("*/45 * * * *", "UTC", "2026-06-01T10:01Z");
  expect(text).toBe("At minutes 0 and 45 of every hour");
  expect(firings.slice(0, 5).map((firing) => firing.wall.slice(11))).toEqual([
    "10:45",
    "11:00",
    "11:45",
    "12:00",
    "12:45",
  ]);
});

test("C029: the preview of 0, 7 and SUN is the same Sunday", () => {
  for (const sunday of ["0", "7", "SUN"]) {
    const { text, firings } = preview(`0 0 * * ${sunday}`, "UTC", "2026-12-01T00:00Z");
    expect([text, firings[0]?.at]).toEqual(["At 00:00 on Sunday", "2026-12-06T00:00:00.000Z"]);
  }
});
