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

/** The ways to look at one mail. */
export const MAIL_VIEWS = { text: "Text", html: "HTML", headers: "Headers", source: "Source" } as const;
export type MailView = keyof typeof MAIL_VIEWS;

/** What an address asks for; else the text, or what there is. */
export function mailViewOf(text: string | null, mail: Pick<MailContent, "text" | "html">): MailView {
  if (text !== null && Object.hasOwn(MAIL_VIEWS, text)) return text as MailView;
  return mail.text === null && mail.html !== null ? "html" : "text";
}

export const mailboxAddress = (before?: number | null): string => (before ? `/mail?before=${before}` : "/mail");
export const mailAddress = (id: number, view?: MailView): string => `/mail/${id}${view ? `?view=${view}` : ""}`;
export const mailHtmlAddress = (id: number): string => `/mail/${id}/html`;

/** A mail's number as it stands in an address, or null. */
export const mailNumber = (text: string | null | undefined): number | null =>
  text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
