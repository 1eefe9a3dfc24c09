import { describe, expect, test } from "vitest";
import { parseCron } from "./cron";
import { isFixed, lastSlot, nextSlot, slotsAfter, type Timing } from "./slots";
import { offsetAt, zoneNames, zoneProblem } from "./zones";

const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString().replace(":00.000Z", "Z");
const runs = (cron: string, zone: string, after: string, n: number) =>
  slotsAfter({ cron, zone }, at(after), n).map(iso);
const noon = (...days: string[]) => days.map((day) => `${day}T12:00Z`);

describe("C019: a wall time that does not exist on a day runs at the first instant after the gap", () => {
  test("C019: New York and Berlin follow the same row", () => {
    expect(runs("30 2 * * *", "America/New_York", "2026-03-07T08:00Z", 3)).toEqual([
      "2026-03-08T07:00Z",
      "2026-03-09T06:30Z",
      "2026-03-10T06:30Z",
    ]);
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-03-28T02:00Z", 2)).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-30T00:30Z",
    ]);
  });

  test("C019: also where the gap ends the day", () => {
    expect(runs("59 23 * * *", "America/Nuuk", "2026-03-28T02:00Z", 2)).toEqual([
      "2026-03-29T01:00Z",
      "2026-03-30T00:59Z",
    ]);
    expect(iso(lastSlot({ cron: "59 23 * * *", zone: "America/Nuuk" }, at("2026-03-29T12:00Z")) as number)).toBe(
      "2026-03-29T01:00Z",
    );
    expect(runs("0 12 * * *", "America/Nuuk", "2026-03-28T00:00Z", 2)).toEqual([
      "2026-03-28T14:00Z",
      "2026-03-29T13:00Z",
    ]);
  });
});

test("C021: a fixed wall time runs once per local day, at its first occurrence", () => {
  expect(runs("30 1 * * *", "America/New_York", "2026-10-31T12:00Z", 3)).toEqual([
    "2026-11-01T05:30Z",
    "2026-11-02T06:30Z",
    "2026-11-03T06:30Z",
  ]);
  expect(runs("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 3)).toEqual([
    "2026-10-25T00:30Z",
    "2026-10-26T01:30Z",
    "2026-10-27T01:30Z",
  ]);
});

test("every hour and every n minutes go on by elapsed time through a repeated and a missing hour", () => {
  expect(runs("0 * * * *", "America/New_York", "2026-11-01T04:30Z", 4)).toEqual([
    "2026-11-01T05:00Z",
    "2026-11-01T06:00Z",
    "2026-11-01T07:00Z",
    "2026-11-01T08:00Z",
  ]);
  expect(runs("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:00Z", 4)).toEqual([
    "2026-10-25T00:30Z",
    "2026-10-25T01:00Z",
    "2026-10-25T01:30Z",
    "2026-10-25T02:00Z",
  ]);
  expect(runs("*/30 * * * *", "Europe/Berlin", "2026-03-29T00:00Z", 3)).toEqual([
    "2026-03-29T00:30Z",
    "2026-03-29T01:00Z",
    "2026-03-29T01:30Z",
  ]);
});

test("C023: each slot uses the offset that is valid on its own date", () => {
  const winter = ["2026-03-01T14:00Z"];
  const summer = ["04", "05", "06", "07", "08", "09", "10"].map((month) => `2026-${month}-01T13:00Z`);
  expect(runs("0 9 1 * *", "America/New_York", "2026-02-15T00:00Z", 10)).toEqual([
    ...winter,
    ...summer,
    "2026-11-01T14:00Z",
    "2026-12-01T14:00Z",
  ]);
  expect(runs("* * * */3 *", "America/New_York", "2015-02-15T05:00Z", 1)).toEqual(["2015-04-01T04:00Z"]);
  expect(runs("0 9 * * *", "Asia/Kathmandu", "2026-12-01T00:00Z", 1)).toEqual(["2026-12-01T03:15Z"]);
  expect(runs("0 9 * * *", "Pacific/Kiritimati", "2026-12-01T00:00Z", 1)).toEqual(["2026-12-01T19:00Z"]);
  expect(runs("0 * * * *", "UTC", "2025-10-05T02:00Z", 1)).toEqual(["2025-10-05T03:00Z"]);
});

