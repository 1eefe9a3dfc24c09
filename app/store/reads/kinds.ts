import type { HeldKind, KindRow, KindsPage } from "~/domain/bulk/feeds";
import { type Bucket, decodeLimits, type KindLimits, limitWords, nextStartIn, rateWords } from "~/domain/kind_limits";
import { percentile } from "~/domain/percentile";
import type { KnownKinds } from "~/domain/secrets";
import { VIEW_NAMES, type View } from "~/domain/states";
import { instant } from "~/domain/time";
import { countedOf, failuresOf, lastOfKinds } from "../stats";
import { type Rows, type Statement, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

const HOUR_MS = 3_600_000;

/** Kinds that a person has paused or set limits of: few, and the same for every page. */
export const SET_KINDS: Statement = sql(
  "SELECT * FROM kinds WHERE paused_at IS NOT NULL OR limits IS NOT NULL ORDER BY name",
);

/** Every kind: those that this release can run, those that have jobs, those that somebody has paused. */
export async function readKinds(
  store: Store,
  known: { name: string; title: string; description: string; limits?: KindLimits }[],
): Promise<KindsPage> {
  const [revision, counts = [], set = [], last = []] = await store.batch([
    REVISION,
    sql("SELECT kind, view, n FROM job_counts WHERE n <> 0"),
    SET_KINDS,
    lastOfKinds(HOUR_MS),
  ]);
  const names = new Set([...known, ...set].map(({ name }) => name as string));
  for (const { kind } of counts) names.add(kind as string);
  const of = (rows: Rows, name: string) => rows.filter(({ kind }) => kind === name);
  const kinds = [...names].sort().map((kind): KindRow => {
    const definition = known.find(({ name }) => name === kind);
    const own = set.find(({ name }) => name === kind);
    return {
      kind,
      known: definition !== undefined,
      title: definition?.title ?? null,
      description: definition?.description ?? null,
      paused: pausedOf(own),
      limits: { defined: definition?.limits ?? {}, set: setLimitsOf(own) },
      counts: countsOf(of(counts, kind)),
      lastHour: ratesOf(of(last, kind)),
    };
  });
  return { ...atOf(revision), kinds };
}

/**
 * Kinds whose due jobs wait: paused by a person, not known to this release while jobs of them are stored, or with as many jobs
 * under way as their limits allow. A row of `counts` brings what its kind's rate has left (`level`, `perMs`, `at`).
 */
export function heldKindsOf(set: Rows, counts: Rows, known: KnownKinds, nowMs: number): HeldKind[] {
  const paused = set.filter(({ paused_at }) => paused_at !== null);
  const waiting = new Set(
    counts
      .filter(({ view }) => view === "pending" || view === "retrying" || view === "scheduled")
      .map(({ kind }) => kind as string),
  );
  const unknown = [...waiting].filter((kind) => !known.has(kind));
  return [
    ...paused
      .filter(({ name }) => !unknown.includes(name as string))
      .map((row) => {
        const { by, reason, since } = pausedOf(row) as NonNullable<KindRow["paused"]>;
        return { kind: row.name as string, by: "paused" as const, since, who: by, reason };
      }),
    ...unknown.map((kind) => ({ kind, by: "unknown-kind" as const, ...NOBODY })),
    ...[...waiting].flatMap((kind): HeldKind[] => {
      if (unknown.includes(kind) || paused.some(({ name }) => name === kind)) return [];
      const own = set.find(({ name }) => name === kind)?.limits as string | null | undefined;
      const { running, rate } = own ? decodeLimits(own) : (known.get(kind)?.limits ?? {});
      const now = counts.find((row) => row.kind === kind && row.view === "processing")?.n as number | undefined;
      if (running && (now ?? 0) >= running)
        return [{ kind, by: "limit", ...NOBODY, reason: limitWords({ running })[0] as string }];
      const bucket = counts.find((row) => row.kind === kind && row.level != null) as Bucket | undefined;
      const empty = rate && nextStartIn(rate, bucket ?? null, nowMs) > 0;
      return empty ? [{ kind, by: "rate", ...NOBODY, reason: rateWords(rate) }] : [];
    }),
  ];
}

const NOBODY = { since: null, who: null, reason: null };

const setLimitsOf = (row: Rows[number] | undefined): KindRow["limits"]["set"] =>
  row?.limits
    ? {
        limits: decodeLimits(row.limits as string),
        by: row.limits_by as string | null,
        reason: row.limits_reason as string | null,
        since: instant(row.limits_at as number),
      }
    : null;

const pausedOf = (row: Rows[number] | undefined): KindRow["paused"] =>
  row?.paused_at
    ? {
        by: row.paused_by as string | null,
        reason: row.pause_reason as string | null,
        since: instant(row.paused_at as number),
      }
    : null;

function countsOf(rows: Rows): Record<View, number> {
  const counts = Object.fromEntries(VIEW_NAMES.map((view) => [view, 0])) as Record<View, number>;
  for (const { view, n } of rows as { view: View; n: number }[]) counts[view] = n;
  return counts;
}

function ratesOf(parts: Rows): KindRow["lastHour"] {
  const stat = countedOf(parts);
  return {
    done: stat.done,
    failed: failuresOf(stat),
    p50Ms: percentile(stat.run, 0.5),
    p95Ms: percentile(stat.run, 0.95),
  };
}
