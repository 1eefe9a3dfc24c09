import { CHAINED, open } from "./chain";
import { type Store, sql } from "./store";

const HELD =
  "jobs.id = o.value->>0 AND jobs.attempt = o.value->>1 AND jobs.token = o.value->>2 AND +jobs.state = 'processing'";

/** Writes what running jobs say of themselves, for those that are still held. */
export async function writeProgress(
  store: Store,
  token: string,
  notes: { id: string; attempt: number; claim: string; text: string }[],
): Promise<void> {
  const rows = JSON.stringify(notes.map((one) => [one.id, one.attempt, one.claim, one.text]));
  await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON ${HELD}`, rows),
    sql(
      `UPDATE jobs SET progress = o.value->>3 FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${HELD}`,
      token,
      rows,
    ),
  ]);
}
