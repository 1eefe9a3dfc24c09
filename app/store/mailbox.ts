import type { MailContent } from "~/domain/mail/mail";
import { type Store, sql } from "./store";

/** The mailbox is for looking at, not for keeping: older mails make room. */
const KEPT = 1_000;

/** Puts a mail into the local mailbox and answers its number. One key is one mail, however often it is sent. */
export async function keepMail(store: Store, mail: Omit<MailContent, "id" | "at">): Promise<number> {
  const { key, jobId, from, to, cc, replyTo, subject, headers, attachments, text, html } = mail;
  const [, rows] = await store.batch([
    sql(
      `INSERT INTO outbox_mail (key, job_id, at, sender, recipients, subject, headers, attachments, text, html)
       VALUES (?1, ?2, {now}, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (key) DO NOTHING`,
      key,
      jobId,
      JSON.stringify(from),
      JSON.stringify({ to, cc, replyTo }),
      subject,
      JSON.stringify(headers),
      JSON.stringify(attachments),
      text,
      html,
    ),
    sql("SELECT id FROM outbox_mail WHERE key = ?1", key),
    sql(`DELETE FROM outbox_mail WHERE id <= (SELECT max(id) FROM outbox_mail) - ${KEPT}`),
  ]);
  const [kept] = rows as [{ id: number }];
  return kept.id;
}
