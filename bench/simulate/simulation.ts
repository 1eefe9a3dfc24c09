import { env } from "cloudflare:workers";
import { idSource } from "~/domain/ids";
import { LANES, type Lane } from "~/domain/lanes";
import { parseMessage } from "~/domain/message";
import { registryOf } from "~/kinds/registry";
import type { Lanes, Outgoing } from "~/lifecycle/lanes";
import { type Rows, type Statement, Store } from "~/store/store";
import { clean, START, World } from "~/testing/world";
import { type Actor, type Isolate, type Role, sees } from "./actor";
import type { Break } from "./breaks";
import { Cutter } from "./cutter";
import { Dice } from "./dice";
import {
  type Cells,
  count,
  D1_FAULTS,
  type D1Fault,
  type Fault,
  type OtherFault,
  SEND_FAULTS,
  type SendFault,
} from "./faults";
import { kindsOf } from "./kinds";
import { broken } from "./laws";
import { Came } from "./laws_bulk";
import { LIMITED, withinRate } from "./limited";
import { type Ended, Machine } from "./machine";
import { OutsideWorld } from "./outside";
import { callerOf, type D1Site, isBusy, isKnown, shareOf } from "./sites";
import { type JobRow, OWN_TABLES, parseSnapshot, readSnapshot, type Snapshot } from "./snapshot";
import { Systems } from "./systems";
import { type Theme, Turns, themeOf } from "./theme";
import { Told } from "./told";

const LEASE_MS = 30_000;
/** An outage that hits little besides the call that it begins with. */
const SHORTLY_MS = 2_000;
const MISCHIEF = ["duplicated", "duplicated", "dropped", "delayed", "reordered"] as const;
/** A refused send leads to a place of its own. */
const SENDING = [...SEND_FAULTS, "refused before", "refused after"] as const;
const READS_FOR_BULK: readonly string[] = ["readChunk", "readNamed"] satisfies D1Site[];
const MOST_FAULTS = 0.9;
const WRITES = /\b(INSERT|UPDATE|DELETE)\b/;
const names = new Map<string, string>();

/**
 * The real lifecycle on real D1 under fire: each call of D1 and each send of every invocation passes through here, one at a
 * time and in the order of the dice, may meet a fault, and is followed by a look at the whole database.
 */
export class Simulation extends World {
  readonly dice: Dice;
  readonly machine: Machine;
  readonly outside: OutsideWorld;
  readonly systems: Systems | null;
  readonly isolates: Isolate[];
  readonly cells: Cells = {};
  readonly violations: string[] = [];
  readonly trace: string[] = [];
  readonly cutter: Cutter;
  actors: Actor[] = [];
  /** While faults happen; afterwards the dust settles. */
  storm = true;
  /** The second half of a storm: calls fail as before, and nothing else breaks than what leads to where it is about. */
  abated = false;
  deleted = false;
  state!: Snapshot;
  commits = 0;
  private downUntil = 0;
  private readonly rate: number;
  /** The share of messages that are doubled, dropped, delayed or overtaken. */
  private readonly mischief: number;
  /** Whether lanes tell of delayed messages and of those in hand, as production may, or not, as this runtime. */
  readonly honest: boolean;
  private nth = 0;
  readonly theme: Theme;
  private readonly turns: Turns;
  private readonly starts = new Map<string, number[]>();
  private readonly performed = new Set<string>();
  private readonly came = new Came();

  constructor(seed: number, broken: Break | null) {
    super(registryOf());
    this.dice = new Dice(seed);
    this.theme = themeOf(seed);
    this.turns = new Turns(seed);
    this.cutter = new Cutter(broken);
    this.machine = new Machine(this.dice, this);
    this.outside = new OutsideWorld(this);
    this.systems = Systems.among(this.theme) ? new Systems(this) : null;
    this.honest = this.dice.chance(0.5);
    this.rate = this.dice.pick([0, 0.5, 1, 1, 1, 1, 1, 1, 2, 2]);
    this.mischief = this.rate === 0 ? 0 : this.dice.pick([0, 0.05, 0.15, 0.4]);
    const skewed = this.dice.chance(0.5);
    this.isolates = ["A", "B", "C"].map((name) => {
      const skewMs = skewed ? this.dice.int(-40_000, 40_000) : 0;
      return {
        name,
        skewMs,
        newId: idSource(() => this.now + skewMs, this.dice.fill),
        // B runs an older release until the dust settles.
        knowsAll: name !== "B",
      };
    });
  }

