import type { JobContext } from "~/kinds/define";
import type { Holder } from "~/store/effects";
import { writeHeld } from "~/store/held";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";
import { Stopped } from "./stopped";

/** Writes of one attempt before its end: they land while it is held; once it is not, nothing is written and it stops. */
export function guardedFor(engine: Engine, holder: Holder): JobContext["guarded"] {
  return async (...statements) => {
    if (statements.length === 0) return;
    const token = engine.newToken();
    await engine.seam("guarded: before write");
    const held = await insist(engine, "guarded write", () => writeHeld(engine.store, token, holder, statements));
    await engine.seam("guarded: after write");
    if (!held) throw new Stopped("lost");
  };
}
