import { z } from "zod";
import { FANOUT_ENDPOINTS, JOB_ENDPOINTS } from "~/domain/webhooks/webhooks";
import { defineKind } from "../define";
import { readEvent } from "./event";
import { pass } from "./pass";

/** Up to 50 endpoints of an event that has more than one job can call. Submitted by the fan-out. */
export const webhookPart = defineKind({
  name: "webhook_part",
  title: "Webhook fan-out, part",
  description: "The first try of up to 50 endpoints of a large fan-out. Submitted by the fan-out itself.",
  input: z.strictObject({
    fanout: z.uuidv7().describe("the job that holds the event"),
    from: z.int().min(0).max(FANOUT_ENDPOINTS).multipleOf(JOB_ENDPOINTS).describe("place of the first endpoint"),
  }),
  label: ({ from }) => `endpoints from ${from + 1} on`,
  entity: ({ fanout }) => `job:${fanout}`,
  internal: true,
  usualMs: 5_000,
  statements: 24,
  timeoutMs: 300_000,
  retry: { maxAttempts: 12 },
  run: async ({ fanout, from }, ctx) => pass(ctx, fanout, await readEvent(ctx.store, fanout), from),
});
