import { buryJobs } from "~/store/dead_letters";
import type { Engine } from "./engine";
import { insist } from "./insist";
import { Tickets } from "./ticket";

const ERROR = "its message took the consumer down on every delivery and came back as a dead letter";
const CAUSE = "dead letter";

/**
 * The dead-letter queue's consumer. Ends only the job that still waits for this very message; everything else is the
 * sweep's. Always acknowledges in the end: a letter lost here is covered by the sweep, which finds the message gone.
 */
export async function bury(engine: Engine, batch: MessageBatch): Promise<void> {
  const tickets = new Tickets(batch);
  try {
    await tickets.setAsideUnreadable(engine);
    const open = tickets.all();
    if (open.length === 0) return;
    const token = engine.newToken();
    const letters = open.map(({ message, raw }) => ({
      messageId: raw.id,
      queue: batch.queue,
      body: JSON.stringify(message),
      jobId: message.jobId,
      attempt: message.attempt,
    }));
    await engine.seam("bury: before write");
    const buried = new Set(await insist(engine, "bury", () => buryJobs(engine.store, token, letters, ERROR, CAUSE)));
    for (const ticket of open) {
      const { message, raw } = ticket;
      engine.events({
        event: buried.has(message.jobId) ? "job.buried" : "dead_letter.ignored",
        messageId: raw.id,
        deliveries: raw.attempts,
        jobId: message.jobId,
        attempt: message.attempt,
        kind: message.kind,
        cause: CAUSE,
      });
      tickets.done(ticket);
    }
  } catch (error) {
    engine.events({ event: "database.unreachable", step: "bury", error: String(error) });
    for (const { raw } of tickets.all()) raw.retry();
  }
}