test("C024: days that a month does not have are passed over, never moved", () => {
  const midnight = (...days: string[]) => days.map((day) => `${day}T00:00Z`);
  expect(runs("0 0 31 * *", "UTC", "2026-01-31T00:00Z", 7)).toEqual(
    midnight("2026-03-31", "2026-05-31", "2026-07-31", "2026-08-31", "2026-10-31", "2026-12-31", "2027-01-31"),
  );
  expect(runs("0 12 29 2 *", "UTC", "2026-01-01T00:00Z", 3)).toEqual(noon("2028-02-29", "2032-02-29", "2036-02-29"));
  expect(runs("0 0 */10 * *", "UTC", "2026-02-20T00:00Z", 6)).toEqual(
    midnight("2026-02-21", "2026-03-01", "2026-03-11", "2026-03-21", "2026-03-31", "2026-04-01"),
  );
});

test("C026: when both day fields are restricted, either one matches", () => {
  const after = "2026-04-01T00:00Z";
  expect(runs("0 12 13 * 5", "UTC", after, 6)).toEqual(
    noon("2026-04-03", "2026-04-10", "2026-04-13", "2026-04-17", "2026-04-24", "2026-05-01"),
  );
  expect(runs("0 12 * * 5", "UTC", after, 3)).toEqual(noon("2026-04-03", "2026-04-10", "2026-04-17"));
  expect(runs("0 12 13 * *", "UTC", after, 3)).toEqual(noon("2026-04-13", "2026-05-13", "2026-06-13"));
});

test("C027: steps start again in each hour or day", () => {
  const day = (...times: string[]) => times.map((time) => `2026-06-01T${time}Z`);
  expect(runs("*/45 * * * *", "UTC", "2026-06-01T10:01Z", 5)).toEqual(day("10:45", "11:00", "11:45", "12:00", "12:45"));
  expect(runs("*/7 * * * *", "UTC", "2026-06-01T10:45Z", 4)).toEqual(day("10:49", "10:56", "11:00", "11:07"));
  expect(runs("0 */5 * * *", "UTC", "2026-06-01T15:30Z", 5)).toEqual([
    "2026-06-01T20:00Z",
    "2026-06-02T00:00Z",
    "2026-06-02T05:00Z",
    "2026-06-02T10:00Z",
    "2026-06-02T15:00Z",
  ]);
  expect(parseCron("5/15 * * * *")).toBe('"5/15" is no minute: write 5-59/15');
  expect(runs("5-59/15 * * * *", "UTC", "2026-06-01T10:01Z", 5)).toEqual(
    day("10:05", "10:20", "10:35", "10:50", "11:05"),
  );
});

test("C029: 0, 7 and SUN are Sunday; names and ranges work", () => {
  const after = "2026-12-01T00:00Z";
  for (const sunday of ["0", "7", "SUN"]) {
    expect(runs(`0 0 * * ${sunday}`, "UTC", after, 2)).toEqual(["2026-12-06T00:00Z", "2026-12-13T00:00Z"]);
  }
  expect(runs("0 0 * * 5-7", "UTC", after, 4)).toEqual(
    ["2026-12-04", "2026-12-05", "2026-12-06", "2026-12-11"].map((day) => `${day}T00:00Z`),
  );
  expect(runs("30 9 * * MON-FRI", "UTC", "2026-12-04T09:30Z", 2)).toEqual(["2026-12-07T09:30Z", "2026-12-08T09:30Z"]);
});

test("every n minutes are counted from the anchor, before it too", () => {
  const timing: Timing = { everyMinutes: 45, anchor: at("2026-12-01T10:00Z") };
  expect(slotsAfter(timing, at("2026-12-01T09:00Z"), 4).map(iso)).toEqual([
    "2026-12-01T09:15Z",
    "2026-12-01T10:00Z",
    "2026-12-01T10:45Z",
    "2026-12-01T11:30Z",
  ]);
  expect(iso(lastSlot(timing, at("2026-12-01T10:45Z")) as number)).toBe("2026-12-01T10:45Z");
  expect(iso(lastSlot(timing, at("2026-12-01T10:44:59Z")) as number)).toBe("2026-12-01T10:00Z");
});

test("the last slot at an instant is that instant where it is one", () => {
  const timing: Timing = { cron: "*/15 * * * *", zone: "Europe/Berlin" };
  expect(iso(lastSlot(timing, at("2026-12-01T12:00Z")) as number)).toBe("2026-12-01T12:00Z");
  expect(iso(lastSlot(timing, at("2026-12-01T12:00Z") - 1) as number)).toBe("2026-12-01T11:45Z");
});

