import { CHAINED, open } from "./chain";
import type { By } from "./reopen";
import { type Store, sql } from "./store";

export type KindStanding = {
  name: string;
  pausedAt: number | null;
  pausedBy: string | null;
  pauseReason: string | null;
};

export async function listKinds(store: Store): Promise<KindStanding[]> {
  const [rows] = await store.batch([
    sql(
      "SELECT name, paused_at AS pausedAt, paused_by AS pausedBy, pause_reason AS pauseReason FROM kinds ORDER BY name",
    ),
  ]);
  return rows as KindStanding[];
}

/** Pauses a kind, or lets it run on; recorded with who did it. Answers whether anything changed. Safe to send again. */
export async function writePause(
  store: Store,
  token: string,
  name: string,
  paused: boolean,
  audit: string,
  by: By,
): Promise<boolean> {
  const standing = "(SELECT paused_at FROM kinds WHERE kinds.name = ?2)";
  const results = await store.batch([
    open(token, `SELECT 1 WHERE ${standing} IS ${paused ? "NULL" : "NOT NULL"}`, name),
    sql(
      `INSERT INTO kinds (name, paused_at, paused_by, pause_reason)
       SELECT ?2, CASE WHEN ?3 THEN clock END, CASE WHEN ?3 THEN ?4 END, CASE WHEN ?3 THEN ?5 END FROM ${CHAINED} WHERE true
       ON CONFLICT (name) DO UPDATE SET paused_at = excluded.paused_at, paused_by = excluded.paused_by, pause_reason = excluded.pause_reason`,
      token,
      name,
      paused ? 1 : 0,
      by.actor,
      by.reason ?? null,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, after, reason)
       SELECT ?2, clock, ?3, ?4, json_object('kind', ?5), ?6 FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      audit,
      by.actor,
      paused ? "pause kind" : "resume kind",
      name,
      by.reason ?? null,
    ),
    sql("SELECT 1 FROM audit WHERE id = ?1", audit),
  ]);
  return (results.at(-1) as unknown[]).length > 0;
}
