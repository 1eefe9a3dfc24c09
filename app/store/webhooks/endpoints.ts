import type { EndpointType } from "~/domain/webhooks/webhooks";
import { auditRow, type Entry, madeBefore, openOnce } from "../audit";
import { CHAINED } from "../chain";
import { type Statement, type Store, sql } from "../store";

export const ENDPOINTS_MAX = 500;

export type NewEndpoint = {
  id: string;
  name: string;
  type: EndpointType;
  address: string;
  service: string | null;
  headers: Record<string, string>;
  secret: string | null;
};

/** Stores an endpoint. The same one sent again changes nothing, also after it was deleted; `full`: there are as many as are kept. */
export async function createEndpoint(
  store: Store,
  token: string,
  endpoint: NewEndpoint,
  entry: Entry,
): Promise<"created" | "exists" | "full"> {
  const { id, name, type, address, service, headers, secret } = endpoint;
  const results = await store.batch([
    openOnce(
      token,
      entry.id,
      `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM endpoints WHERE id = ?2) AND (SELECT count(*) FROM endpoints) < ?3
         AND NOT ${madeBefore("endpoint.create", "?2")}`,
      id,
      ENDPOINTS_MAX,
    ),
    sql(
      `INSERT INTO endpoints (id, name, type, address, service, headers, secret, created_at)
       SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, clock FROM ${CHAINED}`,
      token,
      id,
      name,
      type,
      address,
      service,
      JSON.stringify(headers),
      secret,
    ),
    auditRow(token, { ...entry, after: { endpoint: id, name, type } }),
    sql(
      `SELECT EXISTS (SELECT 1 FROM audit WHERE audit.id = ?5) AS landed,
         (SELECT secret IS ?2 AND name = ?3 AND address = ?4 FROM endpoints WHERE id = ?1) AS mine,
         ${madeBefore("endpoint.create", "?1")} AS made`,
      id,
      secret,
      name,
      address,
      entry.id,
    ),
  ]);
  const [{ landed, mine, made }] = results.at(-1) as [{ landed: number; mine: number | null; made: number }];
  if (landed || mine) return "created";
  return made ? "exists" : "full";
}

/** What a change asks for; ?2 is the endpoint's id, the rest of `where` and of `write` their own. */
type Change = {
  where: string;
  asked?: Statement["params"];
  write: string;
  params: Statement["params"];
  after: object | null;
};

/** Answers whether the endpoint was stored, and whether this call changed it, now or when it was sent before. */
export async function change(
  store: Store,
  token: string,
  id: string,
  { where, asked = [], write, params, after }: Change,
  entry: Entry,
) {
  const results = await store.batch([
    sql("SELECT 1 FROM endpoints WHERE id = ?1", id),
    openOnce(token, entry.id, `SELECT 1 FROM endpoints WHERE id = ?2 AND ${where}`, id, ...asked),
    sql(
      `INSERT INTO audit (id, at, actor, action, before, after, reason)
       SELECT ?3, batch.clock, ?4, ?5, json_object('endpoint', e.id, 'name', e.name, 'type', e.type, 'disabled', e.disabled_reason), ?6, ?7
       FROM ${CHAINED} AS batch CROSS JOIN endpoints AS e ON e.id = ?2`,
      token,
      id,
      entry.id,
      entry.actor,
      entry.action,
      after && JSON.stringify({ endpoint: id, ...after }),
      entry.reason ?? null,
    ),
    sql(`${write} WHERE id = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`, token, id, ...params),
    sql("SELECT 1 FROM audit WHERE id = ?1", entry.id),
  ]);
  const [before, changed] = [results[0], results.at(-1)] as [unknown[], unknown[]];
  return { found: before.length > 0, changed: changed.length > 0 };
}

export const disableEndpoint = (store: Store, token: string, id: string, reason: string, entry: Entry) =>
  change(
    store,
    token,
    id,
    {
      where: "disabled_at IS NULL",
      write: "UPDATE endpoints SET disabled_at = {now}, disabled_reason = ?3",
      params: [reason],
      after: { disabled: reason },
    },
    entry,
  );

export const enableEndpoint = (store: Store, token: string, id: string, entry: Entry) =>
  change(
    store,
    token,
    id,
    {
      where: "disabled_at IS NOT NULL",
      write: "UPDATE endpoints SET disabled_at = NULL, disabled_reason = NULL",
      params: [],
      after: { disabled: null },
    },
    entry,
  );

export const deleteEndpoint = (store: Store, token: string, id: string, entry: Entry) =>
  change(store, token, id, { where: "true", write: "DELETE FROM endpoints", params: [], after: null }, entry);

/** All that a request needs, secrets included: read only where one is about to be made, and never shown. */
export type Addressee = {
  id: string;
  type: EndpointType;
  address: string;
  service: string | null;
  headers: Record<string, string>;
  secrets: string[];
  disabled: boolean;
};

export async function readAddressees(store: Store, ids: string[]): Promise<Map<string, Addressee>> {
  if (ids.length === 0) return new Map();
  const [rows = []] = await store.batch([
    sql(
      `SELECT e.id, e.type, address, service, headers, secret, disabled_at IS NOT NULL AS disabled,
         CASE WHEN previous_until > {now} THEN previous_secret END AS previous
       FROM json_each(?1) AS o CROSS JOIN endpoints AS e ON e.id = o.value`,
      JSON.stringify(ids),
    ),
  ]);
  return new Map(
    rows.map((row) => {
      const { id, type, address, service, headers, secret, previous, disabled } = row as Stored;
      const secrets = [secret, previous].filter((one) => one !== null);
      return [id, { id, type, address, service, headers: JSON.parse(headers), secrets, disabled: disabled === 1 }];
    }),
  );
}

type Stored = Pick<Addressee, "id" | "type" | "address" | "service"> & {
  headers: string;
  secret: string | null;
  previous: string | null;
  disabled: number;
};
