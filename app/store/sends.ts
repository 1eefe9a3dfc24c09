import { LANES, type Lane } from "~/domain/lanes";
import { GROUP_FULL, HAS_ROOM, KIND_FULL, type LimitedDue, nextLimitedSent } from "./limited_sends";
import { GROUP_RUNNING, type Known, LIMITS } from "./limits";
import { type Rows, type Statement, type Store, sql } from "./store";

export type Due = { id: string; kind: string; attempt: number; generation: number; delayMs: number };

/** `o` is [id, attempts so far]. These writes move no job, so they carry no token and leave the revision alone. */
const SAME = "jobs.id = o.value->>0 AND jobs.attempt = o.value->>1 AND +jobs.state = 'pending'";

const namesOf = (jobs: { id: string; attempt: number }[]) => JSON.stringify(jobs.map((job) => [job.id, job.attempt]));

/**
 * Takes back `sent_at` of jobs whose message could not be sent: they are unsent again. `limited`: Queues take nothing more
 * today, so sweeps send nothing before 00:00 UTC.
 */
export async function unsend(store: Store, jobs: { id: string; attempt: number }[], limited: boolean): Promise<void> {
  await store.batch([
    sql(`UPDATE jobs SET sent_at = NULL FROM json_each(?1) AS o WHERE ${SAME}`, namesOf(jobs)),
    ...(limited ? [sql("UPDATE leases SET sends_from = ({now} / 86400000 + 1) * 86400000 WHERE key = 'sweep'")] : []),
  ]);
}

/**
 * Writes `sent_at` of jobs that are about to get a fresh message and answers with them. A job due later than `aheadMs`
 * from now becomes unsent instead. Those not answered have moved on.
 */
export async function markSent(store: Store, jobs: { id: string; attempt: number }[], aheadMs: number): Promise<Due[]> {
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET sent_at = CASE WHEN run_at <= {now} + ?2 THEN {now} END FROM json_each(?1) AS o WHERE ${SAME}
       RETURNING id, kind, attempt, generation, max(0, run_at - {now}) AS delayMs`,
      namesOf(jobs),
      aheadMs,
    ),
  ]);
  return (rows as Due[]).filter((job) => job.delayMs <= aheadMs);
}

/**
 * Held jobs become unsent in one statement; then they cost nothing until they are released: those of a kind that is paused,
 * not among `known`, or whose places or starts are all taken at this moment. What its group holds is put aside with its
 * time as well, to be let go by whoever leaves the group. Answers who is held: the others may run by now.
 */
export async function holdJobs(
  store: Store,
  jobs: { id: string; attempt: number }[],
  known: Known,
): Promise<Set<string>> {
  const l = LIMITS("jobs.kind", "?3");
  const groupFull = GROUP_FULL(l, GROUP_RUNNING("jobs.kind", "jobs.group_key"));
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET sent_at = NULL, held_at = CASE WHEN ${groupFull} THEN {now} END
       FROM json_each(?1) AS o WHERE ${SAME} AND (jobs.kind NOT IN (SELECT value FROM json_each(?2))
         OR EXISTS (SELECT 1 FROM kinds WHERE kinds.name = jobs.kind AND kinds.paused_at IS NOT NULL)
         OR (jobs.run_at <= {now} AND (${groupFull} OR ${KIND_FULL(l)})))
       RETURNING id`,
      namesOf(jobs),
      JSON.stringify(known.names),
      known.limits,
    ),
  ]);
  return new Set((rows as { id: string }[]).map(({ id }) => id));
}

const RUNS = (kind: string) =>
  `NOT EXISTS (SELECT 1 FROM kinds WHERE kinds.name = ${kind} AND kinds.paused_at IS NOT NULL)`;

/** In `jobs_to_send` the unsent of a kind and lane come first (NULLs sort first), by due time. */
const UNSENT = (kind: string, lane: string, ahead: string) => `FROM jobs INDEXED BY jobs_to_send
  WHERE jobs.state = 'pending' AND jobs.held_at IS NULL AND jobs.kind = ${kind} AND jobs.lane = ${lane} AND jobs.sent_at IS NULL AND jobs.run_at <= {now} + ${ahead}`;

/** Due and sent `grace` ago, and by `olderThan`: no lane can hold its message any more. */
const GONE = (kind: string, lane: string, grace: string, olderThan: string) => `FROM jobs INDEXED BY jobs_to_send
  WHERE jobs.state = 'pending' AND jobs.held_at IS NULL AND jobs.kind = ${kind} AND jobs.lane = ${lane}
  AND jobs.sent_at <= min({now} - ${grace}, ${olderThan}) AND jobs.run_at <= {now} - ${grace}`;

/** One row if the lane has jobs due within `aheadMs` that no message is on its way for. */
export const anyUnsent = (known: Known, lane: Lane, aheadMs: number): Statement =>
  sql(
    `SELECT k.value FROM json_each(?1) AS k WHERE ${RUNS("k.value")}
       AND CASE WHEN EXISTS (SELECT 1 ${UNSENT("k.value", "?2", "?3")}) THEN ${HAS_ROOM("k.value", "?4")} END LIMIT 1`,
    JSON.stringify(known.names),
    lane,
    aheadMs,
    known.limits,
  );

