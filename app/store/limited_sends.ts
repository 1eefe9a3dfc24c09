import type { Lane } from "~/domain/lanes";
import { ANY, type Known, LEVEL, LIMITS, RUNNING } from "./limits";
import type { Due } from "./sends";
import { type Statement, sql } from "./store";

/** Messages of one kind with limits that are on their way at once: more are sent as these are answered. */
const COMING_AT_MOST = 500;
/** Starts are handed out so far ahead, in ms: a sweep of each minute misses none. */
const STARTS_AHEAD_MS = 90_000;

/** Jobs of the kind that are due and have a message on its way: each will want a place. Looks at no more than it needs to. */
const COMING = (kind: string) =>
  `(SELECT count(*) FROM (SELECT run_at FROM jobs INDEXED BY jobs_to_send
     WHERE jobs.state = 'pending' AND jobs.held_at IS NULL AND jobs.kind = ${kind} AND jobs.lane IN ('normal', 'high', 'long')
       AND jobs.sent_at > 0 LIMIT ${COMING_AT_MOST}) WHERE run_at <= {now})`;

/** How many messages a kind with the limits `l` should have: for free places, and for starts that there soon will be. */
const WANTED = (kind: string, l: string) =>
  `min(coalesce((${l} ->> 'running') - ${RUNNING(kind)}, ${ANY}), ${COMING_AT_MOST}, CASE WHEN ${l} ->> 'jobs' IS NULL THEN ${ANY}
     ELSE (${LEVEL(kind, l, "{now}")} + ${STARTS_AHEAD_MS} * (${l} ->> 'jobs')) / (${l} ->> 'perMs') END)`;

/** Whether it should have more: true for a kind without limits. `definitions`: `Known.limits`. */
export const HAS_ROOM = (kind: string, definitions: string): string =>
  `(WITH own AS MATERIALIZED (SELECT ${LIMITS(kind, definitions)} AS l),
      wanted AS MATERIALIZED (SELECT CASE WHEN own.l IS NULL THEN ${ANY} ELSE ${WANTED(kind, "own.l")} END AS n FROM own)
    SELECT CASE WHEN wanted.n = ${ANY} THEN 1 WHEN wanted.n > 0 THEN wanted.n > ${COMING(kind)} ELSE 0 END FROM wanted)`;

/** Of a job of a kind with the limits `l`, at this very moment: does its group, its kind or its rate keep it from starting? */
export const GROUP_FULL = (l: string, groupRunning: string): string =>
  `coalesce(jobs.group_key IS NOT NULL AND ${l} ->> 'perGroup' <= ${groupRunning}, 0)`;
export const KIND_FULL = (l: string): string =>
  `(coalesce(${l} ->> 'running' <= ${RUNNING("jobs.kind")}, 0) OR coalesce(${LEVEL("jobs.kind", l, "{now}")} < ${l} ->> 'perMs', 0))`;

/**
 * Marks as sent the next due unsent jobs of kinds with limits in these lanes, high priority and oldest first: as many as there are places
 * and starts for, `limit` at most of each kind, and answers with them. A start that is still to come is waited for by the
 * message, and `sent_at` is when it comes.
 */
export const nextLimitedSent = (
  kinds: string[],
  known: Known,
  lanes: readonly Lane[],
  aheadMs: number,
  limit: number,
): Statement =>
  sql(
    `WITH own AS MATERIALIZED (
       SELECT k.value AS kind, ${LIMITS("k.value", "?2")} AS l FROM json_each(?1) AS k
       WHERE NOT EXISTS (SELECT 1 FROM kinds WHERE kinds.name = k.value AND kinds.paused_at IS NOT NULL)),
     comes AS MATERIALIZED (SELECT own.kind, own.l, ${COMING("own.kind")} AS coming FROM own WHERE own.l IS NOT NULL),
     live AS MATERIALIZED (
       SELECT comes.kind, comes.l, comes.coming, min(${WANTED("comes.kind", "comes.l")} - comes.coming, ?5) AS room,
         CASE WHEN comes.l ->> 'jobs' IS NOT NULL THEN ${LEVEL("comes.kind", "comes.l", "{now}")} END AS level FROM comes),
     next AS (
       SELECT picked.id, live.room, live.l, live.level,
         row_number() OVER (PARTITION BY live.kind ORDER BY picked.lane <> 'high', picked.run_at, picked.id) AS n, live.coming
       FROM live CROSS JOIN json_each(?3) AS lanes CROSS JOIN jobs AS picked ON live.room > 0 AND picked.id IN (
         SELECT jobs.id FROM jobs INDEXED BY jobs_to_send
         WHERE jobs.state = 'pending' AND jobs.held_at IS NULL AND jobs.kind = live.kind AND jobs.lane = lanes.value
           AND jobs.sent_at IS NULL AND jobs.run_at <= {now} + ?4 ORDER BY jobs.run_at LIMIT (SELECT max(0, max(room)) FROM live))),
     waits AS (SELECT id, max(0, coalesce(((n + coming) * (l ->> 'perMs') - level + (l ->> 'jobs') - 1) / (l ->> 'jobs'), 0)) AS ms
       FROM next WHERE n <= room)
     UPDATE jobs SET sent_at = {now} + waits.ms FROM waits
     WHERE jobs.id = waits.id AND +jobs.state = 'pending' AND jobs.sent_at IS NULL
     RETURNING id, kind, lane, attempt, generation, max(0, run_at - {now}, sent_at - {now}) AS delayMs`,
    JSON.stringify(kinds),
    known.limits,
    JSON.stringify(lanes),
    aheadMs,
    limit,
  );

export type LimitedDue = Due & { lane: Lane };
