import { RUNNING_TOLD } from "~/domain/bulk/feeds";
import { CAUSES_TOLD } from "~/domain/dead/dead";
import type { Stats, SweepRow } from "~/domain/feeds";
import type { KnownKinds } from "~/domain/secrets";
import { VIEW_NAMES, type View } from "~/domain/states";
import { instant } from "~/domain/time";
import { runningOperations } from "../bulk/bulk";
import { type Rows, type Store, sql } from "../store";
import { heldKindsOf, SET_KINDS } from "./kinds";
import { atOf } from "./revision";

/** Operations that run are told on every page: they come with the revision, which every read begins with. */
const HEAD = sql(
  `SELECT revision, {now} AS now, ${runningOperations(RUNNING_TOLD)} AS running FROM site_state WHERE id = 1`,
);

/**
 * All numbers of the overview. They are kept by the writes: no job is counted here, however many there are. `known`: the
 * kinds that the running code can run.
 */
export async function readStats(store: Store, known: KnownKinds): Promise<Stats> {
  const [revision, counts = [], causes = [], sweeps, set = []] = await store.batch([
    HEAD,
    // With what a rate has left, of kinds that have jobs waiting for it.
    sql(
      `SELECT c.kind, c.view, c.n, b.level, b.per_ms AS perMs, b.at FROM job_counts AS c
       LEFT JOIN rate_buckets AS b ON b.kind = c.kind AND c.view IN ('pending', 'retrying', 'scheduled')
       WHERE c.n <> 0 ORDER BY c.kind`,
    ),
    sql(
      `SELECT cause, n, last_hour AS hour FROM dead_causes INDEXED BY dead_causes_n WHERE n > 0 ORDER BY n DESC, cause DESC LIMIT ?`,
      CAUSES_TOLD,
    ),
    sql("SELECT * FROM sweeps ORDER BY fence DESC LIMIT 1"),
    SET_KINDS,
  ]);
  const at = atOf(revision);
  return {
    ...at,
    ...countsOf(counts),
    held: heldKindsOf(set, counts, known, Date.parse(at.now)),
    running: JSON.parse(revision?.[0]?.running as string),
    lastSweep: sweepRowOf(sweeps?.[0]),
    causes: causes.map(causeRowOf),
  };
}

function countsOf(rows: Rows): Pick<Stats, "counts" | "kinds"> {
  const total = noCounts();
  const kinds = new Map<string, Record<View, number>>();
  for (const { kind, view, n } of rows as { kind: string; view: View; n: number }[]) {
    const counts = kinds.get(kind) ?? noCounts();
    kinds.set(kind, counts);
    counts[view] += n;
    total[view] += n;
  }
  return { counts: total, kinds: [...kinds].map(([kind, counts]) => ({ kind, counts })) };
}

const noCounts = () => Object.fromEntries(VIEW_NAMES.map((view) => [view, 0])) as Record<View, number>;

const causeRowOf = (row: Rows[number]): Stats["causes"][number] => ({
  cause: row.cause as string,
  n: row.n as number,
  lastHour: instant(row.hour as number),
});

function sweepRowOf(row: Rows[number] | undefined): SweepRow | null {
  if (!row) return null;
  return {
    startedAt: instant(row.started_at as number),
    finishedAt: instant(row.finished_at as number),
    lost: row.lost,
    expired: row.expired,
    fired: row.fired,
    removed: row.removed,
    sent: row.sent,
    resent: row.resent,
    more: row.more === 1,
    error: row.error,
  } as SweepRow;
}
