import { LANES } from "~/domain/lanes";
import { LANE_MESSAGES } from "~/domain/limits";
import type { NewJob } from "~/store/insert_jobs";
import type { Engine } from "../engine";

/**
 * A full lane takes no more messages, and a kind with limits needs no more than it can start: further jobs stay unsent, and
 * whoever makes room there sends them.
 */
export function leaveRoom(engine: Engine, jobs: NewJob[]): void {
  const rooms = new Map<string, number>(LANES.map((lane) => [lane, engine.lanes.room(lane)]));
  for (const { name, limits } of engine.kinds.values()) {
    const { running = LANE_MESSAGES, rate = { jobs: LANE_MESSAGES } } = limits ?? {};
    rooms.set(`kind ${name}`, Math.min(running, rate.jobs));
  }
  for (const job of jobs) {
    const places = [job.lane, `kind ${job.kind}`];
    job.room = places.every((place) => (rooms.get(place) as number) > 0);
    if (job.room) for (const place of places) rooms.set(place, (rooms.get(place) as number) - 1);
  }
}
