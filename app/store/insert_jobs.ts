import type { Lane } from "~/domain/lanes";
import type { State } from "~/domain/states";
import { auditRow, type Entry } from "./audit";
import { chunks } from "./bulk/job_chunks";
import { CHAINED, moveCounts, open } from "./chain";
import { type Statement, type Store, sql } from "./store";

const DAY_MS = 86_400_000;

export type NewJob = {
  id: string;
  kind: string;
  lane: Lane;
  payload: string;
  label: string | null;
  maxAttempts: number;
  delayMs: number;
  runAt: number | null;
  key: string | null;
  hash: string | null;
  fanoutId: string | null;
  /** The job that a person made it of. */
  editedFrom: string | null;
  scheduleId: string | null;
  slotAt: number | null;
  /** Not started from then on, in ms; null: however late it is. */
  expiresAt: number | null;
  groupKey: string | null;
  /** Whether its lane has room for a message now. */
  room: boolean;
};

export type Inserted = {
  /** Jobs of this call that are stored; `sent`: their message is owed, `delayMs` from now. */
  stored: { id: string; sent: number; delayMs: number }[];
  /** Who holds each key of the call, this call's own jobs included. */
  keys: { key: string; id: string; hash: string; state: State }[];
  /** What the submitter has used of its day, this call included; null where nobody is counted. */
  day: { used: number; dailyLimit: number | null; endsAt: number } | null;
};

/** What of the call is not stored yet. */
const NEW = `FROM json_each(?2) AS o WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = o.value->>0)
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.idempotency_key = o.value->>1)`;

/** Nothing of the call where a key is held by another request, or its day has no room for all that is new. */
const WORK = `SELECT 1 ${NEW}
  AND NOT EXISTS (SELECT 1 FROM json_each(?2) AS k JOIN jobs ON jobs.idempotency_key = k.value->>1
    WHERE jobs.request_hash <> k.value->>2)
  AND NOT EXISTS (SELECT 1 FROM submitters WHERE submitters.name = ?3 AND submitters.daily_limit <
    (SELECT count(*) ${NEW}) + coalesce((SELECT last FROM daily_numbers AS d WHERE d.submitter = ?3 AND d.day = {now} / ${DAY_MS}), 0))`;

/** Takes as many numbers as the call has new jobs, before their rows are there. */
const TAKE_NUMBERS = `INSERT INTO daily_numbers (submitter, day, first, last)
  SELECT ?3, batch.clock / ${DAY_MS}, 1, new.n FROM ${CHAINED} AS batch CROSS JOIN (SELECT count(*) AS n ${NEW}) AS new
  WHERE true ON CONFLICT (submitter, day) DO UPDATE SET first = last + 1, last = last + excluded.last`;

const DUE = "max(clock + (o.value->>6), coalesce(o.value->>7, 0))";

const insert = (
  number: string,
  which: string,
) => `INSERT INTO jobs (id, kind, lane, payload, label, max_attempts, run_at,
    idempotency_key, request_hash, fanout_id, schedule_id, slot_at, expires_at, group_key, edited_from, sent_at, created_at, daily_number, submitter, state, token)
  SELECT *, ?4, 'pending', ?1 FROM (
    SELECT o.value->>0, o.value->>1, o.value->>2, o.value->>3, o.value->>4, o.value->>5, ${DUE}, o.value->>8, o.value->>9,
      o.value->>11, o.value->>12, o.value->>13, o.value->>14, o.value->>15, o.value->>16, CASE WHEN o.value->>10 AND ${DUE} <= clock + ?3 THEN clock END, clock, ${number}
    FROM ${CHAINED} CROSS JOIN json_each(?2) AS o WHERE ${which})
  WHERE true ON CONFLICT DO NOTHING`;

/**
 * Rows of jobs for a batch of somebody's own: those for which `which` holds, where `o` is the row and ?5 the first of its
 * own parameters. ?3: sent this far ahead. ?4: the submitter.
 */
export const insertRows = (
  token: string,
  jobs: NewJob[],
  aheadMs: number,
  which = "true",
  ...params: Statement["params"]
): Statement[] => chunks(jobs).map(({ rows }) => sql(insert("NULL", which), token, rows, aheadMs, null, ...params));

