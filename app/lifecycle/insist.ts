import { isRefusal } from "~/store/errors";
import { type Engine, pause } from "./engine";

const PAUSES_MS = [50, 250];

/**
 * Does a write again whose reply was lost, at once and then a little later. Only for writes that are harmless to repeat:
 * all of ours are, see `open` in store/chain.ts. What D1 refuses is not tried again; what stays unreachable is thrown.
 */
export async function insist<T>(engine: Engine, step: string, write: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await write();
    } catch (error) {
      if (isRefusal(error)) throw error;
      engine.events({ event: "database.unreachable", step, error: String(error) });
      await pause(engine, pauseMs);
    }
  }
  return write();
}
