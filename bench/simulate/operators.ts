import type { BulkAction } from "~/domain/bulk/bulk";
import type { Message } from "~/domain/message";
import { abortBulk, bulkIds, startBulk } from "~/lifecycle/bulk";
import { cancel } from "~/lifecycle/cancel";
import { pauseKind, resumeKind } from "~/lifecycle/limits/pause_kind";
import { publishReport, withdrawReport } from "~/lifecycle/publish";
import { replayFor, replayLetter } from "~/lifecycle/replay";
import { requeue } from "~/lifecycle/requeue";
import { type Actor, sees } from "./actor";
import type { Simulation } from "./simulation";
import type { JobRow } from "./snapshot";
import type { Theme } from "./theme";

export const BY = { actor: "ops" };
export const PAUSABLE = ["sim.a", "sim.b", "sim.long"];

/** Whom each action on named jobs is mostly meant for; some of the others are among them. */
const FITTING: Record<BulkAction, string[]> = {
  requeue: ["dead", "cancelled"],
  cancel: ["pending", "processing", "processing"],
  delete: ["dead", "cancelled"],
};

const DAYS = ["2026-11-25", "2026-11-26", "2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"];

type Deed =
  | "publish"
  | "rethink"
  | "requeue"
  | "cancel"
  | "pause"
  | "resume"
  | "ids"
  | "bulk"
  | "abort"
  | "letter"
  | "replay";
const DEEDS: Record<Deed, number> = {
  requeue: 6,
  cancel: 2,
  pause: 1,
  resume: 1.5,
  ids: 1.5,
  bulk: 1.5,
  abort: 2,
  letter: 4,
  replay: 1,
  publish: 0,
  rethink: 0.2,
};
const SELDOM: Deeds = { pause: 0, ids: 0.3, bulk: 0.3, letter: 0.5, replay: 0.2, requeue: 1, cancel: 0.5 };
type Deeds = Partial<Record<Deed, number>>;
/** What people do whom the storm is about. */
const MOSTLY: Partial<Record<Theme, Deeds>> = {
  letters: { requeue: 3, cancel: 3, ids: 0.5, bulk: 0.5, letter: 24, rethink: 6, replay: 3, pause: 0.5 },
  mixed: { ids: 8 },
  bulk: { requeue: 2, ids: 2, bulk: 6, abort: 2, letter: 0, replay: 0, pause: 0.3, resume: 0.5 },
  hooks: { cancel: 24, letter: 1 },
  reports: { publish: 50 },
};

export type DeadLetter = { id: string; message: Message | null };

/** People with buttons. Each acts by what they saw a while ago. */
export class Operators {
  private older: JobRow[] = [];
  private operations: string[] = [];

  constructor(private readonly simulation: Simulation) {}

  /** One thing that a person does; null: there is nothing to do it with. `letters`: ids of dead letters, the oldest first. */
  act(letters: DeadLetter[]): { actor: Actor; work: Promise<unknown> } | null {
    const { simulation } = this;
    const seen = [...this.older, ...simulation.state.jobs.values()];
    this.older = [...simulation.state.jobs.values()];
    if (seen.length === 0) return null;
    const actor = simulation.actor("operator");
    const weights = {
      ...DEEDS,
      ...(simulation.abated && SELDOM),
      ...MOSTLY[simulation.theme],
      ...(this.operations.length === 0 && { abort: 0 }),
      ...(letters.length === 0 && { letter: 0.2 }),
    };
    return { actor, work: this.press(actor, simulation.dice.weighted(weights), seen, letters) };
  }

