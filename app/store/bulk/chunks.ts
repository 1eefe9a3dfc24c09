import { filterOf } from "~/domain/bulk/words";
import { Binds } from "../binds";
import { CHAINED, open } from "../chain";
import { type Store, sql } from "../store";
import { GOES_ON, type Operation, operationById } from "./bulk";
import { isWhole, lookFor, SINCE } from "./matching";
import { auditJobs, MEANT_FOR, MOVES, unchanged } from "./moves";

export type Chunk = { rows: { id: string; generation: number; attempt: number }[]; cursor: string; end: boolean };

/** Rows looked at for one chunk at most, whatever matches of them. */
const LOOKED_AT = 5_000;
/** Where other jobs lie between those that are meant: looked at for each that is taken, and so many times more where that was not enough. */
const WIDER = 4;

/**
 * The next jobs of an operation after its cursor, at most `limit`; `end`: there are no more after them. Looks no further
 * than it must: a pace takes few jobs at once.
 */
export async function nextChunk(store: Store, operation: Operation, limit: number): Promise<Chunk> {
  const rows: Looked[] = [];
  let { cursor } = operation;
  let left = LOOKED_AT;
  for (let n = isWhole(filterOf(operation)) ? limit + 1 : WIDER * limit; left > 0; n *= WIDER) {
    const wanted = Math.min(n, left);
    const seen = await readChunk(store, operation, cursor, wanted);
    rows.push(...seen.filter(({ hit }) => hit));
    left -= seen.length;
    const taken = rows.slice(0, limit);
    if (rows.length > limit) return { rows: taken, cursor: (taken.at(-1) as Looked).id, end: false };
    cursor = seen.at(-1)?.id ?? cursor;
    if (seen.length < wanted) return { rows, cursor, end: true };
  }
  return { rows, cursor, end: false };
}

type Looked = { id: string; generation: number; attempt: number; hit: number | null };

async function readChunk(store: Store, operation: Operation, after: string, n: number): Promise<Looked[]> {
  const { cutoff, view } = operation;
  const binds = new Binds();
  const { rows: place, hit } = lookFor(filterOf(operation), binds);
  const [rows] = await store.batch([
    sql(
      `SELECT id, generation, attempt, ${hit} AND ${SINCE[view]} <= ${binds.add(cutoff)} AS hit
       ${place} AND id > ${binds.add(after)} ORDER BY id LIMIT ${binds.add(n)}`,
      ...binds.params,
    ),
  ]);
  return rows as Looked[];
}

/**
 * Works one chunk off: its jobs and the operation's cursor and numbers move together, or nothing does. Guarded by the
 * cursor it was read at, so a chunk that is sent again, or by two workers, counts once, and by its job, so that none comes
 * after the end. What has left its view since it was read is skipped. Answers the operation as it stands then.
 */
export async function applyChunk(
  store: Store,
  token: string,
  { id, action, view, kind, cursor, actor, reason }: Operation,
  chunk: Chunk,
  audit: string,
): Promise<Operation> {
  const rows = JSON.stringify(chunk.rows.map((row) => [row.id, row.generation, view, kind, null, row.attempt]));
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