  async begin(): Promise<void> {
    await clean();
    const db = (env as { DB: D1Database }).DB;
    await db.batch([
      ...OWN_TABLES.map((table) => db.prepare(table)),
      ...["sim_committed", "sim_guarded"].map((table) => db.prepare(`DELETE FROM ${table}`)),
    ]);
    await this.cutter.cutTriggers(db);
    await this.systems?.begin();
    const [rows] = await new Store(db, () => this.now).batch([readSnapshot(false)]);
    this.state = parseSnapshot(rows as Rows);
  }

  /** A new invocation on one of the machines. */
  actor(role: Role, isolate = this.dice.pick(this.isolates)): Actor {
    const base = super.invocation();
    const name = `${role}${++this.nth}`;
    let tokens = 0;
    const actor: Actor = {
      name,
      role,
      isolate,
      killed: false,
      asleepUntil: 0,
      engine: base.engine,
      known: new Map(),
      asked: new Map(),
      letters: new Set(),
      seen: new Map(),
      inLanes: new Set(),
      begun: new Map(),
      told: new Told(),
      performed: [],
      gaveUp: false,
      ended: false,
      onKill: () => {},
    };
    actor.known = kindsOf(this, actor);
    const few = this.dice.chance(0.1);
    actor.engine = {
      ...base.engine,
      store: new WatchedStore(this, actor),
      lanes: this.lanesOf(actor),
      kinds: actor.known,
      settings: {
        leaseMs: LEASE_MS,
        appVersion: isolate.name,
        statements: few ? 60 : 700,
        mostStatements: few ? 80 : 1_000,
        slowMs: 1_000,
        outbound: { allow: [], ownHosts: [] },
      },
      events: (event) => {
        if (actor.killed) return;
        if (event.event === "database.unreachable" && event.step === "consume") actor.gaveUp = true;
      },
      fetch: async () => this.systems?.answer(actor) ?? new Response(),
      newId: isolate.newId,
      newToken: () => `${name}.${++tokens}`,
      random: this.dice.next,
      localNow: () => this.now + isolate.skewMs,
      after: (ms, then) => this.machine.timer(actor, ms, then),
      seam: async () => {},
    };
    this.actors.push(actor);
    return actor;
  }

  abate(): void {
    this.abated = true;
    this.downUntil = Math.min(this.downUntil, this.now + SHORTLY_MS);
    this.note("", "abates");
  }

  /** No faults any more. */
  calm(): void {
    this.storm = false;
    this.downUntil = 0;
    for (const isolate of this.isolates) isolate.knowsAll = true;
    this.note("", "calm");
  }

  kill(actor: Actor): void {
    if (actor.killed || actor.ended) return;
    actor.killed = true;
    this.note(actor.name, "is gone");
    actor.onKill();
  }

  /** One call of D1, when its turn has come. `perform` sends it. */
  ask(actor: Actor, by: string, asked: Statement[], perform: (watched: boolean) => Promise<Rows[]>): Promise<Rows[]> {
    this.mustBeKnown(by);
    const wrong = by === "beginEffect" && actor.told.wrongWith(asked);
    if (wrong) this.violate(`${actor.name}: ${wrong}`);
    const writes = asked.some(({ sql }) => WRITES.test(sql));
    const commit = async (): Promise<Rows[]> => {
      const rows = await perform(writes);
      this.commits++;
      if (by === "beginEffect") this.beginsEffect(actor, asked[0]?.params as [string, string]);
      if (writes) this.observe(actor, by, parseSnapshot(rows.pop() as Rows));
      if (by === "beginSweep") this.race(actor);
      if (by === "claimJobs" || by === "beginEffect") this.oversleep(actor);
      if (by === "renewLeases") this.mustTell(rows[0] as Rows);
      if (READS_FOR_BULK.includes(by)) this.looks(actor, rows[0] as Rows);
      return rows;
    };
    const last = async (fault: D1Fault | null): Promise<Ended<Rows[]>> => {
      try {
        const rows = await commit();
        if (fault === "crash after") return this.crash(actor);
        if (fault === "lost after") return { error: new Error(this.lostText) };
        if (fault === "asleep after") return this.sleep(actor, async () => ({ ok: rows }));
        return { ok: fault === "twice" ? await commit() : rows };
      } catch (error) {
        if (!/CHECK constraint failed: step >= 0/.test(String(error))) this.violate(`${by}: D1 refused it: ${error}`);
        return { error };
      }
    };
    const reply = this.machine.park(actor, async (): Promise<Ended<Rows[]>> => {
      if (this.now < this.downUntil) return this.lost(by, "down", actor);
      const fault = this.meets(by, D1_FAULTS);
      this.note(actor.name, `${by}${fault ? ` ! ${fault}` : ""}`);
      if (this.storm) count(this.cells, by, fault ?? "none");
      if (fault === "crash before") return this.crash(actor);
      if (fault === "lost before") return { error: new Error(this.lostText) };
      if (fault === "down") {
        this.downUntil = this.now + (this.abated ? SHORTLY_MS : this.dice.int(20_000, 240_000));
        return { error: new Error(this.lostText) };
      }
      if (fault === "asleep before") return this.sleep(actor, () => last(null));
      return last(fault);
    });
    if (by !== "renewLeases") return reply;
    return reply.then((rows) => {
      actor.told.hears(asked, rows[0] as Rows);
      return rows;
    });
  }

