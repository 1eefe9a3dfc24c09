import type { Claimed } from "./claims";
import { type Store, sql } from "./store";

export type Renewal = { id: string; cancelRequested: number };

/** Renews the leases of attempts that are still held, in one statement. Who is not answered has lost its attempt. */
export async function renewLeases(
  store: Store,
  held: { id: string; attempt: number; token: string }[],
  leaseMs: number,
): Promise<Renewal[]> {
  const [rows] = await store.batch([
    sql(
      `UPDATE jobs SET lease_until = {now} + ?2 FROM json_each(?1) AS o
       WHERE jobs.id = o.value->>0 AND jobs.attempt = o.value->>1 AND jobs.token = o.value->>2 AND +jobs.state = 'processing'
       RETURNING id, cancel_requested_at IS NOT NULL AS cancelRequested`,
      JSON.stringify(held.map((job) => [job.id, job.attempt, job.token])),
      leaseMs,
    ),
  ]);
  return rows as Renewal[];
}

/** Attempts whose lease has run out, oldest first. Only a hint: the settle asks again. */
export const expiredLeases = (limit: number) =>
  sql(
    `SELECT id, kind, lane, attempt, forgiven, max_attempts AS maxAttempts, generation, trigger, suspect, run_at AS runAt,
       leased_at AS leasedAt, expires_at AS expiresAt, created_at AS createdAt, slot_at AS slotAt, idempotency_key AS key, token, NULL AS payload
     FROM jobs INDEXED BY jobs_leased WHERE state = 'processing' AND lease_until <= {now} ORDER BY lease_until LIMIT ?1`,
    limit,
  );

export async function readExpired(store: Store, limit: number): Promise<Claimed[]> {
  const [rows] = await store.batch([expiredLeases(limit)]);
  return rows as Claimed[];
}
