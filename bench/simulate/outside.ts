import { PermanentError, RetryLater } from "~/domain/errors";
import type { Actor } from "./actor";
import type { Simulation } from "./simulation";

/** Whoever is called from here: counts for itself what reached it, and believes nobody. */
export class OutsideWorld {
  /** Calls that took effect, by key, of receivers that do not honour keys. */
  private readonly unkeyed = new Map<string, number>();
  private calls = 0;
  /** Requeues that asked for unknown effects to be done again. */
  private readonly repeats = new Map<string, number>();

  constructor(private readonly simulation: Simulation) {}

  mayRepeat(jobId: string): void {
    this.repeats.set(jobId, (this.repeats.get(jobId) ?? 0) + 1);
  }

  /** One call of an effect. The engine promises not to come here once the effect was recorded. */
  act(actor: Actor, key: string, keyed: boolean): Promise<{ paid: string }> {
    const { simulation } = this;
    const [jobId] = key.split("/") as [string];
    // As it stood when it was begun: what happens in D1 while the call is on its way, nobody can know.
    const begun = actor.begun.get(key);
    if (begun?.recorded) simulation.violate(`${actor.name} does ${key} again, which was recorded`);
    if (!begun?.held) simulation.violate(`${actor.name} begins ${key} without holding its attempt`);
    return simulation.machine.park<{ paid: string }>(actor, async () => {
      if (simulation.happens("refused by the outside", 0.45)) {
        return {
          error: simulation.dice.chance(0.5) ? new RetryLater(2_000, "busy") : new PermanentError("no such account"),
        };
      }
      if (!keyed) {
        const calls = (this.unkeyed.get(key) ?? 0) + 1;
        this.unkeyed.set(key, calls);
        if (calls > 1 + (this.repeats.get(jobId) ?? 0)) simulation.violate(`${key} happened ${calls} times`);
      }
      simulation.note(actor.name, `acts: ${simulation.nameOf(jobId)}`);
      if (simulation.happens("answer of the outside lost", 0.1)) return { error: new Error("socket hang up") };
      // No two answers are the same: a recorded one that is written over shows.
      return { ok: { paid: `${key} ${++this.calls}` } };
    });
  }
}
