import type { Lane } from "~/domain/lanes";
import { lookForAlerts, pruneAlerts } from "./alerts/alerts";
import type { Claimed } from "./claims";
import { type Overdue, overdueJobs } from "./expiry";
import { expiredLeases } from "./leases";
import { pruneDeeds, pruneLetters } from "./prunes";
import type { KeptFrom } from "./retention";
import { type DueSchedule, dueSchedules } from "./schedules/schedules";
import { type Unserved, unservedOf } from "./sends";
import { foldBacklogs, noteDeploy, pruneSite } from "./site_history";
import { type Statement, type Store, sql } from "./store";
import { type DueWatch, dueWatches } from "./watches/watches";

/** Two days of sweeps. */
const KEPT_SWEEPS = 2_880;
const HOUR_OF_SWEEPS = 60;

/** Schedules fired with one look. */
export const SCHEDULES_AT_ONCE = 100;
/** Jobs that were not started in time, ended with one look. */
export const OVERDUE_AT_ONCE = 500;
/** Watches dealt with by one sweep. */
export const WATCHES_AT_ONCE = 200;

/** So long without a sweep is an outage: of D1, or of the cron. A sweep that begins ends it, whether it comes to its end or not. */
const OUTAGE_MS = 150_000;
/** Leases that are found to have run out up to then did so in it. */
const AFTER_OUTAGE_MS = 150_000;

export type Chores = {
  fence: number;
  startedAt: number;
  /** Of the code that swept last. */
  version: string | null;
  /** Of that code, as JSON (`groupLimitsOf`); null: nobody knows. */
  groupLimits: string | null;
  /** Kinds whose groups are to be let go: their limits are other ones now. */
  toFree: string[];
  expired: Claimed[];
  unserved: Unserved[];
  schedules: DueSchedule[];
  watches: DueWatch[];
  overdue: Overdue[];
  /** The first sweep since sweeps, or D1, were out of reach; one of those just after it. */
  resumed: boolean;
  outage: boolean;
  /** Queues take nothing more today. */
  limited: boolean;
  /** Rules may have something to say. */
  alerts: boolean;
  /** When it is next to be looked for what is to be removed (0 or less: at once), and whether that is now. */
  retentionAt: number;
  retain: boolean;
  keptFrom: KeptFrom;
};

/**
 * Takes the sweep's lease, if nobody holds it, and finds out what there is to do: one call. null: another sweep is at
 * work. What it finds is a hint; every write asks again.
 */
export async function beginSweep(
  store: Store,
  owner: string,
  leaseMs: number,
  expiredAtOnce: number,
  unserved: Statement,
): Promise<Chores | null> {
  const [lease, expired, found, schedules, watches, alerts, overdue] = await store.batch([
    sql(
      `UPDATE leases SET owner = ?1, fence = fence + 1, expires_at = {now} + ?2,
         calm_at = CASE WHEN max(ended_at, calm_at) < {now} - ${OUTAGE_MS} THEN {now} ELSE calm_at END WHERE key = 'sweep' AND expires_at <= {now}
       RETURNING fence, expires_at - ?2 AS startedAt, version, group_limits AS groupLimits, retention_at AS retentionAt, retention_at <= {now} AS retain,
         sends_from > {now} AS limited, calm_at = {now} AS resumed, calm_at > {now} - ${AFTER_OUTAGE_MS} AS outage,
         kept_at AS keptAt, kept_id AS keptId, (SELECT json_group_array(kind) FROM groups_to_free) AS toFree`,
      owner,
      leaseMs,
    ),
    expiredLeases(expiredAtOnce),
    unserved,
    dueSchedules(SCHEDULES_AT_ONCE),
    dueWatches(WATCHES_AT_ONCE),
    lookForAlerts,
    overdueJobs(OVERDUE_AT_ONCE),
  ]);
  if (!lease?.[0]) return null;
  const { keptAt, keptId, toFree, retain, limited, resumed, outage, ...own } = lease[0];
  return {
    ...(own as Pick<Chores, "fence" | "startedAt" | "version" | "groupLimits" | "retentionAt">),
    retain: retain === 1,
    limited: limited === 1,
    resumed: resumed === 1,
    outage: outage === 1,
    toFree: JSON.parse(toFree as string) as string[],
    keptFrom: { at: keptAt as number, id: keptId as string },
    expired: expired as Claimed[],
    unserved: unservedOf(found?.[0]),
    schedules: schedules as DueSchedule[],
    watches: watches as DueWatch[],
    alerts: (alerts as unknown[]).length > 0,
    overdue: overdue as Overdue[],
  };
}

export type SweepReport = {
  lost: number;
  /** Jobs that were not started in time. */
  expired: number;
  /** Jobs made of schedules. */
  fired: number;
  sent: number;
  resent: number;
  /** Ended jobs whose time was over. */
  removed: number;
  more: boolean;
  error: string | null;
};

/** How far was looked for what is to be removed, and in how many ms it is to be looked again. */
export type Retained = { keptFrom: KeptFrom; againInMs: number };

/** What the lanes told at the start of a sweep. */
export type LaneStandings = Partial<Record<Lane, [messages: number | null, oldestAt: number | null]>>;

/** Leaves the sweep's row, prunes what is kept for a time only, and gives the lease back if it is still ours. */
export async function endSweep(
  store: Store,
  owner: string,
  chores: Chores,
  report: SweepReport,
  lanes: LaneStandings,
  { appVersion, groupLimits }: { appVersion: string; groupLimits: string | null },
  retained: Retained | null,
): Promise<void> {
  await store.batch([
    sql(
      `INSERT INTO sweeps (fence, started_at, finished_at, lost, sent, resent, more, error, fired, lanes, expired, removed)
       VALUES (?1, ?2, {now}, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING`,
      chores.fence,
      chores.startedAt,
      report.lost,
      report.sent,
      report.resent,
      report.more ? 1 : 0,
      report.error,
      report.fired,
      JSON.stringify(lanes),
      report.expired,
      report.removed,
    ),
    ...(chores.version === appVersion ? [] : [noteDeploy(appVersion)]),
    // Fences count up by one a sweep, so the rows to drop are found by key.
    sql("DELETE FROM sweeps WHERE fence <= ?1", chores.fence - KEPT_SWEEPS),
    ...(chores.fence % HOUR_OF_SWEEPS === 5 ? pruneDeeds : []),
    ...(chores.fence % HOUR_OF_SWEEPS === 15 ? [foldBacklogs(chores.fence, 2 * HOUR_OF_SWEEPS)] : []),
    ...(chores.fence % HOUR_OF_SWEEPS === 25 ? pruneLetters : []),
    ...(chores.fence % HOUR_OF_SWEEPS === 35 ? pruneAlerts : []),
    ...(chores.fence % HOUR_OF_SWEEPS === 45 ? pruneSite : []),
    sql(
      `UPDATE leases SET owner = NULL, expires_at = 0, version = ?3, ended_at = {now}, kept_at = coalesce(?4, kept_at), kept_id = coalesce(?5, kept_id), group_limits = ?8,
         retention_at = CASE WHEN ?6 IS NOT NULL AND retention_at = ?7 THEN {now} + ?6 ELSE retention_at END
       WHERE key = 'sweep' AND fence = ?1 AND owner = ?2`,
      chores.fence,
      owner,
      appVersion,
      retained?.keptFrom.at ?? null,
      retained?.keptFrom.id ?? null,
      retained?.againInMs ?? null,
      chores.retentionAt,
      groupLimits,
    ),
  ]);
}
