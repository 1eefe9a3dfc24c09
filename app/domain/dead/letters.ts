import { misfitOf } from "../message";
import type { State } from "../states";

/** Messages that ask for one attempt of a job are sent again at most so often, by whoever. */
export const REPLAYS_MAX = 3;
/** A day at most: whoever wants it longer says so again. */
export const REPLAY_MINUTES_MAX = 1_440;

export type LetterFate = "buried" | "replayed" | "ignored" | "unreadable";

/** A dead letter, or a message that no release could read, as lists show it. */
export type LetterRow = {
  messageId: string;
  queue: string;
  at: string;
  fate: LetterFate;
  why: string;
  /** The beginning of it. */
  body: string;
  job: { id: string; attempt: number; kind: string | null; state: State | null } | null;
  /** How often messages for this attempt were sent again. */
  replays: number;
  /** Why it cannot be sent again; null: it can. */
  spent: string | null;
};

export type LetterPage = {
  revision: number;
  now: string;
  letters: LetterRow[];
  /** Dead letters are sent again until then, instead of ending their jobs. */
  replayUntil: string | null;
  next: string | null;
};

export const LETTER_WORDS: Record<LetterFate, string> = {
  buried: "Job ended",
  replayed: "Sent again",
  ignored: "Ignored",
  unreadable: "Not understood",
};

export function whyOf(fate: LetterFate, body: string): string {
  switch (fate) {
    case "buried":
      return "Its consumer went down on every delivery, so its job was ended.";
    case "replayed":
      return "Its consumer went down on every delivery. It was sent again, and ended no job.";
    case "ignored":
      return "Its consumer went down on every delivery, but its job had moved on.";
    case "unreadable": {
      const misfit = misfitOf(bodyOf(body));
      return misfit === null
        ? "An earlier release did not understand it. This one does."
        : `Not understood: ${misfit}. A job that it was for still waits, and gets another message.`;
    }
  }
}

/** Why a letter cannot be sent again; null: it can. `state`: of its job; null where none is stored. */
export function spentBecause(letter: { body: string; replays: number; state: State | null }): string | null {
  const misfit = misfitOf(bodyOf(letter.body));
  if (misfit !== null) return `It cannot be sent again: ${misfit}.`;
  if (letter.state === null) return "Its job is not stored.";
  if (letter.state !== "dead" && letter.state !== "pending") return `Its job is ${letter.state}.`;
  if (letter.replays >= REPLAYS_MAX)
    return `Sent again ${REPLAYS_MAX} times already: requeue its job, if it should run.`;
  return null;
}

/** What a body's text says; undefined for what is no JSON, as a text that was cut. */
export function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export type LetterCursor = { at: number; queue: string; messageId: string };

export const writeLetterCursor = ({ at, queue, messageId }: LetterCursor): string => `${at}.${queue}.${messageId}`;

/** Null for what `writeLetterCursor` did not write. */
export function readLetterCursor(text: string): LetterCursor | null {
  const [, at, queue, messageId] = /^(\d{1,15})\.([\w-]{1,63})\.([\s\S]{1,200})$/.exec(text) ?? [];
  return messageId === undefined ? null : { at: Number(at), queue: queue as string, messageId };
}

export const lettersAddress = (before?: string | null): string =>
  before ? `/dead/letters?${new URLSearchParams({ before })}` : "/dead/letters";
export const lettersFeedAddress = (before: string | null): string =>
  before ? `/api/v1/dead-letters?${new URLSearchParams({ before })}` : "/api/v1/dead-letters";