  private press(actor: Actor, deed: Deed, seen: JobRow[], letters: DeadLetter[]): Promise<unknown> {
    const { simulation } = this;
    const { dice } = simulation;
    const { engine } = actor;
    const jobOf = (states: string[]) =>
      dice.pick(seen.filter(({ state }) => states.includes(state)).concat(dice.pick(seen)));
    switch (deed) {
      case "requeue": {
        const job = jobOf(["dead", "cancelled"]);
        const repeatUnknown = dice.chance(0.3);
        sees(actor, job);
        if (repeatUnknown) simulation.outside.mayRepeat(job.id);
        simulation.note(actor.name, `requeues ${simulation.nameOf(job.id)} as of generation ${job.generation}`);
        return requeue(engine, { id: job.id, generation: job.generation, repeatUnknown }, BY);
      }
      case "cancel": {
        // A check that ends before it was tried leaves its watch to the sweep.
        const checks = [...simulation.state.jobs.values()].filter(
          ({ kind, state }) => kind === "watch_page" && state === "pending",
        );
        const job = checks.length > 0 && dice.chance(0.8) ? dice.pick(checks) : jobOf(["pending", "processing"]);
        return cancel(engine, job, BY);
      }
      case "pause":
        return pauseKind(engine, dice.pick(PAUSABLE), BY);
      case "resume":
        return resumeKind(engine, dice.pick(PAUSABLE), BY);
      case "ids": {
        const action = dice.weighted({ requeue: 4, cancel: 2, delete: 1 });
        const ids = Array.from({ length: dice.int(1, 4) }, () => jobOf([dice.pick(FITTING[action])]).id);
        if (action === "delete") this.deletes(actor);
        return bulkIds(engine, action, ids, dice.chance(0.3) ? { view: "dead" } : {}, BY);
      }
      case "bulk": {
        const [action, view] = dice.pick([
          ["requeue", "dead"],
          ["requeue", "dead"],
          ["requeue", "cancelled"],
          ["cancel", "pending"],
          ["cancel", "retrying"],
          ["cancel", "processing"],
          ["delete", "done"],
        ] as const);
        if (action === "delete") this.deletes(actor);
        const id = this.operations.length > 0 && dice.chance(0.2) ? dice.pick(this.operations) : engine.newId();
        this.operations.push(id);
        const before = dice.chance(0.2) && dice.pick(this.operations.slice(-5));
        const filter = {
          view,
          ...(dice.chance(0.3) && { kind: "sim.a" }),
          ...(before && { q: `operation:${before}` }),
        };
        return startBulk(engine, { id, action, filter, ...(dice.chance(0.8) && { pace: 6 }) }, BY);
      }
      case "abort":
        return abortBulk(engine, dice.pick(this.operations.slice(-3)), BY);
      case "letter":
        return replayLetter(engine, { messageId: this.worth(letters), queue: simulation.dead.name }, BY);
      case "rethink": {
        // A message for the generation before is still on its way.
        const job = jobOf(["pending"]);
        sees(actor, job);
        return cancel(engine, job, BY).then(() => requeue(engine, { id: job.id, generation: job.generation }, BY));
      }
      case "publish":
        return dice.chance(0.2)
          ? withdrawReport(engine, dice.pick(DAYS))
          : publishReport(
              engine,
              dice.pick(DAYS),
              dice.pick([{}, {}, {}, { update: true }, { update: true, indexable: true }]),
            );
      case "replay":
        return replayFor(engine, dice.pick([0, 2, 5]), BY);
    }
  }

  /** Mostly a letter whose job can still be helped. */
  private worth(letters: DeadLetter[]): string {
    const { dice, state } = this.simulation;
    const helped = letters.filter(({ message }) => {
      const job = state.jobs.get(message?.jobId ?? "");
      if (!message || job?.attempt !== message.attempt - 1) return false;
      return job.state === "pending" || (job.state === "dead" && job.generation === (message.generation ?? 1));
    });
    const from = helped.length > 0 && dice.chance(0.9) ? helped : letters;
    return from.length === 0 ? "none" : dice.pick(from.slice(-3)).id;
  }

  /** From here on statistics tell of more than is stored. */
  private deletes(actor: Actor): void {
    this.simulation.deleted = true;
    this.simulation.note(actor.name, "deletes");
  }
}
