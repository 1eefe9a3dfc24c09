import { describe, expect, test } from "vitest";
import { parseSchedule } from "./call";
import type { ScheduleDetail } from "./feeds";
import { EMPTY_SCHEDULE, fieldsFrom, scheduleFieldsOf } from "./fields";
import { previewFields, scheduleCallText } from "./form";

const NOW = Date.parse("2026-12-01T11:59:40Z");
const parsed = (fields: object) =>
  parseSchedule(scheduleCallText({ ...EMPTY_SCHEDULE, name: "n", kind: "k", ...fields }), NOW, true);
const problems = (fields: object) => {
  const call = parsed(fields);
  return "status" in call ? call.problems.map(({ path }) => path) : [];
};

test("a form becomes the call that a program would send, the payload to the letter", () => {
  expect(
    parsed({ cron: "30 2 * * *", timeZone: "Europe/Berlin", payload: '{"n": 1.0}\r\n', version: "3" }),
  ).toMatchObject({
    definition: { cron: "30 2 * * *", everyMinutes: null, timeZone: "Europe/Berlin", payload: '{"n": 1.0}' },
    version: 3,
  });
  expect(parsed({ when: "every", everyMinutes: "015", anchor: "2026-12-01T10:00" })).toMatchObject({
    definition: { cron: null, everyMinutes: 15, anchorAt: Date.parse("2026-12-01T10:00:00Z") },
  });
  expect(parsed({ when: "every", everyMinutes: "15" })).toMatchObject({
    definition: { anchorAt: Date.parse("2026-12-01T11:59:00Z") },
  });
});

test("fields of the way that was not chosen do not count", () => {
  expect(problems({ when: "cron", everyMinutes: "x", anchor: "x" })).toEqual([]);
  expect(problems({ when: "every", cron: "x" })).toEqual([]);
  expect(problems({ missed: "once", missedMax: "x" })).toEqual([]);
});

test("what is wrong is told at its field", () => {
  expect(problems({ cron: "" })).toEqual(["cron"]);
  expect(problems({ when: "every", everyMinutes: "" })).toEqual(["everyMinutes"]);
  expect(problems({ when: "every", everyMinutes: "soon" })).toEqual(["everyMinutes"]);
  expect(problems({ when: "every", anchor: "tomorrow" })).toEqual(["anchor"]);
  expect(problems({ timeZone: "" })).toEqual(["timeZone"]);
  expect(problems({ missed: "all", missedMax: "101" })).toEqual(["missedMax"]);
  expect(problems({ name: "" })).toEqual(["name"]);
});

test("what a form sends is read back, and what it does not send is empty", () => {
  const form = new Map([["name", "n"]]);
  expect(scheduleFieldsOf({ get: (name) => form.get(name) })).toMatchObject({ name: "n", cron: "", version: "" });
});

test("a stored schedule comes back to the form as it is", () => {
  const stored = {
    name: "n",
    cron: null,
    everyMinutes: 15,
    anchor: "2026-12-01T10:00:00.000Z",
    timeZone: "UTC",
    kind: "k",
  };
  const rest = { priority: "high", maxAttempts: 3, missed: "all", missedMax: 7, overlap: "skip", version: 2 };
  const fields = fieldsFrom({ ...stored, ...rest } as ScheduleDetail, "[1]");
  expect(parseSchedule(scheduleCallText(fields), NOW, true)).toMatchObject({
    definition: {
      name: "n",
      everyMinutes: 15,
      anchorAt: Date.parse("2026-12-01T10:00:00Z"),
      payload: "[1]",
      ...{ priority: "high", maxAttempts: 3, missed: "all", missedMax: 7, overlap: "skip" },
    },
    version: 2,
  });
});

describe("the preview of a form", () => {
  test("C019: is of the times alone, whatever the other fields hold", () => {
    const fields = { ...EMPTY_SCHEDULE, payload: "{", kind: "", cron: "30 2 * * *", timeZone: "America/New_York" };
    const { preview } = previewFields(fields, Date.parse("2026-03-07T08:00Z"));
    expect(preview?.firings.slice(0, 2).map(({ at }) => at)).toEqual([
      "2026-03-08T07:00:00.000Z",
      "2026-03-09T06:30:00.000Z",
    ]);
  });

  test("C030: of a zone that does not exist names it", () => {
    for (const timeZone of ["America/New_Yrok", "Mars/Phobos", "UTC+3", "GMT+3", ""]) {
      const answer = previewFields({ ...EMPTY_SCHEDULE, timeZone }, NOW);
      expect(answer).toMatchObject({ preview: null, problems: [{ path: "timeZone" }] });
      expect(answer.problems[0]?.message).toContain(`"${timeZone}"`);
    }
  });
});
