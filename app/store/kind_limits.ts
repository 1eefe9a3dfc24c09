import { VIEW_NAMES, VIEWS } from "~/domain/states";
import { openOnce } from "./audit";
import { CHAINED } from "./chain";
import { changeOf, changeTold, FOUND } from "./kinds";
import type { By } from "./reopen";
import { type Store, sql } from "./store";

/** Never the same time twice: who is at work for an earlier asking must not take this one for done. */
const ASKED_AGAIN =
  "ON CONFLICT (kind) DO UPDATE SET held_until = max(groups_to_free.held_until + 1, excluded.held_until)";
const NOW_SET = "(SELECT limits FROM kinds WHERE kinds.name = ?2)";

/**
 * Sets the limits of a kind (`encodeLimits`), or gives it back those of its definition (null); recorded with who did it.
 * Safe to send again. `known`: it needs no trace. That groups are to be let go is written with it: `letGroupsGo` does it.
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
    sql(
      `INSERT INTO groups_to_free (kind, held_until) SELECT ?2, clock FROM ${CHAINED} WHERE true ${ASKED_AGAIN}`,
      token,
      name,
    ),
    changeTold(audit, name, known),
  ]);
  return changeOf(results);
}

/**
 * A release has brought other limits: the groups of these kinds (null: of all) that have waiting jobs are to be let go. Answers
 * all whose groups are.
 */
export async function askForGroups(store: Store, kinds: string[] | null): Promise<string[]> {
  const results = await store.batch([
    sql(
      `INSERT INTO groups_to_free (kind, held_until) SELECT DISTINCT kind, {now} FROM job_counts
       WHERE n > 0 AND view IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR kind IN (SELECT value FROM json_each(?2))) ${ASKED_AGAIN}`,
      JSON.stringify(VIEW_NAMES.filter((view) => VIEWS[view].state === "pending")),
      kinds && JSON.stringify(kinds),
    ),
    sql("SELECT kind FROM groups_to_free"),
  ]);
  return (results.at(-1) as { kind: string }[]).map(({ kind }) => kind);
}

/** Held by a group of the kind ?1 since before its limit was set. */
const HELD_BEFORE =
  "jobs.state = 'pending' AND jobs.held_at IS NOT NULL AND jobs.kind = ?1 AND jobs.held_at <= groups_to_free.held_until";

/**
 * Lets up to `limit` jobs of a kind go that its groups have held since before its limits were set; they are held again if
 * they must be. Where none is left the kind is done with. Answers how many went. Safe to send again.
 */
export async function letGroupsGo(store: Store, kind: string, limit: number): Promise<number> {
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET held_at = NULL WHERE id IN (SELECT jobs.id FROM groups_to_free
         CROSS JOIN jobs INDEXED BY jobs_held ON ${HELD_BEFORE} WHERE groups_to_free.kind = ?1 LIMIT ?2) RETURNING 1`,
      kind,
      limit,
    ),
    sql(
      `DELETE FROM groups_to_free WHERE kind = ?1 AND NOT EXISTS (SELECT 1 FROM jobs INDEXED BY jobs_held WHERE ${HELD_BEFORE})`,
      kind,
    ),
  ]);
  return (rows as unknown[]).length;
}