describe("hostile expressions", () => {
  test.each([
    "",
    " ",
    "* * * *",
    "* * * * * *",
    "* * * * * * *",
    "60 * * * *",
    "-1 * * * *",
    "1--100000000 * * * *",
    "0-999999999 * * * *",
    "*/0 * * * *",
    "*/61 * * * *",
    "5-1 * * * *",
    "1,,2 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 13 *",
    "* * * * 8",
    "* * L * *",
    "* * 15W * *",
    "* * * * 5#2",
    "? * * * *",
    "@daily",
    "0 0 1 JANU *",
    "1e1 * * * *",
    "0x1 * * * *",
    "１ * * * *",
    `${"1,".repeat(100_000)}1 * * * *`,
  ])("%j is refused", (text) => {
    const problem = parseCron(text);
    expect(problem).toBeTypeOf("string");
    expect(() => nextSlot({ cron: text, zone: "UTC" }, 0)).toThrow();
  });

  test("days that never come have no slot, and finding that out is quick", () => {
    const began = performance.now();
    for (const cron of ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *"]) {
      expect(nextSlot({ cron, zone: "Europe/Berlin" }, at("2026-12-01T00:00Z"))).toBeNull();
    }
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe("C030: zones are checked by name", () => {
  test.each(["America/New_Yrok", "Mars/Phobos", "UTC+3", "GMT+3", ""])("C030: %j is refused and named", (zone) => {
    expect(zoneProblem(zone)).toContain(`"${zone}"`);
    expect(() => nextSlot({ cron: "* * * * *", zone }, 0)).toThrow(`"${zone}"`);
  });

  test("C030: what was meant is offered where it can be guessed", () => {
    expect(zoneProblem("America/New_Yrok")).toContain("America/New_York");
    expect(zoneProblem("+03:00")).toContain("Etc/GMT-3");
  });

  test("every zone that is offered is taken", () => {
    expect(zoneNames().length).toBeGreaterThan(300);
    expect(zoneNames().filter((zone) => zoneProblem(zone) !== null)).toEqual([]);
  });
});

describe("against a walk through every minute", () => {
  const turns: [string, string][] = [
    ["America/New_York", "2026-03-08"],
    ["America/New_York", "2026-11-01"],
    ["Europe/Berlin", "2026-03-29"],
    ["Europe/Berlin", "2026-10-25"],
    ["Australia/Lord_Howe", "2026-04-05"],
    ["Australia/Lord_Howe", "2026-10-04"],
    ["Africa/Cairo", "2026-04-24"],
    ["America/Nuuk", "2026-03-28"],
    ["America/Nuuk", "2026-10-24"],
    ["Pacific/Chatham", "2026-09-27"],
    ["Asia/Kathmandu", "2026-05-01"],
  ];
  const crons = [
    "30 2 * * *",
    "0 0 * * *",
    "59 23 * * *",
    "30 1-3 * * *",
    "0,15,30 2 * * *",
    "*/20 1,2 * * *",
    "0 */2 * * *",
    "30 * * * *",
  ];

  test.each(turns)("%s around %s: forwards, backwards and from anywhere between", (zone, day) => {
    const from = at(`${day}T00:00Z`) - 30 * 3_600_000;
    const to = from + 3 * 86_400_000;
    for (const cron of crons) {
      const expected = walk(cron, zone, from, to);
      const timing = { cron, zone };
      const found = slotsAfter(timing, from, expected.length);
      expect([cron, found.map(iso)]).toEqual([cron, expected.map(iso)]);
      for (let t = from + 86_400_000; t < to - 86_400_000; t += 97 * 60_000) {
        expect([cron, iso(t), nextSlot(timing, t)]).toEqual([cron, iso(t), expected.find((slot) => slot > t)]);
        expect([cron, iso(t), lastSlot(timing, t)]).toEqual([cron, iso(t), expected.findLast((slot) => slot <= t)]);
      }
    }
  });

  /** The rule itself, minute by minute: slow, and too plain to be wrong. */
  function walk(cron: string, zone: string, from: number, to: number): number[] {
    const fields = parseCron(cron);
    if (typeof fields === "string") throw new Error(fields);
    const named = (wall: number) =>
      fields.minute.values.includes(new Date(wall).getUTCMinutes()) &&
      fields.hour.values.includes(new Date(wall).getUTCHours());
    const found = new Set<number>();
    const seen = new Set<number>();
    let before: number | null = null;
    for (let t = from - 86_400_000; t < to; t += 60_000) {
      const wall = t + offsetAt(zone, t);
      for (let lost = (before ?? wall) + 60_000; lost < wall; lost += 60_000) {
        if (isFixed(cron) && named(lost)) found.add(t);
      }
      if (named(wall) && !(isFixed(cron) && seen.has(wall))) found.add(t);
      seen.add(wall);
      before = wall;
    }
    return [...found].filter((slot) => slot > from).sort((a, b) => a - b);
  }
});
