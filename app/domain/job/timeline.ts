import type { AttemptRow } from "../feeds";

/**
 * How long nothing was to happen between two attempts, in ms: from the end of the one before to when this one was due. Null: it
 * is the first of its generation, or the one before is not at hand.
 */
export function backoffOf(attempt: AttemptRow, before: AttemptRow | undefined): number | null {
  if (before?.number !== attempt.number - 1 || before.generation !== attempt.generation) return null;
  const dueAt = Date.parse(attempt.startedAt) - attempt.waitedMs;
  return Math.max(0, dueAt - Date.parse(before.finishedAt));
}
