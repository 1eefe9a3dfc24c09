import type { Lane } from "~/domain/lanes";
import type { Claimed } from "~/store/claims";
import type { LimitedDue } from "~/store/limited_sends";
import { heartbeat } from "../attempt/heartbeat";
import { Places } from "../attempt/places";
import { ProgressBoard } from "../attempt/progress";
import { claim } from "../claim";
import type { Engine } from "../engine";
import { knownTo } from "../limits/known";
import { HANDED_BACK, run } from "../run";
import { sendOwed } from "../send";
import { type Finished, settle } from "../settle";

/** Runs at once: as many as there are connections for. */
export const CREW = 5;
/** Outgoing connections of all handlers together: the platform gives six, one stays for heartbeat, settle and send. */
const PLACES = 5;
/** How long a finished job waits for others to be settled with it. */
const GATHER_MS = 100;
/** Where its kind has limits, somebody waits for its place. */
const GATHER_LIMITED_MS = 2;
/** So long after its batch came an invocation fills places itself. Then a message does, so that other jobs of the lane get their turn. */
const REFILL_MS = 2_000;
/** Statements of one settle, beside those of kinds. */
export const SETTLE_STATEMENTS = 12;
export const CLAIM_STATEMENTS = 6;
/** An invocation lives 15 minutes at most; outcomes are offered until shortly before. */
const LIFE_MS = 14 * 60_000;

/** `beginBy`: by this machine's clock; it is not begun from then on, however long it has waited for its turn. */
export type Held = { job: Claimed; stop: AbortController; claimedAt: number; beginBy: number };

/** The work of one invocation: what it holds, what has finished, and the one write at a time that settles it. */
export class Shift {
  readonly startedAt: number;
  private readonly held = new Map<string, Held>();
  private readonly places = new Places(PLACES);
  private finished: Finished[] = [];
  private flushing: Promise<void> = Promise.resolve();
  private failure: unknown;
  private readonly progress: ProgressBoard;
  private readonly line: Held[] = [];
  private readonly runners = new Set<Promise<void>>();
  private crew = 0;
  private running = 0;
  private begun = 0;
  /** Statements that the jobs of the wave which have not ended will still make, about. */
  private owed = 0;

  constructor(
    private readonly engine: Engine,
    private readonly lane: Lane,
    private readonly deliveryOf: (job: Claimed) => Message | undefined,
  ) {
    this.startedAt = engine.localNow();
    this.progress = new ProgressBoard(engine);
  }

  /**
   * Runs claimed jobs (`askedAt`: when their claim was begun), some at once, and returns when D1 holds the outcome of each;
   * also of those that got a place which one of them left. Throws if it never took them.
   */
  async work(jobs: Claimed[], askedAt: number): Promise<void> {
    const beat = heartbeat(this.engine, this.held);
    this.begin(jobs, askedAt);
    try {
      for (let flushed: Promise<void> | undefined; this.runners.size > 0 || flushed !== this.flushing; ) {
        flushed = this.flushing;
        await Promise.all([...this.runners, flushed]);
      }
    } finally {
      beat.stop();
    }
    if (this.failure) throw this.failure;
  }

  private begin(jobs: Claimed[], askedAt: number): void {
    const claimedAt = this.engine.localNow();
    this.begun = 0;
    for (const job of jobs) {
      const beginBy = job.expiresAt === null ? Number.POSITIVE_INFINITY : askedAt + (job.expiresAt - job.leasedAt);
      const held = { job, stop: new AbortController(), claimedAt, beginBy };
      this.held.set(job.id, held);
      this.line.push(held);
      this.owed += this.statementsOf(job);
    }
    // Who has found the line empty comes back no more, so `crew` goes down in that very moment.
    while (this.crew < Math.min(CREW, this.running + this.line.length)) {
      this.crew++;
      const runner: Promise<void> = this.run().finally(() => this.runners.delete(runner));
      this.runners.add(runner);
    }
  }

