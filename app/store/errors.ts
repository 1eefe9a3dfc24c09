/**
 * D1 answered and said no (a constraint, a size, a type): nothing was written, and sending it again gets the same answer.
 * Everything else is an unreachable database or a lost reply: the write may or may not have committed.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RangeError ||
  /SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE|ERROR)|D1_TYPE_ERROR|Wrong number of parameter/.test(String(error));

/**
 * The free plan's daily limit is reached: every write fails until 00:00 UTC, so asking again soon is pointless. The text
 * is D1's own ("exceeded free tier daily row write limit"); 10253 is the Queues code for the same.
 */
export const isDailyLimit = (error: unknown): boolean =>
  /exceeded free tier daily|FreeTierLimitExceeded|\b10253\b/i.test(String(error));
