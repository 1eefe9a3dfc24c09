import type { Vitals } from "~/domain/overview/health";
import { type Store, sql } from "../store";

/** Four rows. Throws where D1 does not answer. */
export async function readVitals(store: Store): Promise<Vitals> {
  const [clock, sweeps, oldest, sweeper] = await store.batch([
    sql("SELECT {now} AS now"),
    sql("SELECT finished_at AS finishedAt, error FROM sweeps ORDER BY fence DESC LIMIT 1"),
    sql("SELECT created_at AS createdAt FROM jobs ORDER BY id LIMIT 1"),
    sql("SELECT sends_from > {now} AS limited FROM leases WHERE key = 'sweep'"),
  ]);
  return {
    now: clock?.[0]?.now as number,
    lastSweep: (sweeps?.[0] as Vitals["lastSweep"]) ?? null,
    queuesLimited: sweeper?.[0]?.limited === 1,
    oldestJobAt: (oldest?.[0]?.createdAt as number) ?? null,
  };
}
