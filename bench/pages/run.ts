import { loadavg } from "node:os";
import { Api } from "../../e2e/api.ts";
import { Server } from "../../e2e/server.ts";
import { stock } from "../../e2e/stock.ts";
import { build } from "../build.ts";
import { percentile } from "../throughput.ts";
import { type Answer, ask } from "./ask.ts";
import { firstLoad } from "./first_load.ts";
import { pagesTable } from "./table.ts";
import { targetsOf } from "./targets.ts";

const FEW = 1_000;
const WARM_UP = 5;
const ROUNDS = 40;

export type Measured = {
  p95Ms: number;
  p95MsAt1000: number;
  p50Ms: number;
  p50MsAt1000: number;
  d1Calls: number;
  statements: number;
  rowsRead: number;
  rowsReadAt1000: number;
  bytes: number;
  gzipBytes: number;
};
export type PagesReport = {
  jobs: number;
  pages: Record<string, Measured>;
  feeds: Record<string, Measured>;
  firstLoadGzipKB: number;
  /** Of the jobs page, while it loads and asks twice for news. */
  layoutShift: number;
  idlePoll: { status: number; rowsRead: number; bytes: number };
  /** Others use this machine: what waited for a processor on average, and how many there are. */
  load: number;
};

/**
 * `npm run bench -- pages`: every page and feed of the production build, on a database with 1,000 jobs and on one with a
 * million, asked in turn, so that a slow moment of the machine hits both. `-- pages 100000 10` for so many jobs, and so many rounds.
 */
export async function pages(argv: string[]): Promise<void> {
  const [jobs = 1_000_000, rounds = ROUNDS] = argv.filter((word) => /^\d+$/.test(word)).map(Number);
  build();
  const servers = [await Server.start(), await Server.start()] as const;
  try {
    const report = await measure(servers, jobs, rounds);
    console.log(argv.includes("--json") ? JSON.stringify(report) : pagesTable(report));
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function measure([few, many]: readonly [Server, Server], jobs: number, rounds: number): Promise<PagesReport> {
  few.database((db) => stock(db, { jobs: FEW }));
  many.database((db) => stock(db, { jobs }));
  const both = [
    { url: few.url, targets: await targetsOf(new Api(few.url)) },
    { url: many.url, targets: await targetsOf(new Api(many.url)) },
  ] as const;
  const loads: number[] = [];
  const of = async (what: "pages" | "feeds") => {
    const seen = new Map<string, [Answer[], Answer[]]>();
    for (let round = -WARM_UP; round < rounds; round++) {
      loads.push(loadavg()[0] as number);
      for (const name of Object.keys(both[0].targets[what])) {
        const answers = seen.get(name) ?? [[], []];
        seen.set(name, answers);
        for (const [which, { url, targets }] of both.entries()) {
          const answer = await ask(url + targets[what][name]);
          if (answer.status !== 200) throw new Error(`${name} answered ${answer.status}`);
          if (round >= 0) answers[which]?.push(answer);
        }
      }
    }
    return Object.fromEntries([...seen].map(([name, [less, more]]) => [name, measuredOf(less, more)]));
  };
  const [feeds, pages] = [await of("feeds"), await of("pages")];
  const { gzipKB, layoutShift } = await firstLoad(`${many.url}/jobs`);
  return {
    jobs,
    feeds,
    pages,
    firstLoadGzipKB: gzipKB,
    layoutShift,
    idlePoll: await idlePoll(`${many.url}/api/v1/jobs?limit=25`),
    load: Math.round((10 * loads.reduce((sum, load) => sum + load, 0)) / loads.length) / 10,
  };
}

function measuredOf(less: Answer[], more: Answer[]): Measured {
  const last = more.at(-1) as Answer;
  return {
    p95Ms: msOf(more, 95),
    p95MsAt1000: msOf(less, 95),
    p50Ms: msOf(more, 50),
    p50MsAt1000: msOf(less, 50),
    d1Calls: last.d1Calls,
    statements: last.statements,
    rowsRead: last.rowsRead,
    rowsReadAt1000: (less.at(-1) as Answer).rowsRead,
    bytes: last.bytes,
    gzipBytes: last.gzipBytes,
  };
}

function msOf(answers: Answer[], percent: number): number {
  const times = answers.map(({ ms }) => ms);
  return Math.round(10 * percentile(times, percent)) / 10;
}

/** Asked again with what was answered, within one minute. */
async function idlePoll(url: string): Promise<PagesReport["idlePoll"]> {
  for (;;) {
    const { etag = "" } = await ask(url);
    const { status, rowsRead, bytes, headBytes } = await ask(url, { "if-none-match": etag });
    // A new minute has begun in between: that is news.
    if (status === 200) continue;
    return { status, rowsRead, bytes: bytes + headBytes };
  }
}
