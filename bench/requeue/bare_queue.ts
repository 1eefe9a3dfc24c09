import { isRuntime, processes } from "../../e2e/processes.ts";
import { start } from "../server.ts";
import { timeWhole, WHOLE_JOBS } from "../throughput.ts";

const WARM_RUNS = 3;
const RUNS = 7;

/** By how many bytes the local runtime grows with each message of a queue that has no Redrive, no D1, and only acknowledges. */
export async function bareQueueGrowth(): Promise<number> {
  const server = await start();
  try {
    const grown: number[] = [];
    for (let n = 0; n <= WARM_RUNS + RUNS; n++) {
      await timeWhole(server, "bare");
      grown.push(runtimeOf(process.pid));
    }
    return ((grown.at(-1) as number) - (grown[WARM_RUNS] as number)) / (RUNS * WHOLE_JOBS.bare);
  } finally {
    await server.close();
  }
}

/** Resident bytes of the runtimes that this process has started, itself or through others. */
function runtimeOf(root: number): number {
  const all = processes();
  const ours = new Set([root]);
  // A child has a higher number than its parent, unless the numbers have begun anew: then it is found in a later round.
  for (let size = 0; size !== ours.size; ) {
    size = ours.size;
    for (const { pid, parent } of all) if (ours.has(parent)) ours.add(pid);
  }
  return all
    .filter((running) => ours.has(running.pid) && isRuntime(running))
    .reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}
