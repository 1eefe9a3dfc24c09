import { expect, test } from "vitest";
import { timingText } from "./cron_text";

const text = (cron: string) => timingText({ cron, zone: "UTC" });

test("C026: the description of two restricted day fields says OR", () => {
  expect(text("0 12 13 * 5")).toBe("At 12:00 on day 13 OR on Friday");
  expect(text("0 12 * * 5")).toBe("At 12:00 on Friday");
  expect(text("0 12 13 * *")).toBe("At 12:00 on day 13");
});

test("C027: the description of steps says when they run, and claims no even interval where there is none", () => {
  expect(text("*/45 * * * *")).toBe("At minutes 0 and 45 of every hour");
  expect(text("*/7 * * * *")).toBe("At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour");
  expect(text("0 */5 * * *")).toBe("At 00:00, 05:00, 10:00, 15:00 and 20:00 every day");
  expect(text("*/15 * * * *")).toBe("Every 15 minutes");
});

test("C029: the description names the days that the runs fall on", () => {
  for (const sunday of ["0", "7", "SUN", "sun", "0,7"]) expect(text(`0 0 * * ${sunday}`)).toBe("At 00:00 on Sunday");
  expect(text("0 0 * * 5-7")).toBe("At 00:00 on Sunday, Friday and Saturday");
  expect(text("30 9 * * MON-FRI")).toBe("At 09:30 on Monday, Tuesday, Wednesday, Thursday and Friday");
});

test.each([
  ["* * * * *", "Every minute"],
  ["*/1 */1 * * *", "Every minute"],
  ["0 * * * *", "At minute 0 of every hour"],
  ["* 2 * * *", "Every minute of the hour 02 every day"],
  ["0,30 9,17 1,15 JAN,JUL *", "At 09:00, 09:30, 17:00 and 17:30 on days 1 and 15, in January and July"],
  ["*/10 9-11 * * *", "At minutes 0, 10, 20, 30, 40 and 50 of the hours 09, 10 and 11 every day"],
  ["0 0 */1 * 5", "At 00:00 every day"],
  ["0 0 * */3 *", "At 00:00 every day, in January, April, July and October"],
])("%s reads: %s", (cron, expected) => expect(text(cron)).toBe(expected));

test.each([
  [1, "Every minute, counted from 2026-12-01 10:00 UTC"],
  [45, "Every 45 minutes, counted from 2026-12-01 10:00 UTC"],
  [60, "Every hour, counted from 2026-12-01 10:00 UTC"],
  [90, "Every 90 minutes, counted from 2026-12-01 10:00 UTC"],
  [2_880, "Every 48 hours, counted from 2026-12-01 10:00 UTC"],
])("every %d minutes reads: %s", (everyMinutes, expected) =>
  expect(timingText({ everyMinutes, anchor: Date.parse("2026-12-01T10:00:00Z") })).toBe(expected),
);
