/** Thrown by a handler: trying again cannot help. The job is dead at once, whatever tries are left. */
export class PermanentError extends Error {
  override name = "PermanentError";
}

/** Thrown by a handler: failed, and the next attempt should not come before `delayMs` (capped at 24 h). */
export class RetryLater extends Error {
  override name = "RetryLater";
  constructor(
    readonly delayMs: number,
    message = "asked to be retried later",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown by a handler: not a failure. The job goes on in `delayMs`, and this attempt uses up no try. */
export class Snooze extends Error {
  override name = "Snooze";
  constructor(readonly delayMs: number) {
    super(`snoozed for ${delayMs} ms`);
  }
}
