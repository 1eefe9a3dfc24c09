import { z } from "zod";
import { defineKind, type Kind } from "~/kinds/define";
import { watchPage } from "~/kinds/watch_page";
import { webhookPart } from "~/kinds/webhook/part";
import { webhookDelivery } from "~/kinds/webhook_delivery";
import { webhookFanout } from "~/kinds/webhook_fanout";
import { pause } from "~/lifecycle/schedules/pause";
import { pauseChecks } from "~/lifecycle/watches/pause";
import { putSchedule } from "~/testing/schedules";
import { putWatch } from "~/testing/watches";
import { START } from "~/testing/world";
import type { Actor } from "./actor";
import { LIMITED } from "./limited";
import type { Simulation } from "./simulation";
import type { Theme } from "./theme";

const BY = { actor: "ops" };
const DAYS = ["2026-11-29", "2026-11-30"];
/** What is submitted there, by its weight. */
const SHARES: Partial<Record<Theme, Partial<Record<"limited" | "report" | "fanout", number>>>> = {
  limits: { limited: 1 },
  reports: { report: 6, limited: 1, fanout: 1 },
  hooks: { fanout: 6, limited: 1, report: 1 },
};

/** The systems that run on the engine, in some worlds: kinds with limits, fan-out, a watch, a schedule, reports that are published. */
export class Systems {
  static readonly among = (theme: Theme): boolean => theme in SHARES;
  private watches: string[] = [];
  private schedule = "";

  constructor(private readonly simulation: Simulation) {}

  async begin(): Promise<void> {
    const { simulation } = this;
    const { dice, theme } = simulation;
    for (let n = theme === "hooks" ? 12 : 1; n > 0; n--)
      this.watches.push(await putWatch(simulation, START + 60_000, { everyMinutes: 1 }));
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
    const limited = Object.entries(LIMITED).map(([name, limits]) =>
      defineKind({
        name,
        title: name,
        description: "takes a while",
        input: z.looseObject({}),
        usualMs: 5_000,
        timeoutMs: 20_000,
        retry: { baseMs: 1_000, capMs: 5_000, maxAttempts: 4 },
        limits,
        run: async (_, ctx) => {
          await ctx.sleep(dice.pick([10, 3_000, 12_000]));
          if (dice.chance(0.1)) throw new Error("told to fail");
        },
      }),
    );
    return [...limited, report, webhookFanout, webhookPart, webhookDelivery, watchPage];
  }

  call(): { kind: string; payload: unknown; groupKey?: string } {
    const { dice, theme } = this.simulation;
    switch (dice.weighted(SHARES[theme] ?? {})) {
      case "limited": {
        const group = dice.pick(["x", "x", "y", "z", undefined]);
        return { kind: dice.pick(Object.keys(LIMITED)), payload: {}, ...(group && { groupKey: group }) };
      }
      case "report":
        return { kind: "sim.report", payload: {} };
      default: {
        const endpoints = [1, 2, 3].map((n) => ({ url: `https://r${n}.example/hook` }));
        return { kind: "webhook_fanout", payload: { type: "order.paid", data: {}, endpoints } };
      }
    }
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
    for (const watch of this.watches) await pauseChecks(engine, watch, BY);
    await pause(engine, this.schedule, BY);
  }
}
