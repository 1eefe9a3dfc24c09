import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";
import { openOnce } from "../audit";
import { CHAINED } from "../chain";
import type { By } from "../reopen";
import { type Store, sql } from "../store";
import { auditJobs, CHANGED, MEANT_FOR, MOVES, unchanged } from "./moves";

/** Jobs named one by one, as they stand; null: not stored. */
export type Named = { id: string; generation: number | null };

export async function readNamed(store: Store, ids: string[]): Promise<Named[]> {
  const [rows] = await store.batch([
    sql(
      "SELECT o.value AS id, jobs.generation FROM json_each(?1) AS o LEFT JOIN jobs ON jobs.id = o.value",
      JSON.stringify(ids),
    ),
  ]);
  return rows as Named[];
}

export type Skip = { id: string; reason: string };

const HAS_ENTRY = "EXISTS (SELECT 1 FROM audit WHERE audit.id = ?2 || ':' || (o.value->>0))";
/** What the call that left its entries under `?2` has changed: told by these, whatever became of the job since. Of a deleted one there is none. */
const DID: Record<BulkAction, string> = {
  requeue: HAS_ENTRY,
  cancel: HAS_ENTRY,
  delete: `(${CHANGED.delete} AND ?2 IS NOT NULL)`,
};

/**
 * One action on named jobs, at once and in one transaction. Unknown and unfit ones are skipped, with the reason, and so
 * are those that match `still` no more. Sent again after a lost reply it changes nothing, and says what it changed.
 */
export async function applyToNamed(
  store: Store,
  token: string,
  action: BulkAction,
  named: Named[],
  still: Partial<BulkFilter>,
  audit: string,
  by: By,
): Promise<{ changed: number; skipped: Skip[] }> {
  const { view = null, kind = null, cause = null } = still;
  const rows = JSON.stringify(named.map(({ id, generation }) => [id, generation, view, kind, cause]));
  const results = await store.batch([
    openOnce(token, audit, `SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON ${MEANT_FOR[action]}`, rows),
    ...MOVES[action](token, rows, null),
    auditJobs(token, rows, action, audit, by, null),
    sql(
      `INSERT INTO audit (id, at, actor, action, after, reason)
       SELECT ?2, clock, ?3, 'bulk ' || ?4, json_object('jobs', json(?5)), ?6 FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      audit,
      by.actor,
      action,
      JSON.stringify(named.map(({ id }) => id)),
      by.reason ?? null,
    ),
    sql(
      `SELECT o.value->>0 AS id, ${unchanged(action)} AS reason
       FROM json_each(?1) AS o LEFT JOIN jobs ON jobs.id = o.value->>0 WHERE NOT ${DID[action]}`,
      rows,
      audit,
    ),
  ]);
  const skipped = results.at(-1) as Skip[];
  return { changed: named.length - skipped.length, skipped };
}
