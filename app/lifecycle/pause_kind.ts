import { LANES } from "~/domain/lanes";
import { writePause } from "~/store/kinds";
import type { By } from "~/store/reopen";
import type { Engine } from "./engine";
import { feedIfHalfEmpty } from "./feed";
import { insist } from "./insist";

/** Claims of this kind stop at once; what runs goes on. Its due jobs are held, and each costs nothing until it resumes. */
export const pauseKind = (engine: Engine, name: string, by: By): Promise<boolean> => change(engine, name, true, by);

/** Held jobs are sent at once, as far as the lanes have room, and not only by the next minute's sweep. */
export async function resumeKind(engine: Engine, name: string, by: By): Promise<boolean> {
  const changed = await change(engine, name, false, by);
  if (changed) for (const lane of LANES) await feedIfHalfEmpty(engine, lane, await engine.lanes.metrics(lane));
  return changed;
}

function change(engine: Engine, name: string, paused: boolean, by: By): Promise<boolean> {
  const [token, audit] = [engine.newToken(), engine.newId()];
  return insist(engine, paused ? "pause kind" : "resume kind", () =>
    writePause(engine.store, token, name, paused, audit, by),
  );
}