  /** A heartbeat brings back who is asked to stop. */
  private mustTell(renewals: Rows): void {
    for (const { id, cancelRequested } of renewals) {
      const asked = this.state.jobs.get(id as string)?.cancel_requested_at != null;
      if (asked !== Boolean(cancelRequested))
        this.violate(`a heartbeat does not tell how ${id} stands: asked to stop, or not`);
    }
  }

  /** Whoever asks under a name that nobody has written down is met by no fault as often as it should, and by no law of its own. */
  private mustBeKnown(site: string): void {
    if (!isKnown(site)) this.violate(`${site} is not among the sites`);
  }

  /** The moment to wake up: a sweep has just read whose leases have run out, and takes its time. */
  private race(sweeper: Actor): void {
    if (!this.storm || !this.dice.chance(0.4)) return;
    sweeper.asleepUntil = this.now + this.dice.int(20, 2_000);
    for (const actor of this.actors) {
      if (actor.asleepUntil > this.now && actor.role === "consume" && this.dice.chance(0.7))
        actor.asleepUntil = this.now;
    }
  }

  /** Whoever has just claimed, or begun what happens outside, hangs until its lease is over. */
  private oversleep(actor: Actor): void {
    if (this.theme !== "late" || !this.happens("asleep between calls", this.abated ? 0.8 : 0.5)) return;
    actor.asleepUntil = this.now + this.dice.int(LEASE_MS, 4 * LEASE_MS);
  }

  /** Whoever has just read what an operation means takes its time: until those jobs have gone on, or another works it off. */
  private looks(actor: Actor, rows: Rows): void {
    for (const row of rows) sees(actor, row as { id: string; generation: number });
    if (this.theme !== "bulk" || !this.happens("asleep between calls", 0.4)) return;
    actor.asleepUntil =
      this.now + (this.dice.chance(0.5) ? this.dice.int(1_000, 12_000) : this.dice.int(LEASE_MS, 4 * LEASE_MS));
  }

  private lost(site: string, fault: D1Fault, actor: Actor): Ended<never> {
    count(this.cells, site, fault);
    this.note(actor.name, `${site} ! ${fault}`);
    return { error: new Error(this.lostText) };
  }

  private crash(actor: Actor): "gone" {
    this.kill(actor);
    return "gone";
  }

  /** The machine hangs: for longer than a lease, mostly. */
  private sleep<T>(actor: Actor, later: () => Promise<Ended<T>>): Ended<T> {
    actor.asleepUntil = this.now + this.dice.int(5_000, 120_000);
    return { later };
  }

  private meets<F extends Fault>(site: string, faults: readonly F[]): F | null {
    if (!this.storm) return null;
    const often = this.abated ? Math.min(1, this.rate) : this.rate;
    if (!this.dice.chance(Math.min(MOST_FAULTS, often * shareOf(site, this.theme)))) return null;
    const fault = this.turns.next(site, faults);
    // It hits whoever asks in the next minutes: where many ask it need not begin as often as the others.
    return fault === "down" && isBusy(site) && this.dice.chance(0.8) ? this.turns.next(site, faults) : fault;
  }

  /** A fault that belongs to no call. */
  happens(fault: OtherFault, share: number): boolean {
    if (!this.storm || this.rate === 0 || !this.dice.chance(share)) return false;
    count(this.cells, "other", fault);
    return true;
  }

  private beginsEffect(actor: Actor, [jobId, name]: [string, string]): void {
    const job = this.state.jobs.get(jobId);
    const held = job?.state === "processing" && job.token.startsWith(`${actor.name}.`);
    actor.begun.set(`${jobId}/${name}`, { recorded: this.state.effects.has(`${jobId}/${name}`), held });
  }

