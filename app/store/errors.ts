/**
 * D1 answered and said no (a constraint, a size, a type): nothing was written, and sending it again gets the same answer.
 * Everything else is an unreachable database or a lost reply: the write may or may not have committed.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof RangeError || /SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE|ERROR)|D1_TYPE_ERROR/.test(String(error));
