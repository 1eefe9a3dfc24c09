import type { Lane } from "~/domain/lanes";
import { CLAIM_PAYLOAD_BYTES, SEND_AHEAD_MS } from "~/domain/limits";
import type { Trigger } from "~/domain/states";
import { CHAINED, moveCounts, open } from "./chain";
import { chosen, spendStarts } from "./limited_claims";
import type { Known } from "./limits";
import { anyUnsent } from "./sends";
import { type Store, sql } from "./store";

/** A job in the hands of a worker: `attempt` and `token` are what each of its later writes is guarded by. */
export type Claimed = {
  id: string;
  kind: string;
  lane: Lane;
  attempt: number;
  forgiven: number;
  maxAttempts: number;
  generation: number;
  trigger: Trigger;
  /** So many attempts in a row lost their worker before this one. */
  suspect: number;
  runAt: number;
  leasedAt: number;
  /** It is not begun from then on, by D1's clock; null: no such time. */
  expiresAt: number | null;
  createdAt: number;
  /** Of a schedule's job: the slot that it is for. */
  slotAt: number | null;
  key: string | null;
  /** null: over 16 KB, read it with `readPayload`. */
  payload: string | null;
  token: string;
};

export type Ask = { id: string; attempt: number };

/** One object, id to attempt: its members need no taking apart. */
const encode = (asks: Ask[]): string => JSON.stringify(Object.fromEntries(asks.map((ask) => [ask.id, ask.attempt])));

/**
 * "Perform attempt n" holds while the job has made n − 1 attempts, waits, is due and not expired, and its kind is known
 * here and runs.
 * The `+` keeps SQLite from walking all pending rows by a state index instead of finding each job by its id.
 */
const claimable = (now: string) => `jobs.id = o.key AND jobs.attempt + 1 = o.value AND +jobs.state = 'pending'
  AND jobs.run_at <= ${now} AND (jobs.expires_at IS NULL OR jobs.expires_at > ${now}) AND (?4 OR jobs.suspect = 0) AND jobs.kind IN (SELECT value FROM json_each(?3))
  AND NOT EXISTS (SELECT 1 FROM kinds WHERE kinds.name = jobs.kind AND kinds.paused_at IS NOT NULL)`;

/** Of a kind without limits: those of others are claimed by a statement that counts. */
const claimableAtOnce = (now: string) => `${claimable(now)}
  AND NOT EXISTS (SELECT 1 FROM kinds WHERE kinds.name = jobs.kind AND kinds.limits IS NOT NULL)`;

/** The view a job had before the claim that just moved it. */
const VIEW_BEFORE = `CASE WHEN jobs.attempt - 1 > jobs.forgiven THEN 'retrying'
  WHEN jobs.attempt = 1 AND jobs.generation = 1 AND jobs.run_at > jobs.created_at THEN 'scheduled' ELSE 'pending' END`;

const COLUMNS = `jobs.id, kind, lane, attempt, forgiven, max_attempts AS maxAttempts, generation, trigger, suspect, run_at AS runAt,
  leased_at AS leasedAt, expires_at AS expiresAt, created_at AS createdAt, slot_at AS slotAt, idempotency_key AS key, token,
  CASE WHEN octet_length(payload) <= ${CLAIM_PAYLOAD_BYTES} THEN payload END AS payload`;

const START = `UPDATE jobs SET state = 'processing', attempt = attempt + 1, token = ?1, sent_at = NULL, held_at = NULL,
  leased_at = batch.clock, lease_until = batch.clock + ?5`;

/** `limited`: kinds whose jobs are claimed within their limits; those of other kinds with limits are left out. */
export type ClaimOptions = { known: Known; limited: string[]; leaseMs: number; suspects: boolean; lane: Lane };

/**
 * Claims what is claimable of `asks`, in one transaction. Suspects are left out unless asked for. `unsent`: the lane has
 * jobs due soon without a message, so whoever makes room there should send them.
 */
