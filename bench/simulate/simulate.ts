import { LANES } from "~/domain/lanes";
import { AT_REST } from "./audit";
import { BREAKS, type Break } from "./breaks";
import type { Cells } from "./faults";
import { Simulation } from "./simulation";
import { Storm } from "./storm";
import { paceOf } from "./theme";

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
/** More invocations at once than this come to nothing in the time of a storm. */
const CROWD = 5;
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

/** The storm: everything breaks; and then only what its theme is about, so that its ways are gone to the end. */
async function rage(simulation: Simulation, storm: Storm): Promise<void> {
  const { dice } = simulation;
  const { busy, long } = paceOf(simulation.theme);
  const clock = { tick: simulation.now + dice.int(1_000, MINUTE) };
  await blow(simulation, storm, clock, {
    steps: dice.int(60, 140),
    submits: busy ? dice.int(4, 7) : dice.int(2, 4),
    // Whoever operates on many jobs waits until there are many.
    acts: simulation.theme === "bulk" ? 0 : dice.pick([0, 3, 6, 9]),
    eagerness: 0.08,
    breaks: dice.pick([0.01, 0.03, 0.1]),
  });
  simulation.abate();
  await blow(simulation, storm, clock, {
    steps: long ? dice.int(220, 340) : dice.int(120, 240),
    submits: busy ? dice.int(5, 9) : dice.int(1, 3),
    acts: 26,
    eagerness: 0.3,
    breaks: 0.06,
  });
}

type Weather = { steps: number; submits: number; acts: number; eagerness: number; breaks: number };

async function blow(
  simulation: Simulation,
  storm: Storm,
  clock: { tick: number },
  { steps, submits, acts, eagerness, breaks }: Weather,
): Promise<void> {
  const { dice, machine } = simulation;
  const { hasty, strideMs } = paceOf(simulation.theme);
  const crowd = hasty ? 2 * CROWD : CROWD;
  let [calls, deeds] = [submits, acts];
  for (let left = steps; left > 0 && simulation.violations.length === 0; left--) {
    simulation.now += dice.weighted({ "1": 6, "15": 3, "900": 0.5 }) === "1" ? dice.int(0, 3) : dice.int(5, strideMs);
    if (simulation.now >= clock.tick) {
      // Some come late, some not at all.
      clock.tick += MINUTE * (hasty ? 1 : dice.pick(simulation.abated ? [3, 4] : [1, 1, 2, 3]));
      await storm.tick();
    }
    if (calls > 0 && dice.chance(0.1)) {
      calls--;
      await storm.submit();
    } else if (deeds > 0 && storm.live.length < CROWD && dice.chance(eagerness)) {
      deeds--;
      await storm.operate();
    } else if (dice.chance(breaks)) storm.breaks();
    else if (storm.live.length < crowd && dice.chance(0.3) && (await storm.deliver())) continue;
    else if (await machine.step()) continue;
    else if (await storm.deliver()) continue;
    else skip(simulation, clock.tick);
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
