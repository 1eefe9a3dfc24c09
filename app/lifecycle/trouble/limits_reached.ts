import type { LimitReached } from "~/domain/limits_reached";
import { SWEEP_LATE_MS } from "~/domain/overview/health";
import { isUnreachable } from "~/store/errors";
import { tryToWrite } from "~/store/writable";
import type { Engine } from "../engine";

/**
 * Which daily limits are reached. D1 may still answer reads while it takes no writes, and then no sweep can say so: where
 * the last one is late, a write that changes nothing is tried. `queues`: what the sweep's row says.
 */
export async function limitsReached(
  engine: Engine,
  { now, lastSweepAt, queues }: { now: number; lastSweepAt: number | null; queues: boolean },
): Promise<LimitReached[]> {
  const late = lastSweepAt !== null && now - lastSweepAt > SWEEP_LATE_MS;
  const database = late && (await writesAreLimited(engine));
  return [...(database ? (["database"] as const) : []), ...(queues ? (["queues"] as const) : [])];
}

async function writesAreLimited(engine: Engine): Promise<boolean> {
  try {
    await tryToWrite(engine.store);
    return false;
  } catch (error) {
    return isUnreachable(error) && error.trouble === "daily-limit";
  }
}
