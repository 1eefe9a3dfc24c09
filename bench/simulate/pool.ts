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

  /** Results in the order in which the seeds are given, whoever was faster. */
  async *run(seeds: number[], cut?: string): AsyncGenerator<Result> {
    // The first that catches a guard ends the search: what was begun beside it was begun in vain.
    const atOnce = cut === undefined ? AT_ONCE : 1;
    const chunks = Array.from({ length: Math.ceil(seeds.length / atOnce) }, (_, i) => ({
      seeds: seeds.slice(i * atOnce, (i + 1) * atOnce),
      ...Promise.withResolvers<Result[]>(),
    }));
    let next = 0;
    let stopped = false;
    const work = this.servers.map(async (server) => {
      for (;;) {
        const chunk = chunks[next++];
        if (stopped || !chunk) return;
        const answer = server.ask<Result[]>("/", JSON.stringify({ seeds: chunk.seeds, cut }));
        chunk.resolve(answer);
        await answer.catch(() => {});
      }
    });
    try {
      for (const { promise } of chunks) yield* await promise;
    } finally {
      stopped = true;
      await Promise.all(work);
    }
  }

  close = (): Promise<unknown> => Promise.all(this.servers.map((server) => server.close()));
}
