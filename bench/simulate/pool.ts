import { type Server, start } from "../server.ts";
import type { Result } from "./simulate.ts";

const AT_ONCE = 10;

/** Some workerd processes that share the seeds. */
export class Pool {
  private readonly servers: Server[];

  private constructor(servers: Server[]) {
    this.servers = servers;
  }

  static async start(workers: number): Promise<Pool> {
    const servers: Server[] = [];
    for (let i = 0; i < workers; i++) servers.push(await start("./simulate/wrangler.toml"));
    return new Pool(servers);
  }

  /** Results in the order of their seeds, whoever was faster. */
  async *run(from: number, seeds: number, cut?: string): AsyncGenerator<Result> {
    const chunks: Promise<Result[]>[] = [];
    let next = from;
    let stopped = false;
    const resolvers: ((results: Promise<Result[]>) => void)[] = [];
    for (let at = from; at < from + seeds; at += AT_ONCE) {
      chunks.push(new Promise((resolve) => resolvers.push(resolve)));
    }
    const work = this.servers.map(async (server) => {
      for (;;) {
        const index = (next - from) / AT_ONCE;
        if (stopped || next >= from + seeds) return;
        const asked = { from: next, to: Math.min(next + AT_ONCE, from + seeds), cut };
        next += AT_ONCE;
        const answer = server.ask<Result[]>("/", JSON.stringify(asked));
        resolvers[index]?.(answer);
        await answer.catch(() => {});
      }
    });
    try {
      for (const chunk of chunks) yield* await chunk;
    } finally {
      stopped = true;
      await Promise.all(work);
    }
  }

  close = (): Promise<unknown> => Promise.all(this.servers.map((server) => server.close()));
}
