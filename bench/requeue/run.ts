import { setTimeout as pause } from "node:timers/promises";
import { Server } from "../../e2e/server.ts";
import { build } from "../build.ts";
import { Arrivals } from "./arrivals.ts";
import { type Audit, audit, bystanders } from "./audit.ts";
import { bareQueueGrowth } from "./bare_queue.ts";
import { type Held, LETS_GO, Memory } from "./memory.ts";
import { slowest } from "./slowest.ts";
import { CAUSE, stockDead, WARM_CAUSE } from "./stock.ts";

const JOBS = 200_000;
/** Requeued and run before the measurement: what the runtime needs for the work, it has then. */
const WARM = 60_000;
/** When the server is killed: at random moments of the requeue and, later on, of the work that follows. */
type Kills = { requeue: number; work: number };
const KILLS: Kills = { requeue: 3, work: 2 };
const LOOK_MS = 500;
const REST_MS = 60 * 60_000;
/** Statements from so many ms on are looked at. */
const SLOW_MS = 50;
/** Heaps may grow no further than half of what production gives, and let go in time: what is measured is what is held. */
const LITTLE_GARBAGE = "--single-threaded-gc --max-semi-space-size=1 --max-heap-size=64";
const BOUNDS = { grownBytes: 64_000_000, statementMs: 1_000 };

export type RequeueReport = {
  jobs: number;
  kills: number;
  requeueSeconds: number;
  seconds: number;
  /** Different counts of the operation that were seen while it ran, each higher than the one before. */
  progressSeen: number;
  /**
   * Before the call, when as good a thing had been done in small, and since; how much more both hold together, without what
   * the local queue itself keeps of each message.
   */
  memory: { warm: Held; since: Held; grownBytes: number; queueBytesAMessage: number };
  longestStatement: { ms: number; statement: string };
  audit: Audit;
  missed: string[];
};

/**
 * `npm run bench -- requeue`: 200,000 dead jobs of one cause are requeued by one call, as the button of the cause's page
 * does, while others come in and die of the same, and the server is killed without a warning; all of it runs to its end.
 * `-- requeue 20000` for so many, `--calm` kills nothing: then one process does it all. Exit status 1 where anything is not exactly as it must be, or a bound is missed.
 */
export async function requeue(argv: string[]): Promise<void> {
  const jobs = Number(argv.find((word) => /^\d+$/.test(word)) ?? JOBS);
  build();
  process.env.MINIFLARE_WORKERD_V8_FLAGS = LITTLE_GARBAGE;
  const perMessage = await bareQueueGrowth();
  const server = await Server.start({
    env: { REDRIVE_CRON: "on", SLOW_MS: String(SLOW_MS), ...LETS_GO },
  });
  try {
    const kills = argv.includes("--calm") ? { requeue: 0, work: 0 } : KILLS;
    const report = await measure(server, jobs, kills, perMessage);
    console.log(argv.includes("--json") ? JSON.stringify(report) : text(report));
    if (report.missed.length > 0) process.exitCode = 1;
  } catch (error) {
    throw new Error(`the server's last words: ${server.log.slice(-2_000)}`, { cause: error });
  } finally {
    await server.stop();
  }
}

async function measure(server: Server, jobs: number, kills: Kills, perMessage: number): Promise<RequeueReport> {
  server.database((db) => stockDead(db, jobs, WARM));
  const before = server.database(bystanders);
  const memory = new Memory(server, perMessage);
  // All that is to come, in small: other jobs that come in, a kill of each sort. A process that has just been started has a height of its own.
  const first = new Arrivals(server.url, "early");
  first.begin();
  await follow(server, await press(server, WARM_CAUSE), Math.min(1, kills.requeue));
  await killOff(server, Math.min(1, kills.work));
  await first.end();
  await rested(server);
  const warm = await memory.take();

  const logged = server.log.length;
  const arrivals = new Arrivals(server.url, "arrival");
  arrivals.begin();
  await pause(3_000);
  const begunAt = Date.now();
  const operation = await press(server, CAUSE);
  const seen = await follow(server, operation, kills.requeue);
  const requeueSeconds = (Date.now() - begunAt) / 1_000;
  await killOff(server, kills.work);
  await arrivals.end();
  await rested(server);
  const seconds = (Date.now() - begunAt) / 1_000;
  const since = await memory.take();
  memory.stop();
  const longestStatement = slowest(server.log.slice(logged), SLOW_MS);

  await server.kill();
  const found = server.database((db) => audit(db, operation, jobs, [...first.accepted, ...arrivals.accepted]));
  if (server.database(bystanders) !== before) found.wrong.push("jobs that nobody meant are not as they were");
  // That one of the two shrinks is not the other's merit.
  const grownBytes = Math.max(0, since.own - warm.own) + Math.max(0, since.server - warm.server);
  return {
    jobs,
    kills: kills.requeue + kills.work,
    requeueSeconds,
    seconds,
    progressSeen: seen,
    memory: { warm, since, grownBytes, queueBytesAMessage: perMessage },
    longestStatement,
    audit: found,
    missed: [
      ...found.wrong,
      ...(seen < Math.min(5, jobs / 20_000) ? [`the operation's progress was seen at ${seen} counts only`] : []),
      ...(grownBytes >= BOUNDS.grownBytes ? [`memory has grown by ${mega(grownBytes)} MB`] : []),
      ...(longestStatement.ms >= BOUNDS.statementMs ? [`a statement took ${longestStatement.ms} ms`] : []),
    ],
  };
}

