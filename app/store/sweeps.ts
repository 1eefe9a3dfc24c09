import type { Claimed } from "./claims";
import { expiredLeases } from "./leases";
import { anyGone, anyUnsent } from "./sends";
import { type Store, sql } from "./store";

const KEEP_MS = 48 * 3_600_000;
const KEEP_QUARTERS_MS = 400 * 86_400_000;

export type LaneAge = { lane: string; goneBefore: number | null };
export type Chores = { fence: number; startedAt: number; expired: Claimed[]; unsent: string[]; gone: string[] };

/**
 * Takes the sweep's lease, if nobody holds it, and finds out what there is to do: one call. null: another sweep is at
 * work. What it finds is a hint; every write asks again.
 */
export async function beginSweep(
  store: Store,
  owner: string,
  leaseMs: number,
  known: string[],
  lanes: LaneAge[],
  aheadMs: number,
  graceMs: number,
  limit: number,
): Promise<Chores | null> {
  const aged = lanes.filter((lane): lane is { lane: string; goneBefore: number } => lane.goneBefore !== null);
  const results = await store.batch([
    sql(
      `UPDATE leases SET owner = ?1, fence = fence + 1, expires_at = {now} + ?2 WHERE key = 'sweep' AND expires_at <= {now}
       RETURNING fence, expires_at - ?2 AS startedAt`,
      owner,
      leaseMs,
    ),
    expiredLeases(limit),
    ...lanes.map(({ lane }) => anyUnsent(known, lane, aheadMs)),
    ...aged.map(({ lane, goneBefore }) => anyGone(known, lane, graceMs, goneBefore)),
  ]);
  const lease = results[0]?.[0] as { fence: number; startedAt: number } | undefined;
  if (!lease) return null;
  const found = results.slice(2).map((rows) => rows.length > 0);
  return {
    ...lease,
    expired: results[1] as Claimed[],
    unsent: lanes.filter((_, index) => found[index]).map(({ lane }) => lane),
    gone: aged.filter((_, index) => found[lanes.length + index]).map(({ lane }) => lane),
  };
}

export type SweepReport = { lost: number; sent: number; resent: number; more: boolean; error: string | null };

/** Leaves the sweep's row, prunes what is kept for a time only, and gives the lease back if it is still ours. */
export async function endSweep(store: Store, owner: string, chores: Chores, report: SweepReport): Promise<void> {
  await store.batch([
    sql(
      `INSERT INTO sweeps (fence, started_at, finished_at, lost, sent, resent, more, error)
       VALUES (?1, ?2, {now}, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING`,
      chores.fence,
      chores.startedAt,
      report.lost,
      report.sent,
      report.resent,
      report.more ? 1 : 0,
      report.error,
    ),
    sql(
      "DELETE FROM sweeps WHERE fence IN (SELECT fence FROM sweeps WHERE started_at < {now} - ?1 ORDER BY fence LIMIT 100)",
      KEEP_MS,
    ),
    sql(
      `DELETE FROM job_stats WHERE (grain, at, kind, outcome, bucket) IN (
      SELECT grain, at, kind, outcome, bucket FROM job_stats WHERE grain = 60000 AND at < {now} - ?1 LIMIT 500)`,
      KEEP_MS,
    ),
    sql(
      `DELETE FROM job_stats WHERE (grain, at, kind, outcome, bucket) IN (
      SELECT grain, at, kind, outcome, bucket FROM job_stats WHERE grain = 900000 AND at < {now} - ?1 LIMIT 500)`,
      KEEP_QUARTERS_MS,
    ),
    sql(
      "UPDATE leases SET owner = NULL, expires_at = 0 WHERE key = 'sweep' AND fence = ?1 AND owner = ?2",
      chores.fence,
      owner,
    ),
  ]);
}
