import type { AuditRow, EditRow, EffectRow, RefusalRow, RunRow } from "~/domain/feeds";
import type { Hide } from "~/domain/secrets";
import { instant, instantOrNull } from "~/domain/time";
import { type Rows, type Statement, sql } from "../store";

/** Refusals, audit rows and effects that a job comes with: the newest of each. */
export const HISTORY_ROWS = 100;
/** Jobs that were made of this one by editing. */
const EDITS = 20;
const EFFECT_CHARS = 2_000;
/** Runs of the kind that are shown, and its newest jobs that are looked at for them. */
export const RUNS = 60;
const RUNS_AMONG = 200;

/** Looks at watched pages that earlier releases recorded hold the addresses of those who were told. */
const SHOWN_RESULT = `CASE WHEN name = 'look'
  THEN json_remove(result, '$.telling[0].payload', '$.telling[1].payload', '$.telling[2].payload') ELSE result END`;

/** One statement for all of it: each part by its own key, none of them longer than its limit. */
export const historyStatement = (id: string, withRuns: boolean): Statement =>
  sql(
    [
      `SELECT 'refusal' AS what, json_object('number', number, 'at', at, 'outcome', outcome, 'error', error) AS row
       FROM (SELECT * FROM refusals WHERE job_id = ?1 ORDER BY number DESC, token LIMIT ?2)`,
      `SELECT 'audit', json_object('id', id, 'at', at, 'actor', actor, 'action', action, 'jobId', job_id, 'before', before,
         'after', after, 'reason', reason)
       FROM (SELECT * FROM audit WHERE job_id = ?1 ORDER BY id DESC LIMIT ?2)`,
      `SELECT 'effect', json_object('name', name, 'startedAt', started_at, 'finishedAt', finished_at,
         'result', substr(result, 1, ${EFFECT_CHARS}), 'cut', length(result) > ${EFFECT_CHARS})
       FROM (SELECT name, started_at, finished_at, ${SHOWN_RESULT} AS result FROM effects WHERE job_id = ?1 ORDER BY started_at DESC, name LIMIT ?2)`,
      `SELECT 'edit', json_object('id', id, 'view', view)
       FROM (SELECT id, view FROM jobs INDEXED BY jobs_edited WHERE edited_from = ?1 ORDER BY id DESC LIMIT ${EDITS})`,
      ...(withRuns ? [RUNS_OF_KIND] : []),
    ].join("\nUNION ALL\n"),
    id,
    HISTORY_ROWS,
  );

const RUNS_OF_KIND = `SELECT 'run', json_object('id', id, 'view', view, 'ranMs', finished_at - leased_at, 'finishedAt', finished_at)
  FROM (SELECT * FROM (
    SELECT id, view, leased_at, finished_at FROM jobs INDEXED BY jobs_kind
    WHERE kind = (SELECT kind FROM jobs WHERE id = ?1) ORDER BY id DESC LIMIT ${RUNS_AMONG})
  WHERE finished_at IS NOT NULL AND leased_at IS NOT NULL LIMIT ${RUNS})`;

/** `runs`: newest first. */
export function historyOf(rows: Rows, hide: Hide) {
  const parts = Object.groupBy(rows as { what: string; row: string }[], ({ what }) => what);
  // biome-ignore lint/suspicious/noExplicitAny: rows of our own statement
  const all = (what: string): any[] => (parts[what] ?? []).map(({ row }) => JSON.parse(row));
  const orNull = (text: string | null) => (text === null ? null : hide(text));
  return {
    refusals: all("refusal").map((row): RefusalRow => ({ ...row, at: instant(row.at), error: orNull(row.error) })),
    audit: all("audit").map((row): AuditRow => ({ ...row, at: instant(row.at) })),
    effects: all("effect").map(
      ({ cut, ...row }): EffectRow => ({
        ...row,
        startedAt: instant(row.startedAt),
        finishedAt: instantOrNull(row.finishedAt),
        result: row.result === null ? null : `${hide(row.result, cut === 1)}${cut ? " …" : ""}`,
      }),
    ),
    editedTo: all("edit") as EditRow[],
    runs: all("run").map(
      (row): RunRow => ({ ...row, ranMs: Math.max(0, row.ranMs), finishedAt: instant(row.finishedAt) }),
    ),
  };
}
