import { type Store, sql } from "./store";

/** The attempt that acts: what it may begin is guarded by these, like every other write of a worker. */
export type Holder = { id: string; attempt: number; token: string };
export type Effect = { startedAt: number; finishedAt: number | null; result: string | null };
export type Standing = { held: boolean; now: number; before: Effect | null };

const HELD = "jobs.id = ?1 AND jobs.attempt = ?2 AND jobs.token = ?3 AND +jobs.state = 'processing'";

const read = (holder: Holder, name: string) =>
  sql(
    `SELECT started_at AS startedAt, token, finished_at AS finishedAt, result FROM effects WHERE job_id = ?1 AND name = ?2`,
    holder.id,
    name,
  );

/** The effects of a job whose names begin with `prefix`, as they stand. */
export async function readEffects(store: Store, id: string, prefix: string): Promise<(Effect & { name: string })[]> {
  const [rows] = await store.batch([
    sql(
      `SELECT name, started_at AS startedAt, finished_at AS finishedAt, result FROM effects
       WHERE job_id = ?1 AND substr(name, 1, length(?2)) = ?2 ORDER BY name`,
      id,
      prefix,
    ),
  ]);
  return rows as (Effect & { name: string })[];
}

/**
 * Before an effect: whether the attempt is still held, and what is known of the effect. Leaves a start, under the same
 * guard, where none is there yet; `before` is what stood there before this call. Safe to send again with the same
 * `token`: what a call has started itself is not taken for an earlier start.
 */
export async function beginEffect(store: Store, token: string, holder: Holder, name: string): Promise<Standing> {
  const [before, held] = await store.batch([
    read(holder, name),
    sql(`SELECT {now} AS now FROM jobs WHERE ${HELD}`, holder.id, holder.attempt, holder.token),
    sql(
      `INSERT INTO effects (job_id, name, started_at, token) SELECT jobs.id, ?4, {now}, ?5 FROM jobs WHERE ${HELD}
       ON CONFLICT DO NOTHING`,
      holder.id,
      holder.attempt,
      holder.token,
      name,
      token,
    ),
  ]);
  const at = held?.[0] as { now: number } | undefined;
  const stood = before?.[0] as (Effect & { token: string }) | undefined;
  return { held: at !== undefined, now: at?.now ?? 0, before: stood && stood.token !== token ? stood : null };
}

/**
 * After an effect: records its result if none is there. That is a fact, not a decision, so it needs no lease. Answers
 * whether the attempt is still held. Safe to send again.
 */
export async function finishEffect(store: Store, holder: Holder, name: string, result: string): Promise<boolean> {
  const [, held] = await store.batch([
    sql(
      `INSERT INTO effects (job_id, name, started_at, token, finished_at, result)
       SELECT jobs.id, ?2, {now}, ?4, {now}, ?3 FROM jobs WHERE jobs.id = ?1
       ON CONFLICT (job_id, name) DO UPDATE SET finished_at = {now}, result = excluded.result WHERE finished_at IS NULL`,
      holder.id,
      name,
      result,
      holder.token,
    ),
    sql(`SELECT 1 FROM jobs WHERE ${HELD}`, holder.id, holder.attempt, holder.token),
  ]);
  return (held as unknown[]).length > 0;
}

/** Takes a start back: the effect is known not to have happened. Only the attempt that is held may say so. */
export async function forgetStart(store: Store, holder: Holder, name: string): Promise<void> {
  await store.batch([
    sql(
      `DELETE FROM effects WHERE job_id = ?1 AND name = ?4 AND finished_at IS NULL AND EXISTS (SELECT 1 FROM jobs WHERE ${HELD})`,
      holder.id,
      holder.attempt,
      holder.token,
      name,
    ),
  ]);
}
