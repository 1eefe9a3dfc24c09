import { CHAINED, open } from "./chain";
import type { Settlement } from "./settles";
import { addToStats } from "./stats";
import { type Store, sql } from "./store";

/** Whose attempt row stands for each settlement: its token, or nothing where the attempt is not settled. */
export async function whoSettled(store: Store, settlements: Settlement[]): Promise<Map<string, string>> {
  const [rows] = await store.batch([
    sql(
      `SELECT attempts.job_id AS id, attempts.token FROM json_each(?1) AS o
       CROSS JOIN attempts ON attempts.job_id = o.value->>0 AND attempts.number = o.value->>1`,
      JSON.stringify(settlements.map((one) => [one.id, one.attempt])),
    ),
  ]);
  return new Map((rows as { id: string; token: string }[]).map((row) => [row.id, row.token]));
}

const REFUSED = `SELECT 1 FROM refusals AS r WHERE r.job_id = o.value->>0 AND r.number = o.value->>1 AND r.token = o.value->>2`;

/**
 * Keeps late results that were turned away: once for each claim that lost its attempt, however often it is offered. Of a
 * job that is removed meanwhile nothing is kept.
 */
export async function refuseResults(store: Store, token: string, settlements: Settlement[]): Promise<number> {
  const rows = JSON.stringify(settlements.map((one) => [one.id, one.attempt, one.claim, one.outcome, one.error]));
  const [, , added] = await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS o WHERE NOT EXISTS (${REFUSED})`, rows),
    addToStats(
      `SELECT jobs.kind, batch.clock AS at, 'refused' AS outcome, NULL AS ran, NULL AS waited
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON jobs.id = o.value->>0 WHERE NOT EXISTS (${REFUSED})`,
      token,
      rows,
    ),
    sql(
      `INSERT INTO refusals (job_id, number, token, at, outcome, error)
       SELECT o.value->>0, o.value->>1, o.value->>2, batch.clock, o.value->>3, o.value->>4
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON jobs.id = o.value->>0
       WHERE true ON CONFLICT DO NOTHING RETURNING job_id`,
      token,
      rows,
    ),
  ]);
  return (added as unknown[]).length;
}
