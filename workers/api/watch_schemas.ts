import { z } from "@hono/zod-openapi";
import { CHANNEL_TYPES } from "~/domain/channels";
import type { WatchDetail, WatchList } from "~/domain/watches/feeds";
import { CHECK_OUTCOME_NAMES, COMPARISONS, type Comparison, WATCH } from "~/domain/watches/watch";
import { at, callId, count, text, time } from "./schema_words";

const { shape } = WATCH;
const fields = {
  name: shape.name.describe("for lists and messages"),
  cron: shape.cron.describe("five fields, as of a schedule. Not together with everyMinutes"),
  everyMinutes: shape.everyMinutes.describe("counted from the anchor, in elapsed time"),
  anchor: z.iso
    .datetime({ offset: true })
    .optional()
    .openapi({ description: "of everyMinutes: a whole minute. Left out: the minute of the call" }),
  timeZone: shape.timeZone.describe("of the IANA database"),
  compare: shape.compare.describe(COMPARISONS.number.means),
  channels: shape.channels.describe("who is told of a change: a job for each"),
};
const example = {
  name: "Price of the lamp",
  url: "https://shop.example/lamp",
  selector: ".price",
  compare: "number",
  cron: "0 8 * * *",
  timeZone: "Europe/Berlin",
  channels: { email: "ana@example.com" },
};
export const NEW_WATCH = z.strictObject({ ...shape, id: callId });
export const watch = z.strictObject({ ...shape, ...fields, id: callId }).openapi("Watch", { example });
export const WATCH_CHANGE = z.strictObject({ ...shape, version: z.int().min(1).optional() });
export const watchChange = z
  .strictObject({
    ...shape,
    ...fields,
    version: WATCH_CHANGE.shape.version.describe("changes only what was looked at"),
  })
  .openapi("WatchChange", { example });

const row = {
  id: text,
  name: text,
  url: text,
  selector: text.nullable(),
  attribute: text.nullable(),
  compare: z.enum(Object.keys(COMPARISONS) as [Comparison, ...Comparison[]]),
  cron: text.nullable(),
  everyMinutes: count.nullable(),
  anchor: time.nullable(),
  timeZone: text,
  text: text.openapi({ description: "when it looks, in words" }),
  version: count,
  nextAt: time
    .nullable()
    .openapi({ description: "the slot that is next, or being checked; null: paused, or none comes" }),
  paused: z.object({ at: time, by: text.nullable() }).nullable(),
  checkedAt: time.nullable(),
  changedAt: time.nullable(),
  failures: count.openapi({ description: "checks that failed in a row" }),
  lastError: text.nullable(),
  value: text.nullable().openapi({ description: "what the page shows; in a list its beginning" }),
  number: z.number().nullable(),
};

export const watchList = z
  .object({ ...at, watches: z.array(z.object(row).openapi("WatchRow")) })
  .openapi("WatchList") satisfies z.ZodType<WatchList>;

const check = z
  .object({
    slotAt: time.openapi({ description: "the planned time" }),
    at: time.openapi({ description: "when it ended" }),
    outcome: z.enum(CHECK_OUTCOME_NAMES),
    jobId: text,
    httpStatus: count.nullable().openapi({ description: "304: the page itself said that it is the same" }),
    missed: count.openapi({ description: "slots that passed before it ended, and were skipped" }),
    number: z.number().nullable(),
    told: z.array(text).openapi({ description: "jobs that tell of the change" }),
    error: text.nullable(),
    previous: text.nullable(),
    value: text.nullable(),
  })
  .openapi("WatchCheck");

export const watchDetail = z
  .object({
    ...at,
    ...row,
    checking: text.nullable().openapi({ description: "the job of the slot that is due" }),
    tells: z.array(z.object({ type: z.enum(CHANNEL_TYPES), target: text })),
    createdAt: time,
    updatedAt: time,
    checks: z.array(check),
    next: time.nullable().openapi({ description: "`before` for older checks" }),
  })
  .openapi("WatchDetail") satisfies z.ZodType<WatchDetail>;

export const savedWatch = z.object({ id: text, version: count }).openapi("SavedWatch");
export const switchedWatch = z.object({ id: text, changed: z.boolean() }).openapi("SwitchedWatch");
export const askedCheck = z.object({ id: text, jobIds: z.array(text) }).openapi("AskedCheck");
