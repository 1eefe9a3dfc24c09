import type { DeliveryStatus, EndpointType } from "~/domain/webhooks/webhooks";
import { CHAINED, open } from "../chain";
import { type Statement, type Store, sql } from "../store";

/** How a try at one endpoint ended. */
export type Tried = {
  status: DeliveryStatus;
  httpStatus: number | null;
  durationMs: number | null;
  signed: boolean;
  error: string | null;
  answer: string | null;
};

/** The first try, with whom it went to. `delayMs`: until the second, where there is one. */
export type FirstTry = Tried & {
  n: number;
  endpointId: string | null;
  type: EndpointType;
  target: string;
  webhookId: string;
  delayMs: number | null;
};

/** First tries, in one statement for `ctx.guarded`. What is recorded already stands: a repeat changes nothing. */
export const recordFirstTries = (fanoutId: string, tries: FirstTry[]): Statement =>
  sql(
    `INSERT INTO deliveries (fanout_id, n, endpoint_id, type, target, webhook_id, status, attempts, http_status, duration_ms,
       signed, delay_ms, at, error, answer)
     SELECT ?1, o.value->>0, o.value->>1, o.value->>2, o.value->>3, o.value->>4, o.value->>5, o.value->>6, o.value->>7,
       o.value->>8, o.value->>9, o.value->>10, {now}, o.value->>11, o.value->>12
     FROM json_each(?2) AS o WHERE {held} ON CONFLICT DO NOTHING`,
    fanoutId,
    JSON.stringify(
      tries.map((one) => [
        one.n,
        one.endpointId,
        one.type,
        one.target,
        one.webhookId,
        one.status,
        one.status === "skipped" ? 0 : 1,
        one.httpStatus,
        one.durationMs,
        one.signed ? 1 : 0,
        one.delayMs,
        one.error,
        one.answer,
      ]),
    ),
  );

/** Which job goes on with each: known once it is submitted. */
export const recordJobs = (fanoutId: string, jobs: { n: number; jobId: string }[]): Statement =>
  sql(
    `UPDATE deliveries SET job_id = o.value->>1 FROM json_each(?2) AS o
     WHERE deliveries.fanout_id = ?1 AND deliveries.n = o.value->>0 AND deliveries.job_id IS NULL AND {held}`,
    fanoutId,
    JSON.stringify(jobs.map(({ n, jobId }) => [n, jobId])),
  );

/** Endpoints that said they are gone get nothing more until a person enables them. `when`: `{held}` or `{landed}`. */
export const disableGone = (ids: string[], when: "{held}" | "{landed}"): Statement =>
  sql(
    `UPDATE endpoints SET disabled_at = {now}, disabled_reason = 'it answered 410 Gone'
     WHERE id IN (SELECT value FROM json_each(?1)) AND disabled_at IS NULL AND ${when}`,
    JSON.stringify(ids),
  );

/** A further try, for `ctx.commit`: counted once, with the settle of its job. One that ends its job without success failed. */
export const recordFurtherTry = (fanoutId: string, n: number, jobId: string, tried: Tried): Statement =>
  sql(
    `UPDATE deliveries SET status = CASE WHEN ?3 = 'retrying' AND {final} THEN 'failed' ELSE ?3 END,
       attempts = attempts + ?4, http_status = ?5, duration_ms = ?6, signed = ?7, error = ?8, answer = ?9, job_id = ?10,
       at = {now}
     WHERE fanout_id = ?1 AND n = ?2 AND {landed}`,
    fanoutId,
    n,
    tried.status,
    tried.status === "skipped" ? 0 : 1,
    tried.httpStatus,
    tried.durationMs,
    tried.signed ? 1 : 0,
    tried.error,
    tried.answer,
    jobId,
  );

export type Recorded = {
  n: number;
  status: DeliveryStatus;
  delayMs: number | null;
  jobId: string | null;
  target: string;
};

/** What is recorded of the endpoints `from` to `to` (not included) of an event. */
export async function readRecorded(store: Store, fanoutId: string, from: number, to: number): Promise<Recorded[]> {
  const [rows] = await store.batch([
    sql(
      `SELECT n, status, delay_ms AS delayMs, job_id AS jobId, target FROM deliveries
       WHERE fanout_id = ?1 AND n >= ?2 AND n < ?3 ORDER BY n`,
      fanoutId,
      from,
      to,
    ),
  ]);
  return rows as Recorded[];
}

export type Resendable = {
  status: DeliveryStatus;
  at: number;
  target: string;
  jobId: string | null;
  state: string | null;
};

/** One delivery as it stands, with the state of the job that goes on with it. */
export async function readDelivery(store: Store, fanoutId: string, n: number): Promise<Resendable | null> {
  const [rows] = await store.batch([
    sql(
      `SELECT d.status, d.at, d.target, d.job_id AS jobId, jobs.state FROM deliveries AS d LEFT JOIN jobs ON jobs.id = d.job_id
       WHERE d.fanout_id = ?1 AND d.n = ?2`,
      fanoutId,
      n,
    ),
  ]);
  return (rows?.[0] as Resendable | undefined) ?? null;
}

/** A person sent it again: job `jobId` goes on with it. `at`: of the last try then; one that ended meanwhile stands. */
export async function recordResend(
  store: Store,
  token: string,
  { fanoutId, n, at }: { fanoutId: string; n: number; at: number },
  jobId: string,
): Promise<void> {
  await store.batch([
    open(
      token,
      `SELECT 1 FROM deliveries WHERE fanout_id = ?2 AND n = ?3 AND at = ?4 AND job_id IS NOT ?5`,
      fanoutId,
      n,
      at,
      jobId,
    ),
    sql(
      `UPDATE deliveries SET status = 'retrying', job_id = ?4
       WHERE fanout_id = ?2 AND n = ?3 AND EXISTS (SELECT 1 FROM ${CHAINED})`,
      token,
      fanoutId,
      n,
      jobId,
    ),
  ]);
}
