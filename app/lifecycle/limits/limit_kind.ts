import { BULK_KIND } from "~/domain/bulk/bulk";
import { encodeLimits, type KindLimits } from "~/domain/kind_limits";
import { LANES } from "~/domain/lanes";
import { letGroupsGo, writeLimits } from "~/store/kind_limits";
import type { By } from "~/store/reopen";
import type { Engine } from "../engine";
import { feedIfHalfEmpty } from "../feed";
import { insist } from "../trouble/insist";
import type { Paused } from "./pause_kind";

const AT_ONCE = 5_000;
const ROUNDS = 20;

/**
 * Sets the limits of a kind in place of those of its definition; null gives it those back. What runs goes on, over a new
 * limit as well. What waits is sent at once, as far as there is room for it now.
 */
export async function limitKind(engine: Engine, name: string, limits: KindLimits | null, by: By): Promise<Paused> {
  if (name === BULK_KIND) return { kind: "never-held" };
  const [token, audit] = [engine.newToken(), engine.newId()];
  const text = limits === null ? null : encodeLimits(limits);
  const known = engine.kinds.has(name);
  const { found, changed } = await insist(engine, "limit kind", () =>
    writeLimits(engine.store, token, name, text, audit, by, known),
  );
  if (!changed) return { kind: found ? "as-it-was" : "not-found" };
  if (text === null) engine.limited.delete(name);
  else engine.limited.add(name);
  await freeGroups(engine, name);
  for (const lane of LANES) await feedIfHalfEmpty(engine, lane, await engine.lanes.metrics(lane));
  return { kind: "changed" };
}

/** Limits of a kind are other ones now: whoever its groups hold tries again. Answers whether there are more: the next sweep's. */
export async function freeGroups(engine: Engine, kind: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS && engine.store.used.statements < engine.settings.statements; round++) {
    const freed = await insist(engine, "free groups", () => letGroupsGo(engine.store, kind, AT_ONCE));
    if (freed < AT_ONCE) return false;
  }
  return true;
}
