import { findPayload } from "~/store/claims";
import { readDelivery, recordResend } from "~/store/webhooks/deliveries";
import type { Engine } from "../engine";
import { submitRequests } from "../submit";
import { insist } from "../trouble/insist";

export type Resent =
  | { kind: "resent"; jobId: string }
  | { kind: "not-found" }
  /** A job of its own still goes on with it, or the event is stored no more. */
  | { kind: "refused"; why: string };

/**
 * Sends one delivery again, as a job, by the same webhook-id. One press is one job: the key holds how it stood, so
 * pressing twice, or two people at once, find the same.
 */
export async function resend(engine: Engine, fanoutId: string, n: number, by: { actor: string }): Promise<Resent> {
  const delivery = await insist(engine, "read delivery", () => readDelivery(engine.store, fanoutId, n));
  if (!delivery) return { kind: "not-found" };
  const { status, at, target, jobId: before, state } = delivery;
  if (status === "retrying" && state !== "dead" && state !== "cancelled") {
    return { kind: "refused", why: "it is being retried by itself" };
  }
  const event = await insist(engine, "read event", () => findPayload(engine.store, fanoutId));
  if (event === null) return { kind: "refused", why: "its event is stored no more" };
  const [jobId] = (await submitRequests(engine, [
    {
      kind: "webhook_delivery",
      payload: { fanout: fanoutId, n, to: target },
      idempotencyKey: `${fanoutId}/delivery/${n}/again/${before ?? "first"}/${at}`,
      fanoutId,
    },
  ])) as [string];
  const token = engine.newToken();
  const change = { before: { n, status, job: before }, after: { n, status: "retrying", job: jobId } };
  const entry = { ...by, id: engine.newId(), action: "resend" as const, jobId: fanoutId, ...change };
  await insist(engine, "record resend", () => recordResend(engine.store, token, { fanoutId, n, at }, jobId, entry));
  return { kind: "resent", jobId };
}