/** `goneUntil`: messages sent up to then are in the lane no more; null: the lane does not say. */
export type LaneAge = { lane: Lane; goneUntil: number | null };
export type Unserved = { lane: Lane; unsent: boolean; gone: boolean };

/**
 * Which lanes have jobs to send, or to send again: one row, read by `unservedOf`. Steps from kind to kind through the
 * waiting jobs, so it reads by the kinds that wait and not by the kinds there are: a minute in which nothing waits reads
 * next to nothing.
 */
export const findUnserved = (known: Known, ages: LaneAge[], aheadMs: number, graceMs: number): Statement => {
  // A stored job keeps its lane when its kind's timeout changes, so every kind is looked for in every lane.
  const lanes = ages.map(({ lane }, i) => ({
    unsent: [
      `CASE WHEN EXISTS (SELECT 1 ${UNSENT("waiting.kind", `'${lane}'`, "?2")}) THEN ${HAS_ROOM("waiting.kind", "?4")} END`,
      `${lane}_unsent`,
    ],
    gone: [`EXISTS (SELECT 1 ${GONE("waiting.kind", `'${lane}'`, "?3", `?${i + 5}`)})`, `${lane}_gone`],
  }));
  const looks = lanes.flatMap(({ unsent, gone }) => [unsent, gone]);
  return sql(
    `WITH RECURSIVE waiting (kind) AS (
       SELECT min(kind) FROM jobs INDEXED BY jobs_to_send WHERE jobs.state = 'pending' AND jobs.held_at IS NULL UNION ALL
       SELECT (SELECT min(jobs.kind) FROM jobs INDEXED BY jobs_to_send
         WHERE jobs.state = 'pending' AND jobs.held_at IS NULL AND jobs.kind > waiting.kind)
       FROM waiting WHERE waiting.kind IS NOT NULL)
     SELECT ${looks.map(([, name]) => `max(${name}) AS ${name}`)} FROM (
       SELECT ${looks.map(([look, name]) => `${look} AS ${name}`)} FROM waiting
       WHERE instr(?1, json_quote(waiting.kind)) AND ${RUNS("waiting.kind")})`,
    JSON.stringify(known.names),
    aheadMs,
    graceMs,
    known.limits,
    ...ages.map(({ goneUntil }) => goneUntil),
  );
};

export const unservedOf = (row: Rows[number] = {}): Unserved[] =>
  LANES.map((lane) => ({ lane, unsent: row[`${lane}_unsent`] === 1, gone: row[`${lane}_gone`] === 1 }));

/**
 * Marks up to `limit` unsent jobs of the lane as sent, next due first, each kind its share, and answers with them; of kinds with
 * limits no more than there is room for.
 */
export async function markNextSent(
  store: Store,
  known: Known,
  lane: Lane,
  aheadMs: number,
  limit: number,
): Promise<LimitedDue[]> {
  const [rows, limited] = await store.batch([
    sql(
      `WITH live AS (SELECT k.value AS kind FROM json_each(?1) AS k
           WHERE ${RUNS("k.value")} AND ${LIMITS("k.value", "?5")} IS NULL AND EXISTS (SELECT 1 ${UNSENT("k.value", "?2", "?3")})),
         next AS MATERIALIZED (SELECT picked.id FROM live CROSS JOIN jobs AS picked ON picked.id IN (SELECT jobs.id
           ${UNSENT("live.kind", "?2", "?3")} ORDER BY jobs.run_at LIMIT max(1, CAST(?4 AS INTEGER) / max(1, (SELECT count(*) FROM live)))))
       UPDATE jobs SET sent_at = {now} FROM next WHERE jobs.id = next.id AND +jobs.state = 'pending' AND jobs.sent_at IS NULL
       RETURNING id, kind, lane, attempt, generation, max(0, run_at - {now}) AS delayMs`,
      JSON.stringify(known.names),
      lane,
      aheadMs,
      limit,
      known.limits,
    ),
    nextLimitedSent(known.names, known, [lane], aheadMs, limit),
  ]);
  return [...(rows as LimitedDue[]), ...(limited as LimitedDue[])];
}

/** Marks as sent again, up to `limit`, the jobs of the lane whose message must be gone. */
export async function markGoneSent(
  store: Store,
  known: Known,
  lane: Lane,
  graceMs: number,
  olderThan: number,
  limit: number,
): Promise<Due[]> {
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET sent_at = {now} FROM (SELECT picked.id FROM json_each(?1) AS k
         CROSS JOIN jobs AS picked ON picked.id IN (SELECT jobs.id ${GONE("k.value", "?2", "?3", "?4")} LIMIT ?5)
         WHERE ${RUNS("k.value")} LIMIT ?5) AS next
       WHERE jobs.id = next.id AND +jobs.state = 'pending' AND jobs.run_at <= {now} - ?3 AND jobs.sent_at <= min({now} - ?3, ?4)
       RETURNING id, kind, attempt, generation, 0 AS delayMs`,
      JSON.stringify(known.names),
      lane,
      graceMs,
      olderThan,
      limit,
    ),
  ]);
  return rows as Due[];
}