export async function claimJobs(
  store: Store,
  token: string,
  asks: Ask[],
  { known, limited, leaseMs, suspects, lane }: ClaimOptions,
): Promise<{ claimed: Claimed[]; unsent: boolean }> {
  const asked = encode(asks);
  const flag = suspects ? 1 : 0;
  const free = [asked, JSON.stringify(known.names.filter((name) => !known.limited.has(name))), flag] as const;
  const counted = [asked, JSON.stringify(limited), flag] as const;
  const startable = `SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON ${claimableAtOnce("{now}")}`;
  const results = await store.batch([
    limited.length === 0
      ? open(token, startable, ...free)
      : // Where places and starts come back, more could be claimed a moment later: a batch that came twice must not.
        open(
          token,
          `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.key AND jobs.token = ?1)
             AND (EXISTS (${startable.replaceAll("?3", "?5")})
               OR EXISTS (${chosen("(SELECT {now} AS clock) AS batch", claimable("batch.clock"))}))`,
          ...counted,
          free[1],
          known.limits,
        ),
    sql(
      `${START} FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${claimableAtOnce("batch.clock")} RETURNING ${COLUMNS}`,
      token,
      ...free,
      leaseMs,
    ),
    ...(limited.length === 0
      ? []
      : [
          sql(
            `${START} FROM (${chosen(`${CHAINED} AS batch`, claimable("batch.clock"))}) AS o CROSS JOIN ${CHAINED} AS batch
             WHERE jobs.id = o.id RETURNING ${COLUMNS}`,
            token,
            ...counted,
            leaseMs,
            known.limits,
          ),
          spendStarts(token, asked, known.limits),
        ]),
    moveCounts(
      `SELECT jobs.kind, ${VIEW_BEFORE} AS was, 'processing' AS became FROM ${CHAINED} CROSS JOIN json_each(?2) AS o
       CROSS JOIN jobs ON jobs.id = o.key WHERE jobs.token = ?1`,
      token,
      asked,
    ),
    anyUnsent(known, lane, SEND_AHEAD_MS),
  ]);
  const claimed = [...(results[1] ?? []), ...(limited.length === 0 ? [] : (results[2] ?? []))];
  return { claimed: claimed as Claimed[], unsent: (results.at(-1) as unknown[]).length > 0 };
}

/** Jobs that a claim with this token holds: how a claim whose reply was lost finds out what it got. */
export async function claimedWith(store: Store, token: string, asks: Ask[]): Promise<Claimed[]> {
  const [rows] = await store.batch([
    sql(
      `SELECT ${COLUMNS} FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.key
       WHERE jobs.token = ?1 AND +jobs.state = 'processing'`,
      token,
      encode(asks),
    ),
  ]);
  return rows as Claimed[];
}

export type Unclaimed = {
  id: string;
  state: string;
  attempt: number;
  suspect: number;
  paused: number;
  /** A person has set limits of its kind. */
  limited: number;
  dueInMs: number;
  /** Its time to be started was over then; null: it is not. */
  expiredAt: number | null;
};

/** Where the jobs of unanswered asks stand now. Ids without an answer are not stored. */
export async function lookUp(store: Store, ids: string[]): Promise<Unclaimed[]> {
  const [rows] = await store.batch([
    sql(
      `SELECT jobs.id, state, attempt, suspect, run_at - {now} AS dueInMs, CASE WHEN expires_at <= {now} THEN expires_at END AS expiredAt,
         EXISTS (SELECT 1 FROM kinds WHERE kinds.name = jobs.kind AND kinds.paused_at IS NOT NULL) AS paused,
         EXISTS (SELECT 1 FROM kinds WHERE kinds.name = jobs.kind AND kinds.limits IS NOT NULL) AS limited
       FROM json_each(?1) AS o CROSS JOIN jobs ON jobs.id = o.value`,
      JSON.stringify(ids),
    ),
  ]);
  return rows as Unclaimed[];
}

export async function readPayload(store: Store, id: string): Promise<string> {
  return (await findPayload(store, id)) as string;
}

/** What another job can be made of; null: it is stored no more. */
export async function findSource(store: Store, id: string): Promise<{ kind: string; payload: string } | null> {
  const [rows] = await store.batch([sql("SELECT kind, payload FROM jobs WHERE id = ?1", id)]);
  return (rows?.[0] as { kind: string; payload: string } | undefined) ?? null;
}

/** The payload of a job that may be stored no more. */
export async function findPayload(store: Store, id: string): Promise<string | null> {
  const [rows] = await store.batch([sql("SELECT payload FROM jobs WHERE id = ?1", id)]);
  return (rows?.[0] as { payload: string } | undefined)?.payload ?? null;
}
