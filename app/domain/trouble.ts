/**
 * What an error of D1 or Queues means for whoever asked:
 *   refused      they answered and said no: nothing was done, and asking again gets the same answer
 *   daily-limit  the free plan's share of this day is used up: nothing goes on before 00:00 UTC
 *   overloaded   too much at once, or too heavy: ask less, and later
 *   transient    unreachable, or the reply was lost: it may have been done; ask again soon what is safe to repeat
 * None of it is the fault of a job. What is not known is taken for transient: its outcome is unknown.
 */
export type Trouble = "refused" | "daily-limit" | "overloaded" | "transient";

/** D1's own texts ("exceeded free tier daily row write limit"); 10253 is the Queues code for the same. */
const DAILY_LIMIT = /exceeded free tier daily|FreeTierLimitExceeded|\b10253\b/i;
/** A constraint, a size, a type; of Queues a missing queue, and messages that no queue takes. */
const REFUSED =
  /SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE|ERROR)|D1_TYPE_ERROR|Wrong number of parameter|\b(10104|1020[2-6]|10252)\b/;
/** Also a timeout, or memory and time of the processor used up, which reset the database; and one that is full. */
const OVERLOADED =
  /overloaded|exceeded (its )?(timeout|memory|cpu)|too many requests|storage limit|maximum DB size|SQLITE_FULL|\b1025[01]\b/i;

export function troubleOf(error: unknown): Trouble {
  if (error instanceof RangeError) return "refused";
  const text = String(error);
  if (DAILY_LIMIT.test(text)) return "daily-limit";
  if (REFUSED.test(text)) return "refused";
  return OVERLOADED.test(text) ? "overloaded" : "transient";
}

const DAY_MS = 86_400_000;
/** Not all at once when the day begins. */
const SPREAD_MS = 300_000;

/** When limits of the day are over, from `now` (ms), and a little later: `random` is in [0, 1). */
export const untilMidnight = (now: number, random: number): number =>
  DAY_MS - (now % DAY_MS) + Math.round(random * SPREAD_MS);

/** What R2 says when it cannot: the method, a text, and a code of five digits. */
export const isBucketTrouble = (error: unknown): boolean =>
  error instanceof Error &&
  /\b(head|get|put|delete|list|\w+Multipart\w*|uploadPart)\b: .*\(\d{5}\)/.test(error.message) &&
  !(error instanceof TypeError);
