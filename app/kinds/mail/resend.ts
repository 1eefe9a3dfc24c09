import { meaningOf, retryAfter } from "~/domain/answers";
import { MayHaveHappened, PermanentError, RetryLater } from "~/domain/errors";
import { personText } from "~/domain/mail/email";
import { preview } from "~/domain/text";
import { bodyText } from "../body_text";
import type { Letter, Mailer } from "./mailer";

const BASE_URL = "https://api.resend.com";
/** The provider knows a key for 24 hours. An hour less, so that no request arrives just after. */
const KEY_LIFE_MS = 23 * 3_600_000;
const ANSWER_MS = 20_000;
const ANSWER_BYTES = 16_384;
const HOUR_MS = 3_600_000;

/**
 * What an answer means:
 *   2xx with an id                                done
 *   2xx without one, cut off or late; no answer   unknown: asked again with the same key
 *   408, 5xx                                      unknown: asked again with the same key, after Retry-After
 *   409 concurrent request                        unknown: the same mail is on its way, asked again with the same key
 *   409 same key, other body; any other 409       permanent
 *   425, 429                                      nothing happened, retried after Retry-After; a used-up quota after an hour
 *   any other                                     permanent
 */
export function meaningOfAnswer(status: number, name: string): "done" | "unknown" | "later" | "quota" | "permanent" {
  if (status === 409) return name.startsWith("concurrent") ? "unknown" : "permanent";
  if (status === 429 && name.endsWith("quota_exceeded")) return "quota";
  if (status === 425 || status === 429) return "later";
  const meaning = meaningOf(status);
  return meaning === "success" ? "done" : meaning === "retry" ? "unknown" : "permanent";
}

/** Resend's HTTP API, and whatever speaks it. `baseUrl` of this machine needs OUTBOUND_ALLOW, so works in local mode only. */
export const resend = (apiKey: string, baseUrl = BASE_URL): Mailer => ({
  name: "resend",
  keyed: { forMs: KEY_LIFE_MS },
  async send(letter, key, ctx) {
    const response = await ctx.fetch(`${baseUrl.replace(/\/+$/, "")}/emails`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
        // Refused without one.
        "User-Agent": "redrive",
      },
      body: await bodyOf(letter),
      redirect: "manual",
      timeoutMs: ANSWER_MS,
    });
    const { id, name = "", message = "" } = read(await bodyText(response, ANSWER_BYTES, ctx.hide));
    const what = preview(
      `the mail provider answered ${[response.status, name, message].filter(Boolean).join(" ")}`,
      500,
    );
    const asked = retryAfter(response.headers.get("retry-after"), ctx.now()) ?? 0;
    switch (meaningOfAnswer(response.status, name)) {
      case "done":
        if (id) return { id };
        throw new MayHaveHappened(0, `${what} without an id`);
      case "unknown":
        throw new MayHaveHappened(asked, what);
      case "later":
        throw new RetryLater(asked, what);
      case "quota":
        throw new RetryLater(Math.max(asked, HOUR_MS), what);
      case "permanent":
        throw new PermanentError(what);
    }
  },
});

/** The same letter is the same bytes, however often: under one key the provider takes no other. */
async function bodyOf({ from, to, cc, replyTo, subject, text, html, headers, attachments }: Letter): Promise<string> {
  const files = await Promise.all(
    attachments.map(async ({ filename, contentType, read }) => ({
      filename,
      content_type: contentType,
      content: (await read()).toBase64(),
    })),
  );
  return JSON.stringify({
    from: personText(from),
    to: to.map(personText),
    ...(cc.length > 0 && { cc: cc.map(personText) }),
    ...(replyTo && { reply_to: personText(replyTo) }),
    subject,
    ...(text !== null && { text }),
    ...(html !== null && { html }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(files.length > 0 && { attachments: files }),
  });
}

/** An answer that is no JSON says nothing but its status. */
function read(text: string): { id?: string; name?: string; message?: string } {
  try {
    const { id, name, message } = JSON.parse(text) as Record<string, unknown>;
    const texts = Object.entries({ id, name, message }).filter(
      ([, value]) => typeof value === "string" && value !== "",
    );
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}
