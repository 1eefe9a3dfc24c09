import type { By } from "./reopen";
import { type Store, sql } from "./store";

export type SubmitterRow = { name: string; dailyLimit: number | null; today: number };

/** Whoever has a limit or has submitted today. `day` is D1's own. */
export async function listSubmitters(store: Store): Promise<{ submitters: SubmitterRow[]; endsAt: number }> {
  const [rows, clock] = await store.batch([
    sql(
      `SELECT name, max(dailyLimit) AS dailyLimit, sum(today) AS today FROM (
         SELECT name, daily_limit AS dailyLimit, 0 AS today FROM submitters
         UNION ALL SELECT submitter, NULL, last FROM daily_numbers WHERE day = {now} / 86400000)
       GROUP BY name ORDER BY name LIMIT 500`,
    ),
    sql("SELECT ({now} / 86400000 + 1) * 86400000 AS endsAt"),
  ]);
  return { submitters: rows as SubmitterRow[], ...(clock as [{ endsAt: number }])[0] };
}

/** Sets how many jobs a submitter may submit a day; null: no limit. Counts from the next call on. */
export async function writeDailyLimit(
  store: Store,
  name: string,
  dailyLimit: number | null,
  audit: string,
  by: By,
): Promise<void> {
  const limit = dailyLimit === null ? "null" : String(dailyLimit);
  await store.batch([
    sql(
      `INSERT INTO audit (id, at, actor, action, before, after, reason)
       SELECT ?1, {now}, ?2, 'daily limit', json_object('submitter', ?3, 'dailyLimit', (SELECT daily_limit FROM submitters WHERE name = ?3)),
         json_object('submitter', ?3, 'dailyLimit', json(?4)), ?5 WHERE true ON CONFLICT DO NOTHING`,
      audit,
      by.actor,
      name,
      limit,
      by.reason ?? null,
    ),
    sql(
      `INSERT INTO submitters (name, daily_limit) VALUES (?1, CAST(json_extract(?2, '$') AS INTEGER))
       ON CONFLICT (name) DO UPDATE SET daily_limit = excluded.daily_limit`,
      name,
      limit,
    ),
  ]);
}
