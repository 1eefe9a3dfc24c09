import { z } from "@hono/zod-openapi";
import type { ActivityPage } from "~/domain/audit/feeds";
import { auditEntry } from "./job_schemas";
import { at, count, text } from "./schema_words";

const deed = z
  .object({
    ...auditEntry.shape,
    scheduleId: text.nullable(),
    object: text.nullable().openapi({
      description:
        "what it was done to, where that is neither a job nor a schedule: an id, or the name of a kind or submitter",
    }),
    name: text.nullable().openapi({ description: "what that is called now; null: stored no more, or without a name" }),
  })
  .openapi("Deed", { description: "`before` and `after` are JSON; of over 20 jobs they tell the number alone" });

export const activityPage = z
  .object({
    ...at,
    deeds: z.array(deed),
    next: text.nullable().openapi({ description: "cursor for the older ones" }),
    scanned: count.nullable().openapi({ description: "so many were looked at, and there may be more behind `next`" }),
  })
  .openapi("ActivityPage") satisfies z.ZodType<ActivityPage>;
