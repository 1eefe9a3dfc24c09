import { z } from "zod";
import { defineKind, type Kind } from "~/kinds/define";
import { watchPage } from "~/kinds/watch_page";
import { webhookDelivery } from "~/kinds/webhook_delivery";
import { webhookFanout } from "~/kinds/webhook_fanout";
import { webhookPart } from "~/kinds/webhook_part";
import { pause } from "~/lifecycle/pause_schedule";
import { pauseChecks } from "~/lifecycle/pause_watch";
import { putSchedule } from "~/testing/schedules";
import { putWatch } from "~/testing/watches";
import { START } from "~/testing/world";
import type { Actor } from "./actor";
import { LIMITED } from "./limited";
import type { Simulation } from "./simulation";

const BY = { actor: "ops" };
const DAYS = ["2026-11-29", "2026-11-30"];

/** The systems that run on the engine, in every fourth world: fan-out, a watch, a schedule, and reports that are published. */
export class Systems {
  static readonly among = (seed: number): boolean => seed % 4 === 3;
  private watch = "";
  private schedule = "";

  constructor(private readonly simulation: Simulation) {}

  async begin(): Promise<void> {
    const { simulation } = this;
    const { dice } = simulation;
    this.watch = await putWatch(simulation, START + 60_000, { everyMinutes: 1 });
    this.schedule = await putSchedule(simulation, START + 60_000, {
      kind: "sim.a",
      payload: '{"do":[["commit"]]}',
      missed: dice.pick(["once", "skip", "all"]),
      overlap: dice.pick(["allow", "skip"]),
    });
  }

  kinds(): Kind[] {
    const { dice } = this.simulation;
    const report = defineKind({
      name: "sim.report",
      title: "report",
      description: "publishes, publishes anew or withdraws",
      input: z.looseObject({}),
      usualMs: 100,
      statements: 10,
      timeoutMs: 20_000,
      retry: { baseMs: 1_000, capMs: 5_000, maxAttempts: 4 },
      run: (_, ctx) =>
        ctx.publish(dice.pick(DAYS), dice.pick([{}, {}, { update: true }, { indexable: true }, "withdraw"])),
    });
    const limited = defineKind({
      name: "sim.limited",
      title: "limited",
      description: "takes a while",
      input: z.looseObject({}),
      usualMs: 5_000,
      timeoutMs: 20_000,
      retry: { baseMs: 1_000, capMs: 5_000, maxAttempts: 4 },
      limits: LIMITED,
      run: (_, ctx) => ctx.sleep(dice.pick([10, 3_000, 12_000])),
    });
    return [limited, report, webhookFanout, webhookPart, webhookDelivery, watchPage];
  }

  call(): { kind: string; payload: unknown; groupKey?: string } {
    const { dice } = this.simulation;
    if (dice.chance(0.4)) return { kind: "sim.limited", payload: {}, groupKey: dice.pick(["x", "x", "y"]) };
    if (dice.chance(0.5)) return { kind: "sim.report", payload: {} };
    const endpoints = [1, 2, 3].map((n) => ({ url: `https://r${n}.example/hook` }));
    return { kind: "webhook_fanout", payload: { type: "order.paid", data: {}, endpoints } };
  }

  /** Whoever is called over HTTP: mostly well, sometimes not, sometimes without an answer. */
  answer(actor: Actor): Promise<Response> {
    const { simulation } = this;
    return simulation.machine.park<Response>(actor, async () => {
      if (simulation.happens("answer of the outside lost", 0.1))
        return { error: new TypeError("Network connection lost.") };
      const refused = simulation.happens("refused by the outside", 0.15);
      return { ok: new Response(null, { status: refused ? simulation.dice.pick([404, 500, 503]) : 204 }) };
    });
  }

  /** Nothing makes jobs by the clock any more. */
  async rest(): Promise<void> {
    const { engine } = this.simulation.invocation();
    await pauseChecks(engine, this.watch, BY);
    await pause(engine, this.schedule, BY);
  }
}
