import { LANES, type Lane } from "~/domain/lanes";
import { messageFor, parseMessage } from "~/domain/message";
import { instant } from "~/domain/time";
import { abortBulk, bulkIds, startBulk } from "~/lifecycle/bulk";
import { bury } from "~/lifecycle/bury";
import { cancel } from "~/lifecycle/cancel";
import { consume } from "~/lifecycle/consume";
import { pauseKind, resumeKind } from "~/lifecycle/pause_kind";
import { replayFor, replayLetter } from "~/lifecycle/replay";
import { requeue } from "~/lifecycle/requeue";
import { type Submitted, submit } from "~/lifecycle/submit";
import { sweep } from "~/lifecycle/sweep";
import type { Actor } from "./actor";
import type { Step } from "./kinds";
import { quiet } from "./machine";
import type { Simulation } from "./simulation";
import type { JobRow } from "./snapshot";

const REJECTED = /kind$|expiresAt$/;
const BY = { actor: "ops" };
const KINDS = ["sim.a", "sim.a", "sim.b", "sim.long", "sim.new"];

type Call = {
  kind: string;
  payload: unknown;
  idempotencyKey?: string;
  delaySeconds?: number;
  priority?: "high";
  expiresAt?: string;
  groupKey?: string;
};

/** All that goes on around the engine: who submits, what arrives, who presses buttons, what breaks. */
export class Storm {
  /** Jobs whose submitter was told that they are accepted. */
  readonly accepted = new Set<string>();
  private readonly keys = new Map<string, string>();
  private calls: Call[][] = [];
  private older: JobRow[] = [];
  private letters = ["none"];
  private operations: string[] = [];

  constructor(private readonly simulation: Simulation) {}

  get live(): Actor[] {
    return this.simulation.actors.filter((actor) => !actor.killed && !actor.ended);
  }

  private run(actor: Actor, work: Promise<unknown>): Promise<void> {
    const ends = work.then(
      () => this.ended(actor),
      (error) => {
        this.ended(actor);
        if (!String(error).includes(this.simulation.lostText))
          this.simulation.violate(`${actor.name} threw ${error instanceof Error ? error.stack : error}`);
      },
    );
    return ends;
  }

  private ended(actor: Actor): void {
    actor.ended = true;
    this.simulation.note(actor.name, "ends");
  }

  /** Delivers what lies in a lane to a new consumer. False: nothing does. */
  async deliver(): Promise<boolean> {
    const { simulation } = this;
    const lanes = LANES.filter((lane) => simulation.queues[lane].available().length > 0);
    if (lanes.length === 0) return this.deliverDead();
    const lane = simulation.dice.pick(lanes);
    const taken = simulation.queues[lane].take(lane === "long" ? 1 : simulation.dice.pick([1, 2, 5, 10]));
    const actor = simulation.actor("consume");
    for (const { body } of taken.batch.messages) {
      const message = parseMessage(body);
      if (message) actor.asked.set(message.jobId, Math.max(message.attempt, actor.asked.get(message.jobId) ?? 0));
    }
    actor.onKill = () => taken.crash();
    const names = [...actor.asked].map(([id, attempt]) => `${simulation.nameOf(id)}#${attempt}`);
    simulation.note(actor.name, `gets ${names} of ${lane} on ${actor.isolate.name}`);
    void this.run(actor, consume(actor.engine, lane, taken.batch)).then(() => {
      if (actor.killed) return;
      if (simulation.happens("acks lost", 0.06)) taken.crash();
      else taken.finish();
      this.mustBeCounted(actor);
    });
    await quiet();
    return true;
  }

  /** Each attempt that it performed to the end stands in D1: as its own, or as a late result that was turned away. */
  private mustBeCounted(actor: Actor): void {
    if (actor.gaveUp) return;
    const { state } = this.simulation;
    for (const { jobId, attempt } of actor.performed) {
      if (!state.jobs.has(jobId)) continue;
      const row = state.attempts.get(`${jobId}/${attempt}`);
      if (row?.token.startsWith(`${actor.name}.`)) continue;
      const refused = [...state.refusals].some((key) => key.startsWith(`${jobId}/${attempt}/${actor.name}.`));
      if (!refused)
        this.simulation.violate(`the result of ${actor.name} for attempt ${attempt} of ${jobId} is nowhere`);
    }
  }

  private async deliverDead(): Promise<boolean> {
    const { simulation } = this;
    if (simulation.dead.available().length === 0) return false;
    const taken = simulation.dead.take(10);
    const actor = simulation.actor("bury");
    for (const { id, body } of taken.batch.messages) {
      const message = parseMessage(body);
      this.letters.push(id);
      if (message) actor.letters.add(`${message.jobId}/${message.attempt}/${simulation.generationOf(id)}`);
    }
    actor.onKill = () => taken.crash();
    void this.run(actor, bury(actor.engine, taken.batch)).then(() => {
      if (actor.killed) return;
      if (simulation.happens("acks lost", 0.4)) taken.crash();
      else taken.finish();
    });
    await quiet();
    return true;
  }

