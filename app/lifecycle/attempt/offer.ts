import { isUnreachable } from "~/store/errors";
import { type Engine, pause } from "../engine";
import { insist } from "../trouble/insist";

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** About as long as an invocation lives. */
const OFFERED_MS = 14 * 60_000;

/**
 * Writes a fact that nobody can find out again: offered until D1 takes or refuses it, also while its attempt has been
 * given up meanwhile. Only where a limit of the day is reached is there nothing to wait for.
 */
export async function offer<T>(engine: Engine, step: string, write: () => Promise<T>): Promise<T> {
  const since = engine.localNow();
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await insist(engine, step, write);
    } catch (error) {
      const vain = !isUnreachable(error) || error.trouble === "daily-limit";
      if (vain || engine.localNow() - since > OFFERED_MS) throw error;
      await pause(engine, pauseMs);
    }
  }
}
