import { REPLAYS_MAX } from "~/domain/dead/letters";
import type { Message } from "~/domain/message";
import { CHAINED, countDeaths, moveCounts, open } from "./chain";
import type { Due } from "./sends";
import { type Store, sql } from "./store";

/** A message to be kept. `message`: null where this release understands none in it. `speaks`: it may end its job. */
export type Letter = { messageId: string; queue: string; body: string; message: Message | null; speaks: boolean };

/** One letter as it travels: groups are cut by the length of these. */
export const encodeLetter = ({ messageId, queue, body, message, speaks }: Letter): string =>
  JSON.stringify([
    messageId,
    queue,
    body,
    message?.jobId ?? null,
    message?.attempt ?? null,
    message?.generation ?? 1,
    speaks ? 1 : 0,
  ]);

/** A letter that is kept has had its say: come again, since its acknowledgement was lost, it ends nothing. */
const NEW = "NOT EXISTS (SELECT 1 FROM dead_letters AS d WHERE d.message_id = o.value->>0 AND d.queue = o.value->>1)";
/** The one attempt that a letter speaks of, while it still waits to be performed in the generation it was sent for. */
const SPOKEN_OF = `o.value->>6 AND jobs.id = o.value->>3 AND jobs.attempt = o.value->>4 - 1 AND jobs.generation = o.value->>5
  AND +jobs.state = 'pending' AND ${NEW}`;
/** Sent again instead, while a person has asked for that, and not for ever. */
const REPLAYED = (clock: string) => `(coalesce((SELECT replay_until FROM site_state WHERE id = 1), 0) > ${clock}
  AND (${replaysOf("jobs.id", "o.value->>4")}) < ${REPLAYS_MAX})`;
const FROM = `json_each(?2) AS o CROSS JOIN ${CHAINED} AS batch`;
const BURIED = `${FROM} CROSS JOIN jobs ON ${SPOKEN_OF} AND NOT ${REPLAYED("batch.clock")}`;
const LANDED = `${FROM} CROSS JOIN jobs ON o.value->>6 AND jobs.id = o.value->>3 AND jobs.token = ?1`;

/** How often messages that ask for this attempt of this job were sent again, whatever their own ids were. */
function replaysOf(job: string, attempt: string): string {
  return `SELECT coalesce(sum(d.replays), 0) FROM dead_letters AS d WHERE d.job_id = ${job} AND d.attempt = ${attempt}`;
}

export type Laid = { buried: Set<string>; replayed: (Due & { lane: string })[] };

/**
 * Ends the jobs whose message is dead, if they still wait for just that message: dead, with a cause and no attempt row
 * (none ran); or, while replaying is on, marks their message as sent again, and answers that it is owed. Keeps every
 * letter with its fate. Safe to send again: a repeat changes nothing and owes nothing, so a message owed by a call whose
 * reply was lost is the sweep's.
 */
export async function layLetters(
  store: Store,
  token: string,
  letters: Letter[],
  error: string,
  causeTail: string,
): Promise<Laid> {
  const rows = `[${letters.map(encodeLetter)}]`;
  const results = await store.batch([
    open(token, `SELECT 1 FROM json_each(?2) AS o WHERE ${NEW}`, rows),
    moveCounts(`SELECT jobs.kind, jobs.view AS was, 'dead' AS became FROM ${BURIED}`, token, rows),
    sql(
      `UPDATE jobs SET state = 'dead', token = ?1, sent_at = NULL, finished_at = batch.clock, last_error = ?3, cause = kind || ': ' || ?4
       FROM ${FROM} WHERE ${SPOKEN_OF} AND NOT ${REPLAYED("batch.clock")}`,
      token,
      rows,
      error,
      causeTail,
    ),
    ...countDeaths(LANDED, token, rows),
    // Whoever still waits is to be replayed: the others are dead by now.
    sql(
      `UPDATE jobs SET sent_at = batch.clock FROM ${FROM} WHERE ${SPOKEN_OF}
       RETURNING id, kind, lane, attempt, generation, max(0, run_at - {now}) AS delayMs`,
      token,
      rows,
    ),
    sql(
      `INSERT INTO dead_letters (message_id, queue, at, body, job_id, attempt, fate, replays)
       SELECT o.value->>0, o.value->>1, batch.clock, o.value->>2, o.value->>3, o.value->>4,
         CASE WHEN o.value->>3 IS NULL THEN 'unreadable'
           WHEN o.value->>6 AND EXISTS (SELECT 1 FROM jobs WHERE jobs.id = o.value->>3 AND jobs.token = ?1) THEN 'buried'
           ELSE 'ignored' END,
         EXISTS (SELECT 1 FROM jobs WHERE ${SPOKEN_OF})
       FROM ${FROM} WHERE true ON CONFLICT DO NOTHING`,
      token,
      rows,
    ),
    sql(
      "SELECT jobs.id FROM json_each(?2) AS o CROSS JOIN jobs ON jobs.id = o.value->>3 WHERE jobs.token = ?1",
      token,
      rows,
    ),
  ]);
  const replayed = results.at(-3) as Laid["replayed"];
  return { buried: new Set((results.at(-1) as { id: string }[]).map((row) => row.id)), replayed };
}