  /** The minute's tick, on two deployments. */
  async tick(): Promise<void> {
    const { simulation } = this;
    const [a, b] = simulation.isolates as [Simulation["isolates"][0], Simulation["isolates"][0]];
    const both = simulation.storm ? simulation.happens("two sweeps at once", 0.5) : false;
    for (const isolate of both ? [a, b] : [simulation.dice.chance(0.5) && simulation.storm ? b : a]) {
      const actor = simulation.actor("sweep", isolate);
      void this.run(actor, sweep(actor.engine));
    }
    await quiet();
  }

  async submit(): Promise<void> {
    const { simulation } = this;
    const { dice } = simulation;
    const again = this.calls.length > 0 && dice.chance(0.25);
    const late = this.calls.filter((calls) => calls.some((call) => call.idempotencyKey && call.expiresAt));
    const calls = again
      ? dice.pick(dice.chance(0.6) && late.length > 0 ? late : this.calls)
      : Array.from({ length: dice.int(1, 3) }, () => this.call());
    this.calls.push(calls);
    const actor = simulation.actor("submit");
    const submissions = calls.map((call) => ({ ...call, payloadText: JSON.stringify(call.payload) }));
    void this.run(
      actor,
      submit(actor.engine, submissions, dice.chance(0.2) ? "program" : null).then((answer) =>
        this.answered(actor, calls, answer),
      ),
    );
    await quiet();
  }

  private answered(actor: Actor, calls: Call[], answer: Submitted): void {
    const { simulation } = this;
    if (answer.kind === "accepted") {
      answer.jobs.forEach(({ id }, i) => {
        this.accepted.add(id);
        const key = calls[i]?.idempotencyKey;
        if (key === undefined || simulation.deleted) return;
        const before = this.keys.get(key) ?? id;
        if (before !== id) simulation.violate(`key ${key} was answered with ${before} and with ${id}`);
        this.keys.set(key, id);
      });
    } else if (answer.kind === "conflict") {
      for (const job of simulation.state.jobs.values()) {
        if (job.token.startsWith(`${actor.name}.`))
          simulation.violate(`${actor.name} was refused and ${job.id} is stored`);
      }
    } else if (answer.kind === "rejected" && REJECTED.test(answer.rejection.problems[0]?.path ?? "")) {
      // An older release does not know the kind yet, or the call came again after its deadline.
    } else if (answer.kind !== "full") simulation.violate(`a submit was answered ${JSON.stringify(answer)}`);
  }

  private call(): Call {
    const { dice, systems } = this.simulation;
    if (systems && dice.chance(0.6)) return systems.call();
    const kind = dice.pick(KINDS);
    const keyed = dice.chance(0.4);
    const payload = { do: this.script(kind === "sim.long"), ...(dice.chance(0.1) && { pad: "x".repeat(17_000) }) };
    return {
      kind,
      payload,
      ...(keyed && { idempotencyKey: `key ${dice.int(1, 6)}` }),
      ...(dice.chance(0.2) && { priority: "high" }),
      ...dice.pick([
        {},
        {},
        {},
        { delaySeconds: dice.pick([1, 5, 20, 20, 90, 400]) },
        { expiresAt: instant(this.simulation.now + dice.pick([50_000, 120_000])) },
      ]),
    };
  }

  private script(long: boolean): Step[] {
    const { dice } = this.simulation;
    return Array.from({ length: dice.int(1, 3) }, (): Step => {
      const name = dice.weighted({
        sleep: 4,
        effect: 4,
        fail: 2,
        permanent: 0.7,
        snooze: 1,
        child: 1.5,
        commit: 2,
        refused: 0.3,
        guarded: 1,
        die: 0.7,
        hang: 0.3,
        progress: 1,
      });
      switch (name) {
        case "sleep":
          return [name, dice.pick(long ? [5_000, 40_000, 80_000] : [50, 2_000, 12_000])];
        case "effect":
          return [name, dice.pick(["keyed", "unkeyed"])];
        case "fail":
        case "snooze":
        case "die":
          return [name, dice.int(1, 3)];
        default:
          return [name] as Step;
      }
    });
  }

