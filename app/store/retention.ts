import type { Retention } from "~/domain/retention";
import type { State } from "~/domain/states";
import { openOnce } from "./audit";
import { DELIVERED, MEANT_FOR, removal } from "./bulk/moves";
import { CHAINED, open } from "./chain";
import { pruneStats } from "./prunes";
import type { By } from "./reopen";
import { type Statement, type Store, sql } from "./store";

/** Up to where everything but dead jobs is removed already, in the order of the ends of jobs. */
export type KeptFrom = { at: number; id: string };

/** A job whose time is over. `weight`: about so many rows go with it. */
export type Old = { id: string; generation: number; state: State; finishedAt: number; weight: number };

/** Jobs that ended at this instant or before are to go; -1: none are. */
const BOUND = (days: string) =>
  `(SELECT CASE WHEN ${days} > 0 THEN {now} - ${days} * 86400000 ELSE -1 END FROM site_state WHERE id = 1)`;
const WEIGHED = `jobs.generation, jobs.state, jobs.finished_at AS finishedAt, CASE WHEN ${DELIVERED} THEN 1 ELSE 1 + jobs.attempt
  + (SELECT count(*) FROM effects WHERE effects.job_id = jobs.id)
  + (SELECT count(*) FROM deliveries WHERE deliveries.fanout_id = jobs.id) END AS weight`;

/** As `BOUND`, asked where a job is removed, in the batch that does it: a time that was set meanwhile counts. */
const OLD = `jobs.finished_at <= batch.clock - 86400000 * (
  SELECT nullif(CASE jobs.state WHEN 'dead' THEN keep_dead_days ELSE keep_days END, 0) FROM site_state WHERE id = 1)`;

/**
 * The next jobs, `limit` of each, that ended so long ago that they are to go: of those in the order of their ends after
 * `from` also the dead ones, which are not meant (they tell how far was looked); the oldest dead; and those that were
 * passed over, longest unseen first, whether they may go by now or not.
 */
export async function findOld(
  store: Store,
  from: KeptFrom,
  limit: number,
): Promise<{ passed: Old[]; dead: Old[]; left: Old[] }> {
  const [passed, dead, left] = await store.batch([
    sql(
      `SELECT old.id, ${WEIGHED} FROM (SELECT id FROM jobs INDEXED BY jobs_finished
         WHERE finished_at IS NOT NULL AND (finished_at, id) > (?1, ?2) AND finished_at <= ${BOUND("keep_days")}
         ORDER BY finished_at, id LIMIT ?3) AS old CROSS JOIN jobs ON jobs.id = old.id`,
      from.at,
      from.id,
      limit,
    ),
    sql(
      `SELECT old.id, ${WEIGHED} FROM (SELECT id FROM jobs INDEXED BY jobs_dead_by_end
         WHERE state = 'dead' AND finished_at <= ${BOUND("keep_dead_days")} AND NOT ${DELIVERED} ORDER BY finished_at LIMIT ?1) AS old
       CROSS JOIN jobs ON jobs.id = old.id`,
      limit,
    ),
    sql(
      `SELECT old.id, ${WEIGHED} FROM (SELECT id FROM passed_over INDEXED BY passed_over_looked_at ORDER BY looked_at LIMIT ?1) AS old
       CROSS JOIN jobs ON jobs.id = old.id`,
      limit,
    ),
  ]);
  return { passed: passed as Old[], dead: dead as Old[], left: left as Old[] };
}

/**
 * Removes ended jobs with everything that hangs on them, in one transaction: counts and revision go with it. Those of which
 * something is yet to be delivered are put down as passed over. `kept`: so many others stand as they were seen, since
 * jobs are kept longer now.
 */
export async function removeJobs(store: Store, token: string, jobs: Old[]): Promise<{ removed: number; kept: number }> {
  // As they were seen: one that a person has requeued meanwhile stays.
  const rows = JSON.stringify(jobs.map(({ id, generation, state }) => [id, generation, state]));
  const results = await store.batch([
    open(token, "SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value->>0", rows),
    ...removal(token, rows, `${MEANT_FOR.delete} AND ${OLD}`),
    sql(
      `INSERT INTO passed_over (id, looked_at) SELECT jobs.id, batch.clock
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON jobs.id = o.value->>0
       WHERE (jobs.finished_at IS NOT NULL AND ${DELIVERED}) OR EXISTS (SELECT 1 FROM passed_over AS p WHERE p.id = jobs.id)
       ON CONFLICT (id) DO UPDATE SET looked_at = excluded.looked_at`,
      token,
      rows,
    ),
    sql(
      `SELECT count(*) FILTER (WHERE jobs.id IS NULL) AS removed,
         count(*) FILTER (WHERE jobs.generation = o.value->>1 AND NOT EXISTS (SELECT 1 FROM passed_over AS p WHERE p.id = jobs.id)) AS kept
       FROM json_each(?1) AS o LEFT JOIN jobs ON jobs.id = o.value->>0`,
      rows,
    ),
  ]);
  return (results.at(-1) as [{ removed: number; kept: number }])[0];
}

