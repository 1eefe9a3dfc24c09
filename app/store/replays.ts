import { REPLAYS_MAX } from "~/domain/dead/letters";
import { openOnce } from "./audit";
import { CHAINED, open } from "./chain";
import type { By } from "./reopen";
import { type Store, sql } from "./store";

export type LetterKey = { messageId: string; queue: string };

/** A letter that is kept: its body, and how often messages for the same attempt of its job were sent again. */
export async function readLetter(store: Store, key: LetterKey): Promise<{ body: string; replays: number } | null> {
  const [rows] = await store.batch([
    sql(
      `SELECT d.body, CASE WHEN d.job_id IS NULL THEN d.replays
         ELSE (SELECT sum(replays) FROM dead_letters AS t WHERE t.job_id = d.job_id AND t.attempt = d.attempt) END AS replays
       FROM dead_letters AS d WHERE d.message_id = ?1 AND d.queue = ?2`,
      key.messageId,
      key.queue,
    ),
  ]);
  return (rows?.[0] as { body: string; replays: number } | undefined) ?? null;
}

/**
 * Counts a replay of a letter by a person, before it is done: no message is sent again more often than it says, whatever
 * happens in between. Counts while the letter stands as it was `seen`, so of two people at once one goes on. `names`: the
 * attempt that it asks for, as this release reads it. `audit` is a fresh id. Safe to send again.
 */
export async function countReplay(
  store: Store,
  token: string,
  key: LetterKey,
  names: { jobId: string; attempt: number },
  seen: number,
  audit: string,
  by: By,
): Promise<boolean> {
  const counted = `(SELECT coalesce(sum(replays), 0) FROM dead_letters AS t
    WHERE (t.message_id = ?2 AND t.queue = ?3) OR (t.job_id = ?4 AND t.attempt = ?5))`;
  const results = await store.batch([
    open(
      token,
      `SELECT 1 FROM dead_letters WHERE message_id = ?2 AND queue = ?3 AND ${counted} = ?6 AND ?6 < ${REPLAYS_MAX}`,
      key.messageId,
      key.queue,
      names.jobId,
      names.attempt,
      seen,
    ),
    sql(
      `UPDATE dead_letters SET replays = replays + 1, job_id = ?4, attempt = ?5 FROM ${CHAINED} WHERE message_id = ?2 AND queue = ?3`,
      token,
      key.messageId,
      key.queue,
      names.jobId,
      names.attempt,
    ),
    sql(
      `INSERT INTO audit (id, at, actor, action, job_id, after, reason)
       SELECT ?2, clock, ?3, 'replay', ?4, json_object('message', ?5, 'queue', ?6), ?7 FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      audit,
      by.actor,
      names.jobId,
      key.messageId,
      key.queue,
      by.reason ?? null,
    ),
    sql("SELECT 1 FROM audit WHERE id = ?1", audit),
  ]);
  return (results.at(-1) as unknown[]).length > 0;
}

/** Until when the dead-letter consumer sends again instead of burying: `forMs` from now, 0 ends it. Answers the instant. */
export async function writeReplayUntil(
  store: Store,
  token: string,
  forMs: number,
  audit: string,
  by: By,
): Promise<number | null> {
  const results = await store.batch([
    openOnce(token, audit, "SELECT 1"),
    sql(
      `INSERT INTO audit (id, at, actor, action, before, after, reason)
       SELECT ?2, clock, ?3, 'replay dead letters', json_object('until', (SELECT replay_until FROM site_state WHERE id = 1)),
         json_object('until', CASE WHEN ?4 > 0 THEN clock + CAST(?4 AS INTEGER) END), ?5 FROM ${CHAINED} WHERE true ON CONFLICT DO NOTHING`,
      token,
      audit,
      by.actor,
      forMs,
      by.reason ?? null,
    ),
    sql(
      "UPDATE site_state SET replay_until = CASE WHEN ?2 > 0 THEN clock + ?2 END WHERE id = 1 AND chain = ?1",
      token,
      forMs,
    ),
    sql("SELECT replay_until AS until FROM site_state WHERE id = 1"),
  ]);
  const [row] = results.at(-1) as [{ until: number | null }];
  return row.until;
}