  /** One thing that a person does, by what they saw a while ago. */
  async operate(): Promise<void> {
    const { simulation } = this;
    const { dice } = simulation;
    const seen = [...this.older, ...simulation.state.jobs.values()];
    this.older = [...simulation.state.jobs.values()];
    if (seen.length === 0) return;
    const jobOf = (states: string[]) =>
      dice.pick(seen.filter(({ state }) => states.includes(state)).concat(dice.pick(seen)));
    const actor = simulation.actor("operator");
    const { engine } = actor;
    const act = () => {
      switch (
        dice.weighted({
          requeue: 6,
          cancel: 2,
          pause: 1,
          resume: 1.5,
          ids: 1.5,
          bulk: 1.5,
          abort: this.operations.length > 0 ? 2 : 0,
          letter: this.letters.length > 1 ? 4 : 0.2,
          replay: 1.2,
        })
      ) {
        case "requeue": {
          const job = jobOf(["dead", "cancelled"]);
          const repeatUnknown = dice.chance(0.3);
          actor.seen = job.generation;
          if (repeatUnknown) simulation.outside.mayRepeat(job.id);
          simulation.note(actor.name, `requeues ${simulation.nameOf(job.id)} as of generation ${job.generation}`);
          return requeue(engine, { id: job.id, generation: job.generation, repeatUnknown }, BY);
        }
        case "cancel":
          return cancel(engine, jobOf(["pending", "processing"]), BY);
        case "pause":
          return pauseKind(engine, dice.pick(["sim.a", "sim.b", "sim.long"]), BY);
        case "resume":
          return resumeKind(engine, dice.pick(["sim.a", "sim.b", "sim.long"]), BY);
        case "ids": {
          const action = dice.weighted({ requeue: 4, cancel: 2, delete: 1 });
          const ids = Array.from({ length: dice.int(1, 4) }, () => jobOf(["dead", "cancelled", "pending"]).id);
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
            ["delete", "done"],
          ] as const);
          if (action === "delete") this.deletes(actor);
          const id = this.operations.length > 0 && dice.chance(0.2) ? dice.pick(this.operations) : engine.newId();
          this.operations.push(id);
          const filter = { view, ...(dice.chance(0.3) && { kind: "sim.a" }) };
          return startBulk(engine, { id, action, filter, ...(dice.chance(0.3) && { pace: 6 }) }, BY);
        }
        case "letter":
          return replayLetter(engine, { messageId: this.letters.at(-1) as string, queue: simulation.dead.name }, BY);
        case "replay":
          return replayFor(engine, dice.pick([0, 2, 5]), BY);
        case "abort":
          return abortBulk(engine, dice.pick(this.operations), BY);
      }
    };
    void this.run(actor, act());
    await quiet();
  }

  /** From here on statistics tell of more than is stored. */
  private deletes(actor: Actor): void {
    this.simulation.deleted = true;
    this.simulation.note(actor.name, "deletes");
  }

  /** Something breaks that no call brings about. */
  breaks(): void {
    const { simulation } = this;
    const { dice } = simulation;
    const waiting = LANES.filter((lane) => simulation.queues[lane].messages.length > 0);
    const what = dice.weighted({ dies: 3, early: 3, unreadable: 1, gone: 1, asleep: 3 });
    if (what === "gone" || what === "asleep") {
      const victims = this.live.filter(({ role }) => role === "consume");
      if (victims.length === 0) return;
      const victim = dice.pick(victims);
      if (what === "gone") {
        if (simulation.happens("crash between calls", 1)) simulation.kill(victim);
      } else if (simulation.happens("asleep between calls", 1)) {
        victim.asleepUntil = simulation.now + dice.int(5_000, 120_000);
        simulation.note(victim.name, "falls asleep");
      }
      return;
    }
    if (what === "unreadable" && simulation.happens("unreadable message", 1))
      simulation.queues.normal.put(
        dice.pick([{ v: 9 }, "hello", null, messageFor(simulation.isolates[0]?.newId() ?? "", 1, "sim.a")]),
      );
    if (waiting.length === 0 || what === "unreadable") return;
    const { queues, dead } = simulation;
    const { messages } = queues[dice.pick(waiting) as Lane];
    const message = dice.pick(messages);
    if (what === "early" && simulation.happens("redelivered early", 1)) message.availableAt = simulation.now;
    if (what === "dies" && simulation.happens("died in the queue", 1)) {
      messages.splice(messages.indexOf(message), 1);
      dead.messages.push({ ...message, deliveries: 0, availableAt: simulation.now });
      simulation.note(
        "queue",
        `a message for ${simulation.nameOf((message.body as { jobId?: string })?.jobId ?? "nobody")} dies`,
      );
    }
  }

  /** The dust settles: nothing is paused any more. */
  async resumeAll(): Promise<void> {
    const { simulation } = this;
    for (const kind of ["sim.a", "sim.b", "sim.long"]) {
      const actor = simulation.actor("operator", simulation.isolates[0]);
      void this.run(actor, resumeKind(actor.engine, kind, BY));
    }
    await quiet();
  }
}
