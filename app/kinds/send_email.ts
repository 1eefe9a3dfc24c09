import type { RetryPolicy } from "~/domain/backoff";
import { defineKind } from "./define";
import { MAIL, peopleOf } from "./mail/mail";
import { sendMail } from "./mail/send";

/** A provider's bad hour is sat out: twelve tries take over three hours, far less than a provider remembers a key. */
export const MAIL_RETRY: Partial<RetryPolicy> = { capMs: 3_600_000, maxAttempts: 12 };

/** Sends one mail, once. */
export const sendEmail = defineKind({
  name: "send_email",
  title: "E-mail",
  description: "Sends one mail through the configured provider, or puts it into the local mailbox.",
  input: MAIL,
  label: (input) => `${peopleOf(input.to)[0]?.email}: ${input.subject}`,
  usualMs: 500,
  statements: 12,
  timeoutMs: 30_000,
  retry: MAIL_RETRY,
  examples: [
    { title: "Text", payload: { to: "ana@example.com", subject: "Hello", text: "Hello Ana,\n\nit works.\n" } },
    {
      title: "Text and HTML",
      payload: {
        to: [{ email: "ana@example.com", name: "Ana" }],
        cc: "ben@example.com",
        replyTo: "help@example.com",
        subject: "Your order 🎉",
        text: "Thank you for your order.\n",
        html: "<h1>Thank you</h1><p>for your order.</p>",
        headers: { "X-Campaign": "spring" },
      },
    },
  ],
  run: (input, ctx) => sendMail(ctx, input),
});
