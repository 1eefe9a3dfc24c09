import { z } from "@hono/zod-openapi";
import { BULK_ACTION_NAMES, type BulkAction } from "~/domain/bulk/bulk";
import { RUNNING_TOLD } from "~/domain/bulk/feeds";
import type { Health, JobPage, JobRow, Stats } from "~/domain/feeds";
import { LANES } from "~/domain/lanes";
import type { ProblemDocument } from "~/domain/problem";
import {
  OUTCOMES,
  type OutcomeName,
  STATE_NAMES,
  TRIGGERS,
  type Trigger,
  VIEW_NAMES,
  type View,
} from "~/domain/states";
import { at, count, text, time } from "./schema_words";

/** The shapes of app/domain/feeds.ts once more, for the document. The types keep the two together; a test compares answers. */
export const anyJson = z.unknown().refine((value) => value !== undefined);
const state = z.enum(STATE_NAMES as [JobRow["state"], ...JobRow["state"][]]);
export const view = z.enum(VIEW_NAMES as [View, ...View[]]).openapi({ description: "the state, or a part of pending" });
export const outcome = z.enum(Object.keys(OUTCOMES) as [OutcomeName, ...OutcomeName[]]);
export const trigger = z.enum(Object.keys(TRIGGERS) as [Trigger, ...Trigger[]]);
export const counts = z.object(
  Object.fromEntries(VIEW_NAMES.map((name) => [name, count])) as Record<View, typeof count>,
);

export const job = {
  id: z.uuidv7(),
  kind: text,
  lane: z.enum(LANES),
  state,
  view,
  label: text.nullable(),
  attempt: count.openapi({ description: "number of the current or the last attempt; only grows" }),
  tries: count.openapi({
    description: "attempts that count towards maxAttempts: since the last requeue, without snoozes",
  }),
  maxAttempts: count.openapi({ description: "tries at most" }),
  generation: count.openapi({ description: "1, and one more with each requeue" }),
  runAt: time,
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  lastError: text.nullable().openapi({ description: "in lists its first 200 characters, with `brief` 120" }),
  cause: text.nullable().openapi({ description: "the error with what varies taken out; null with `brief`" }),
  heldByGroup: z.boolean().openapi({ description: "it waits since others of its groupKey run" }),
};

export const jobRow = z.object(job).openapi("JobRow") satisfies z.ZodType<JobRow>;

export const jobPage = z
  .object({
    ...at,
    jobs: z.array(jobRow),
    fresh: count.openapi({ description: "jobs that came beyond `since`: they are not in `jobs`" }),
    next: text.nullable().openapi({ description: "cursor for the rows after these" }),
    previous: text.nullable().openapi({ description: "cursor for the rows before these" }),
    scanned: count
      .nullable()
      .openapi({ description: "set where only so many rows were looked at; next goes on from there" }),
    reach: time.nullable().openapi({
      description:
        "where rows were looked at one by one, and there are more: when the last one was submitted, or ended",
    }),
    total: count.nullable().openapi({ description: "jobs of the filter on all pages; null: they are not counted" }),
  })
  .openapi("JobPage") satisfies z.ZodType<JobPage>;

export const stats = z
  .object({
    ...at,
    counts,
    kinds: z.array(z.object({ kind: text, counts })),
    held: z
      .array(
        z.object({
          kind: text,
          by: z.enum(["paused", "unknown-kind", "limit", "rate"]),
          since: time.nullable(),
          who: text.nullable(),
          reason: text.nullable(),
        }),
      )
      .openapi({ description: "kinds whose due jobs wait: paused, or not known to this release" }),
    running: z
      .array(
        z.object({
          id: text,
          action: z.enum(BULK_ACTION_NAMES as [BulkAction, ...BulkAction[]]),
          view,
          kind: text.nullable(),
          cause: text.nullable(),
          q: text.nullable(),
          expected: count,
          changed: count,
          skipped: count,
        }),
      )
      .openapi({ description: `operations that run, newest first, at most ${RUNNING_TOLD}` }),
    lastSweep: z
      .object({
        startedAt: time,
        finishedAt: time,
        lost: count,
        expired: count.openapi({ description: "jobs that were not started by their expiresAt" }),
        fired: count.openapi({ description: "jobs made of schedules" }),
        removed: count.openapi({ description: "ended jobs that were kept long enough" }),
        sent: count,
        resent: count,
        more: z.boolean(),
        error: text.nullable(),
      })
      .nullable(),
    causes: z
      .array(z.object({ cause: text, n: count, lastHour: time }))
      .openapi({ description: "dead jobs by cause, most first, at most 50" }),
  })
  .openapi("Stats") satisfies z.ZodType<Stats>;

const backlog = z.object({ messages: count.nullable(), oldestAt: time.nullable() }).openapi("Backlog", {
  description: "best effort: null is not known",
});
export const health = z
  .object({
    ok: z.boolean(),
    problems: z.array(text),
    now: time,
    database: z.object({ ok: z.boolean() }),
    lastSweep: z.object({ at: time, ageMs: count }).nullable(),
    lanes: z.object({ normal: backlog, high: backlog, long: backlog, dead: backlog }),
  })
  .openapi("Health") satisfies z.ZodType<Health>;

export const problemDocument = z
  .looseObject({
    type: z.literal("about:blank"),
    title: text,
    status: count,
    detail: text,
    code: text.openapi({ description: "for programs" }),
    errors: z.array(
      z.object({
        path: text,
        message: text,
        limit: z.number().optional(),
        line: count.optional().openapi({ description: "of a text that is not JSON, from 1" }),
        column: count.optional(),
      }),
    ),
  })
  .openapi("Problem", { description: "RFC 9457" }) satisfies z.ZodType<ProblemDocument>;

const replay = { state, replayed: z.literal(true) };
export const accepted = z.union([
  z.object({ id: text, state: replay.state.optional(), replayed: replay.replayed.optional() }).openapi("Accepted"),
  z
    .object({ ids: z.array(text), replays: z.array(z.object({ id: text, ...replay })).optional() })
    .openapi("AcceptedAll", { description: "ids in the order of the jobs sent" }),
]);
export const requeued = z.object({ id: text, state: z.literal("pending"), generation: count }).openapi("Requeued");
export const cancelled = z
  .object({ id: text, state: z.enum(["cancelled", "processing"]), cancelRequested: z.boolean() })
  .openapi("Cancelled");
