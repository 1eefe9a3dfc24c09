/**
 * `npm run bench`: what a job costs, and how the engine compares with the tutorials' shape and with the bare queue, on
 * the local runtime. Speeds vary with the machine, so they are compared within one run, as medians of alternating runs;
 * calls, statements and rows are counts and do not vary. `-- --json` prints one object instead of the table. `-- files`
 * reads a generated file of 2 GB instead, and tells how the reader's memory grows; `-- pages` asks for every page and feed on
 * a million stored jobs; `-- limits` works off jobs of a kind with a limit, and asks what held jobs cost others; `-- requeue` requeues
 * 200,000 dead jobs of one cause while the server is killed.
 */
import { files } from "./files.ts";
import { limits } from "./limits/run.ts";
import { pages } from "./pages/run.ts";
import { report, table } from "./report.ts";
import { requeue } from "./requeue/run.ts";
import { start } from "./server.ts";
import type { Tally } from "./tally.ts";
import { latencies, race, timeWhole, WHOLE_JOBS } from "./throughput.ts";

const ROUNDS = 5;
const STORED = [1_000, 100_000, 1_000_000];
const ALONE = 100;

if (process.argv.includes("files")) await files(process.argv.slice(2));
else if (process.argv.includes("pages")) await pages(process.argv.slice(2));
else if (process.argv.includes("limits")) await limits(process.argv.slice(2));
else if (process.argv.includes("requeue")) await requeue(process.argv.slice(2));
else await jobs();

async function jobs(): Promise<void> {
  const server = await start();
  try {
    const speeds = await race(server, ["redrive", "tutorial", "bare"], ROUNDS);
    const alone = await latencies(server, ALONE);
    await timeWhole(server, "counted");
    const tally = await server.ask<Tally>("/tally");
    const hot = new Map<number, Record<string, Tally["used"]>>();
    for (const stored of STORED) hot.set(stored, await server.ask(`/hot?jobs=${stored}`));

    const result = report(speeds, alone, tally, WHOLE_JOBS.counted, hot);
    console.log(process.argv.includes("--json") ? JSON.stringify(result) : table(result));
  } finally {
    await server.close();
  }
}
