import { MayHaveHappened, OutcomeUnknown, PermanentError, RetryLater } from "~/domain/errors";
import { RESULT_BYTES } from "~/domain/limits";
import { byteLength } from "~/domain/text";
import type { Once } from "~/kinds/define";
import { beginEffect, finishEffect, forgetStart, type Holder } from "~/store/effects";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";
import { offer } from "./offer";
import { Stopped } from "./stopped";

/**
 * Effects of one attempt: each is done once over all attempts and generations of its job, as far as anybody can know.
 *   finished before         its recorded result, and the function does not run
 *   started, not finished   unknown: waits for a person, unless its receiver honours the key and still remembers it
 *   attempt lost before     throws, and the function does not run
 *   told to stop before     the same: a handler that was left behind begins nothing more outside
 *   attempt lost meanwhile  the result is recorded all the same, then it throws
 *   D1 out of reach after   the result is offered until D1 takes it, so that it need not be unknown
 * A `PermanentError` or `RetryLater` from the function says that nothing happened: a start that was made here is taken
 * back. One of an earlier attempt stays, since nobody knows what came of that. `MayHaveHappened` keeps it too.
 */
export function onceFor(engine: Engine, holder: Holder, stop: AbortSignal, facts: Promise<unknown>[]): Once {
  return async (name, act, options = {}) => {
    stop.throwIfAborted();
    const token = engine.newToken();
    const { held, now, before } = await insist(engine, "begin effect", () =>
      beginEffect(engine.store, token, holder, name),
    );
    if (before?.finishedAt != null) return JSON.parse(before.result ?? "null");
    if (!held) throw new Stopped("lost");
    if (before && !remembers(options.keyed, now - before.startedAt)) throw new OutcomeUnknown(name);
    await engine.seam(`effect: before ${name}`);
    const result = await act(`${holder.id}/${name}`).catch(async (error) => {
      const unknown = error instanceof MayHaveHappened;
      if (unknown && !options.keyed) throw new OutcomeUnknown(name, error.message);
      const nothingHappened = !unknown && (error instanceof PermanentError || error instanceof RetryLater);
      if (nothingHappened && !before)
        await insist(engine, "forget start", () => forgetStart(engine.store, holder, name));
      throw error;
    });
    await engine.seam(`effect: after ${name}`);
    const text = JSON.stringify(result) ?? "null";
    if (byteLength(text) > RESULT_BYTES)
      throw new PermanentError(`the result of effect ${name} is over ${RESULT_BYTES} bytes`);
    const fact = offer(engine, "finish effect", () => finishEffect(engine.store, holder, name, text));
    facts.push(fact);
    const still = await fact;
    if (!still) throw new Stopped("lost");
    return result;
  };
}

/** Whether the receiver would recognise the key again: true for ever, or for so many ms after the first start. */
const remembers = (keyed: true | { forMs: number } | undefined, ageMs: number): boolean =>
  keyed === true || (keyed !== undefined && ageMs < keyed.forMs);
