import { z } from "@hono/zod-openapi";
import { SCHEDULE, SCHEDULE_CHANGE } from "~/domain/schedules/call";
import type { ScheduleDetail, SchedulePage } from "~/domain/schedules/feeds";
import { FATES, type Fate, MISSED, type MissedPolicy, OVERLAP, type OverlapPolicy } from "~/domain/schedules/schedule";
import { auditEntry } from "./job_schemas";
import { at, count, text, time } from "./schema_words";
import { anyJson, view } from "./schemas";

const enumOf = <T extends string>(record: Record<T, unknown>) => z.enum(Object.keys(record) as [T, ...T[]]);

const { shape } = SCHEDULE;
const times = {
  name: shape.name.describe("no two schedules have the same, so a call that is repeated makes no second one"),
  cron: shape.cron.describe(
    "five fields: minute, hour, day of the month, month, day of the week; numbers, names, *, lists, ranges, steps. Not together with everyMinutes",
  ),
  everyMinutes: shape.everyMinutes.describe("counted from the anchor, in elapsed time"),
  anchor: z.iso
    .datetime({ offset: true })
    .optional()
    .openapi({ description: "of everyMinutes: a whole minute. Left out: the minute of the call" }),
  timeZone: shape.timeZone.describe("of the IANA database; in it cron is read, and times are shown"),
  missed: shape.missed.describe("what becomes of slots that no sweep came for within 90 s"),
  missedMax: shape.missedMax.describe("of `all`: so many missed slots run at most, the newest ones"),
  overlap: shape.overlap.describe("whether a slot runs while an earlier job of the schedule is unfinished"),
};
const example = { name: "nightly", cron: "30 2 * * *", timeZone: "Europe/Berlin", kind: "demo", payload: {} };
export const schedule = z.strictObject({ ...shape, ...times }).openapi("Schedule", { example });
export const scheduleChange = z
  .strictObject({
    ...SCHEDULE_CHANGE.shape,
    ...times,
    version: SCHEDULE_CHANGE.shape.version.describe("changes only what was looked at"),
  })
  .openapi("ScheduleChange", { example });

const slot = z
  .object({
    slotAt: time,
    fate: enumOf<Fate>(FATES),
    decidedAt: time,
    throughAt: time.nullable().openapi({ description: "of a stretch of skipped slots: the last of them" }),
    n: count.nullable().openapi({ description: "slots that this stands for; null: not counted" }),
    jobId: text.nullable(),
    error: text.nullable(),
  })
  .openapi("Slot", { description: "what became of a planned firing" });

const row = {
  id: text,
  name: text,
  cron: text.nullable(),
  everyMinutes: count.nullable(),
  anchor: time.nullable(),
  timeZone: text,
  text: text.openapi({ description: "when it fires, in words" }),
  kind: text,
  version: count,
  nextAt: time.nullable().openapi({ description: "null: paused, or broken" }),
  paused: z.object({ at: time, by: text.nullable() }).nullable(),
  error: z.object({ at: time, text }).nullable(),
  recent: z.array(slot).openapi({ description: "newest slots first: 30 in a list, 200 of a single schedule" }),
};

export const schedulePage = z
  .object({
    ...at,
    schedules: z.array(z.object(row).openapi("ScheduleRow")),
    next: text.nullable(),
    previous: text.nullable(),
  })
  .openapi("SchedulePage") satisfies z.ZodType<SchedulePage>;

export const scheduleDetail = z
  .object({
    ...at,
    ...row,
    payload: anyJson.openapi({ description: "any JSON" }),
    payloadText: text.openapi({
      description:
        "the very text that its jobs get, each secret of it replaced by ••••••••. Sent back so, a secret stays as it is",
    }),
    priority: z.enum(["normal", "high"]),
    maxAttempts: count.nullable(),
    missed: enumOf<MissedPolicy>(MISSED),
    missedMax: count,
    overlap: enumOf<OverlapPolicy>(OVERLAP),
    createdAt: time,
    updatedAt: time,
    preview: z
      .object({
        text,
        firings: z.array(z.object({ at: time, wall: text, note: text.nullable() })),
        changes: z.array(z.object({ at: time, text })),
      })
      .nullable()
      .openapi({ description: "the next ten firings, what turned clocks do to them; null: its times cannot be read" }),
    jobs: z.record(text, view).openapi({ description: "how the jobs of the recent slots stand" }),
    unfinished: z.array(z.object({ id: text, view, slotAt: time.nullable() })),
    audit: z.array(auditEntry),
  })
  .openapi("ScheduleDetail") satisfies z.ZodType<ScheduleDetail>;

export const savedSchedule = z.object({ id: text, version: count }).openapi("SavedSchedule");
export const pausedSchedule = z
  .object({ id: text, paused: z.boolean(), changed: z.boolean() })
  .openapi("PausedSchedule");
export const ranNow = z.object({ id: text, jobId: text, replayed: z.boolean() }).openapi("RanNow");
export const deletedSchedule = z.object({ id: text, deleted: z.literal(true) }).openapi("DeletedSchedule");
