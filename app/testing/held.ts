import type { KindLimits } from "~/domain/kind_limits";

export const HELD_BY = ["pause", "running", "rate", "group", "groups"] as const;
/** What holds jobs: a pause, the places of their kind, its rate, or one group each or all. */
export type HeldBy = (typeof HELD_BY)[number];

/** The kind of the held jobs; whoever asks has it in the registry, with these limits. */
export const HELD_KIND = "limited";
export const LIMITS_OF_HELD: Record<HeldBy, KindLimits | undefined> = {
  pause: undefined,
  running: { running: 5 },
  rate: { rate: { jobs: 5, per: "day" } },
  group: { perGroup: 1 },
  groups: { perGroup: 1 },
};

/** So many due jobs that are held, beside five of their kind that run, straight into an empty D1. `now` in ms. */
export async function storeHeld(db: D1Database, n: number, by: HeldBy, now: number): Promise<void> {
  const insert = (from: number, to: number, state: string) =>
    db
      .prepare(
        `WITH RECURSIVE i(n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM i WHERE n < ?2)
         INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, token, created_at, group_key, held_at, leased_at, lease_until)
         SELECT printf('00000000-0000-7000-8000-%012d', n), '${HELD_KIND}', 'normal', ?3, '{}', 5, ?3 = 'processing', ?4 - 1000, 't', ?4 - 1000,
           CASE ?5 WHEN 'group' THEN 'g' WHEN 'groups' THEN 'g' || n END, CASE WHEN ?5 IN ('group', 'groups') AND ?3 = 'pending' THEN ?4 - 500 END,
           CASE WHEN ?3 = 'processing' THEN ?4 END, CASE WHEN ?3 = 'processing' THEN ?4 + 600000 END FROM i WHERE n <= ?2`,
      )
      .bind(from, to, state, now, by);
  await db.batch([
    insert(1, n, "pending"),
    insert(n + 1, n + 5, "processing"),
    db.prepare("INSERT INTO job_counts SELECT kind, view, count(*) FROM jobs GROUP BY kind, view"),
    db.prepare(`INSERT OR REPLACE INTO rate_buckets VALUES ('${HELD_KIND}', 0, 86400000, ?)`).bind(now),
    db
      .prepare(
        `INSERT INTO kinds (name, paused_at, paused_by) SELECT '${HELD_KIND}', ?1, 'ana' WHERE ?2 = 'pause'
         ON CONFLICT (name) DO UPDATE SET paused_at = excluded.paused_at`,
      )
      .bind(now, by),
  ]);
}
