import { z } from "zod";
import { BULK_KIND } from "~/domain/bulk/bulk";
import { VIEW_NAMES, type View } from "~/domain/states";
import { defineKind } from "./define";

/** Works a bulk operation off, chunk by chunk. Started from the dashboard or the API, not by itself. */
export const bulk = defineKind({
  name: BULK_KIND,
  title: "Bulk operation",
  description: "Requeues, cancels or deletes everything that matched when it was asked for.",
  input: z.strictObject({
    operationId: z.uuid(),
    action: z.enum(["requeue", "cancel", "delete"]),
    view: z.enum(VIEW_NAMES as [View, ...View[]]),
    kind: z.string().optional(),
    cause: z.string().optional(),
    q: z.string().optional(),
    cutoff: z.int(),
    expected: z.int().min(0),
    pace: z.int().min(1).optional(),
    actor: z.string(),
    reason: z.string().optional(),
  }),
  label: (plan) =>
    `${plan.action} ${plan.expected} ${[plan.kind, plan.cause ?? plan.view, plan.q].filter(Boolean).join(" ")}`,
  // Whoever could submit one by hand would act in another's name, and delete without a look at the count.
  internal: true,
  usualMs: 2_000,
  // To open the operation, and one chunk of it. It goes on with what others leave.
  statements: 22,
  timeoutMs: 30_000,
  retry: { baseMs: 5_000, maxAttempts: 100 },
  run: (plan, ctx) => ctx.bulk(plan),
});
