import { expect, it } from "vitest";
import { sql } from "~/store/store";
import { Simulation } from "./simulation";

async function violationsOf(ask: (actor: ReturnType<Simulation["actor"]>) => unknown): Promise<string[]> {
  const simulation = new Simulation(0, null);
  await simulation.begin();
  simulation.calm();
  void ask(simulation.actor("operator"));
  await simulation.machine.step();
  return simulation.violations;
}

it("a call of D1 by a function that is not among the sites is a violation, and one that is among them is none", async () => {
  const newVerb = ({ engine }: ReturnType<Simulation["actor"]>) => engine.store.batch([sql("SELECT 'new'")]);
  const measure = ({ engine }: ReturnType<Simulation["actor"]>) => engine.store.batch([sql("SELECT 'known'")]);
  expect(await violationsOf(newVerb)).toEqual(["newVerb is not among the sites"]);
  expect(await violationsOf(measure)).toEqual([]);
});

it("a send by a function that is not among the sites is a violation, and one that is among them is none", async () => {
  const message = { v: 1, jobId: "j", attempt: 1, kind: "sim.a" } as const;
  const newSender = ({ engine }: ReturnType<Simulation["actor"]>) =>
    engine.lanes.send("normal", [{ message, delayMs: 0 }]);
  const postpone = ({ engine }: ReturnType<Simulation["actor"]>) =>
    engine.lanes.send("normal", [{ message, delayMs: 0 }]);
  expect(await violationsOf(newSender)).toEqual(["send by newSender is not among the sites"]);
  expect(await violationsOf(postpone)).toEqual([]);
});
