import { JOB_ENDPOINTS, SLACK_URL } from "~/domain/webhooks/webhooks";
import { defineKind } from "./define";
import { eventOf, eventProblems, webhookEvent } from "./webhook/event";
import { pass } from "./webhook/pass";

/**
 * One event to many endpoints. Calls the first 50 itself and spreads the others over jobs of their own; is done when each
 * of its own has had its first try, however that ended: what failed goes on by itself.
 */
export const webhookFanout = defineKind({
  name: "webhook_fanout",
  title: "Webhook fan-out",
  description:
    "Sends one event to 1 to 500 endpoints, signed by Standard Webhooks. Each endpoint has its own retries: one that fails stops or repeats none of the others.",
  input: webhookEvent,
  check: eventProblems,
  label: ({ type, endpoints }) => `${type} to ${endpoints.length} ${endpoints.length === 1 ? "endpoint" : "endpoints"}`,
  usualMs: 5_000,
  statements: 30,
  timeoutMs: 300_000,
  retry: { maxAttempts: 12 },
  secrets: [SLACK_URL("endpoints.*.url")],
  // Each is its own receiver: nobody else gets it.
  secretsGoTo: [],
  examples: [
    {
      title: "One endpoint",
      payload: { type: "ping", data: {}, endpoints: [{ url: "https://example.com/hook" }] },
    },
    {
      title: "A signed one, Slack, a service",
      payload: {
        type: "order.paid",
        data: { order: 42, name: "Zoë" },
        endpoints: [
          { url: "https://example.com/hook" },
          { type: "slack", url: "https://hooks.slack.com/services/T0/B0/x" },
          { type: "service", service: "BILLING", path: "/events" },
        ],
      },
    },
  ],
  async run(event, ctx) {
    const starts: number[] = [];
    for (let from = JOB_ENDPOINTS; from < event.endpoints.length; from += JOB_ENDPOINTS) starts.push(from);
    await ctx.submit(
      starts.map((from) => ({
        kind: "webhook_part",
        payload: { fanout: ctx.jobId, from },
        idempotencyKey: `${ctx.jobId}/part/${from}`,
        maxAttempts: ctx.maxAttempts,
        fanoutId: ctx.jobId,
      })),
    );
    const counts = await pass(ctx, ctx.jobId, eventOf(event, ctx.payloadText), 0);
    return { ...counts, furtherJobs: starts.length };
  },
});
