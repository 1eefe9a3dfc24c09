import { z } from "zod";
import { meaningOf, retryAfter } from "~/domain/answers";
import { PermanentError, RetryLater } from "~/domain/errors";
import { memberText } from "~/domain/json";
import { outboundProblem } from "~/domain/outbound";
import { SLACK_URL } from "~/domain/webhooks/webhooks";
import { bodyText } from "./body_text";
import { defineKind } from "./define";

const BODY_BYTES = 32_768;
/** Names a caller must not set: they belong to the connection, or say who is calling. */
const RESERVED =
  /^(host|content-length|transfer-encoding|connection|upgrade|te|trailer|expect|keep-alive|cf-.*|proxy-.*)$/i;

const HEADERS = 100;

const header = z
  .string()
  .max(8_192)
  .regex(/^[\x20-\x7e]*$/, "takes printable ASCII only: anything else is sent differently by different runtimes");

/** Calls any endpoint and keeps the answer: useful with no code written. */
export const httpRequest = defineKind({
  name: "http_request",
  title: "HTTP request",
  description: "Calls a URL, keeps status and body, retries what can be retried, honours Retry-After.",
  input: z.strictObject({
    url: z.string().max(2_048),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
    headers: z
      .record(
        z
          .string()
          .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "is no header name")
          .refine((name) => !RESERVED.test(name), "is set by the product"),
        header,
      )
      .refine((headers) => Object.keys(headers).length <= HEADERS, `takes at most ${HEADERS} headers`)
      .default({}),
    /** Sent as it was written, number by number. Use `text` for anything but JSON. */
    json: z.unknown().optional(),
    text: z.string().optional(),
  }),
  check: (input, rules) => {
    const problem = outboundProblem(input.url, rules);
    if (problem) return [{ path: "url", message: problem }];
    const names = Object.keys(input.headers).map((name) => name.toLowerCase());
    const twice = Object.keys(input.headers).find((_, n) => names.indexOf(names[n] as string) < n);
    if (twice !== undefined) return [{ path: `headers.${twice}`, message: "is given twice" }];
    const bodies = Number(input.json !== undefined) + Number(input.text !== undefined);
    if (bodies > 1) return [{ path: "text", message: "give json or text, not both" }];
    if (bodies > 0 && /^(GET|HEAD)$/.test(input.method))
      return [{ path: "method", message: `${input.method} carries no body` }];
    return [];
  },
  label: (input) => `${input.method} ${input.url}`,
  usualMs: 500,
  timeoutMs: 30_000,
  secrets: [
    ...["*auth*", "*cookie*", "*token*", "*secret*", "*password*", "*api*key*"].map((name) => `headers.${name}`),
    SLACK_URL("url"),
  ],
  secretsGoTo: ["url"],
  examples: [{ title: "POST JSON", payload: { url: "https://example.com/hook", json: { hello: "world" } } }],
  async run(input, ctx) {
    const response = await ctx.fetch(input.url, {
      method: input.method,
      headers: headersOf(input, ctx.key("request")),
      body: memberText(ctx.payloadText, "json") ?? input.text,
      redirect: "manual",
    });
    const body = await bodyText(response, BODY_BYTES, ctx.hide);
    const meaning = meaningOf(response.status);
    if (meaning === "success") return { status: response.status, body };
    const location = response.headers.get("location");
    const what = `answered ${response.status}${location ? ` to ${location} (redirects are not followed)` : ""}`;
    if (body) ctx.log(`answer: ${body}`);
    if (meaning === "permanent") throw new PermanentError(what);
    throw new RetryLater(retryAfter(response.headers.get("retry-after"), ctx.now()) ?? 0, what);
  },
});

/** What the caller wrote stands in place of ours, in any spelling of the name. */
function headersOf({ json, headers }: { json?: unknown; headers: Record<string, string> }, key: string): Headers {
  const sent = new Headers(headers);
  // Lets a receiver that honours keys act once, however often an attempt is repeated.
  if (!sent.has("idempotency-key")) sent.set("idempotency-key", key);
  if (json !== undefined && !sent.has("content-type")) sent.set("content-type", "application/json");
  return sent;
}
