import type { Lane } from "~/domain/lanes";
import type { State } from "~/domain/states";
import { byteLength } from "~/domain/text";
import { CHAINED, moveCounts, open } from "./chain";
import { PARAMETER_BYTES, type Store, sql } from "./store";

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
  scheduleId: string | null;
  slotAt: number | null;
  /** Whether its lane has room for a message now. */
  room: boolean;
};

export type Inserted = {
  /** Jobs of this call that are stored and not yet claimed; `sent`: their message is owed, `delayMs` from now. */
  stored: { id: string; sent: number; delayMs: number }[];
  /** Who holds each key of the call, this call's own jobs included. */
  keys: { key: string; id: string; hash: string; state: State }[];
};

/** Nothing of the call where a key is held by another request; else everything that is not stored yet. */
const WORK = `SELECT 1 FROM json_each(?2) AS o
  WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.id = o.value->>0)
  AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.idempotency_key = o.value->>1)
  AND NOT EXISTS (SELECT 1 FROM json_each(?2) AS k JOIN jobs ON jobs.idempotency_key = k.value->>1
    WHERE jobs.request_hash <> k.value->>2)`;

const INSERT = `INSERT INTO jobs (id, kind, lane, payload, label, max_attempts, run_at, idempotency_key, request_hash,
    fanout_id, schedule_id, slot_at, sent_at, created_at, state, token)
  SELECT *, 'pending', ?1 FROM (
    SELECT o.value->>0, o.value->>1, o.value->>2, o.value->>3, o.value->>4, o.value->>5,
      max(clock + (o.value->>6), coalesce(o.value->>7, 0)) AS run_at, o.value->>8, o.value->>9,
      o.value->>11, o.value->>12, o.value->>13,
      CASE WHEN o.value->>10 AND max(clock + (o.value->>6), coalesce(o.value->>7, 0)) <= clock + ?3 THEN clock END, clock
    FROM json_each(?2) AS o CROSS JOIN ${CHAINED})
  WHERE true ON CONFLICT DO NOTHING`;

/** Stores a call whole or not at all, in one transaction. Safe to send again: it then only answers. */
export async function insertJobs(store: Store, token: string, jobs: NewJob[], aheadMs: number): Promise<Inserted> {
  const identities = JSON.stringify(jobs.map((job) => [job.id, job.key, job.hash]));
  const keyed = jobs.some((job) => job.key !== null);
  const results = await store.batch([
    open(token, WORK, identities),
    ...chunks(jobs).map((chunk) => sql(INSERT, token, chunk, aheadMs)),
    moveCounts(
      `SELECT jobs.kind, NULL AS was, jobs.view AS became FROM json_each(?2) AS o CROSS JOIN ${CHAINED}
       CROSS JOIN jobs ON jobs.id = o.value->>0 WHERE jobs.token = ?1`,
      token,
      identities,
    ),
    sql(
      `SELECT jobs.id, jobs.sent_at IS NOT NULL AS sent, max(0, jobs.run_at - {now}) AS delayMs
       FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value->>0 WHERE jobs.token = ?1`,
      token,
      identities,
    ),
    ...(keyed
      ? [
          sql(
            `SELECT jobs.idempotency_key AS key, jobs.id, jobs.request_hash AS hash, jobs.state
             FROM json_each(?1) AS o CROSS JOIN jobs ON jobs.idempotency_key = o.value->>1`,
            identities,
          ),
        ]
      : []),
  ]);
  const [stored, keys] = keyed ? results.slice(-2) : [results.at(-1), []];
  return { stored, keys } as Inserted;
}

/** JSON arrays of rows, each small enough for one parameter. */
function chunks(jobs: NewJob[]): string[] {
  const out: string[] = [];
  let rows: string[] = [];
  let size = 0;
  for (const job of jobs) {
    const row = JSON.stringify([
      job.id,
      job.kind,
      job.lane,
      job.payload,
      job.label,
      job.maxAttempts,
      job.delayMs,
      job.runAt,
      job.key,
      job.hash,
      job.room ? 1 : 0,
      job.fanoutId,
      job.scheduleId,
      job.slotAt,
    ]);
    const bytes = byteLength(row) + 1;
    if (size + bytes > PARAMETER_BYTES - 2) {
      out.push(`[${rows}]`);
      rows = [];
      size = 0;
    }
    rows.push(row);
    size += bytes;
  }
  return [...out, `[${rows}]`];
}
