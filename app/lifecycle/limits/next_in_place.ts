import { LANES } from "~/domain/lanes";
import { nextLimitedSent } from "~/store/limited_sends";
import type { Statement } from "~/store/store";
import type { Engine } from "../engine";
import { knownTo } from "./known";

/**
 * Part of a settle: marks as sent what may start in the places that these jobs leave, one for each, where their kinds have
 * limits. In the same write: so no moment is left in which a job is held by a place that is free. `kinds`: one entry a job.
 */
export function nextInPlaceOf(engine: Engine, kinds: string[]): Statement | null {
  const known = knownTo(engine);
  const leaving = kinds.filter((kind) => known.limited.has(kind) && engine.kinds.has(kind));
  return leaving.length === 0 ? null : nextLimitedSent([...new Set(leaving)], known, LANES, 0, leaving.length);
}
