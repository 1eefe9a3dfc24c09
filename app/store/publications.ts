import type { DayCause, DayStat } from "~/domain/report/report";
import { open } from "./chain";
import { countedOf, statsOfKinds } from "./stats";
import { type Rows, type Store, sql } from "./store";

export type Publication = {
  item: string;
  state: "published" | "withdrawn";
  version: number;
  content: string;
  picture: string | null;
  indexable: number;
  token: string;
  publishedAt: number;
  changedAt: number;
};

const COLUMNS = `item, state, version, content, picture, indexable, token, published_at AS publishedAt, changed_at AS changedAt`;
/** So many of an item are remembered: far more than there can be while one of them still waits for its reply. */
const KEPT_COMMITS = 100;
const keyOf = (item: string) => `publish:${item}`;

/** Takes the item's lease, if it is free or `owner`'s already, its reply having been lost: its fence, or null. */
export async function takeLease(store: Store, item: string, owner: string, leaseMs: number): Promise<number | null> {
  const [rows] = await store.batch([
    sql(
      `INSERT INTO leases (key, owner, fence, expires_at) VALUES (?1, ?2, 1, {now} + ?3)
       ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, fence = fence + 1, expires_at = excluded.expires_at WHERE expires_at <= {now} OR owner = excluded.owner
       RETURNING fence`,
      keyOf(item),
      owner,
      leaseMs,
    ),
  ]);
  return (rows?.[0] as { fence: number } | undefined)?.fence ?? null;
}

export async function releaseLease(store: Store, item: string, fence: number): Promise<void> {
  await store.batch([
    sql("UPDATE leases SET owner = NULL, expires_at = 0 WHERE key = ?1 AND fence = ?2", keyOf(item), fence),
  ]);
}

/** The item as it stands, and the numbers its day is made of. */
export async function readForReport(store: Store, item: string, dayStartMs: number) {
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const from = dayStartMs + hour * 3_600_000;
    return [hour, 900_000, from, from + 3_600_000];
  });
  const [rows, stats, causes, clock] = await store.batch([
    sql(`SELECT ${COLUMNS} FROM publications WHERE item = ?1`, item),
    statsOfKinds("?1", JSON.stringify(hours)),
    sql(
      `SELECT cause, sum(n) AS n FROM dead_counts WHERE hour >= ?1 AND hour < ?1 + 86400000 GROUP BY cause HAVING sum(n) > 0
       ORDER BY 2 DESC, 1 LIMIT 20`,
      dayStartMs,
    ),
    sql("SELECT {now} AS now"),
  ]);
  return {
    now: (clock as [{ now: number }])[0].now,
    standing: (rows?.[0] as Publication | undefined) ?? null,
    stats: (stats as Rows)
      .filter(({ sums }) => sums !== null)
      .map((row): DayStat => ({ ...countedOf([row]), kind: row.kind as string, hour: row.key as number })),
    causes: causes as DayCause[],
  };
}

export type Held = { item: string; owner: string; fence: number };
export type Next = { state: "published" | "withdrawn"; content: string; picture: string | null; indexable: 0 | 1 };

/** The lease is still ours, and the item stands as it was read: asked inside every statement of the commit. */
const guardAt = (now: string) => `SELECT 1 FROM leases WHERE leases.key = ?2 AND leases.owner = ?3 AND leases.fence = ?4
  AND leases.expires_at > ${now} AND coalesce((SELECT version FROM publications WHERE publications.item = ?5), 0) = ?6`;
/** At one instant for all of them: a lease that runs out between two statements must not leave half a commit. */
const COMMITS = `(SELECT clock FROM site_state WHERE id = 1 AND chain = ?1 AND EXISTS (${guardAt("site_state.clock")}))`;

/**
 * Writes the next version of an item and counts it, all or nothing: only while the lease is held and the item is still at
 * `expected` (0: not there). Indexable once means indexable for ever, and a picture is never lost. Safe to send again:
 * `committed` tells whether this commit stands, whatever was published after it, and `held` whether the lease is still ours.
 */
export async function commitPublication(
  store: Store,
  token: string,
  held: Held,
  expected: number,
  next: Next,
): Promise<{ committed: boolean; held: boolean }> {
  const guard = [keyOf(held.item), held.owner, held.fence, held.item, expected];
  const results = await store.batch([
    open(token, guardAt("{now}"), ...guard),
    // Counted before the version moves on, under the same guard.
    sql(
      `UPDATE site_state SET publication_revision = publication_revision + 1 WHERE id = 1 AND EXISTS (SELECT 1 FROM ${COMMITS})`,
      token,
      ...guard,
    ),
    sql(
      `INSERT INTO publication_commits (item, version, token, at) SELECT ?5, ?6 + 1, ?1, clock FROM ${COMMITS}`,
      token,
      ...guard,
    ),
    sql(
      `INSERT INTO publications (item, state, version, content, picture, indexable, token, published_at, changed_at)
       SELECT ?5, ?7, 1, ?8, ?9, ?10, ?1, clock, clock FROM ${COMMITS} WHERE true
       ON CONFLICT (item) DO UPDATE SET state = excluded.state, version = version + 1, content = excluded.content,
         picture = coalesce(excluded.picture, picture), indexable = max(indexable, excluded.indexable),
         token = excluded.token, changed_at = excluded.changed_at`,
      token,
      ...guard,
      next.state,
      next.content,
      next.picture,
      next.indexable,
    ),
    sql(
      "SELECT 1 FROM publication_commits WHERE item = ?1 AND version = ?2 AND token = ?3",
      held.item,
      expected + 1,
      token,
    ),
    sql("DELETE FROM publication_commits WHERE item = ?1 AND version <= ?2", held.item, expected - KEPT_COMMITS),
    sql(
      "SELECT 1 FROM leases WHERE key = ?1 AND owner = ?2 AND fence = ?3 AND expires_at > {now}",
      keyOf(held.item),
      held.owner,
      held.fence,
    ),
    // Given back with the commit: nobody waits for it to run out.
    sql(
      "UPDATE leases SET owner = NULL, expires_at = 0 WHERE key = ?1 AND owner = ?2 AND fence = ?3",
      keyOf(held.item),
      held.owner,
      held.fence,
    ),
  ]);
  const found = (at: number) => (results[at] as unknown[]).length > 0;
  return { committed: found(4), held: found(6) };
}

/** One row: the key of every cached public page. */
export async function readPublicationRevision(store: Store): Promise<{ revision: number; now: number }> {
  const [rows] = await store.batch([
    sql("SELECT publication_revision AS revision, {now} AS now FROM site_state WHERE id = 1"),
  ]);
  return (rows as [{ revision: number; now: number }])[0];
}

export async function readPublication(store: Store, item: string): Promise<Publication | null> {
  const [rows] = await store.batch([sql(`SELECT ${COLUMNS} FROM publications WHERE item = ?1`, item)]);
  return (rows?.[0] as Publication | undefined) ?? null;
}

/** What is published, newest item first. `before`: items after this one in that order. */
export async function listPublications(
  store: Store,
  limit: number,
  before?: string,
): Promise<Pick<Publication, "item" | "version" | "publishedAt" | "changedAt">[]> {
  const [rows] = await store.batch([
    sql(
      `SELECT item, version, published_at AS publishedAt, changed_at AS changedAt FROM publications
       WHERE state = 'published' AND item < ?2 ORDER BY item DESC LIMIT ?1`,
      limit,
      before ?? "￿",
    ),
  ]);
  return rows as Publication[];
}
