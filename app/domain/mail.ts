import type { Person } from "./email";

export type MailAttachment = { filename: string; contentType: string; size: number; key: string };

/** A mail of the local mailbox in a list. */
export type MailRow = {
  id: number;
  at: string;
  jobId: string;
  from: Person;
  to: Person[];
  cc: Person[];
  subject: string;
  attachments: number;
};

export type MailPage = {
  revision: number;
  now: string;
  mails: MailRow[];
  /** Pass as `before` for older ones; null: there are none. */
  next: number | null;
};

/** All of it. */
export type MailContent = Omit<MailRow, "attachments"> & {
  /** The key of the effect that sent it: the same however often it was sent. */
  key: string;
  replyTo: Person | null;
  headers: Record<string, string>;
  attachments: MailAttachment[];
  text: string | null;
  html: string | null;
};