/** Rows that one statement removes of a history. */
const LEFT_AT_ONCE = 5_000;
const left = (table: string, owner: string, at: string, what: string): Statement[] => [
  sql(
    `DELETE FROM ${table} WHERE (${owner}, ${at}) IN (
       SELECT h.${owner}, h.${at} FROM leftovers AS l CROSS JOIN ${table} AS h ON h.${owner} = l.id WHERE l.what = '${what}' LIMIT ?1)`,
    LEFT_AT_ONCE,
  ),
  sql(
    `DELETE FROM leftovers WHERE what = '${what}' AND NOT EXISTS (SELECT 1 FROM ${table} AS h WHERE h.${owner} = leftovers.id)`,
  ),
];

const LEFT = [
  ...left("watch_checks", "watch_id", "slot_at", "watch"),
  ...left("slots", "schedule_id", "slot_at", "schedule"),
];

/** Drops a part of what deleted watches and schedules have left, and of old numbers. Answers whether there is more. */
export async function dropLeftovers(store: Store): Promise<boolean> {
  const results = await store.batch([...LEFT, sql("SELECT 1 FROM leftovers LIMIT 1"), ...pruneStats]);
  return [results[LEFT.length], results.at(-1)].some((rows) => (rows as unknown[]).length > 0);
}

/** Rows of a history that go with its owner at once. */
const GONE_AT_ONCE = 1_000;
const HISTORIES = {
  watch: { table: "watch_checks", owner: "watch_id" },
  schedule: { table: "slots", owner: "schedule_id" },
} as const;

/** Takes the history of `?2` away, ?1 being the batch's token: the beginning at once, the rest by the next sweeps. */
export function dropHistory(what: keyof typeof HISTORIES, token: string, id: string): Statement[] {
  const { table, owner } = HISTORIES[what];
  const mine = `EXISTS (SELECT 1 FROM ${CHAINED})`;
  return [
    sql(
      `DELETE FROM ${table} WHERE ${owner} = ?2 AND ${mine} AND slot_at IN (
         SELECT slot_at FROM ${table} WHERE ${owner} = ?2 ORDER BY slot_at LIMIT ${GONE_AT_ONCE})`,
      token,
      id,
    ),
    sql(
      `INSERT INTO leftovers (what, id) SELECT '${what}', ?2 FROM ${CHAINED}
       WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${owner} = ?2) ON CONFLICT DO NOTHING`,
      token,
      id,
    ),
    lookSoon(token),
  ];
}

/** The next sweep looks for what is to be removed. Never the same number: one that is at work must not write over it. */
const lookSoon = (token: string): Statement =>
  sql(
    `UPDATE leases SET retention_at = min(retention_at, 0) - 1 WHERE key = 'sweep' AND EXISTS (SELECT 1 FROM ${CHAINED})`,
    token,
  );

const DAYS = "json_object('finishedDays', keep_days, 'deadDays', keep_dead_days)";

export async function readRetention(store: Store): Promise<Retention> {
  const [rows] = await store.batch([
    sql("SELECT keep_days AS finishedDays, keep_dead_days AS deadDays FROM site_state WHERE id = 1"),
  ]);
  return (rows as [Retention])[0];
}

/** Sets for how long jobs are kept, recorded with who did it; the next sweep goes by it. Safe to send again. */
export async function writeRetention(
  store: Store,
  token: string,
  { finishedDays, deadDays }: Retention,
  audit: string,
  by: By,
): Promise<void> {
  await store.batch([
    openOnce(token, audit, "SELECT 1"),
    sql(
      `INSERT INTO audit (id, at, actor, action, before, after, reason)
       SELECT ?2, batch.clock, ?3, 'retention', (SELECT ${DAYS} FROM site_state WHERE id = 1), json_object('finishedDays', CAST(?4 AS INTEGER), 'deadDays', CAST(?5 AS INTEGER)), ?6
       FROM ${CHAINED} AS batch WHERE true ON CONFLICT DO NOTHING`,
      token,
      audit,
      by.actor,
      finishedDays,
      deadDays,
      by.reason ?? null,
    ),
    sql(
      "UPDATE site_state SET keep_days = ?2, keep_dead_days = ?3 WHERE id = 1 AND chain = ?1",
      token,
      finishedDays,
      deadDays,
    ),
    lookSoon(token),
  ]);
}
