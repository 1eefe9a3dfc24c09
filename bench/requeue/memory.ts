import type { Server } from "../../e2e/server.ts";

const LOOK_MS = 500;

/** Of the runtime the most there was; of the server before it, which only passes requests on, what it holds at rest. Bytes. */
export type Held = { runtime: number; server: number };

/** Looks at a server's memory all the time, across its restarts. */
export class Memory {
  private readonly server: Server;
  private readonly timer: NodeJS.Timeout;
  private most = 0;

  constructor(server: Server) {
    this.server = server;
    this.timer = setInterval(() => {
      this.most = Math.max(this.most, server.resident().runtime);
    }, LOOK_MS);
  }

  /** Since the last asking. */
  take(): Held {
    const held = { runtime: this.most, server: this.server.resident().server };
    this.most = 0;
    return held;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
