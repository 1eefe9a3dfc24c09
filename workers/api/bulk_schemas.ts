import { z } from "@hono/zod-openapi";
import { BULK_ACTION_NAMES, type BulkAction } from "~/domain/bulk/bulk";
import {
  CAUSES_AMONG,
  CAUSES_OF_OPERATION,
  type KindsPage,
  OPERATION_STATES,
  type OperationDetail,
  type OperationPage,
} from "~/domain/bulk/feeds";
import { LIMIT_KIND } from "~/domain/limit_call";
import { STATE_NAMES, type State } from "~/domain/states";
import { at, count, text, time } from "./schema_words";
import { counts, view } from "./schemas";

/** The shapes of app/domain/bulk/feeds.ts once more, for the document. */
const operation = {
  id: z.uuidv7(),
  action: z.enum(BULK_ACTION_NAMES as [BulkAction, ...BulkAction[]]),
  view,
  kind: text.nullable(),
  cause: text.nullable(),
  q: text.nullable().openapi({ description: "what else the filter box asked; its times are moments" }),
  state: z
    .enum(OPERATION_STATES)
    .openapi({ description: "stopped: its job has ended before it, or is gone; it runs again when that job does" }),
  expected: count.openapi({ description: "the exact count at the cutoff; what came later is not touched" }),
  changed: count,
  skipped: count,
  pace: count.nullable().openapi({ description: "jobs a minute; null: as fast as it goes" }),
  actor: text,
  reason: text.nullable(),
  cutoff: time,
  createdAt: time,
  endedAt: time.nullable(),
  why: text.nullable().openapi({ description: "what stopped it; null in every other state" }),
  became: counts.openapi({
    description: "how many of the jobs that it changed, and no later operation did, are in each view by now",
  }),
};
export const operationRow = z.object(operation).openapi("Operation");
export const startedOperation = z.object({ operation: operationRow }).openapi("StartedOperation");

export const operationPage = z
  .object({
    ...at,
    operations: z.array(operationRow),
    next: text.nullable().openapi({ description: "cursor for the older ones" }),
  })
  .openapi("OperationPage") satisfies z.ZodType<OperationPage>;

export const operationDetail = z
  .object({
    ...at,
    ...operation,
    job: z
      .object({ id: text, state: z.enum(STATE_NAMES as [State, ...State[]]) })
      .nullable()
      .openapi({ description: "what works it off; null: stored no more" }),
    matching: count.nullable().openapi({
      description: "how many jobs match its filter now; null: no number is kept of these, GET /bulk/count looks",
    }),
    skips: z
      .array(z.object({ jobId: text, reason: text }))
      .openapi({ description: "jobs that matched and were not changed, the first 100 by id" }),
    causes: z.array(z.object({ cause: text, n: count })).openapi({
      description: `what those of its jobs that are dead died of, the ${CAUSES_OF_OPERATION} most frequent causes among the newest ${CAUSES_AMONG} of them`,
    }),
  })
  .openapi("OperationDetail") satisfies z.ZodType<OperationDetail>;

export const bulkDone = z
  .object({
    requested: count.openapi({ description: "different ids" }),
    changed: count,
    skipped: z.array(z.object({ id: text, reason: text })),
  })
  .openapi("BulkDone");

export const bulkCount = z
  .object({
    count,
    now: time,
    filter: z
      .object({ view, kind: text.optional(), cause: text.optional(), q: text.optional() })
      .openapi({ description: "what was counted: a time such as 1h is counted back from now" }),
  })
  .openapi("BulkCount");
export const abortedOperation = z.object({ id: text, state: z.literal("aborted") }).openapi("AbortedOperation");

// Made here: what was made before this `z` was extended cannot be named in the document.
export const kindLimits = z.strictObject(LIMIT_KIND.shape.limits.unwrap().shape).openapi("KindLimits", {
  description: "jobs at once, jobs of one groupKey at once, starts per time; what is left out is not limited",
});

export const kindsPage = z
  .object({
    ...at,
    kinds: z.array(
      z
        .object({
          kind: text,
          known: z.boolean().openapi({ description: "whether this release can run it; if not, its jobs are held" }),
          title: text.nullable(),
          description: text.nullable(),
          paused: z.object({ by: text.nullable(), reason: text.nullable(), since: time }).nullable(),
          limits: z.object({
            defined: kindLimits,
            set: z
              .object({ limits: kindLimits, by: text.nullable(), reason: text.nullable(), since: time })
              .nullable()
              .openapi({ description: "by a person, in place of those of the definition" }),
          }),
          counts,
          lastHour: z.object({ done: count, failed: count, p50Ms: count.nullable(), p95Ms: count.nullable() }).openapi({
            description: "attempts that ended in the last 60 minutes; run times from buckets, each twice as wide",
          }),
        })
        .openapi("Kind"),
    ),
  })
  .openapi("KindsPage") satisfies z.ZodType<KindsPage>;
export const limitedKind = z
  .object({ kind: text, limits: kindLimits.nullable(), changed: z.boolean() })
  .openapi("LimitedKind", { description: "`changed` is false where it was so before" });
export const pausedKind = z
  .object({ kind: text, paused: z.boolean(), changed: z.boolean() })
  .openapi("PausedKind", { description: "`changed` is false where it was so before" });
