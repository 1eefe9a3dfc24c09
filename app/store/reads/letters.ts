import {
  type LetterCursor,
  type LetterFate,
  type LetterPage,
  spentBecause,
  whyOf,
  writeLetterCursor,
} from "~/domain/dead/letters";
import { PAGE_SIZE } from "~/domain/limits";
import { lettersWithoutBodies } from "~/domain/people/hidden";
import type { State } from "~/domain/states";
import { capText } from "~/domain/text";
import { instant, instantOrNull } from "~/domain/time";
import { type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

const SHOWN_BYTES = 2_000;

type Row = {
  messageId: string;
  queue: string;
  at: number;
  body: string;
  fate: "buried" | "ignored" | "unreadable";
  jobId: string | null;
  attempt: number | null;
  kind: string | null;
  state: State | null;
  own: number;
  replays: number;
};

/** Dead letters and messages that nobody could read, newest first: those before the cursor. */
export async function listLetters(
  store: Store,
  before: LetterCursor | null,
  payloads: boolean,
  limit = PAGE_SIZE,
): Promise<LetterPage> {
  const [revision, until, rows = []] = await store.batch([
    REVISION,
    sql("SELECT replay_until AS until FROM site_state WHERE id = 1 AND replay_until > {now}"),
    sql(
      `SELECT d.message_id AS messageId, d.queue, d.at, d.body, d.fate, d.job_id AS jobId, d.attempt, jobs.kind, jobs.state,
         d.replays AS own, CASE WHEN d.job_id IS NULL THEN d.replays
           ELSE (SELECT sum(t.replays) FROM dead_letters AS t WHERE t.job_id = d.job_id AND t.attempt = d.attempt) END AS replays
       FROM dead_letters AS d INDEXED BY dead_letters_at LEFT JOIN jobs ON jobs.id = d.job_id
       WHERE (d.at, d.message_id, d.queue) < (?1, ?2, ?3) ORDER BY d.at DESC, d.message_id DESC, d.queue DESC LIMIT ?4`,
      before?.at ?? Number.MAX_SAFE_INTEGER,
      before?.messageId ?? "",
      before?.queue ?? "",
      limit + 1,
    ),
  ]);
  const shown = (rows as Row[]).slice(0, limit);
  const last = shown.at(-1);
  const page: LetterPage = {
    ...atOf(revision),
    letters: shown.map(rowOf),
    replayUntil: instantOrNull(until?.[0]?.until as number | undefined),
    next: rows.length > limit && last ? writeLetterCursor(last) : null,
  };
  return payloads ? page : lettersWithoutBodies(page);
}

function rowOf(row: Row): LetterPage["letters"][number] {
  const fate: LetterFate = row.fate === "ignored" && row.own > 0 ? "replayed" : row.fate;
  return {
    messageId: row.messageId,
    queue: row.queue,
    at: instant(row.at),
    fate,
    why: whyOf(fate, row.body),
    body: capText(row.body, SHOWN_BYTES),
    job:
      row.jobId === null ? null : { id: row.jobId, attempt: row.attempt as number, kind: row.kind, state: row.state },
    replays: row.replays,
    // What was not understood when it came has no job here: whether its job can use it is asked when it is sent.
    spent: spentBecause({ ...row, state: row.jobId === null ? "pending" : row.state }),
  };
}
