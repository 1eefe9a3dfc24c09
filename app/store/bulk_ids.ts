import { changedBy } from "./bulk_chunks";
import { type BulkAction, MOVES } from "./bulk_moves";
import { CHAINED, open } from "./chain";
import { type Store, sql } from "./store";

export type Skip = { id: string; reason: string };

/** One action on named jobs, at once and in one transaction. Unknown and unfit ones are skipped, with the reason. */
export async function applyToIds(
  store: Store,
  token: string,
  action: BulkAction,
  ids: string[],
  audit: string,
  actor: string,
  reason: string | null,
): Promise<{ changed: number; skipped: Skip[] }> {
  const [standing] = await store.batch([
    sql("SELECT jobs.id, generation FROM json_each(?1) AS o CROSS JOIN jobs ON jobs.id = o.value", JSON.stringify(ids)),
  ]);
  const rows = JSON.stringify(
    (standing as { id: string; generation: number }[]).map((row) => [row.id, row.generation]),
  );
  const results = await store.batch([
    open(token, "SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value->>0", rows),
    ...MOVES[action](token, rows),
    sql(
      `SELECT o.value AS id, coalesce('is ' || jobs.state || ' now', 'is not stored') AS reason
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch LEFT JOIN jobs ON jobs.id = o.value
       WHERE NOT ${action === "delete" ? "(jobs.id IS NULL AND o.value IN (SELECT k.value->>0 FROM json_each(?3) AS k))" : changedBy(action)} AND ?3 IS NOT NULL`,
      token,
      JSON.stringify(ids),
      rows,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, after, reason)
       SELECT ?2, clock, ?3, 'bulk ' || ?4, json_object('jobs', json(?5)), ?6 FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      audit,
      actor,
      action,
      JSON.stringify(ids),
      reason,
    ),
  ]);
  const skipped = standing?.length ? (results.at(-2) as Skip[]) : ids.map((id) => ({ id, reason: "is not stored" }));
  return { changed: ids.length - skipped.length, skipped };
}
