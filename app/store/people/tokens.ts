import type { Rights } from "~/domain/people/roles";
import type { TokenRow } from "~/domain/people/tokens";
import { instant, instantOrNull } from "~/domain/time";
import { auditRow, type Entry, madeBefore, openOnce } from "../audit";
import { CHAINED } from "../chain";
import { type Store, sql } from "../store";

export const TOKENS_MAX = 200;
const DAY = 86_400_000;
const HOUR = 3_600_000;

export type StoredToken = Rights & { id: string; name: string; hash: string; expiresAt: number | null; now: number };

/** A token that is in force, by what was sent or by the session that was made of it. One row is read, and written once an hour. */
export async function findToken(store: Store, by: "hash" | "id", value: string): Promise<StoredToken | null> {
  const [rows] = await store.batch([
    sql(
      `SELECT id, name, hash, role, payloads, expires_at AS expiresAt, {now} AS now, coalesce(last_used_at, 0) AS used
       FROM tokens WHERE ${by} = ?1 AND (expires_at IS NULL OR expires_at > {now})`,
      value,
    ),
  ]);
  const found = rows?.[0] as (Omit<StoredToken, "payloads"> & { payloads: number; used: number }) | undefined;
  if (!found) return null;
  const { used, payloads, ...token } = found;
  if (used <= token.now - HOUR) {
    await store.batch([
      sql(
        "UPDATE tokens SET last_used_at = {now} WHERE id = ?1 AND coalesce(last_used_at, 0) <= {now} - ?2",
        token.id,
        HOUR,
      ),
    ]);
  }
  return { ...token, payloads: payloads === 1 };
}

export type NewToken = Rights & { id: string; name: string; hash: string; hint: string; days: number | null };

/**
 * Stores a token. The same one again changes nothing; `gone`: it was made before, and revoked since; `taken`: another has this
 * name; `full`: there are as many as are kept.
 */
export async function insertToken(
  store: Store,
  chain: string,
  { id, name, hash, hint, role, payloads, days }: NewToken,
  entry: Entry,
): Promise<"made" | "gone" | "taken" | "full"> {
  const results = await store.batch([
    openOnce(
      chain,
      entry.id,
      `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM tokens WHERE name = ?2 OR hash = ?3) AND (SELECT count(*) FROM tokens) < ?4
         AND NOT ${madeBefore("token.create", "?5")}`,
      name,
      hash,
      TOKENS_MAX,
      id,
    ),
    sql(
      `INSERT INTO tokens (id, name, hash, hint, role, payloads, created_at, created_by, expires_at)
       SELECT ?2, ?3, ?4, ?5, ?6, ?7, clock, ?8, clock + ?9 FROM ${CHAINED}`,
      chain,
      id,
      name,
      hash,
      hint,
      role,
      payloads ? 1 : 0,
      entry.actor,
      days === null ? null : days * DAY,
    ),
    auditRow(chain, { ...entry, after: { token: id, name, role, payloads, days } }),
    sql(
      `SELECT (SELECT hash FROM tokens WHERE name = ?1) AS held, ${madeBefore("token.create", "?2")} AS made`,
      name,
      id,
    ),
  ]);
  const [{ held, made }] = results.at(-1) as [{ held: string | null; made: number }];
  if (held === hash) return "made";
  if (made) return "gone";
  return held === null ? "full" : "taken";
}

/** Removes a token: from this transaction on neither it nor a session made of it is known. Answers whether it was there. */
export async function deleteToken(store: Store, chain: string, id: string, entry: Entry): Promise<boolean> {
  const results = await store.batch([
    openOnce(chain, entry.id, "SELECT 1 FROM tokens WHERE id = ?2", id),
    sql(
      `INSERT INTO audit (id, at, actor, action, before, reason)
       SELECT ?3, batch.clock, ?4, ?5, json_object('token', t.id, 'name', t.name, 'role', t.role, 'payloads', json(iif(t.payloads, 'true', 'false'))), ?6
       FROM ${CHAINED} AS batch CROSS JOIN tokens AS t ON t.id = ?2`,
      chain,
      id,
      entry.id,
      entry.actor,
      entry.action,
      entry.reason ?? null,
    ),
    sql(`DELETE FROM tokens WHERE id = ?2 AND EXISTS (SELECT 1 FROM ${CHAINED})`, chain, id),
    sql("SELECT 1 FROM audit WHERE id = ?1", entry.id),
  ]);
  return (results.at(-1) as unknown[]).length > 0;
}

/** All of them, newest first: what is stored of a token tells nobody what to send. */
export async function listTokens(store: Store): Promise<TokenRow[]> {
  const [rows = []] = await store.batch([
    sql(
      `SELECT id, name, hint, role, payloads, created_at, created_by, expires_at, last_used_at, expires_at <= {now} AS expired
       FROM tokens ORDER BY id DESC LIMIT ${TOKENS_MAX}`,
    ),
  ]);
  return rows.map(
    (row): TokenRow =>
      ({
        id: row.id,
        name: row.name,
        hint: row.hint,
        role: row.role,
        payloads: row.payloads === 1,
        createdAt: instant(row.created_at as number),
        createdBy: row.created_by,
        expiresAt: instantOrNull(row.expires_at as number | null),
        lastUsedAt: instantOrNull(row.last_used_at as number | null),
        expired: row.expired === 1,
      }) as TokenRow,
  );
}
