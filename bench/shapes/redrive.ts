import { registry } from "~/kinds/registry";
import { consume as consumeBatch } from "~/lifecycle/consume";
import { type Engine, engineOf } from "~/lifecycle/engine";
import type { Outgoing } from "~/lifecycle/lanes";
import { submit as submitJobs } from "~/lifecycle/submit";
import { tallied, talliedBatch } from "../tally";
import type { BenchEnv, Shape } from "./shape";

/** The real thing: the verbs of app/lifecycle, as the Worker's doors call them. */
export const redrive: Shape = {
  submit: (env, jobs) => take(benchEngine(env), jobs),
  store,
  consume: (env, batch) => consumeBatch(benchEngine(env), "normal", batch),
};

/** The same with everything it uses written down. Counting costs time, so a run is timed or counted. */
export const counted: Shape = {
  ...redrive,
  submit: (env, jobs) => take(tallied(benchEngine(env)), jobs),
  consume: (env, batch) => consumeBatch(tallied(benchEngine(env)), "normal", talliedBatch(batch)),
};

const SETTINGS = {
  leaseMs: 30_000,
  appVersion: "bench",
  statements: 700,
  mostStatements: 1_000,
  slowMs: 1_000,
  outbound: { allow: [], ownHosts: [] },
};

export const benchEngine = (env: BenchEnv): Engine => engineOf(env, registry, SETTINGS);

async function store(env: BenchEnv, jobs: number): Promise<() => Promise<void>> {
  const engine = benchEngine(env);
  const owed: Outgoing[] = [];
  const lanes = { ...engine.lanes, send: async (_: unknown, outgoing: Outgoing[]) => void owed.push(...outgoing) };
  await take({ ...engine, lanes }, jobs);
  return () => engine.lanes.send("normal", owed);
}

export async function take(engine: Engine, jobs: number): Promise<void> {
  const one = { kind: "demo", payload: {}, payloadText: "{}" };
  const answer = await submitJobs(
    engine,
    Array.from({ length: jobs }, () => one),
  );
  if (answer.kind !== "accepted") throw new Error(JSON.stringify(answer));
}
