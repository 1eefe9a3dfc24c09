import { keepMail } from "~/store/mailbox";
import type { Mailer } from "./mailer";

/** Sends nothing: mails stay in D1, for the page /mail. */
export const mailbox: Mailer = {
  name: "mailbox",
  sender: { email: "redrive@example.invalid", name: "Redrive" },
  keyed: true,
  async send({ attachments, ...letter }, key, ctx) {
    const named = attachments.map(({ read: _, ...attachment }) => attachment);
    return { id: String(await keepMail(ctx.store, { ...letter, attachments: named, key, jobId: ctx.jobId })) };
  },
};
