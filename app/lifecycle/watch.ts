import { SEND_AHEAD_MS } from "~/domain/limits";
import { timingOf } from "~/domain/schedules/schedule";
import type { Submission } from "~/domain/submission";
import { capText } from "~/domain/text";
import { instant } from "~/domain/time";
import { checkKey, moveOn } from "~/domain/watches/watch";
import { type Ending, endChecks } from "~/store/watches/checks";
import { type DueWatch, parkWatch, startChecks } from "~/store/watches/watches";
import type { Engine } from "./engine";
import { prepare, sendStored } from "./submit";
import { insist } from "./trouble/insist";

/** Ends of one transaction. */
const ENDS_AT_ONCE = 40;
const END_STATEMENTS = 2;
const ERROR_BYTES = 500;

/**
 * Watches that the sweep has found: those whose slot has come get its job; those whose check ended where no handler could
 * end it are moved on as a settle would have. One whose times cannot be read stops; the others never notice. What the
 * invocation has no statements left for stays due, and is the next sweep's.
 */
export async function sweepWatches(engine: Engine, due: DueWatch[]): Promise<void> {
  await engine.seam("watches: between reading and writing");
  await startDue(
    engine,
    due.filter(({ jobId }) => jobId === null),
  );
  const left = () => engine.settings.statements - engine.store.used.statements;
  let endings: Ending[] = [];
  for (const { id: watch, name, dueAt: slot, jobId: job, now, ...timing } of due) {
    if (job === null) continue;
    try {
      endings.push({ watch, slot, job, ...moveOn(timingOf(timing), slot, now) });
    } catch (cause) {
      const error = capText(`its times cannot be read: ${(cause as Error).message}`, ERROR_BYTES);
      engine.events({ event: "watch.failed", watchId: watch, name, error });
      if (left() <= 0) continue;
      await insist(engine, "park watch", () => parkWatch(engine.store, engine.newToken(), watch, slot, error));
    }
  }
  while (endings.length > 0 && left() > 0) {
    const token = engine.newToken();
    const some = endings.slice(0, Math.max(1, Math.min(ENDS_AT_ONCE, Math.floor(left() / END_STATEMENTS))));
    await insist(engine, "end checks", () => endChecks(engine.store, token, some));
    endings = endings.slice(some.length);
  }
}

/** The jobs of slots that have come, the way of every submit. Answers the ids of those that were made now. */
export async function startDue(
  engine: Engine,
  slots: { id: string; name: string; dueAt: number }[],
): Promise<string[]> {
  if (slots.length === 0) return [];
  const jobs = await prepare(engine, slots.map(submissionOf));
  if ("status" in jobs) throw new Error(`checks were refused: ${JSON.stringify(jobs.problems.slice(0, 3))}`);
  const token = engine.newToken();
  const stored = await insist(engine, "start checks", () =>
    startChecks(engine.store, token, slots, jobs, SEND_AHEAD_MS),
  );
  await engine.seam("watches: between write and send");
  await sendStored(engine, jobs, stored);
  return stored.map(({ id }) => id);
}

function submissionOf({ id, name, dueAt }: { id: string; name: string; dueAt: number }): Submission {
  const payload = { watch: id, slot: instant(dueAt), name };
  return {
    kind: "watch_page",
    payload,
    payloadText: JSON.stringify(payload),
    idempotencyKey: checkKey(id, dueAt),
  };
}
