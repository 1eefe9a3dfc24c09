import { LANES } from "~/domain/lanes";
import { AT_REST } from "./audit";
import { BREAKS, type Break } from "./breaks";
import type { Cells } from "./faults";
import { Simulation } from "./simulation";
import { Storm } from "./storm";

export type Result = {
  seed: number;
  violations: string[];
  cells: Cells;
  commits: number;
  jobs: number;
  trace: string[];
  /** Clauses of the guard that was cut which were met. */
  found: string[];
};

const MINUTE = 60_000;
/** After this long without faults everything has ended, or never will. */
const CALM_MS = 8 * 3_600_000;

/** One seed: a storm, and then calm until everything has ended. The same seed gives the same events. */
export async function simulate(seed: number, cut?: string): Promise<Result> {
  const simulation = new Simulation(seed, cut === undefined ? null : (BREAKS[cut] as Break));
  await simulation.begin();
  const storm = new Storm(simulation);
  await rage(simulation, storm);
  if (simulation.violations.length === 0) await settleDown(simulation, storm);
  return {
    seed,
    violations: simulation.violations,
    cells: simulation.cells,
    commits: simulation.commits,
    jobs: simulation.state.jobs.size,
    trace: simulation.violations.length > 0 ? simulation.trace : [],
    found: [...simulation.cutter.found],
  };
}

async function rage(simulation: Simulation, storm: Storm): Promise<void> {
  const { dice, machine } = simulation;
  let submits = dice.int(2, 5);
  let acts = dice.pick([0, 3, 8, 14]);
  const breaks = dice.pick([0.01, 0.03, 0.1]);
  let tick = simulation.now + dice.int(1_000, MINUTE);
  for (let steps = dice.int(60, 220); steps > 0 && simulation.violations.length === 0; steps--) {
    simulation.now += dice.weighted({ "1": 6, "15": 3, "900": 0.5 }) === "1" ? dice.int(0, 3) : dice.int(5, 900);
    if (simulation.now >= tick) {
      // Some come late, some not at all.
      tick += MINUTE * dice.pick([1, 1, 2, 3]);
      await storm.tick();
    }
    if (submits > 0 && dice.chance(0.1)) {
      submits--;
      await storm.submit();
    } else if (acts > 0 && dice.chance(0.08)) {
      acts--;
      await storm.operate();
    } else if (dice.chance(breaks)) storm.breaks();
    else if (storm.live.length < 5 && dice.chance(0.3) && (await storm.deliver())) continue;
    else if (await machine.step()) continue;
    else if (await storm.deliver()) continue;
    else skip(simulation, tick);
  }
}

async function settleDown(simulation: Simulation, storm: Storm): Promise<void> {
  simulation.calm();
  await simulation.systems?.rest();
  const end = simulation.now + CALM_MS;
  let tick = simulation.now + MINUTE;
  let idle = 0;
  while (simulation.violations.length === 0 && idle < 2) {
    simulation.now += 1;
    if (await simulation.machine.step()) continue;
    if (await storm.deliver()) continue;
    if (simulation.now >= tick) {
      tick = simulation.now + 2 * MINUTE;
      await storm.tick();
      if (simulation.state.paused.size > 0) await storm.resumeAll();
      const unfinished = [...simulation.state.jobs.values()].some(({ state }) => !FINAL.includes(state));
      if (!unfinished && storm.live.every(({ role }) => role === "sweep") && !waiting(simulation)) idle++;
      if (simulation.now > end) {
        simulation.violate(`still not at rest after ${CALM_MS / 3_600_000} hours of calm`);
        break;
      }
      continue;
    }
    skip(simulation, tick);
  }
  if (simulation.violations.length > 0) return;
  for (const query of AT_REST) {
    for (const { what } of await simulation.sql<{ what: string }>(query)) simulation.violate(what);
  }
  for (const id of storm.accepted) {
    if (!simulation.state.jobs.has(id) && !simulation.deleted) simulation.violate(`accepted job ${id} is lost`);
  }
}

const FINAL = ["done", "dead", "cancelled"];
const waiting = ({ queues }: Simulation) => LANES.some((lane) => queues[lane].messages.length > 0);

/** Nothing can happen now: on to the moment when something can. */
function skip(simulation: Simulation, tick: number): void {
  const { queues, dead, machine } = simulation;
  const messages = [...LANES.flatMap((lane) => queues[lane].messages), ...dead.messages];
  const next = Math.min(tick, machine.next(), ...messages.map(({ availableAt }) => availableAt));
  simulation.now = Math.max(simulation.now, next);
}
