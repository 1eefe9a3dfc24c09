import type { Lane } from "~/domain/lanes";
import { troubleOf } from "~/domain/trouble";
import { type Ask, type Claimed, claimedWith, claimJobs } from "~/store/claims";
import { isRefusal } from "~/store/errors";
import type { Engine } from "./engine";
import { knownTo } from "./limits/known";
import { insist } from "./trouble/insist";

/**
 * Starts attempt n of each asked job that is still at n − 1, due and allowed to run: one transaction for the whole wave.
 * Who gets a job back holds it; nobody else can start or end that attempt. A claim whose reply was lost is not sent
 * again but re-read by its token. Throws when D1 stays unreachable: then nothing is held that anyone knows of, and what
 * may have been claimed comes back when its lease runs out.
 */
export async function claim(
  engine: Engine,
  lane: Lane,
  asks: (Ask & { kind: string })[],
  suspects: boolean,
): Promise<{ claimed: Claimed[]; unsent: boolean }> {
  const token = engine.newToken();
  const known = knownTo(engine);
  const limited = [...new Set(asks.map(({ kind }) => kind))].filter(
    (kind) => known.limited.has(kind) && engine.kinds.has(kind),
  );
  await engine.seam("claim: before write");
  try {
    const answer = await claimJobs(engine.store, token, asks, {
      known,
      limited,
      lane,
      suspects,
      leaseMs: engine.settings.leaseMs,
    });
    await engine.seam("claim: after write");
    return answer;
  } catch (error) {
    if (isRefusal(error)) throw error;
    engine.strain.note(troubleOf(error));
    engine.events({ event: "database.unreachable", step: "claim", error: String(error) });
    const claimed = await insist(engine, "re-read claim", () => claimedWith(engine.store, token, asks));
    return { claimed, unsent: false };
  }
}
