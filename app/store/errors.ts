import { troubleOf } from "~/domain/trouble";

/** Thrown by the store and by nothing else: what D1 threw, in its own words. */
export class DatabaseError extends Error {
  readonly trouble = troubleOf(this.cause);

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** D1 answered and said no: nothing was written, and sending it again gets the same answer. */
export const isRefusal = (error: unknown): boolean => troubleOf(error) === "refused";

/** D1 did not answer, or not now: the write may or may not have committed. Errors of anything else are not meant. */
export const isUnreachable = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.trouble !== "refused";
