import { isUnreachable } from "~/store/errors";
import { type Engine, pause } from "../engine";

/** About so long before each further try. An overloaded D1 is not asked again at once. */
const PAUSES_MS = { transient: [50, 250], overloaded: [1_000] } as const;

/**
 * Does a write again whose reply was lost, at once and then a little later. Only for writes that are harmless to repeat:
 * all of ours are, see `open` in store/chain.ts. What D1 refuses is not tried again, nor is anything on a day whose limit
 * is reached; what stays unreachable is thrown.
 */
export async function insist<T>(engine: Engine, step: string, write: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const { trouble } = error;
      engine.strain.note(trouble);
      const pauseMs = trouble === "transient" || trouble === "overloaded" ? PAUSES_MS[trouble][tries] : undefined;
      if (pauseMs === undefined) throw error;
      engine.events({ event: "database.unreachable", step, error: String(error) });
      await pause(engine, pauseMs * (0.5 + engine.random()));
    }
  }
}
