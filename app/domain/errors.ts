/** Thrown by a handler: trying again cannot help. The job is dead at once, whatever tries are left. */
export class PermanentError extends Error {
  override name = "PermanentError";
}

/**
 * An effect was started and nobody knows how it ended: acting again might act twice, so a person decides. Their requeue
 * may say that it is to be done again.
 */
export class OutcomeUnknown extends PermanentError {
  override name = "OutcomeUnknown";
  constructor(
    readonly effect: string,
    why = "an earlier attempt started it and left no result",
  ) {
    super(`nobody knows whether "${effect}" was done (${why}): check the other side, then requeue`);
  }
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

/**
 * Thrown inside an effect: it failed, and may have happened all the same (a reply that was lost, a server in trouble). It
 * stays begun, so the next attempt acts only where the receiver honours the key; elsewhere a person decides.
 */
export class MayHaveHappened extends RetryLater {
  override name = "MayHaveHappened";
}

/** Thrown by a handler: not a failure. The job goes on in `delayMs` (capped at 366 days), and this attempt uses up no try. */
export class Snooze extends Error {
  override name = "Snooze";
  constructor(readonly delayMs: number) {
    super(`snoozed for ${delayMs} ms`);
  }
}
