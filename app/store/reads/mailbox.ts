import { PAGE_SIZE } from "~/domain/limits";
import type { MailContent, MailPage, MailRow } from "~/domain/mail/mail";
import { mailWithoutPayload, type Reader } from "~/domain/people/hidden";
import { instant } from "~/domain/time";
import { type Rows, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

/** A page of the local mailbox, newest first: what arrived before the mail with the number `before`. */
export async function listMail(
  store: Store,
  before: number | null,
  { payloads }: Pick<Reader, "payloads">,
  limit = PAGE_SIZE,
): Promise<MailPage> {
  const [revision, rows = []] = await store.batch([
    REVISION,
    sql(
      `SELECT m.id, m.at, m.job_id, m.sender, m.recipients, m.subject, json_array_length(m.attachments) AS attached, jobs.label
       FROM outbox_mail AS m LEFT JOIN jobs ON jobs.id = m.job_id WHERE m.id < ?1 ORDER BY m.id DESC LIMIT ?2`,
      before ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
    ),
  ]);
  const mails = rows.slice(0, limit).map((row) => {
    const mail = rowOf(row);
    return payloads ? mail : mailWithoutPayload(mail, row.label as string | null);
  });
  return { ...atOf(revision), mails, next: rows.length > limit ? (mails.at(-1)?.id ?? null) : null };
}

export async function readMail(store: Store, id: number): Promise<MailContent | null> {
  const [rows] = await store.batch([
    sql(
      `SELECT id, key, at, job_id, sender, recipients, subject, headers, attachments, text, html
       FROM outbox_mail WHERE id = ?1`,
      id,
    ),
  ]);
  const row = rows?.[0];
  if (!row) return null;
  const { attachments: _, ...mail } = rowOf(row);
  return {
    ...mail,
    key: row.key as string,
    replyTo: JSON.parse(row.recipients as string).replyTo,
    headers: JSON.parse(row.headers as string),
    attachments: JSON.parse(row.attachments as string),
    text: row.text as string | null,
    html: row.html as string | null,
  };
}

function rowOf(row: Rows[number]): MailRow {
  const { to, cc } = JSON.parse(row.recipients as string) as Pick<MailRow, "to" | "cc">;
  return {
    id: row.id as number,
    at: instant(row.at as number),
    jobId: row.job_id as string,
    from: JSON.parse(row.sender as string),
    to,
    cc,
    subject: row.subject as string,
    attachments: row.attached as number,
  };
}
