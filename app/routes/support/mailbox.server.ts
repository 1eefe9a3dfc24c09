import type { App } from "~/cloudflare";
import { mailerOf } from "~/kinds/mail/mailer";

/** How mail goes out here, by name; null: it stays in the local mailbox. */
export function mailGoesOutBy({ engine }: App): string | null {
  const { name } = mailerOf(engine.services);
  return name === "mailbox" ? null : name;
}

/** Whether the pages lead to the mailbox: where mails come in, and in any case on the machine of whoever builds this. */
export const leadsToMailbox = (app: App): boolean => app.local || mailGoesOutBy(app) === null;
