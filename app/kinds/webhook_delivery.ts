import { z } from "zod";
import { PermanentError, RetryLater } from "~/domain/errors";
import { FANOUT_ENDPOINTS, webhookId } from "~/domain/webhooks/webhooks";
import { disableGone, recordFurtherTry } from "~/store/webhooks/deliveries";
import { readAddressees } from "~/store/webhooks/endpoints";
import { defineKind } from "./define";
import { readEvent } from "./webhook/event";
import { addressedTo, tryOnce } from "./webhook/try";

/** Goes on with one endpoint of an event after its first try failed, or sends it again because a person asked. */
export const webhookDelivery = defineKind({
  name: "webhook_delivery",
  title: "Webhook delivery",
  description: "Goes on with one endpoint of a fan-out whose first try failed. Submitted by the fan-out itself.",
  input: z.strictObject({
    fanout: z.uuidv7().describe("the job that holds the event"),
    n: z
      .int()
      .min(0)
      .max(FANOUT_ENDPOINTS - 1)
      .describe("place of the endpoint in its list"),
    to: z.string().max(300).optional().describe("as it is shown"),
  }),
  label: ({ n, to }) => to ?? `endpoint ${n + 1}`,
  entity: ({ fanout }) => `job:${fanout}`,
  internal: true,
  usualMs: 500,
  statements: 5,
  timeoutMs: 30_000,
  // The fan-out's own try came 5 s before: 5, 10, 20 s … to an hour, twelve tries in about two and a half hours.
  retry: { baseMs: 10_000, capMs: 3_600_000, maxAttempts: 11 },
  async run({ fanout, n }, ctx) {
    const event = await readEvent(ctx.store, fanout);
    const receiver = event.endpoints[n];
    if (!receiver) throw new PermanentError(`the event has no endpoint ${n + 1}`);
    const saved = await readAddressees(ctx.store, receiver.id === undefined ? [] : [receiver.id]);
    const tried = await tryOnce(ctx, event, addressedTo(ctx, receiver, saved), webhookId(fanout, n));
    ctx.commit(recordFurtherTry(fanout, n, ctx.jobId, tried));
    if (tried.gone && receiver.id !== undefined) ctx.commit(disableGone([receiver.id], "{landed}"));
    if (tried.answer && tried.status !== "delivered") ctx.log(`answer: ${tried.answer}`);
    if (tried.status === "failed") throw new PermanentError(tried.error ?? "failed");
    if (tried.status === "retrying") throw new RetryLater(tried.retryAfterMs, tried.error ?? "failed");
    return { status: tried.status, httpStatus: tried.httpStatus, why: tried.error ?? undefined };
  },
});
