import { bodyOf, spentBecause } from "~/domain/dead/letters";
import type { Lane } from "~/domain/lanes";
import { parseMessage } from "~/domain/message";
import type { State } from "~/domain/states";
import { type By, standingOf } from "~/store/reopen";
import { countReplay, type LetterKey, readLetter, writeReplayUntil } from "~/store/replays";
import type { Engine } from "./engine";
import { requeue } from "./requeue";
import { sendAgain } from "./send";
import { insist } from "./trouble/insist";

export type Replayed =
  | { kind: "replayed"; jobId: string; state: State }
  | { kind: "not-found" }
  | { kind: "refused"; why: string };

/**
 * Sends a dead letter's message again, for a person. A job that still waits for it gets one; one that it has ended runs
 * again as its next generation. Refused where it could do nothing, and after the third time for one attempt of a job.
 */
export async function replayLetter(engine: Engine, key: LetterKey, by: By): Promise<Replayed> {
  const letter = await insist(engine, "read letter", () => readLetter(engine.store, key));
  if (!letter) return { kind: "not-found" };
  const message = parseMessage(bodyOf(letter.body));
  const job = message && (await insist(engine, "read job", () => standingOf(engine.store, message.jobId)));
  const spent = spentBecause({ ...letter, state: job?.state ?? null });
  if (!message || !job || spent !== null) return { kind: "refused", why: spent ?? "Its job is not stored." };
  const { attempt, generation = 1 } = message;
  const same = job.attempt === attempt - 1 && (job.state === "pending" || job.generation === generation);
  if (!same)
    return { kind: "refused", why: `Its job has moved on: it is ${job.state}, after ${job.attempt} attempts.` };
  const [token, audit] = [engine.newToken(), engine.newId()];
  const names = { jobId: job.id, attempt };
  const counted = await insist(engine, "count replay", () =>
    countReplay(engine.store, token, key, names, letter.replays, audit, by),
  );
  if (!counted) return { kind: "refused", why: "Somebody else has just sent it again." };
  await engine.seam("replay: between count and send");
  if (job.state === "dead") {
    const done = await requeue(engine, { id: job.id, generation: job.generation }, by);
    if (done.kind !== "requeued") return { kind: "refused", why: "Somebody else has requeued its job meanwhile." };
  } else await sendAgain(engine, job.lane as Lane, [{ id: job.id, attempt: job.attempt }]);
  return { kind: "replayed", jobId: job.id, state: job.state };
}

/** Lets the dead-letter consumer send again instead of burying, from now on for so long; 0 ends it. Answers until when. */
export async function replayFor(engine: Engine, minutes: number, by: By): Promise<number | null> {
  const [token, audit] = [engine.newToken(), engine.newId()];
  return insist(engine, "replay until", () => writeReplayUntil(engine.store, token, minutes * 60_000, audit, by));
}
