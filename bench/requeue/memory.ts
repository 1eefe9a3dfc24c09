import { setTimeout as pause } from "node:timers/promises";
import type { Server } from "../../e2e/server.ts";

const LOOK_MS = 500;
const LET_GO_MS = 2_000;

/** For the server's environment: its process then lets go of its garbage when it gets the signal. */
export const LETS_GO = { NODE_OPTIONS: "--import ./bench/requeue/let_go.ts" };

/**
 * Bytes. `runtime`: the most there was, `own`: the same without what the local queue keeps; `server`: what it holds at rest,
 * without its garbage. It only passes requests on, and collects when it likes: half a minute earlier or later is tens of MB.
 */
export type Held = { runtime: number; own: number; server: number };

/**
 * Looks at a server's memory all the time, across its restarts. A queue that does nothing but acknowledge grows on the local
 * runtime by `perMessage` bytes a message and never shrinks, so the attempts of each life of the server are counted.
 */
export class Memory {
  private readonly server: Server;
  private readonly perMessage: number;
  private readonly timer: NodeJS.Timeout;
  private life = 0;
  private attemptsBefore = 0;
  private most = { runtime: 0, own: 0 };

  constructor(server: Server, perMessage: number) {
    this.server = server;
    this.perMessage = perMessage;
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Since the last asking. */
  async take(): Promise<Held> {
    this.server.signal("SIGUSR2");
    await pause(LET_GO_MS);
    const held = { ...this.most, server: this.server.resident().server };
    this.most = { runtime: 0, own: 0 };
    return held;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const { runtime } = this.server.resident();
    const attempts = attemptsOf(this.server);
    if (this.server.lives !== this.life) {
      this.life = this.server.lives;
      this.attemptsBefore = attempts;
    }
    const own = runtime - this.perMessage * (attempts - this.attemptsBefore);
    this.most = { runtime: Math.max(this.most.runtime, runtime), own: Math.max(this.most.own, own) };
  }
}

const attemptsOf = (server: Server): number =>
  server.database(
    (db) =>
      db
        .prepare(
          "SELECT coalesce(sum(done + failed + timed_out + lost), 0) AS n FROM stats WHERE kind = '' AND grain = 3600000",
        )
        .get()?.n as number,
  );
