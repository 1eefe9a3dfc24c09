import { openOnce } from "./audit";
import { CHAINED } from "./chain";
import type { By } from "./reopen";
import { type Rows, type Statement, type Store, sql } from "./store";

/** A kind of this release, or one that has left a trace: jobs, or a pause. */
export const FOUND = `(?3 OR EXISTS (SELECT 1 FROM job_counts WHERE job_counts.kind = ?2)
  OR EXISTS (SELECT 1 FROM kinds WHERE kinds.name = ?2))`;

/** Pauses a kind, or lets it run on; recorded with who did it. Safe to send again. `known`: it needs no trace. */
export async function writePause(
  store: Store,
  token: string,
  name: string,
  paused: boolean,
  audit: string,
  by: By,
  known: boolean,
): Promise<{ found: boolean; changed: boolean }> {
  const standing = "(SELECT paused_at FROM kinds WHERE kinds.name = ?2)";
  const results = await store.batch([
    openOnce(
      token,
      audit,
      `SELECT 1 WHERE ${standing} IS ${paused ? "NULL" : "NOT NULL"} AND ${FOUND}`,
      name,
      known ? 1 : 0,
    ),
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
    changeTold(audit, name, known),
  ]);
  return changeOf(results);
}

/** Last in a change of a kind: whether it was made, now or by an earlier sending of the same batch, and whether there is such a kind. */
export const changeTold = (audit: string, name: string, known: boolean): Statement =>
  sql(
    `SELECT EXISTS (SELECT 1 FROM audit WHERE audit.id = ?1) AS changed, ${FOUND} AS found`,
    audit,
    name,
    known ? 1 : 0,
  );

export function changeOf(results: Rows[]): { found: boolean; changed: boolean } {
  const [row] = results.at(-1) as [{ found: number; changed: number }];
  return { found: row.found === 1, changed: row.changed === 1 };
}
