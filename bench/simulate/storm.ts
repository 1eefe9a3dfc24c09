import { LANES, type Lane } from "~/domain/lanes";
import { messageFor, parseMessage } from "~/domain/message";
import { instant } from "~/domain/time";
import { bury } from "~/lifecycle/bury";
import { consume } from "~/lifecycle/consume";
import { resumeKind } from "~/lifecycle/limits/pause_kind";
import { type Submitted, submit } from "~/lifecycle/submit";
import { sweep } from "~/lifecycle/sweep";
import type { Actor } from "./actor";
import type { Step } from "./kinds";
import { quiet } from "./machine";
import { BY, type DeadLetter, Operators, PAUSABLE } from "./operators";
import type { Simulation } from "./simulation";
import type { Theme } from "./theme";

const REJECTED = /kind$|expiresAt$/;
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

const BREAKAGES = { dies: 3, early: 3, unreadable: 2, gone: 1, asleep: 3 };
type Breakages = Partial<typeof BREAKAGES>;
/** What leads to where each theme is about. */
const BROKEN_MOSTLY: Record<Theme, Breakages> = {
  mixed: { dies: 3 },
  letters: { dies: 16 },
  bulk: { dies: 1 },
  late: { asleep: 8 },
  limits: { asleep: 2 },
  reports: { dies: 1 },
  hooks: { dies: 6 },
  strays: { unreadable: 6, early: 8 },
};

/** All that goes on around the engine: who submits, what arrives, who presses buttons, what breaks. */
export class Storm {
  /** Jobs whose submitter was told that they are accepted. */
  readonly accepted = new Set<string>();
  private readonly keys = new Map<string, string>();
  private calls: Call[][] = [];
  private letters: DeadLetter[] = [];
  private readonly operators: Operators;

  constructor(private readonly simulation: Simulation) {
    this.operators = new Operators(simulation);
  }

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
    if (lanes.length === 0 || simulation.dice.chance(0.1)) return this.deliverDead();
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
      this.letters.push({ id, message });
      if (!message) continue;
      // Neither what it says nor when it was sent makes it one of a later generation.
      const generation = Math.min(message.generation ?? 1, simulation.generationOf(id));
      actor.letters.add(`${message.jobId}/${message.attempt}/${generation}`);
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
    const again = this.calls.length > 0 && dice.chance(simulation.theme === "strays" ? 0.6 : 0.25);
    const late = this.calls.filter((calls) => calls.some((call) => call.idempotencyKey && call.expiresAt));
    const calls = again
      ? dice.pick(dice.chance(0.6) && late.length > 0 ? late : this.calls)
      : Array.from({ length: simulation.theme === "bulk" ? dice.int(3, 6) : dice.int(1, 3) }, () => this.call());
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
    const { dice, systems, theme } = this.simulation;
    if (systems && dice.chance(0.75)) return systems.call();
    const kind = dice.pick(KINDS);
    const keyed = dice.chance(theme === "strays" ? 0.8 : 0.4);
    const payload = { do: this.script(kind === "sim.long"), ...(dice.chance(0.15) && { pad: "x".repeat(17_000) }) };
    return {
      kind,
      payload,
      ...(keyed && { idempotencyKey: `key ${dice.int(1, 6)}` }),
      ...(dice.chance(0.2) && { priority: "high" }),
      ...dice.pick([
        {},
        ...(theme === "strays" || theme === "letters" ? [] : [{}, {}]),
        { delaySeconds: dice.pick([1, 5, 20, 20, 90, 400]) },
        { expiresAt: instant(this.simulation.now + dice.pick([50_000, 120_000])) },
      ]),
    };
  }

  private script(long: boolean): Step[] {
    const { dice, theme } = this.simulation;
    return Array.from({ length: dice.int(1, 3) }, (): Step => {
      const name = dice.weighted({
        sleep: 4,
        effect: 6,
        fail: 2,
        permanent: theme === "bulk" ? 20 : 0.7,
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

  /** One thing that a person does. */
  async operate(): Promise<void> {
    const deed = this.operators.act(this.letters);
    if (!deed) return;
    void this.run(deed.actor, deed.work);
    await quiet();
  }

  /** Something breaks that no call brings about. */
  breaks(): void {
    const { dice, theme, abated } = this.simulation;
    const what = dice.weighted(abated ? BROKEN_MOSTLY[theme] : { ...BREAKAGES, ...BROKEN_MOSTLY[theme] });
    if (what === "gone" || what === "asleep") this.breaksConsumer(what);
    else if (what === "unreadable") this.stray();
    else this.breaksMessage(what);
  }

  private breaksConsumer(what: "gone" | "asleep"): void {
    const { simulation } = this;
    const victims = this.live.filter(({ role }) => role === "consume");
    if (victims.length === 0) return;
    const victim = simulation.dice.pick(victims);
    if (what === "gone") {
      if (simulation.happens("crash between calls", 1)) simulation.kill(victim);
    } else if (simulation.happens("asleep between calls", 1)) {
      victim.asleepUntil = simulation.now + simulation.dice.int(5_000, 120_000);
      simulation.note(victim.name, "falls asleep");
    }
  }

  /** A message that nobody should have sent: one that says nothing, or one of a job that is not stored. */
  private stray(): void {
    const { simulation } = this;
    const { dice } = simulation;
    if (!simulation.happens("unreadable message", 1)) return;
    const orphan = () => messageFor(simulation.isolates[0]?.newId() ?? "", 1, "sim.a");
    simulation.queues.normal.put(dice.chance(0.6) ? orphan() : dice.pick([{ v: 9 }, "hello", null]));
  }

  private breaksMessage(what: "early" | "dies"): void {
    const { simulation } = this;
    const { dice, queues, dead, state, theme } = simulation;
    const waiting = LANES.filter((lane) => queues[lane].messages.length > 0);
    if (waiting.length === 0) return;
    const { messages } = queues[dice.pick(waiting) as Lane];
    // Rather those that tell something: that are to come later, that are of a generation before, or of a check of a page.
    const telling = messages.filter(({ availableAt, body }) => {
      const message = parseMessage(body);
      const job = message && state.jobs.get(message.jobId);
      if (what === "early") return availableAt > simulation.now;
      if (theme === "hooks") return message?.kind === "watch_page";
      return job && job.attempt === message.attempt - 1 && job.generation > (message.generation ?? 1);
    });
    const message = dice.pick(telling.length > 0 ? telling : messages);
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
    for (const kind of PAUSABLE) {
      const actor = simulation.actor("operator", simulation.isolates[0]);
      void this.run(actor, resumeKind(actor.engine, kind, BY));
    }
    await quiet();
  }
}
