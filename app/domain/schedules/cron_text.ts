import { instant } from "../time";
import { type CronField, type CronFields, parseCron } from "./cron";
import type { Timing } from "./slots";

const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
/** More times of day than these are told by hour and minute. */
const TIMES = 8;

/** When a schedule fires, in words that agree with its runs: read from the same values as they are. */
export function timingText(timing: Timing): string {
  if ("everyMinutes" in timing) return `${everyText(timing.everyMinutes)}, counted from ${anchorText(timing.anchor)}`;
  const fields = parseCron(timing.cron);
  if (typeof fields === "string") return fields;
  const days = dayText(fields);
  // "Every minute every day" says no more than "Every minute".
  const plain = days === EVERY_DAY && fields.hour.values.length === 24;
  return `${timeText(fields)}${plain ? "" : days}${monthText(fields)}`;
}

function everyText(minutes: number): string {
  if (minutes === 1) return "Every minute";
  if (minutes % 1440 === 0) return minutes === 1440 ? "Every 24 hours" : `Every ${minutes / 60} hours`;
  if (minutes % 60 === 0) return minutes === 60 ? "Every hour" : `Every ${minutes / 60} hours`;
  return `Every ${minutes} minutes`;
}

const anchorText = (anchor: number): string => `${instant(anchor).slice(0, 16).replace("T", " ")} UTC`;

function timeText({ minute, hour }: CronFields): string {
  const everyHour = hour.values.length === 24;
  const everyMinute = minute.values.length === 60;
  if (everyHour && everyMinute) return "Every minute";
  if (everyHour) return evenStep(minute) ?? `At ${minuteText(minute)} of every hour`;
  const hours = hour.values.map((h) => two(h));
  if (everyMinute) return `Every minute of ${hours.length === 1 ? "the hour" : "the hours"} ${all(hours)}`;
  const times = hour.values.flatMap((h) => minute.values.map((m) => `${two(h)}:${two(m)}`));
  if (times.length <= TIMES) return `At ${all(times)}`;
  return `At ${minuteText(minute)} of the hours ${all(hours)}`;
}

/** "Every 15 minutes" only where that is so: steps start again in each hour, and 45 after 45 is 15 minutes later. */
function evenStep({ text, values }: CronField): string | null {
  const every = Number(/^\*\/(\d+)$/.exec(text)?.[1] ?? 0);
  return every > 1 && every * values.length === 60 ? `Every ${every} minutes` : null;
}

const minuteText = ({ values }: CronField): string =>
  `${values.length === 1 ? "minute" : "minutes"} ${all(values.map(String))}`;

const EVERY_DAY = " every day";

/** Two restricted fields are joined by OR, as cron has it; together they may well mean every day. */
function dayText({ day, weekday }: CronFields): string {
  const days = `on ${day.values.length === 1 ? "day" : "days"} ${all(day.values.map(String))}`;
  const weekdays = `on ${all(weekday.values.map((value) => WEEKDAYS[value] as string))}`;
  const everyDay = (field: CronField, length: number) => field.values.length === length;
  if (day.any && weekday.any) return EVERY_DAY;
  if (day.any) return everyDay(weekday, 7) ? EVERY_DAY : ` ${weekdays}`;
  if (weekday.any) return everyDay(day, 31) ? EVERY_DAY : ` ${days}`;
  return everyDay(day, 31) || everyDay(weekday, 7) ? EVERY_DAY : ` ${days} OR ${weekdays}`;
}

const monthText = ({ month }: CronFields): string =>
  month.values.length === 12 ? "" : `, in ${all(month.values.map((value) => MONTHS[value - 1] as string))}`;

const two = (value: number): string => String(value).padStart(2, "0");

const all = (words: string[]): string =>
  words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
