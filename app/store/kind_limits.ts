import { openOnce } from "./audit";
import { CHAINED } from "./chain";
import { changeOf, changeTold, FOUND } from "./kinds";
import type { By } from "./reopen";
import { type Store, sql } from "./store";

const NOW_SET = "(SELECT limits FROM kinds WHERE kinds.name = ?2)";

/**
 * Sets the limits of a kind (`encodeLimits`), or gives it back those of its definition (null); recorded with who did it.
 * Safe to send again. `known`: it needs no trace.
 */
export async function writeLimits(
  store: Store,
  token: string,
  name: string,
  limits: string | null,
  audit: string,
  by: By,
  known: boolean,
): Promise<{ found: boolean; changed: boolean }> {
  const results = await store.batch([
    openOnce(token, audit, `SELECT 1 WHERE ${NOW_SET} IS NOT ?4 AND ${FOUND}`, name, known ? 1 : 0, limits),
    sql(
      `INSERT INTO audit (id, at, actor, action, before, after, reason)
       SELECT ?3, clock, ?4, 'limit kind', json_object('kind', ?2, 'limits', json(${NOW_SET})),
         json_object('kind', ?2, 'limits', json(?5)), ?6 FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      name,
      audit,
      by.actor,
      limits,
      by.reason ?? null,
    ),
    sql(
      `INSERT INTO kinds (name, limits, limits_at, limits_by, limits_reason)
       SELECT ?2, ?3, CASE WHEN ?3 IS NOT NULL THEN clock END, CASE WHEN ?3 IS NOT NULL THEN ?4 END,
         CASE WHEN ?3 IS NOT NULL THEN ?5 END FROM ${CHAINED} WHERE true
       ON CONFLICT (name) DO UPDATE SET limits = excluded.limits, limits_at = excluded.limits_at,
         limits_by = excluded.limits_by, limits_reason = excluded.limits_reason`,
      token,
      name,
      limits,
      by.actor,
      by.reason ?? null,
    ),
    changeTold(audit, name, known),
  ]);
  return changeOf(results);
}

/** Lets up to `limit` jobs go that their groups hold, of one kind or of all: they are held again if they must be. Answers how many. */
export async function letGroupsGo(store: Store, kind: string | null, limit: number): Promise<number> {
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET held_at = NULL WHERE id IN (SELECT id FROM jobs INDEXED BY jobs_held
         WHERE state = 'pending' AND held_at IS NOT NULL AND ${kind === null ? "?1 IS NULL" : "kind = ?1"} LIMIT ?2) RETURNING 1`,
      kind,
      limit,
    ),
  ]);
  return (rows as unknown[]).length;
}
