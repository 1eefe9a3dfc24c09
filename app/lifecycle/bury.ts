import { misfitOf, parseMessage } from "~/domain/message";
import { capText } from "~/domain/text";
import { encodeLetter, type Laid, type Letter, layLetters } from "~/store/dead_letters";
import { isRefusal } from "~/store/errors";
import { inParameters } from "~/store/store";
import { giveBack } from "./batch/give_back";
import type { Engine } from "./engine";
import { sendOwed } from "./send";
import { insist } from "./trouble/insist";

const ERROR = "its message took the consumer down on every delivery and came back as a dead letter";
const CAUSE = "dead letter";
/** As `max_retries` of the queues: a message that is given back at its last delivery is gone. */
const RETRIES = 100;

/**
 * The dead-letter queue's consumer. Ends only the job that still waits for this very message, or sends the message again
 * while a person has asked for that; everything else is the sweep's. Never throws, and acknowledges in the end: what D1
 * cannot take is written to the log whole, and a job that it spoke of still waits, so the sweep finds its message gone.
 */
export async function bury(engine: Engine, batch: MessageBatch): Promise<void> {
  await lay(engine, batch.queue, batch.messages);
}

/** Keeps messages of any queue where a person finds them, and answers each. What nobody understands speaks of no job. */
export async function lay(engine: Engine, queue: string, messages: readonly Message[]): Promise<void> {
  const kept = keepable(queue, messages);
  for (const group of inParameters(kept, ({ letter }) => encodeLetter(letter))) await layGroup(engine, group);
}

type Kept = { raw: Message; letter: Letter };

/** Of several letters about one job only the latest can still be wanted: the others are kept, and end nothing. */
function keepable(queue: string, messages: readonly Message[]): Kept[] {
  const speakers = new Map<string, Kept>();
  return messages.map((raw) => {
    const message = parseMessage(raw.body);
    const kept: Kept = { raw, letter: { messageId: raw.id, queue, body: bodyText(raw.body), message, speaks: false } };
    const other = message && speakers.get(message.jobId);
    if (message && (!other || order(message) > order(other.letter.message as typeof message))) {
      if (other) other.letter.speaks = false;
      kept.letter.speaks = true;
      speakers.set(message.jobId, kept);
    }
    return kept;
  });
}

/** Attempts only grow, and within one attempt generations do. */
const order = ({ attempt, generation = 1 }: { attempt: number; generation?: number }): number =>
  attempt * 1_000_000 + generation;

const LETTER_BYTES = 16_384;

/** Any body can come, also one that JSON cannot hold. */
function bodyText(body: unknown): string {
  try {
    return capText(JSON.stringify(body) ?? String(body), LETTER_BYTES);
  } catch {
    return capText(String(body), LETTER_BYTES);
  }
}

async function layGroup(engine: Engine, group: Kept[]): Promise<void> {
  const token = engine.newToken();
  const letters = group.map(({ letter }) => letter);
  try {
    await engine.seam("bury: before write");
    const laid = await insist(engine, "bury", () => layLetters(engine.store, token, letters, ERROR, CAUSE));
    await engine.seam("bury: between write and send");
    await sendOwed(engine, laid.replayed);
    for (const { raw, letter } of group) {
      tell(engine, raw, letter, laid);
      raw.ack();
    }
  } catch (error) {
    if (isRefusal(error) && group.length > 1) {
      for (const one of group) await layGroup(engine, [one]);
      return;
    }
    if (!isRefusal(error)) engine.events({ event: "database.unreachable", step: "bury", error: String(error) });
    for (const { raw, letter } of group) leave(engine, raw, letter, error);
  }
}

function tell(engine: Engine, raw: Message, { queue, message, speaks }: Letter, { buried, replayed }: Laid): void {
  const letter = { messageId: raw.id, deliveries: raw.attempts };
  if (message === null) {
    engine.events({ event: "message.unreadable", ...letter, queue });
    return;
  }
  const { jobId, attempt, kind } = message;
  const event =
    speaks && buried.has(jobId)
      ? "job.buried"
      : speaks && replayed.some(({ id }) => id === jobId)
        ? "dead_letter.replayed"
        : "dead_letter.ignored";
  engine.events({ event, ...letter, jobId, attempt, kind, cause: CAUSE });
}

/** Comes again, ever more seldom; what D1 refuses, and what will come no more, is in the log. */
function leave(engine: Engine, raw: Message, { queue, body }: Letter, error: unknown): void {
  if (!isRefusal(error) && raw.attempts <= RETRIES) {
    giveBack(raw);
    return;
  }
  const letter = { messageId: raw.id, deliveries: raw.attempts, queue, body };
  engine.events({ event: "dead_letter.lost", ...letter, misfit: misfitOf(raw.body), error: String(error) });
  raw.ack();
}
