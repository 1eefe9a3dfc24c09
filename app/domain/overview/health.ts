import type { Backlog, Health } from "../feeds";
import { LANES } from "../lanes";
import { LIMIT_WORDS, type LimitReached } from "../limits_reached";
import { instant, instantOrNull } from "../time";

/** The sweep runs every minute: one that is older than this has stopped, and nothing lost is repaired any more. */
export const SWEEP_LATE_MS = 300_000;

export type Vitals = {
  now: number;
  lastSweep: { finishedAt: number; error: string | null } | null;
  /** Queues take nothing more today. */
  queuesLimited: boolean;
  /** Creation time of the oldest job that is stored; says how long a sweep has been missing where none ever ran. */
  oldestJobAt: number | null;
};

type Messages = { messages: number | undefined; oldestAt: number | undefined };

/** `vitals` is null where D1 did not answer; `localNow` stands in for its clock then. `limits`: those that are reached. */
export function healthOf(
  vitals: Vitals | null,
  lanes: Record<keyof Health["lanes"], Messages>,
  localNow: number,
  limits: LimitReached[] = [],
): Health {
  const now = vitals?.now ?? localNow;
  const problems = [
    ...limits.map((limit) => LIMIT_WORDS[limit]),
    ...(vitals ? sweepProblems(vitals) : limits.includes("database") ? [] : ["the database does not answer"]),
  ];
  return {
    ok: problems.length === 0,
    problems,
    now: instant(now),
    database: { ok: vitals !== null },
    lastSweep: vitals?.lastSweep
      ? { at: instant(vitals.lastSweep.finishedAt), ageMs: Math.max(0, now - vitals.lastSweep.finishedAt) }
      : null,
    lanes: Object.fromEntries(
      [...LANES, "dead" as const].map((lane) => [lane, backlogOf(lanes[lane])]),
    ) as Health["lanes"],
  };
}

/** A deployment that is a minute old has not swept yet: that is a problem only once a job has waited for it. */
export function sweepProblems({ now, lastSweep, oldestJobAt }: Omit<Vitals, "queuesLimited">): string[] {
  const since = lastSweep?.finishedAt ?? oldestJobAt ?? now;
  const minutes = Math.floor((now - since) / 60_000);
  if (now - since > SWEEP_LATE_MS) {
    return [
      lastSweep
        ? `the last sweep ended ${minutes} minutes ago`
        : `no sweep has run, and jobs have waited for ${minutes} minutes`,
    ];
  }
  return lastSweep?.error ? [`the last sweep failed: ${lastSweep.error}`] : [];
}

const backlogOf = ({ messages, oldestAt }: Messages): Backlog => ({
  messages: messages ?? null,
  oldestAt: instantOrNull(oldestAt),
});