/** What the button of the cause's page starts. Answers the operation's id. */
async function press(server: Server, cause: string): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/bulk`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ action: "requeue", filter: { view: "dead", cause } }),
  });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { operation: { id: string } }).operation.id;
}

/** Until the operation has ended, killed so often on its way. Answers how many different counts were seen. */
async function follow(server: Server, id: string, kills: number): Promise<number> {
  // Past the server: on one thread a page waits for many chunks, and what is committed is what counts.
  const read = () =>
    server.database(
      (db) =>
        db.prepare("SELECT state, expected, changed FROM bulk_operations WHERE id = ?").get(id) as {
          state: string;
          expected: number;
          changed: number;
        },
    );
  const { expected } = read();
  const moments = lots(kills, expected);
  const seen: number[] = [0];
  for (const until = Date.now() + REST_MS; Date.now() < until; await pause(LOOK_MS / 5)) {
    const { state, changed } = read();
    const last = seen.at(-1) as number;
    if (changed < last) throw new Error(`the operation went back from ${last} to ${changed}`);
    if (changed > last) seen.push(changed);
    if (changed >= (moments[0] ?? Number.POSITIVE_INFINITY)) {
      moments.shift();
      await pullThePlug(server);
    }
    if (state !== "running") break;
  }
  // The last look may have been before the last moments.
  for (const _ of moments) await pullThePlug(server);
  return seen.length - 1;
}

/** Killed so often while the requeued jobs run. */
async function killOff(server: Server, kills: number): Promise<void> {
  const open = unfinished(server);
  for (const left of lots(kills, open).reverse()) {
    while (unfinished(server) > left) await pause(LOOK_MS);
    await pullThePlug(server);
  }
}

async function pullThePlug(server: Server): Promise<void> {
  await server.kill();
  await pause(Math.random() * 2_000);
  await server.restart();
}

async function rested(server: Server): Promise<void> {
  for (const until = Date.now() + REST_MS; unfinished(server) > 0; await pause(LOOK_MS)) {
    if (Date.now() > until) throw new Error(`${unfinished(server)} jobs have not ended`);
  }
}

const unfinished = (server: Server): number =>
  server.database(
    (db) =>
      db
        .prepare("SELECT coalesce(sum(n), 0) AS n FROM job_counts WHERE view NOT IN ('done', 'dead', 'cancelled')")
        .get()?.n as number,
  );

/** So many different numbers between a tenth and nine tenths of `most`, rising. */
const lots = (n: number, most: number): number[] =>
  Array.from({ length: n }, () => Math.floor(most * (0.1 + 0.8 * Math.random()))).sort((a, b) => a - b);

const mega = (bytes: number): string => (bytes / 1e6).toFixed(1);

function text({ audit: found, memory, longestStatement, ...of }: RequeueReport): string {
  return [
    `${of.jobs} dead jobs of one cause requeued by one call in ${of.requeueSeconds.toFixed(0)} s, all ended after ${of.seconds.toFixed(0)} s; the server was killed ${of.kills} times`,
    `frozen ${found.expected}, changed ${found.changed}, skipped ${found.skipped}; ${of.progressSeen} counts of progress seen`,
    `${found.arrivals} jobs came in meanwhile: ${found.arrivalsMeant} of them had died of the cause before the call, ${found.arrivalsLeft} died of it later and were left alone`,
    `${found.attempts} attempts, ${found.lost} of them lost with their worker`,
    `resident memory: runtime at most ${mega(memory.warm.runtime)} MB before, ${mega(memory.since.runtime)} MB since (${mega(memory.warm.own)} and ${mega(memory.since.own)} without the ${memory.queueBytesAMessage.toFixed(0)} bytes that the local queue keeps of each message); server ${mega(memory.warm.server)} MB, ${mega(memory.since.server)} MB: grown by ${mega(memory.grownBytes)} MB`,
    `longest statement: ${longestStatement.ms} ms ${longestStatement.statement}`,
    ...of.missed.slice(0, 20).map((what) => `missed: ${what}`),
    of.missed.length > 0 ? `failed: ${of.missed.length}` : "passed",
  ].join("\n");
}
