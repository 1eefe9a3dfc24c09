import type { Claimed } from "~/store/claims";
import type { Engine } from "./engine";
import { heartbeat } from "./heartbeat";
import { Places } from "./places";
import { ProgressBoard } from "./progress";
import { type Ran, run } from "./run";
import { type Finished, settle } from "./settle";

/** Runs at once. */
export const CREW = 4;
/** Outgoing connections of all handlers together: the platform gives six, one stays for heartbeat, settle and send. */
const PLACES = 5;
/** How long a finished job waits for others to be settled with it. */
const GATHER_MS = 100;
/** Statements of one settle, beside those of kinds. */
const SETTLE_STATEMENTS = 11;
/** An invocation lives 15 minutes at most; outcomes are offered until shortly before. */
const LIFE_MS = 14 * 60_000;

/** Claimed, but an invocation that asks D1 more than it may can settle nothing any more. Uses up no try. */
const HANDED_BACK: Ran = {
  outcome: { name: "snoozed", delayMs: 0 },
  log: "not begun: its invocation had no D1 statements left",
  writes: [],
};

export type Held = { job: Claimed; stop: AbortController };

/** The work of one invocation: what it holds, what has finished, and the one write at a time that settles it. */
export class Shift {
  readonly startedAt: number;
  private readonly held = new Map<string, Held>();
  private readonly places = new Places(PLACES);
  private finished: Finished[] = [];
  private flushing: Promise<void> = Promise.resolve();
  private failure: unknown;
  private readonly progress: ProgressBoard;
  /** Statements that the jobs of the wave which have not ended will still make, about. */
  private owed = 0;

  constructor(
    private readonly engine: Engine,
    private readonly deliveryOf: (jobId: string) => Message | undefined,
  ) {
    this.startedAt = engine.localNow();
    this.progress = new ProgressBoard(engine);
  }

  /** Runs claimed jobs, four at once, and returns when D1 holds the outcome of each. Throws if it never took them. */
  async work(jobs: Claimed[]): Promise<void> {
    const claimedAt = this.engine.localNow();
    for (const job of jobs) this.held.set(job.id, { job, stop: new AbortController() });
    this.owed = jobs.reduce((sum, job) => sum + this.statementsOf(job), 0);
    const beat = heartbeat(this.engine, this.held);
    const line = [...this.held.values()];
    let running = 0;
    let begun = 0;
    const idle = () => running === 0 && line.length === 0;
    const runner = async () => {
      for (let next = line.shift(); next; next = line.shift()) {
        running++;
        // The first is always begun: so every wave gets on, and a suspect is never handed on unseen.
        await this.perform(next, claimedAt, begun++ > 0 && this.left() <= 0);
        running--;
        this.owed -= this.statementsOf(next.job);
        if (idle()) this.flush();
        else if (this.finished.length === 1) this.gather(idle);
      }
    };
    try {
      await Promise.all(Array.from({ length: CREW }, runner));
      await this.flushing;
    } finally {
      beat.stop();
    }
    if (this.failure) throw this.failure;
  }

  private async perform({ job, stop }: Held, claimedAt: number, handBack: boolean): Promise<void> {
    const startedAt = this.engine.localNow();
    await this.engine.seam(`run: before ${job.kind}`);
    const { outcome, log, writes } = handBack
      ? HANDED_BACK
      : await run(this.engine, job, this.places, stop, (progress) => this.progress.note(job, progress));
    await this.engine.seam("run: between return and settle");
    const delivery = this.deliveryOf(job.id);
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

  private gather(idle: () => boolean): void {
    this.engine.after(GATHER_MS, () => {
      if (!idle() && this.canSettleEarly()) this.flush();
    });
  }

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
        await settle(this.engine, group, { patience: () => this.engine.localNow() - this.startedAt < LIFE_MS });
      } catch (error) {
        this.failure = error;
      }
      for (const { job } of group) this.held.delete(job.id);
    });
  }
}
