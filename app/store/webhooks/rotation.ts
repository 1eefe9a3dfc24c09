import type { Entry } from "../audit";
import { type Store, sql } from "../store";
import { change } from "./endpoints";

/**
 * The secret that was in force signs on beside the new one for a while. One that was on its way out is dropped. The same
 * secret again changes nothing: a repeat must not drop the one that receivers still know. Answers whether it signs now. `since`: only
 * where no rotation has come since that one; null: in any case.
 */
export async function rotateSecret(
  store: Store,
  token: string,
  id: string,
  secret: string,
  forMs: number,
  entry: Entry,
  since: number | null = null,
) {
  const { found, changed } = await change(
    store,
    token,
    id,
    {
      where: "secret <> ?3 AND coalesce(previous_until, 0) = coalesce(?4, previous_until, 0)",
      asked: [secret, since],
      write: "UPDATE endpoints SET previous_secret = secret, previous_until = {now} + ?4, secret = ?3",
      params: [secret, forMs],
      after: { secret: "another" },
    },
    entry,
  );
  if (changed || !found) return { found, changed };
  const [stands] = await store.batch([sql("SELECT 1 FROM endpoints WHERE id = ?1 AND secret = ?2", id, secret)]);
  return { found, changed: (stands as unknown[]).length > 0 };
}

/** Tells the rotations of an endpoint apart: another number after each. */
export async function lastRotation(store: Store, id: string): Promise<number> {
  const [rows] = await store.batch([
    sql("SELECT coalesce(previous_until, 0) AS rotation FROM endpoints WHERE id = ?1", id),
  ]);
  return (rows as { rotation: number }[])[0]?.rotation ?? 0;
}
