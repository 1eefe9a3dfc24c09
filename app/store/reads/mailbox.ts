import { PAGE_SIZE } from "~/domain/limits";
import type { MailContent, MailPage, MailRow } from "~/domain/mail/mail";
import { instant } from "~/domain/time";
import { type Rows, type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

/** A page of the local mailbox, newest first: what arrived before the mail with the number `before`. */
export async function listMail(store: Store, before: number | null, limit = PAGE_SIZE): Promise<MailPage> {
  const [revision, rows = []] = await store.batch([
    REVISION,
    sql(
      `SELECT id, at, job_id, sender, recipients, subject, json_array_length(attachments) AS attached
       FROM outbox_mail WHERE id < ?1 ORDER BY id DESC LIMIT ?2`,
      before ?? Number.MAX_SAFE_INTEGER,
      limit + 1,
    ),
  ]);
  const mails = rows.slice(0, limit).map(rowOf);
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
