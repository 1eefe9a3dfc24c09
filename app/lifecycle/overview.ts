import type { ChartView } from "~/domain/overview/chart_range";
import type { Overview } from "~/domain/overview/overview";
import { readOverview } from "~/store/reads/overview";
import type { Engine } from "./engine";
import { limitsReached } from "./trouble/limits_reached";

/** All that the overview shows beside the counts, and which limits of the day are reached. */
export async function overviewOf(engine: Engine, view: ChartView): Promise<Overview> {
  const overview = await readOverview(engine.store, view, engine.localNow());
  const last = overview.lanes[0];
  const limits = await limitsReached(engine, {
    now: Date.parse(overview.now),
    lastSweepAt: last ? Date.parse(last.at) : null,
    queues: overview.limits.includes("queues"),
  });
  return { ...overview, limits };
}