/** The counts of the rows that this batch has stored. */
export const countRows = (token: string, jobs: NewJob[]): Statement =>
  moveCounts(
    `SELECT jobs.kind, NULL AS was, jobs.view AS became FROM ${CHAINED} CROSS JOIN json_each(?2) AS o
     CROSS JOIN jobs ON jobs.id = o.value WHERE jobs.token = ?1`,
    token,
    idsOf(jobs),
  );

/** Which rows are stored, and whose message is owed. */
export const readRows = (token: string, jobs: NewJob[]): Statement =>
  sql(
    `SELECT jobs.id, jobs.token = ?1 AND jobs.sent_at IS NOT NULL AS sent, max(0, jobs.run_at - {now}) AS delayMs
     FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value`,
    token,
    idsOf(jobs),
  );

const idsOf = (jobs: NewJob[]): string => JSON.stringify(jobs.map((job) => job.id));

/**
 * The same with numbers: from the first that the call took, after the rows of earlier statements (?5: their ids), for
 * the rows that are new. Rows that conflict would leave gaps, so they are left out before they are counted.
 */
const INSERT_NUMBERED = insert(
  `(SELECT first FROM daily_numbers AS d WHERE d.submitter = ?4 AND d.day = clock / ${DAY_MS}) - 1
    + (SELECT count(*) FROM json_each(?5) AS e CROSS JOIN jobs ON jobs.id = e.value WHERE jobs.token = ?1)
    + row_number() OVER (ORDER BY o.key)`,
  `NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = o.value->>0)
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.idempotency_key = o.value->>8)`,
);

/**
 * Stores a call whole or not at all, in one transaction, and numbers it for `submitter`, if there is one. Safe to send
 * again: it then only answers. `entry`: what a person did by it; kept where anything was stored.
 */
export async function insertJobs(
  store: Store,
  token: string,
  jobs: NewJob[],
  aheadMs: number,
  submitter: string | null,
  entry?: Entry,
): Promise<Inserted> {
  const identities = JSON.stringify(jobs.map((job) => [job.id, job.key, job.hash]));
  const keyed = jobs.some((job) => job.key !== null);
  const results = await store.batch([
    open(token, WORK, identities, submitter),
    ...(submitter === null ? [] : [sql(TAKE_NUMBERS, token, identities, submitter)]),
    ...(submitter === null
      ? insertRows(token, jobs, aheadMs)
      : chunks(jobs).map(({ rows, earlier }) => sql(INSERT_NUMBERED, token, rows, aheadMs, submitter, earlier))),
    ...(entry ? [auditRow(token, entry)] : []),
    countRows(token, jobs),
    readRows(token, jobs),
    keyed ? holdersOf(identities) : sql("SELECT 1 WHERE false"),
    submitter === null
      ? sql("SELECT 1 WHERE false")
      : sql(
          `SELECT coalesce((SELECT last FROM daily_numbers AS d WHERE d.submitter = ?1 AND d.day = {now} / ${DAY_MS}), 0) AS used,
             (SELECT daily_limit FROM submitters WHERE name = ?1) AS dailyLimit, ({now} / ${DAY_MS} + 1) * ${DAY_MS} AS endsAt`,
          submitter,
        ),
  ]);
  const [stored, keys, day] = results.slice(-3) as [Inserted["stored"], Inserted["keys"], [Inserted["day"]?]];
  return { stored, keys, day: day[0] ?? null };
}

const holdersOf = (identities: string): Statement =>
  sql(
    `SELECT jobs.idempotency_key AS key, jobs.id, jobs.request_hash AS hash, jobs.state
     FROM json_each(?1) AS o CROSS JOIN jobs ON jobs.idempotency_key = o.value->>1`,
    identities,
  );

/** Who holds the keys of these jobs. */
export async function readHolders(store: Store, jobs: Pick<NewJob, "key">[]): Promise<Inserted["keys"]> {
  const [rows] = await store.batch([holdersOf(JSON.stringify(jobs.map(({ key }) => [null, key])))]);
  return rows as Inserted["keys"];
}
