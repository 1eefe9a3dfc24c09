import type { Person } from "~/domain/mail/email";
import type { MailAttachment, MailContent } from "~/domain/mail/mail";
import type { JobContext } from "../define";
import type { Services } from "../services";
import { cloudflare } from "./cloudflare";
import { mailbox } from "./mailbox";
import { resend } from "./resend";

/** A mail with nothing left open. `read` may throw what a mailer may throw, and says then that nothing happened. */
export type Letter = Pick<MailContent, "from" | "to" | "cc" | "replyTo" | "subject" | "headers" | "text" | "html"> & {
  attachments: (MailAttachment & { read: () => Promise<Uint8Array> })[];
};

/**
 * One way to send. `send` answers the provider's id of the mail, or throws:
 *   PermanentError    refused for good
 *   RetryLater        nothing happened, later it may
 *   MayHaveHappened   nobody knows; asked again only where `keyed`
 * Anything else it throws counts as unknown, too.
 */
export type Mailer = {
  /** Names the effect in stored rows: for ever. */
  name: string;
  /** Who sends where a mail does not say so and MAIL_FROM is not set. */
  sender?: Person;
  /** Sends once for one key: for ever, or for so many ms. */
  keyed?: true | { forMs: number };
  send: (letter: Letter, key: string, ctx: JobContext) => Promise<{ id: string }>;
};

/**
 * The way this deployment sends. The HTTP provider first, since it alone can be asked again safely; with nothing
 * configured mails stay here, in the local mailbox.
 */
export function mailerOf({ secret, email }: Services): Mailer {
  const apiKey = secret("MAIL_API_KEY");
  if (apiKey) return resend(apiKey, secret("MAIL_API_URL"));
  return email ? cloudflare(email) : mailbox;
}
