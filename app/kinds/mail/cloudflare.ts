import { MayHaveHappened, PermanentError, RetryLater } from "~/domain/errors";
import type { Mailer } from "./mailer";

/**
 * What the binding's error codes mean. It takes no key, so all that might have gone out waits for a person:
 *   E_RATE_LIMIT_EXCEEDED                    nothing happened, retried
 *   E_DAILY_LIMIT_EXCEEDED                   nothing happened, retried in an hour at the earliest
 *   E_VALIDATION_ERROR, E_FIELD_…, E_TOO_MANY_RECIPIENTS, E_SENDER_…, E_RECIPIENT_…, E_CONTENT_…, E_HEADER…   permanent
 *   E_DELIVERY_FAILED, E_INTERNAL_SERVER_ERROR, any other, none                                               unknown
 */
export function meaningOfCode(code: unknown): "later" | "quota" | "permanent" | "unknown" {
  if (code === "E_RATE_LIMIT_EXCEEDED") return "later";
  if (code === "E_DAILY_LIMIT_EXCEEDED") return "quota";
  const refused = /^E_(VALIDATION_ERROR|FIELD_|TOO_MANY_RECIPIENTS|SENDER_|RECIPIENT_|CONTENT_|HEADER)/;
  return refused.test(String(code)) ? "permanent" : "unknown";
}

const HOUR_MS = 3_600_000;

/** Cloudflare's own e-mail binding. */
export const cloudflare = (binding: SendEmail): Mailer => ({
  name: "cloudflare",
  async send({ from, to, cc, replyTo, subject, text, html, headers, attachments }) {
    const files = await Promise.all(
      attachments.map(async ({ filename, contentType, read }) => ({
        disposition: "attachment" as const,
        filename,
        type: contentType,
        content: await read(),
      })),
    );
    try {
      const { messageId } = await binding.send({
        from: addressed(from),
        to: to.map(addressed),
        subject,
        ...(cc.length > 0 && { cc: cc.map(addressed) }),
        ...(replyTo && { replyTo: addressed(replyTo) }),
        ...(text !== null && { text }),
        ...(html !== null && { html }),
        ...(Object.keys(headers).length > 0 && { headers }),
        ...(files.length > 0 && { attachments: files }),
      });
      return { id: messageId };
    } catch (error) {
      throw asOutcome(error);
    }
  },
});

/** Its type wants a name with each address; without one it takes the address alone. */
const addressed = ({ email, name }: { email: string; name?: string }) => (name ? { email, name } : email);

function asOutcome(error: unknown): Error {
  const code = (error as { code?: unknown } | null)?.code;
  const what = `the e-mail binding said ${[code, error instanceof Error ? error.message : error].filter(Boolean).join(": ")}`;
  switch (meaningOfCode(code)) {
    case "later":
      return new RetryLater(0, what);
    case "quota":
      return new RetryLater(HOUR_MS, what);
    case "permanent":
      return new PermanentError(what);
    case "unknown":
      return new MayHaveHappened(0, what);
  }
}
