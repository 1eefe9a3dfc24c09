import { problem } from "~/domain/problem";
import { parseWebhookId } from "~/domain/webhooks/webhooks";
import { resend } from "~/lifecycle/webhooks/resend";
import { json } from "./answers";
import { problemResponse } from "./body";
import type { Route } from "./route";
import { resent } from "./webhook_schemas";

export const resendDelivery: Route = {
  method: "post",
  path: "/deliveries/{id}/resend",
  summary: "Send one delivery again",
  description:
    "Takes its webhook-id, and sends by the same: a receiver that has seen it knows. Once, however often asked.",
  answers: { 202: { description: "A job sends it", content: { "application/json": { schema: resent } } } },
  problems: {
    404: "no such delivery is recorded",
    409: "it is being retried by itself, or its event is stored no more",
  },
  async handle({ params: { id = "" }, app }) {
    const which = parseWebhookId(id);
    const done = which
      ? await resend(app.engine, which.fanoutId, which.n, { actor: app.identity.name })
      : { kind: "not-found" as const };
    if (done.kind === "not-found")
      return problemResponse(problem(404, "no-such-delivery", "no such delivery is recorded"));
    if (done.kind === "refused") return problemResponse(problem(409, "not-resent", done.why));
    return json({ jobId: done.jobId }, 202, { Location: `/api/v1/jobs/${done.jobId}` });
  },
};