  private async run(): Promise<void> {
    for (let next = this.line.shift(); next; next = this.line.shift()) {
      this.running++;
      // The first is always begun: so every wave gets on, and a suspect is never handed on unseen.
      await this.perform(next, this.begun++ > 0 && this.left() <= 0);
      this.running--;
      this.owed -= this.statementsOf(next.job);
      if (this.idle()) this.flush();
      else if (this.finished.length === 1 || this.waitedFor(next.job)) this.gather(next.job);
    }
    this.crew--;
  }

  private async perform(held: Held, handBack: boolean): Promise<void> {
    const { job, claimedAt } = held;
    const startedAt = this.engine.localNow();
    await this.engine.seam(`run: before ${job.kind}`);
    const { outcome, log, writes } = handBack
      ? HANDED_BACK
      : await run(
          this.engine,
          held,
          this.places,
          (progress) => this.progress.note(job, progress),
          () => this.left() - (this.owed - this.statementsOf(job)),
        );
    await this.engine.seam("run: between return and settle");
    const delivery = this.deliveryOf(job);
    this.finished.push({
      job,
      outcome,
      log,
      writes,
      progress: this.progress.take(job),
      placeMs: Math.max(0, startedAt - claimedAt),
      ranMs: this.engine.localNow() - startedAt,
      messageId: delivery?.id ?? null,
      deliveries: delivery?.attempts ?? null,
    });
  }

  private gather(job: Claimed): void {
    this.engine.after(this.waitedFor(job) ? GATHER_LIMITED_MS : GATHER_MS, () => {
      if (!this.idle() && this.finished.length > 0 && this.canSettleEarly()) this.flush();
    });
  }

  private idle = (): boolean => this.running === 0 && this.line.length === 0;
  private waitedFor = ({ kind }: Claimed): boolean => knownTo(this.engine).limited.has(kind);

  /** What is settled now must leave enough for the jobs that go on, and for the settle that ends the wave. */
  private canSettleEarly(): boolean {
    const writes = this.finished.reduce((sum, one) => sum + one.writes.length, 0);
    return this.left() >= SETTLE_STATEMENTS + writes + this.owed;
  }

  private left = (): number => this.engine.settings.statements - this.engine.store.used.statements;
  private statementsOf = ({ kind }: Claimed): number => this.engine.kinds.get(kind)?.statements ?? 0;

  private flush(): void {
    this.flushing = this.flushing.then(async () => {
      const group = this.finished;
      this.finished = [];
      if (group.length === 0) return;
      try {
        await this.refill(await this.settled(group));
      } catch (error) {
        this.failure = error;
      }
    });
  }

  private async settled(group: Finished[]): Promise<LimitedDue[]> {
    const patience = () => this.engine.localNow() - this.startedAt < LIFE_MS;
    try {
      return (await settle(this.engine, group, { patience })).next;
    } finally {
      // Before places are filled: a job may come again in the very one that it left, as another attempt to be held.
      for (const { job } of group) this.held.delete(job.id);
    }
  }

  /** Starts here what may start in the places that were left, if nobody else waits for this crew; else messages do it. */
  private async refill(next: LimitedDue[]): Promise<void> {
    const here = (due: LimitedDue) => due.lane === this.lane && due.delayMs === 0;
    const mine = this.hasTime() ? next.filter(here).slice(0, CREW - this.running) : [];
    const asks = mine.map(({ id, attempt, kind }) => ({ id, attempt: attempt + 1, kind }));
    const askedAt = this.engine.localNow();
    const claimed = asks.length > 0 ? (await claim(this.engine, this.lane, asks, false)).claimed : [];
    this.begin(claimed, askedAt);
    const started = new Set(claimed.map(({ id }) => id));
    await sendOwed(
      this.engine,
      next.filter(({ id }) => !started.has(id)),
    );
  }

  private hasTime(): boolean {
    const statements = this.left() >= this.owed + CLAIM_STATEMENTS + 2 * SETTLE_STATEMENTS;
    return statements && this.line.length === 0 && this.engine.localNow() - this.startedAt < REFILL_MS;
  }
}
