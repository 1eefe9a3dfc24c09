import { LANES } from "~/domain/lanes";
import type { LimitReached } from "~/domain/limits_reached";
import { healthOf, type Vitals } from "~/domain/overview/health";
import { troubleOf } from "~/domain/trouble";
import type { Engine } from "~/lifecycle/engine";
import { limitsReached } from "~/lifecycle/trouble/limits_reached";
import { readVitals } from "~/store/reads/health";
import { json } from "./answers";
import type { Route } from "./route";
import { health } from "./schemas";

export const getHealth: Route = {
  method: "get",
  path: "/health",
  summary: "Whether the database answers and the sweep runs, and what waits in the queues",
  answers: {
    200: { description: "All is well", content: { "application/json": { schema: health } } },
    503: { description: "`problems` says what is not", content: { "application/json": { schema: health } } },
  },
  problems: {},
  async handle({ app: { engine } }) {
    const lanes = [...LANES, "dead" as const];
    const [{ vitals, limits }, ...metrics] = await Promise.all([
      vitalsOf(engine),
      ...lanes.map((lane) => engine.lanes.metrics(lane)),
    ]);
    const byLane = Object.fromEntries(lanes.map((lane, i) => [lane, metrics[i]])) as Parameters<typeof healthOf>[1];
    const found = healthOf(vitals, byLane, engine.localNow(), limits);
    return json(found, found.ok ? 200 : 503);
  },
};

/** That D1 does not answer is what this call is there to say. */
async function vitalsOf(engine: Engine): Promise<{ vitals: Vitals | null; limits: LimitReached[] }> {
  try {
    const vitals = await readVitals(engine.store);
    const { now, lastSweep, queuesLimited: queues } = vitals;
    return { vitals, limits: await limitsReached(engine, { now, lastSweepAt: lastSweep?.finishedAt ?? null, queues }) };
  } catch (error) {
    engine.events({ event: "database.unreachable", step: "health", error: String(error) });
    return { vitals: null, limits: troubleOf(error) === "daily-limit" ? ["database"] : [] };
  }
}
