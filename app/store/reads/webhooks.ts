import { endpointWithoutPayloads } from "~/domain/people/hidden";
import { neededFor } from "~/domain/people/needed";
import { covers, type Rights } from "~/domain/people/roles";
import { instant, instantOrNull } from "~/domain/time";
import { FANOUT_KIND, fanoutOf, type Part } from "~/domain/webhooks/fanout";
import {
  type DeliveryRow,
  type EndpointDetail,
  type EndpointList,
  type EndpointRow,
  FANOUT_ENDPOINTS,
  type Fanout,
  JOB_ENDPOINTS,
  type SentRow,
  savedTarget,
  shownAddress,
  shownTarget,
} from "~/domain/webhooks/webhooks";
import { type Rows, type Statement, type Store, sql } from "../store";
import { ENDPOINTS_MAX } from "../webhooks/endpoints";
import { atOf, REVISION } from "./revision";

/** Newest deliveries that an endpoint comes with. */
const DELIVERIES = 50;
const LIST_ANSWER_CHARS = 300;

/** A delivery whose job ended without recording a last try (cancelled, or its worker lost) has failed. */
const STATUS = `CASE WHEN d.status = 'retrying' AND d.job_id IS NOT NULL AND (jobs.id IS NULL OR jobs.state IN ('dead', 'cancelled'))
  THEN 'failed' ELSE d.status END`;

const COLUMNS = `d.fanout_id AS fanoutId, d.n, d.webhook_id AS webhookId, d.endpoint_id AS endpointId, d.type, d.target,
  ${STATUS} AS status, d.attempts, d.http_status AS httpStatus, d.duration_ms AS durationMs, d.signed, d.at,
  CASE WHEN jobs.state = 'pending' THEN jobs.run_at END AS nextAt, d.job_id AS jobId, d.error,
  substr(d.answer, 1, ${LIST_ANSWER_CHARS}) AS answer`;

const parts = Array.from({ length: FANOUT_ENDPOINTS / JOB_ENDPOINTS }, (_, index) => index * JOB_ENDPOINTS);

/** For the batch that reads job `id`: its deliveries, and the jobs that try its endpoints first. Nothing for other kinds. */
export const fanoutStatements = (id: string): Statement[] => [
  sql(
    `SELECT ${COLUMNS} FROM deliveries AS d LEFT JOIN jobs ON jobs.id = d.job_id WHERE d.fanout_id = ? ORDER BY d.n LIMIT ?`,
    id,
    FANOUT_ENDPOINTS,
  ),
  sql(
    `SELECT 0 AS "from", id, state FROM jobs WHERE id = ?1 AND kind = '${FANOUT_KIND}'
     UNION ALL
     SELECT p.value, part.id, part.state
     FROM json_each((SELECT ?2 FROM jobs WHERE id = ?1 AND kind = '${FANOUT_KIND}')) AS p
     CROSS JOIN jobs AS part ON part.idempotency_key = ?1 || '/part/' || p.value`,
    id,
    JSON.stringify(parts.slice(1)),
  ),
];

export function fanoutFrom(
  job: { id: string; kind: string },
  payload: unknown,
  [rows, jobs]: (Rows | undefined)[],
): Fanout | null {
  if (job.kind !== FANOUT_KIND || !Array.isArray((payload as { endpoints?: unknown } | null)?.endpoints)) return null;
  return fanoutOf(job.id, payload, (rows ?? []).map(deliveryOf), (jobs ?? []) as Part[]);
}

const deliveryOf = (row: Rows[number]): DeliveryRow => {
  const { at, nextAt, signed, ...rest } = row as Omit<DeliveryRow, "at" | "nextAt" | "signed"> & {
    at: number;
    nextAt: number | null;
    signed: number;
  };
  // What an earlier release wrote told the path as well.
  return {
    ...rest,
    target: shownAddress(rest.target),
    at: instant(at),
    nextAt: instantOrNull(nextAt),
    signed: signed === 1,
  };
};

const sentOf = (row: Rows[number]): SentRow => deliveryOf(row) as SentRow;

const ENDPOINT = `id, name, type, address, service, headers, secret IS NOT NULL AS signed, created_at, disabled_at,
  disabled_reason, CASE WHEN previous_until > {now} THEN previous_until END AS rotating_until`;

/** Saved endpoints, newest first: all there are. */
export async function listEndpoints(store: Store, rights: Rights): Promise<EndpointList> {
  const [revision, rows = []] = await store.batch([
    REVISION,
    sql(`SELECT ${ENDPOINT} FROM endpoints ORDER BY id DESC LIMIT ?`, ENDPOINTS_MAX),
  ]);
  return { ...atOf(revision), endpoints: rows.map((row) => endpointOf(row, rights)) };
}

/** One endpoint with what it was sent lately, or null. */
export async function readEndpoint(store: Store, id: string, rights: Rights): Promise<EndpointDetail | null> {
  const [revision, rows = [], deliveries = []] = await store.batch([
    REVISION,
    sql(`SELECT ${ENDPOINT} FROM endpoints WHERE id = ?`, id),
    sql(
      `SELECT ${COLUMNS}, event.label AS event FROM deliveries AS d INDEXED BY deliveries_endpoint
       LEFT JOIN jobs ON jobs.id = d.job_id LEFT JOIN jobs AS event ON event.id = d.fanout_id
       WHERE d.endpoint_id = ? ORDER BY d.fanout_id DESC, d.n DESC LIMIT ?`,
      id,
      DELIVERIES,
    ),
  ]);
  const [row] = rows;
  if (!row) return null;
  const detail = { ...atOf(revision), ...endpointOf(row, rights), deliveries: deliveries.map(sentOf) };
  return rights.payloads ? detail : endpointWithoutPayloads(detail);
}

function endpointOf(row: Rows[number], rights: Rights): EndpointRow {
  const stored = row as unknown as Stored;
  const target = covers(rights, neededFor("GET", "/endpoints/new")) ? savedTarget : shownTarget;
  return {
    id: stored.id,
    name: stored.name,
    type: stored.type,
    target: target(stored.type, stored.address, stored.service),
    headers: Object.keys(JSON.parse(stored.headers)),
    signed: stored.signed === 1,
    rotatingUntil: instantOrNull(stored.rotating_until),
    createdAt: instant(stored.created_at),
    disabledAt: instantOrNull(stored.disabled_at),
    disabledReason: stored.disabled_reason,
  };
}

type Stored = Pick<EndpointRow, "id" | "name" | "type"> & {
  address: string;
  service: string | null;
  headers: string;
  signed: number;
  rotating_until: number | null;
  created_at: number;
  disabled_at: number | null;
  disabled_reason: string | null;
};
