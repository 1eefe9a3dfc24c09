import type { ScheduleDetail } from "./feeds";
import { CATCH_UP_MAX } from "./schedule";

/** What the form of a schedule holds. `when`: which of the two ways of saying it counts. */
const NAMES = [
  ...["name", "when", "cron", "timeZone", "everyMinutes", "anchor", "kind", "payload"],
  ...["priority", "maxAttempts", "missed", "missedMax", "overlap", "version"],
] as const;
export type ScheduleFields = Record<
  | ("name" | "when" | "cron" | "timeZone" | "everyMinutes" | "anchor" | "kind" | "payload")
  | ("priority" | "maxAttempts" | "missed" | "missedMax" | "overlap" | "version"),
  string
>;

export const EMPTY_SCHEDULE: ScheduleFields = {
  name: "",
  when: "cron",
  cron: "0 9 * * MON-FRI",
  timeZone: "UTC",
  everyMinutes: "15",
  anchor: "",
  kind: "",
  payload: "{}",
  priority: "normal",
  maxAttempts: "",
  missed: "once",
  missedMax: String(CATCH_UP_MAX),
  overlap: "allow",
  version: "",
};

export const scheduleFieldsOf = (form: { get: (name: string) => unknown }): ScheduleFields =>
  Object.fromEntries(NAMES.map((name) => [name, String(form.get(name) ?? "")])) as ScheduleFields;

/** The form of a schedule that is stored. */
export const fieldsFrom = (schedule: ScheduleDetail, payload: string): ScheduleFields => ({
  ...EMPTY_SCHEDULE,
  name: schedule.name,
  when: schedule.cron === null ? "every" : "cron",
  cron: schedule.cron ?? "",
  timeZone: schedule.timeZone,
  everyMinutes: schedule.everyMinutes === null ? "" : String(schedule.everyMinutes),
  anchor: schedule.anchor?.slice(0, 16) ?? "",
  kind: schedule.kind,
  payload,
  priority: schedule.priority,
  maxAttempts: schedule.maxAttempts === null ? "" : String(schedule.maxAttempts),
  missed: schedule.missed,
  missedMax: String(schedule.missedMax),
  overlap: schedule.overlap,
  version: String(schedule.version),
});
