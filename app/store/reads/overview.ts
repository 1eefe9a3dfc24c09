import { bucketsOf, type ChartView, partsOf } from "~/domain/overview/chart_range";
import type { LaneSample, Overview } from "~/domain/overview/overview";
import { instant, instantOrNull } from "~/domain/time";
import { type Operation, stoppedOperations } from "../bulk/bulk";
import { countedOf, failuresOf, lastOfKinds, statsIn } from "../stats";
import { type Rows, type Statement, type Store, sql } from "../store";
import { chartsOf } from "./charts";
import { operationRowOf } from "./operations";
import { atOf, REVISION } from "./revision";
import { unionOf } from "./union";

/** Of each sort of trouble, and of deploys. */
const SHOWN = 20;
const DEPLOYS = 50;
const WAITING = 10;
/** Sweeps of the last hour, and one more to compare with. */
const SAMPLES = 62;
const FAILING_MS = 900_000;
/** A slot that passed so long ago should have been fired by now. */
const SILENT_MS = 300_000;

/**
 * All that the overview shows beside the counts. Nothing here grows with the jobs stored: charts come from sums that are
 * kept by the writes. `now`: this machine's clock, which only says where the buckets lie.
 */
export async function readOverview(store: Store, view: ChartView, now: number): Promise<Overview> {
  const buckets = bucketsOf(view, now);
  const [from, to] = [buckets.edges[0] as number, buckets.edges.at(-1) as number];
  const [revision, stats, last, notes, stopped, sweeps, history = []] = await store.batch([
    REVISION,
    statsIn(partsOf(buckets)),
    lastOfKinds(FAILING_MS),
    NOTES,
    stoppedOperations(SHOWN),
    sql(
      `SELECT finished_at AS at, lanes, (SELECT sends_from > {now} FROM leases WHERE key = 'sweep') AS limited FROM sweeps
       ORDER BY fence DESC LIMIT ?1`,
      SAMPLES,
    ),
    sql(
      `SELECT hour AS at, NULL AS version, messages, oldest_ms AS oldestMs FROM backlogs WHERE hour >= ?1 AND hour < ?2
       UNION ALL SELECT * FROM (SELECT at, version, NULL, NULL FROM deploys WHERE at >= ?1 AND at < ?2 ORDER BY at DESC LIMIT ?3)`,
      from,
      to,
      DEPLOYS,
    ),
  ]);
  const told = notes as Note[];
  const of = (what: string) => told.filter((note) => note.what === what);
  const paused = of("paused").map((note) => ({
    kind: note.id,
    since: instant(note.at),
    by: note.who,
    reason: note.text,
  }));
  const waits = of("waiting").find(({ name }) => !paused.some(({ kind }) => kind === name));
  const lanes = (sweeps as Swept[]).map(sampleOf);
  const deploys = history.filter((row) => row.version !== null).map(({ at, version }) => ({ at, version }));
  const backlogs = history.filter((row) => row.version === null);
  return {
    ...atOf(revision),
    ...view,
    charts: chartsOf(buckets, stats as Rows, backlogs as never, lanes, deploys as never),
    lanes,
    oldest: waits ? { id: waits.id, kind: waits.name, runAt: instant(waits.at) } : null,
    failing: failingOf(last as Rows),
    stopped: (stopped as Operation[]).map(operationRowOf),
    paused,
    broken: of("broken").map(({ id, name, at, text }) => ({ id, name, error: text ?? "", since: instant(at) })),
    silent: of("silent").map(({ id, name, at }) => ({ id, name, dueAt: instant(at) })),
    watches: of("watch").map(({ id, name, n, text }) => ({ id, name, failures: n, error: text })),
    limits: sweeps?.[0]?.limited === 1 ? ["queues"] : [],
    full: of("full").map(({ id, n }) => ({ submitter: id, limit: n })),
  };
}

function failingOf(last: Rows): Overview["failing"] {
  return [...Map.groupBy(last, ({ kind }) => kind as string)]
    .map(([kind, parts]) => {
      const stat = countedOf(parts);
      return { kind, failed: failuresOf(stat), ended: stat.done + failuresOf(stat) };
    })
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => b.failed - a.failed)
    .slice(0, SHOWN);
}

type Note = { what: string; id: string; name: string; at: number; who: string | null; text: string | null; n: number };

/** What may need a person, each by an index of its own. */
const NOTES: Statement = sql(
  unionOf([
    `SELECT 'paused' AS what, name AS id, name, paused_at AS at, paused_by AS who, pause_reason AS text, 0 AS n FROM kinds WHERE paused_at IS NOT NULL
     ORDER BY paused_at LIMIT ${SHOWN}`,
    `SELECT 'broken', id, name, error_at, NULL, substr(error, 1, 300), 0 FROM schedules INDEXED BY schedules_broken
     WHERE error IS NOT NULL AND paused_at IS NULL ORDER BY id LIMIT ${SHOWN}`,
    `SELECT 'silent', id, name, due_at, NULL, NULL, 0 FROM schedules INDEXED BY schedules_due
     WHERE paused_at IS NULL AND due_at IS NOT NULL AND due_at < {now} - ${SILENT_MS} ORDER BY due_at LIMIT ${SHOWN}`,
    `SELECT 'watch', id, name, coalesce(checked_at, 0), NULL, substr(last_error, 1, 300), failures FROM watches INDEXED BY watches_failing
     WHERE failures > 0 AND due_at IS NOT NULL ORDER BY failures DESC LIMIT ${SHOWN}`,
    `SELECT 'full', s.name, s.name, 0, NULL, NULL, s.daily_limit FROM submitters AS s
     CROSS JOIN daily_numbers AS d ON d.submitter = s.name AND d.day = {now} / 86400000
     WHERE s.daily_limit IS NOT NULL AND d.last >= s.daily_limit ORDER BY s.name LIMIT ${SHOWN}`,
    `SELECT 'waiting', id, kind, run_at, NULL, NULL, 0 FROM jobs INDEXED BY jobs_waiting
     WHERE state = 'pending' AND view = 'pending' ORDER BY id LIMIT ${WAITING}`,
  ]),
);

type Swept = { at: number; lanes: string | null };

function sampleOf({ at, lanes }: Swept): LaneSample {
  const told = Object.values(JSON.parse(lanes ?? "{}") as Record<string, [number | null, number | null]>);
  const messages = told.flatMap(([n]) => n ?? []);
  const oldest = told.flatMap(([, oldestAt]) => oldestAt ?? []);
  return {
    at: instant(at),
    messages: messages.length > 0 ? messages.reduce((sum, n) => sum + n, 0) : null,
    oldestAt: instantOrNull(oldest.length > 0 ? Math.min(...oldest) : null),
  };
}
