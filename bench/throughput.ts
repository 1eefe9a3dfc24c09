import type { Server } from "./server.ts";

export type ShapeName = "redrive" | "counted" | "tutorial" | "bare";
/**
 * Jobs a second: `single` submits of one job, each awaited before the next; `bulk` submits of 1,000; `whole` from the first of
 * those to the last settle; `run` from the first send, all rows stored before. Whoever submits does so while others run.
 */
export type Speeds = { single: number[]; bulk: number[]; whole: number[]; run: number[] };

/** The tutorials' shape is slow enough to be told as exactly by fewer: a speed does not hang on the number of jobs. */
export const WHOLE_JOBS: Record<ShapeName, number> = { redrive: 5_000, counted: 5_000, tutorial: 1_000, bare: 5_000 };
const SINGLE_JOBS = 200;
const RUN_JOBS: Record<ShapeName, number> = { redrive: 1_000, counted: 1_000, tutorial: 500, bare: 1_000 };
const CALL_JOBS = 1_000;
const PATIENCE_MS = 120_000;

/** `rounds` runs of each shape, taking turns, so that a slow moment of the machine hits all of them alike. */
export async function race(server: Server, shapes: ShapeName[], rounds: number): Promise<Map<ShapeName, Speeds>> {
  const speeds = new Map(shapes.map((shape) => [shape, { single: [], bulk: [], whole: [], run: [] } as Speeds]));
  for (const shape of shapes) await timeRun(server, shape);
  for (let round = 0; round < rounds; round++) {
    for (const [shape, speed] of speeds) {
      const { bulk, whole } = await timeWhole(server, shape);
      speed.bulk.push(bulk);
      speed.whole.push(whole);
      speed.run.push(await timeRun(server, shape));
      speed.single.push(await timeSingle(server, shape));
    }
  }
  return speeds;
}

export async function timeWhole(server: Server, shape: ShapeName): Promise<{ bulk: number; whole: number }> {
  const jobs = WHOLE_JOBS[shape];
  await server.ask(`/begin?shape=${shape}`);
  const startedAt = Date.now();
  for (let sent = 0; sent < jobs; sent += CALL_JOBS) await server.ask(`/submit?jobs=${CALL_JOBS}`);
  const submittedAt = Date.now();
  const finishedAt = await end(server, shape, jobs);
  return { bulk: (1_000 * jobs) / (submittedAt - startedAt), whole: (1_000 * jobs) / (finishedAt - startedAt) };
}

/** The Worker itself submits, so that no request is measured with it. */
async function timeSingle(server: Server, shape: ShapeName): Promise<number> {
  await server.ask(`/begin?shape=${shape}`);
  const startedAt = Date.now();
  await server.ask(`/submit/single?jobs=${SINGLE_JOBS}`);
  const ms = Date.now() - startedAt;
  await end(server, shape, SINGLE_JOBS);
  return (1_000 * SINGLE_JOBS) / ms;
}

async function timeRun(server: Server, shape: ShapeName): Promise<number> {
  const jobs = RUN_JOBS[shape];
  await server.ask(`/begin?shape=${shape}`);
  await server.ask(`/store?jobs=${jobs}`);
  const startedAt = Date.now();
  await server.ask("/send");
  return (1_000 * jobs) / ((await end(server, shape, jobs)) - startedAt);
}

/** When the last job was finished. A run counts only if every job of it is done, by one attempt each. */
async function end(server: Server, shape: ShapeName, jobs: number): Promise<number> {
  const patience = Date.now() + PATIENCE_MS;
  let state = { finished: 0, finishedAt: 0 };
  while (state.finished < jobs) {
    if (Date.now() > patience) throw new Error(`${shape}: only ${state.finished} of ${jobs} jobs are finished`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    state = await server.ask("/state");
  }
  const { done, attempts } = await server.ask<{ done: number; attempts: number }>("/stored");
  const due = shape === "bare" ? 0 : jobs;
  if (done !== due || attempts !== due) throw new Error(`${shape}: ${done} done by ${attempts} attempts, not ${due}`);
  return state.finishedAt;
}

/** From the submit of one job, while nothing else is done, to its end, in ms, `n` times. */
export async function latencies(server: Server, n: number): Promise<number[]> {
  const found: number[] = [];
  await server.ask("/begin?shape=redrive");
  while (found.length < n) {
    const startedAt = Date.now();
    await server.ask("/submit?jobs=1");
    let state = { finished: 0, finishedAt: 0 };
    while (state.finished <= found.length) {
      if (Date.now() > startedAt + PATIENCE_MS) throw new Error(`job ${found.length + 1} is not finished`);
      state = await server.ask("/state");
    }
    found.push(state.finishedAt - startedAt);
  }
  return found;
}

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/** The smallest value that `percent` of them do not exceed. */
export const percentile = (values: number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] as number;
