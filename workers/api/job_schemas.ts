import { z } from "@hono/zod-openapi";
import type { AttemptRow, JobDetail } from "~/domain/feeds";
import { PERS, type Per } from "~/domain/kind_limits";
import { at, count, text, time } from "./schema_words";
import { anyJson, job, outcome, trigger, view } from "./schemas";
import { fanout } from "./webhook_schemas";

export const auditEntry = z
  .object({
    id: text,
    at: time,
    actor: text,
    action: text,
    jobId: text.nullable(),
    before: text.nullable(),
    after: text.nullable(),
    reason: text.nullable(),
  })
  .openapi("AuditEntry");

export const attempt = z
  .object({
    number: count,
    generation: count,
    trigger,
    startedAt: time,
    finishedAt: time,
    waitedMs: count,
    ranMs: count,
    outcome,
    error: text.nullable(),
    stack: text.nullable(),
    log: text.nullable(),
    cut: z.boolean().openapi({ description: "error, stack or log go on: ask with `attempt` for all of it" }),
    appVersion: text,
  })
  .openapi("Attempt") satisfies z.ZodType<AttemptRow>;

export const jobDetail = z
  .object({
    ...at,
    ...job,
    payload: anyJson.openapi({ description: "any JSON" }),
    payloadText: text.openapi({
      description:
        "the very text that was submitted, but for its secrets; the mask alone to whoever may not see payloads, and so are result, logs, results of effects and answers",
    }),
    result: anyJson.openapi({ description: "any JSON; a text where the result was cut to its limit" }),
    progress: text.nullable(),
    idempotencyKey: text
      .nullable()
      .openapi({ description: "as it was given, or this deployment's own, as of a form: form:<uuid>" }),
    expiresAt: time.nullable().openapi({ description: "it is not started from then on" }),
    groupKey: text.nullable(),
    sentAt: time.nullable(),
    leaseUntil: time.nullable(),
    cancelRequestedAt: time.nullable(),
    held: z
      .object({
        by: z.enum(["paused", "unknown-kind", "limit", "group", "rate"]),
        reason: text.nullable(),
        since: time.nullable(),
        limit: count.nullable().openapi({ description: "jobs at once, of its group at once, or starts per time" }),
        per: z.enum(PERS as [Per, ...Per[]]).nullable(),
        next: time.nullable().openapi({ description: "of a rate: when the next start is free" }),
      })
      .nullable()
      .openapi({ description: "what holds a due job" }),
    attempts: z
      .array(attempt)
      .openapi({ description: "attempts that have ended, newest first, at most 20: `attempt` asks for older ones" }),
    refusals: z
      .array(z.object({ number: count, at: time, outcome, error: text.nullable() }).openapi("Refusal"))
      .openapi({ description: "late results that were turned away, at most 100" }),
    audit: z.array(auditEntry).openapi({ description: "who did what, newest first, at most 100" }),
    schedule: z
      .object({ id: text, name: text.nullable(), slotAt: time.nullable() })
      .nullable()
      .openapi({ description: "what made it; slotAt: its planned time, null where a person ran it by hand" }),
    fanoutId: text.nullable().openapi({ description: "the job that holds the webhook event" }),
    operationId: text.nullable().openapi({ description: "the operation that changed it last" }),
    editedFrom: text
      .nullable()
      .openapi({ description: "the job that it was made of by a person, as it was or with changes" }),
    editedTo: z.array(z.object({ id: text, view })).openapi({ description: "jobs that were made of it, newest first" }),
    effects: z
      .array(z.object({ name: text, startedAt: time, finishedAt: time.nullable(), result: text.nullable() }))
      .openapi({ description: "outside effects; finishedAt null: how it ended is not known. At most 100" }),
    fanout: fanout.nullable().openapi({ description: "of a webhook event: how it stands at each endpoint" }),
  })
  .openapi("JobDetail") satisfies z.ZodType<JobDetail>;
