import { LANES, type Lane } from "~/domain/lanes";
import { SEND_AHEAD_MS } from "~/domain/limits";
import { nextMessage } from "~/domain/message";
import { troubleOf } from "~/domain/trouble";
import { markSent, unsend } from "~/store/sends";
import type { Engine } from "./engine";

/** A job whose row already says that its message is sent. `attempt`: attempts so far. */
export type Owed = { id: string; kind: string; lane: string; attempt: number; generation: number; delayMs: number };

/**
 * Sends the messages of jobs whose `sent_at` is written. Never throws: where a send fails the rows say "unsent" again,
 * and where even that fails the sweep finds that the message must be gone. Some of a failed call may have gone out:
 * the claim absorbs a second copy.
 */
export async function sendOwed(engine: Engine, owed: Owed[]): Promise<number> {
  let sent = 0;
  for (const lane of LANES) {
    const jobs = owed.filter((job) => job.lane === lane);
    if (jobs.length === 0) continue;
    try {
      await engine.lanes.send(
        lane,
        jobs.map((job) => ({ message: nextMessage(job), delayMs: job.delayMs })),
      );
      sent += jobs.length;
    } catch (error) {
      engine.events({ event: "send.failed", lane, messages: jobs.length, error: String(error) });
      await unsend(engine.store, jobs, troubleOf(error) === "daily-limit").catch((cause) =>
        engine.events({ event: "database.unreachable", step: "unsend", error: String(cause) }),
      );
    }
  }
  return sent;
}

/**
 * Gives jobs a fresh message in place of the one in hand: it came too early, or its consumer has no time left for it.
 * Jobs due in more than 5 minutes get none and wait for the sweep. Throws what D1 throws.
 */
export async function sendAgain(engine: Engine, lane: Lane, jobs: { id: string; attempt: number }[]): Promise<void> {
  if (jobs.length === 0) return;
  const due = await markSent(engine.store, jobs, SEND_AHEAD_MS);
  await engine.seam("send again: between mark and send");
  await sendOwed(
    engine,
    due.map((job) => ({ ...job, lane })),
  );
}
