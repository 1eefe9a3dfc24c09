import { BULK_KIND } from "~/domain/bulk/bulk";
import { LANES } from "~/domain/lanes";
import { writePause } from "~/store/kinds";
import type { By } from "~/store/reopen";
import type { Engine } from "../engine";
import { feedIfHalfEmpty } from "../feed";
import { insist } from "../trouble/insist";

/** `never-held`: operations must go on, also those that are to repair what a pause has left. */
export type Paused = { kind: "changed" | "as-it-was" | "not-found" | "never-held" };

/** Claims of this kind stop at once; what runs goes on. Its due jobs are held, and each costs nothing until it resumes. */
export const pauseKind = (engine: Engine, name: string, by: By): Promise<Paused> => change(engine, name, true, by);

/** Held jobs are sent at once, as far as the lanes have room, and not only by the next minute's sweep. */
export async function resumeKind(engine: Engine, name: string, by: By): Promise<Paused> {
  const done = await change(engine, name, false, by);
  if (done.kind === "changed") {
    for (const lane of LANES) await feedIfHalfEmpty(engine, lane, await engine.lanes.metrics(lane));
  }
  return done;
}

async function change(engine: Engine, name: string, paused: boolean, by: By): Promise<Paused> {
  if (name === BULK_KIND) return { kind: "never-held" };
  const [token, audit] = [engine.newToken(), engine.newId()];
  const known = engine.kinds.has(name);
  const { found, changed } = await insist(engine, paused ? "pause kind" : "resume kind", () =>
    writePause(engine.store, token, name, paused, audit, by, known),
  );
  return { kind: found ? (changed ? "changed" : "as-it-was") : "not-found" };
}