  /** A handler begins. */
  performs(actor: Actor, jobId: string, attempt: number): void {
    const key = `${jobId}/${attempt}`;
    if (actor.told.stops(jobId, attempt)) this.violate(`${actor.name} begins ${key}, which it was told to stop`);
    const until = this.state.jobs.get(jobId)?.expires_at ?? Number.POSITIVE_INFINITY;
    if (this.now >= until) this.violate(`${actor.name} begins ${key} after its deadline`);
    if (this.performed.has(key)) this.violate(`${actor.name} performs attempt ${attempt} of ${jobId} a second time`);
    this.performed.add(key);
    actor.performed.push({ jobId, attempt });
  }

  private observe(actor: Actor, by: string, after: Snapshot): void {
    const before = this.state;
    this.state = after;
    for (const job of after.jobs.values()) {
      const was = before.jobs.get(job.id);
      if (was?.state === "pending" && job.state === "processing") this.starting(job);
      if (this.storm && was?.cancel_requested_at === null && job.cancel_requested_at !== null)
        count(this.cells, "other", "asked to stop while it ran");
      if (was?.state !== job.state || was.attempt !== job.attempt)
        this.note(
          "",
          `${this.nameOf(job.id)} ${was ? `${was.state} ${was.attempt} → ` : ""}${job.state} ${job.attempt}`,
        );
    }
    // A place that a settle has left is filled at once: whoever marked a message as sent may perform it itself.
    for (const job of after.jobs.values()) {
      const sent = job.sent_at !== null && job.sent_at !== before.jobs.get(job.id)?.sent_at;
      if (sent && actor.role === "consume") actor.asked.set(job.id, job.attempt + 1);
    }
    if (by === "markGoneSent") this.mustBeGone(actor, before, after);
    for (const what of broken(before, after, {
      by,
      role: actor.role,
      name: actor.name,
      now: this.now,
      came: this.came,
      leaseMs: LEASE_MS,
      known: (kind) => actor.known.has(kind),
      asks: (jobId, attempt) => actor.asked.get(jobId) === attempt,
      letterFor: (jobId, attempt, generation) => actor.letters.has(`${jobId}/${attempt}/${generation}`),
      saw: (jobId, generation) => actor.seen.get(jobId)?.has(generation) ?? true,
    }))
      this.violate(what);
    this.came.step(before, after, this.now);
  }

  /** No more starts than a full bucket and what has come into it since. */
  private starting({ id, kind }: JobRow): void {
    const { rate } = LIMITED[kind] ?? {};
    if (!rate) return;
    const starts = [...(this.starts.get(kind) ?? []), this.now];
    this.starts.set(kind, starts);
    if (!withinRate(starts, rate.jobs)) this.violate(`${this.nameOf(id)} is started beyond the rate of ${kind}`);
  }

  /** The sweep must send again only what no lane holds any more, as far as it could see. */
  private mustBeGone(actor: Actor, before: Snapshot, after: Snapshot): void {
    for (const job of after.jobs.values()) {
      const was = before.jobs.get(job.id);
      if (!was || was.sent_at === job.sent_at || was.state !== "pending") continue;
      const living = LANES.flatMap((lane) => this.living(lane)).filter(({ id, body, sentAt }) => {
        const message = parseMessage(body);
        // A copy that waits for the database to come back, or one that was sent late, may be older than the row knows.
        const known = actor.inLanes.has(id) && !message?.hops && sentAt <= (was.sent_at ?? 0) + 30_000;
        return known && message?.jobId === job.id && message.attempt === job.attempt + 1;
      });
      if (living.length > 0) this.violate(`${actor.name} sent ${job.id} again, and its message was there`);
    }
  }

  private living(lane: Lane) {
    const queue = this.queues[lane];
    return this.honest ? [...queue.messages, ...queue.inFlight] : queue.available();
  }

  private lanesOf(actor: Actor): Lanes {
    return {
      send: (lane, outgoing) => this.send(actor, callerOf("send"), lane, outgoing),
      metrics: async (lane) => {
        if (lane === "dead") return this.dead.metrics();
        if (this.happens("backlog unknown", 0.03)) return { messages: undefined, oldestAt: undefined };
        const living = this.living(lane);
        const oldest = Math.min(...living.map(({ sentAt }) => sentAt));
        const told = this.honest
          ? { messages: living.length, oldestAt: living.length > 0 ? oldest : undefined }
          : this.queues[lane].metrics();
        // Where messages came out of order the lane tells the age of its head: of what is older it has said nothing.
        for (const { id, sentAt } of living) if (sentAt >= (told.oldestAt ?? 0)) actor.inLanes.add(id);
        return told;
      },
      room: (lane) => (this.happens("lane full", 0.02) ? 0 : 5_000 - this.queues[lane].messages.length),
      note: () => {},
    };
  }

