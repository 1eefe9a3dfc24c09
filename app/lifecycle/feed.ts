import type { Lane } from "~/domain/lanes";
import { LANE_MESSAGES, SEND_AHEAD_MS } from "~/domain/limits";
import { markNextSent } from "~/store/sends";
import type { Engine } from "./engine";
import type { LaneMetrics } from "./lanes";
import { knownTo } from "./limits/known";
import { sendOwed } from "./send";

/** Sends the lane's next due unsent jobs, up to `limit`, each kind its share. Answers how many went out. */
export async function feed(engine: Engine, lane: Lane, limit: number): Promise<number> {
  if (limit <= 0) return 0;
  const due = await markNextSent(engine.store, knownTo(engine), lane, SEND_AHEAD_MS, limit);
  await engine.seam("feed: between mark and send");
  return sendOwed(engine, due);
}

/** Whoever has made room in a lane fills it: a backlog must not wait for the next minute's sweep. */
export async function feedIfHalfEmpty(engine: Engine, lane: Lane, backlog: LaneMetrics): Promise<void> {
  if (backlog.messages === undefined || backlog.messages > LANE_MESSAGES / 2) return;
  await feed(engine, lane, LANE_MESSAGES - backlog.messages);
}
