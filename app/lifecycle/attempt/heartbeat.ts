import { renewLeases } from "~/store/leases";
import type { Held } from "../batch/shift";
import type { Engine } from "../engine";
import { Stopped } from "./stopped";

/**
 * Renews all leases of the invocation in one statement, at a third of the lease, and brings back cancel requests. An
 * attempt whose lease did not renew is somebody else's by now: it is stopped. So is everything, once no renewal got
 * through for a whole lease: from then on others may take over.
 */
export function heartbeat(engine: Engine, held: ReadonlyMap<string, Held>): { stop: () => void } {
  const { leaseMs } = engine.settings;
  let renewedAt = engine.localNow();
  let cancel = engine.after(leaseMs / 3, next);
  return { stop: () => cancel() };

  function next(): void {
    cancel = engine.after(leaseMs / 3, next);
    void beat();
  }

  async function beat(): Promise<void> {
    const asked = [...held.values()];
    if (asked.length === 0) return;
    try {
      const renewals = await renewLeases(
        engine.store,
        asked.map(({ job }) => job),
        leaseMs,
      );
      renewedAt = engine.localNow();
      const answered = new Map(renewals.map((renewal) => [renewal.id, renewal]));
      for (const { job, stop } of asked) {
        const renewal = answered.get(job.id);
        // Settled meanwhile by this very invocation, which may hold its next attempt already: not lost.
        if (!renewal && held.get(job.id)?.job === job) stop.abort(new Stopped("lost"));
        else if (renewal?.cancelRequested) stop.abort(new Stopped("cancelled"));
      }
    } catch (error) {
      engine.events({ event: "database.unreachable", step: "heartbeat", error: String(error) });
      if (engine.localNow() - renewedAt < leaseMs) return;
      for (const { stop } of asked) stop.abort(new Stopped("unreachable"));
    }
  }
}
