import { filterOf } from "~/domain/bulk/words";
import { Binds } from "../binds";
import { CHAINED, open } from "../chain";
import { type Store, sql } from "../store";
import { GOES_ON, type Operation, operationById } from "./bulk";
import { lookFor } from "./matching";
import { auditJobs, MEANT_FOR, MOVES, unchanged } from "./moves";

export type Chunk = { rows: { id: string; generation: number }[]; cursor: string; end: boolean };

/** Rows looked at for one chunk, whatever matches of them. */
const LOOKED_AT = 5_000;

/**
 * The next jobs of an operation after its cursor, at most `limit`; `end`: there are no more after them. Jobs of operations
 * are meant only where their kind is named: a deletion that was stopped must not go on because all dead jobs are requeued.
 */
export async function nextChunk(store: Store, operation: Operation, limit: number): Promise<Chunk> {
  const { cursor, cutoff } = operation;
  const binds = new Binds();
  const { rows: place, hit } = lookFor(filterOf(operation), binds);
  const [rows] = await store.batch([
    sql(
      `SELECT id, generation, ${hit} AND coalesce(finished_at, created_at) <= ${binds.add(cutoff)} AS hit
       ${place} AND id > ${binds.add(cursor)} ORDER BY id LIMIT ${LOOKED_AT}`,
      ...binds.params,
    ),
  ]);
  const seen = rows as { id: string; generation: number; hit: number }[];
  const hits = seen.filter((row) => row.hit);
  const full = hits.length > limit;
  const taken = hits.slice(0, limit);
  const last = full ? (taken.at(-1) as { id: string }).id : (seen.at(-1)?.id ?? cursor);
  return { rows: taken, cursor: last, end: !full && seen.length < LOOKED_AT };
}

/**
 * Works one chunk off: its jobs and the operation's cursor and numbers move together, or nothing does. Guarded by the
 * cursor it was read at, so a chunk that is sent again, or by two workers, counts once, and by its job, so that none comes
 * after the end. Answers the operation as it
 * stands then.
 */
export async function applyChunk(
  store: Store,
  token: string,
  { id, action, kind, cursor, actor, reason }: Operation,
  chunk: Chunk,
  audit: string,
): Promise<Operation> {
  const rows = JSON.stringify(chunk.rows.map((row) => [row.id, row.generation, null, kind]));
  const results = await store.batch([
    open(token, GOES_ON, id, cursor),
    // Before the moves, and by what they ask: afterwards nobody can tell whose deletion, or whose cancel of this very ms, it was.
    sql(
      `INSERT INTO bulk_skips (operation_id, job_id, reason)
       SELECT ?3, o.value->>0, ${unchanged(action)}
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch LEFT JOIN jobs ON jobs.id = o.value->>0
       WHERE (${MEANT_FOR[action]}) IS NOT TRUE ON CONFLICT DO NOTHING`,
      token,
      rows,
      id,
    ),
    ...MOVES[action](token, rows, id),
    auditJobs(token, rows, action, audit, { actor, reason: reason ?? undefined }, id),
    sql(
      `UPDATE bulk_operations SET cursor = ?4, skipped = skipped + s.n, changed = changed + json_array_length(?2) - s.n,
         state = CASE WHEN ?5 THEN 'done' ELSE state END, ended_at = CASE WHEN ?5 THEN batch.clock END
       FROM ${CHAINED} AS batch CROSS JOIN (SELECT count(*) AS n FROM json_each(?2) AS o
         WHERE EXISTS (SELECT 1 FROM bulk_skips AS b WHERE b.operation_id = ?3 AND b.job_id = o.value->>0)) AS s
       WHERE bulk_operations.id = ?3`,
      token,
      rows,
      id,
      chunk.cursor,
      chunk.end ? 1 : 0,
    ),
    operationById(id),
  ]);
  return (results.at(-1) as [Operation])[0];
}
