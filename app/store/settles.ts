import type { OutcomeName, State, Trigger } from "~/domain/states";
import { CHAINED, countDeaths, moveCounts, open } from "./chain";
import type { LimitedDue } from "./limited_sends";
import { addToStats } from "./stats";
import { type Statement, type Store, sql } from "./store";

/** The outcome of one attempt, ready to be written. `claim` is the claim token: with it, only the holder can settle. */
export type Settlement = {
  id: string;
  attempt: number;
  claim: string;
  state: Exclude<State, "processing">;
  outcome: OutcomeName;
  trigger: Trigger;
  waitedMs: number;
  /** From the claim of its wave to its own start: it waited for a place among those that run at once. */
  placeMs: number;
  delayMs: number;
  forgive: 0 | 1;
  suspect: number;
  /** What starts the next attempt, if there is one. */
  next: Trigger;
  /** Whether the next attempt's message is sent right after this write. */
  send: 0 | 1;
  result: string | null;
  error: string | null;
  stack: string | null;
  cause: string | null;
  log: string | null;
  /** null: as it stands. */
  progress: string | null;
};

/** What a settle answers: members that stand as it left them, and the messages owed to jobs that have got a place by it. */
export type Settling = { settled: Settled[]; next: LimitedDue[] };

/** `sendInMs`: the message of the next attempt is owed, this long from now; null: none is. */
export type Settled = { id: string; state: State; sendInMs: number | null };

const FIELDS = [
  "id",
  "attempt",
  "claim",
  "state",
  "outcome",
  "trigger",
  "waitedMs",
  "placeMs",
  "delayMs",
  "forgive",
  "suspect",
  "next",
  "send",
  "result",
  "error",
  "stack",
  "cause",
  "log",
  "progress",
] as const satisfies (keyof Settlement)[];
const o = Object.fromEntries(FIELDS.map((field, index) => [field, `o.value->>${index}`])) as Record<
  keyof Settlement,
  string
>;

/** One settlement as it travels: groups are cut by the length of these. */
export const encodeSettlement = (settlement: Settlement): string =>
  JSON.stringify(FIELDS.map((field) => settlement[field]));

const held = (now: string) => `jobs.id = ${o.id} AND jobs.attempt = ${o.attempt} AND jobs.token = ${o.claim}
  AND +jobs.state = 'processing' AND (?3 = 0 OR jobs.lease_until <= ${now})`;

/** ?2 is an array of ids here: what has landed is all in the tables by then, so the group itself need not travel again. */
const LANDED = `${CHAINED} AS batch CROSS JOIN json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value AND jobs.token = ?1`;
/** The same with the attempts that this batch has ended. */
const ENDED = `${LANDED} CROSS JOIN attempts AS a ON a.job_id = jobs.id AND a.number = jobs.attempt AND a.token = ?1`;

/** `expired`: see below. `writes`: statements of kinds, made for this settle. `next`: see `nextLimitedSent`. */
type SettleAsk = { expired?: boolean; appVersion: string; writes: Statement[]; next: Statement | null };

/**
 * Writes the outcomes of a group, in one transaction: a member lands only while its attempt is current and its claim
 * holds (and, with `expired`, only while its lease has run out by D1's clock). Everything after the move counts the
 * members that carry this batch's token, so what did not move is not counted. Safe to send again: a repeat changes
 * nothing and gives the same answer, the members that still stand as this group left them. `next` marks as sent what may
 * start in their places.
 */
export async function settleJobs(
  store: Store,
  token: string,
  group: Settlement[],
  { expired, appVersion, writes, next }: SettleAsk,
): Promise<Settling> {
  const rows = `[${group.map(encodeSettlement)}]`;
  const ids = JSON.stringify(group.map((one) => one.id));
  const deaths = group.some((one) => one.state === "dead");
  const flag = expired ? 1 : 0;
  const results = await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON ${held("{now}")}`, rows, flag),
    sql(
      `UPDATE jobs SET
         state = CASE WHEN ${o.state} = 'pending' AND cancel_requested_at IS NOT NULL THEN 'cancelled' ELSE ${o.state} END,
         sent_at = CASE WHEN ${o.state} = 'pending' AND cancel_requested_at IS NULL AND ${o.send} THEN batch.clock END,
         finished_at = CASE WHEN ${o.state} <> 'pending' OR cancel_requested_at IS NOT NULL THEN batch.clock END,
         run_at = CASE WHEN ${o.state} = 'pending' THEN batch.clock + (${o.delayMs}) ELSE run_at END,
         token = ?1, lease_until = NULL, forgiven = forgiven + (${o.forgive}), suspect = ${o.suspect}, trigger = ${o.next},
         result = ${o.result}, last_error = ${o.error}, cause = ${o.cause},
         progress = coalesce(${o.progress}, progress)
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${held("batch.clock")}`,
      token,
      rows,
      flag,
    ),
    sql(
      `INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, error, stack, cause, log, token, app_version)
       SELECT jobs.id, jobs.attempt, jobs.generation, ${o.trigger},
         min(batch.clock, jobs.leased_at + (${o.placeMs})), batch.clock, ${o.waitedMs}, ${o.outcome},
         ${o.error}, ${o.stack}, ${o.cause}, ${o.log}, ?1, ?3
       FROM ${CHAINED} AS batch CROSS JOIN json_each(?2) AS o CROSS JOIN jobs ON jobs.id = ${o.id} AND jobs.token = ?1
       WHERE true ON CONFLICT DO NOTHING`,
      token,
      rows,
      appVersion,
    ),
    moveCounts(`SELECT jobs.kind, 'processing' AS was, jobs.view AS became FROM ${LANDED}`, token, ids),
    addToStats(
      `SELECT jobs.kind, batch.clock AS at, a.outcome, a.finished_at - a.started_at AS ran, a.waited_ms AS waited FROM ${ENDED}`,
      token,
      ids,
    ),
    ...(deaths ? countDeaths(`${LANDED} WHERE jobs.state = 'dead'`, token, ids) : []),
    ...writes,
    ...(next ? [next] : []),
    sql(
      `SELECT jobs.id, state, CASE WHEN sent_at IS NOT NULL THEN max(0, run_at - {now}) END AS sendInMs
       FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value WHERE jobs.token = ?1`,
      token,
      ids,
    ),
  ]);
  return { settled: results.at(-1) as Settled[], next: next ? (results.at(-2) as LimitedDue[]) : [] };
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A kind's statement that does not ask would be written whether its job was settled or not. */
export function mustAsk(statement: Statement): void {
  if (!/\{(landed|final)\}/.test(statement.sql))
    throw new TypeError(`a statement of a kind must ask {landed} or {final}: ${statement.sql}`);
}

/**
 * A kind's own statement, made part of the settle of job `id`: `{landed}` in its text is true where this batch settled
 * the job, `{final}` where it ended it. Both are false in a batch that is sent a second time.
 */
export function withSettle(statement: Statement, id: string, token: string): Statement {
  const landed = `((SELECT chain FROM site_state WHERE id = 1) IS ${quoted(token)}
    AND EXISTS (SELECT 1 FROM jobs WHERE jobs.id = ${quoted(id)} AND jobs.token = ${quoted(token)}`;
  return {
    ...statement,
    sql: statement.sql
      .replaceAll("{landed}", `${landed}))`)
      .replaceAll("{final}", `${landed} AND jobs.finished_at IS NOT NULL))`),
  };
}
