import type { Dice } from "./dice";

/** One invocation of the Worker, as the machine sees it. */
export type Runner = { name: string; killed: boolean; asleepUntil: number };

/** How one call ended: with a reply, an error, never (its invocation is gone), or not yet. */
export type Ended<T> = { ok: T } | { error: unknown } | "gone" | { later: () => Promise<Ended<T>> };

type Op = {
  runner: Runner;
  at: number;
  /** Timers of one invocation fire in their order; calls of it may overtake each other. */
  timer: boolean;
  go: () => Promise<"done" | Op>;
};

/**
 * Runs invocations one call at a time: everything that an invocation waits for is parked here, and the dice say which
 * call is next. So a seed is one order of events, whatever the machine underneath does.
 */
export class Machine {
  private ops: Op[] = [];

  constructor(
    private readonly dice: Dice,
    readonly clock: { now: number },
  ) {}

  /** A call of `runner`: `go` performs it when its turn has come. */
  park<T>(runner: Runner, go: () => Promise<Ended<T>>): Promise<T> {
    return new Promise((resolve, reject) => {
      const opOf = (perform: () => Promise<Ended<T>>): Op => ({
        runner,
        at: this.clock.now,
        timer: false,
        go: async () => {
          const ended = await perform();
          if (ended === "gone" || runner.killed) return "done";
          if ("later" in ended) return opOf(ended.later);
          if ("error" in ended) reject(ended.error);
          else resolve(ended.ok);
          return "done";
        },
      });
      this.ops.push(opOf(go));
    });
  }

  /** A timer; answers how to stop it. */
  timer(runner: Runner, ms: number, then: () => void): () => void {
    const op: Op = {
      runner,
      // Whole ms, as D1's clock counts.
      at: this.clock.now + Math.ceil(ms),
      timer: true,
      go: async () => {
        then();
        return "done";
      },
    };
    this.ops.push(op);
    return () => {
      this.ops = this.ops.filter((one) => one !== op);
    };
  }

  /** Performs one call that is ready; false: there is none. */
  async step(): Promise<boolean> {
    const ready = this.ready();
    if (ready.length === 0) return false;
    const op = this.dice.pick(ready);
    this.ops = this.ops.filter((one) => one !== op);
    const next = await op.go();
    if (next !== "done") this.ops.push(next);
    await quiet();
    return true;
  }

  private ready(): Op[] {
    this.ops = this.ops.filter(({ runner }) => !runner.killed);
    const due = this.ops.filter((op) => op.at <= this.clock.now && op.runner.asleepUntil <= this.clock.now);
    return due.filter(
      (op) => !op.timer || !due.some((other) => other.timer && other.runner === op.runner && other.at < op.at),
    );
  }

  /** When the next call will be ready: in the past if one is now, Infinity if there is none. */
  next(): number {
    return Math.min(
      Number.POSITIVE_INFINITY,
      ...this.ops.filter(({ runner }) => !runner.killed).map((op) => Math.max(op.at, op.runner.asleepUntil)),
    );
  }
}

/** Until every invocation waits for something that is parked: none of them waits for anything but promises. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 60; i++) await null;
}
