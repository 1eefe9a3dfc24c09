import { CHAINED, countDeaths, moveCounts, open } from "./chain";
import { type Statement, type Store, sql } from "./store";

export type Letter = { messageId: string; queue: string; body: string; jobId: string | null; attempt: number | null };

const encode = (letters: Letter[]) =>
  JSON.stringify(letters.map((one) => [one.messageId, one.queue, one.body, one.jobId, one.attempt]));

/** Keeps messages that lead to no job of ours. */
export async function keepDeadLetters(store: Store, letters: Letter[], fate: "ignored" | "unreadable"): Promise<void> {
  await store.batch([keep(`'${fate}'`, "{now}", "", encode(letters))]);
}

const keep = (fate: string, at: string, from: string, rows: string): Statement =>
  sql(
    `INSERT INTO dead_letters (message_id, queue, at, body, job_id, attempt, fate)
     SELECT o.value->>0, o.value->>1, ${at}, o.value->>2, o.value->>3, o.value->>4, ${fate} FROM json_each(?1) AS o ${from}
     WHERE true ON CONFLICT DO NOTHING`,
    rows,
  );

/**
 * The one attempt that a dead letter speaks of, while it still waits to be performed. A letter that is kept already has
 * had its say: come again, since its acknowledgement was lost, it must not bury what a person requeued meanwhile.
 */
const SPOKEN_OF = `jobs.id = o.value->>3 AND jobs.attempt = o.value->>4 - 1 AND +jobs.state = 'pending'
  AND NOT EXISTS (SELECT 1 FROM dead_letters AS d WHERE d.message_id = o.value->>0 AND d.queue = o.value->>1)`;
const LANDED = `json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch CROSS JOIN jobs ON jobs.id = o.value->>3 AND jobs.token = ?1`;

/**
 * Ends the jobs whose message is dead, if they still wait for just that message: dead, with a cause and no attempt row
 * (none ran). Keeps every letter with its fate. Answers the ids that were buried. Safe to send again.
 */
export async function buryJobs(
  store: Store,
  token: string,
  letters: Letter[],
  error: string,
  causeTail: string,
): Promise<string[]> {
  const rows = encode(letters);
  const results = await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS o CROSS JOIN jobs ON ${SPOKEN_OF}`, rows),
    moveCounts(
      `SELECT jobs.kind, jobs.view AS was, 'dead' AS became FROM json_each(?2) AS o CROSS JOIN ${CHAINED} CROSS JOIN jobs ON ${SPOKEN_OF}`,
      token,
      rows,
    ),
    sql(
      `UPDATE jobs SET state = 'dead', token = ?1, sent_at = NULL, finished_at = batch.clock, last_error = ?3, cause = kind || ': ' || ?4
       FROM json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch WHERE ${SPOKEN_OF}`,
      token,
      rows,
      error,
      causeTail,
    ),
    ...countDeaths(LANDED, token, rows),
    sql(
      `INSERT INTO dead_letters (message_id, queue, at, body, job_id, attempt, fate)
       SELECT o.value->>0, o.value->>1, {now}, o.value->>2, o.value->>3, o.value->>4,
         CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE jobs.id = o.value->>3 AND jobs.token = ?1) THEN 'buried' ELSE 'ignored' END
       FROM json_each(?2) AS o WHERE true ON CONFLICT DO NOTHING`,
      token,
      rows,
    ),
    sql(
      "SELECT jobs.id FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value->>3 WHERE jobs.token = ?1",
      token,
      rows,
    ),
  ]);
  return (results.at(-1) as { id: string }[]).map((row) => row.id);
}
