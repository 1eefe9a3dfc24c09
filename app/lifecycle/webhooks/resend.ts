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
  const job = {
    kind: "webhook_delivery",
    payload: { fanout: fanoutId, n, to: target },
    idempotencyKey: `${fanoutId}/delivery/${n}/again/${before ?? "first"}/${at}`,
    fanoutId,
  };
  const change = { before: { n, status }, after: { n, status: "retrying" } };
  // Kept with the job: whatever comes between it and the next write, who sent it again is known.
  const deed = { ...by, action: "resend" as const, jobId: fanoutId, ...change };
  const [jobId] = (await submitRequests(engine, [job], deed)) as [string];
  await engine.seam("resend: between submit and record");
  const token = engine.newToken();
  await insist(engine, "record resend", () => recordResend(engine.store, token, { fanoutId, n, at }, jobId));
  return { kind: "resent", jobId };
}