  private readonly generations = new Map<string, number>();
  /** The generation in which a message was sent. */
  generationOf = (messageId: string): number => this.generations.get(messageId) ?? 0;

  private send(actor: Actor, by: string, lane: Lane, outgoing: Outgoing[]): Promise<void> {
    const site = `send by ${by}`;
    this.mustBeKnown(site);
    const queue = this.queues[lane];
    const put = (fault: SendFault | null) => {
      const victim = this.dice.int(0, outgoing.length - 1);
      outgoing.forEach((one, i) => {
        const hit = i === victim;
        if (hit && fault === "dropped") return;
        queue.send([
          hit && fault === "delayed" ? { ...one, delayMs: one.delayMs + this.dice.int(10_000, 400_000) } : one,
        ]);
        // A second one, which may come before its time.
        if (hit && fault === "duplicated") queue.send([{ ...one, delayMs: this.dice.pick([0, 0, 30_000, 90_000]) }]);
      });
      if (fault === "reordered") queue.messages.reverse();
      for (const { id, body } of queue.messages) {
        const job = this.state.jobs.get(parseMessage(body)?.jobId ?? "");
        if (!this.generations.has(id)) this.generations.set(id, job?.generation ?? 0);
      }
    };
    return this.machine.park(actor, async (): Promise<Ended<void>> => {
      const fault =
        this.meets(site, SENDING) ??
        (this.storm && !this.abated && this.dice.chance(this.mischief) ? this.dice.pick(MISCHIEF) : null);
      this.note(
        actor.name,
        `${by} sends ${outgoing.map(({ message }) => `${this.nameOf(message.jobId)}#${message.attempt}`)}${fault ? ` ! ${fault}` : ""}`,
      );
      if (this.storm) count(this.cells, site, fault ?? "none");
      if (fault === "crash before") return this.crash(actor);
      if (fault === "refused before") return { error: new Error("Queue sendBatch failed: Internal Server Error") };
      if (fault === "asleep before") {
        return this.sleep(actor, async () => {
          put(null);
          return { ok: undefined };
        });
      }
      put(fault);
      if (fault === "crash after") return this.crash(actor);
      if (fault === "refused after") return { error: new Error("Queue sendBatch failed: Network connection lost") };
      return { ok: undefined };
    });
  }

  violate(what: string): void {
    this.violations.push(what);
    this.note("VIOLATION", what);
  }

  note(who: string, what: string): void {
    this.trace.push(`${((this.now - START) / 1000).toFixed(3)} ${who} ${what}`);
  }

  private readonly jobNames = new Map<string, string>();
  nameOf(id: string): string {
    const name = this.jobNames.get(id) ?? `job${this.jobNames.size + 1}`;
    this.jobNames.set(id, name);
    return name;
  }
}

/** The real store, watched: names who asks, cuts what is to be cut, and reads the whole database behind each batch. */
class WatchedStore extends Store {
  constructor(
    private readonly simulation: Simulation,
    private readonly actor: Actor,
  ) {
    super((env as { DB: D1Database }).DB, () => simulation.now);
  }

  override async batch(statements: Statement[]): Promise<Rows[]> {
    const by = nameOfBatch(statements);
    const most = this.actor.engine.settings.mostStatements;
    if (this.used.statements + statements.length > most)
      this.simulation.violate(`${this.actor.name} makes more than ${most} statements`);
    const cut = statements.map((statement) => this.simulation.cutter.cut(statement));
    return this.simulation.ask(this.actor, by, statements, (watched) => {
      const timed = cut.map((statement) => this.atItsTime(statement));
      if (!watched) return super.batch(timed);
      this.used.statements--;
      return super.batch([...timed, readSnapshot(this.simulation.deleted)]);
    });
  }

  /** The time as one more parameter: texts that stay the same are prepared once, and a seed has hundreds of times. */
  private atItsTime({ sql, params }: Statement): Statement {
    if (!sql.includes("{now}")) return { sql, params };
    const bound = `CAST(?${params.length + 1} AS INTEGER)`;
    return { sql: sql.replaceAll("{now}", bound), params: [...params, this.simulation.now] };
  }
}

/** By the text of its first statement, which is read off the stack once. */
function nameOfBatch(statements: Statement[]): string {
  const text = statements[0]?.sql ?? "";
  const known = names.get(text) ?? callerOf("batch");
  names.set(text, known);
  return known;
}
