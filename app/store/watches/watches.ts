import type { StoredTiming } from "~/domain/schedules/schedule";
import type { WatchDefinition } from "~/domain/watches/watch";
import { CHAINED, open } from "../chain";
import { countRows, type Inserted, insertRows, type NewJob, readRows } from "../insert_jobs";
import { type Statement, type Store, sql } from "../store";

/** What a watch saw last. `seen` counts the looks that were kept. */
export type Memory = {
  seen: number;
  hash: string | null;
  value: string | null;
  number: number | null;
  etag: string | null;
  lastModified: string | null;
};
export type Watch = WatchDefinition & {
  id: string;
  version: number;
  origin: string | null;
  dueAt: number | null;
  pausedAt: number | null;
  memory: Memory;
};

const TIMING = "cron, every_minutes AS everyMinutes, anchor_at AS anchorAt, time_zone AS timeZone";

export async function findWatch(store: Store, id: string): Promise<Watch | null> {
  const [rows] = await store.batch([
    sql(
      `SELECT id, version, origin, due_at AS dueAt, paused_at AS pausedAt, name, url, selector, attribute, compare, channels,
         ${TIMING}, seen, hash, value, number, etag, last_modified AS lastModified FROM watches WHERE id = ?1`,
      id,
    ),
  ]);
  const row = rows?.[0];
  if (!row) return null;
  const { seen, hash, value, number, etag, lastModified, channels, ...rest } = row;
  return {
    ...rest,
    channels: JSON.parse(channels as string),
    memory: { seen, hash, value, number, etag, lastModified },
  } as Watch;
}

/** The key of the job for the slot that is due: `checkKey` in SQL. */
const KEY_OF_DUE = "'watch/' || w.id || '/' || w.due_at";

/** A watch that needs the sweep. `jobId`: its slot's job, which has ended and left it where it was; null: there is none. */
export type DueWatch = StoredTiming & { id: string; name: string; dueAt: number; jobId: string | null; now: number };

/** Watches whose slot has come and has no job, or whose job has ended without moving them on. Only a hint. */
export const dueWatches = (limit: number): Statement =>
  sql(
    `SELECT w.id, w.name, w.due_at AS dueAt, ${TIMING}, jobs.id AS jobId, {now} AS now
     FROM watches AS w INDEXED BY watches_due LEFT JOIN jobs ON jobs.idempotency_key = ${KEY_OF_DUE}
     WHERE w.due_at IS NOT NULL AND w.due_at <= {now} AND (jobs.id IS NULL OR jobs.finished_at IS NOT NULL)
     ORDER BY w.due_at LIMIT ?1`,
    limit,
  );

export async function readDueWatches(store: Store, limit: number): Promise<DueWatch[]> {
  const [rows] = await store.batch([dueWatches(limit)]);
  return rows as DueWatch[];
}

/** `m` is [watch, slot]: the watch still waits for that slot's check. */
export const STANDS = "w.id = m.value->>0 AND w.due_at = m.value->>1";

/** Stores the jobs of due slots: each only while its watch waits for it, and never a second one. Safe to send again. */
export async function startChecks(
  store: Store,
  token: string,
  slots: { id: string; dueAt: number }[],
  jobs: NewJob[],
  aheadMs: number,
): Promise<Inserted["stored"]> {
  const moves = JSON.stringify(slots.map(({ id, dueAt }) => [id, dueAt]));
  const results = await store.batch([
    open(
      token,
      `SELECT 1 FROM json_each(?2) AS m CROSS JOIN watches AS w ON ${STANDS}
       WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.idempotency_key = ${KEY_OF_DUE})`,
      moves,
    ),
    ...insertRows(
      token,
      jobs,
      aheadMs,
      `EXISTS (SELECT 1 FROM json_each(?5) AS m CROSS JOIN watches AS w ON ${STANDS} WHERE ${KEY_OF_DUE} = o.value->>8)`,
      moves,
    ),
    countRows(token, jobs),
    readRows(token, jobs),
  ]);
  return results.at(-1) as Inserted["stored"];
}

/** A watch whose times cannot be read stops until a person has changed it, and says why. */
export async function parkWatch(store: Store, token: string, id: string, dueAt: number, error: string): Promise<void> {
  await store.batch([
    open(token, "SELECT 1 FROM watches WHERE id = ?2 AND due_at = ?3", id, dueAt),
    sql(
      `UPDATE watches SET due_at = NULL, paused_at = batch.clock, paused_by = NULL, last_error = ?4
       FROM ${CHAINED} AS batch WHERE watches.id = ?2 AND watches.due_at = ?3`,
      token,
      id,
      dueAt,
      error,
    ),
  ]);
}
