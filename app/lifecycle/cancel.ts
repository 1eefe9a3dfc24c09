import type { State } from "~/domain/states";
import { type By, cancelJob } from "~/store/reopen";
import type { Engine } from "./engine";
import { insist } from "./trouble/insist";

export type Cancelled =
  | { kind: "cancelled" }
  | { kind: "requested" }
  | { kind: "refused"; state: State }
  | { kind: "not-found" };

/** Cancels a waiting job at once; a running one is asked to stop and ends at its next heartbeat or at its settle. */
export async function cancel(engine: Engine, job: { id: string }, by: By): Promise<Cancelled> {
  const token = engine.newToken();
  const audit = engine.newId();
  await engine.seam("cancel: before write");
  const now = await insist(engine, "cancel", () => cancelJob(engine.store, token, job.id, audit, by));
  if (!now) return { kind: "not-found" };
  if (now.state === "processing" && now.requested) return { kind: "requested" };
  if (now.mine && now.state === "cancelled") return { kind: "cancelled" };
  return { kind: "refused", state: now.state };
}
