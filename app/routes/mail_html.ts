import { appContext } from "~/cloudflare";
import { mailNumber } from "~/domain/mail/mail";
import { readMail } from "~/store/reads/mailbox";
import type { Route } from "./+types/mail_html";
import { reading } from "./support/read.server";

/** No script, no form, no request: only markup, its own styles and pictures that come with it. Links open elsewhere. */
const POLICY = [
  "sandbox allow-popups allow-popups-to-escape-sandbox",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** A mail's HTML as its sender wrote it: a document of its own, so that it shares nothing with the page around it. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const id = mailNumber(params.id);
  const mail = id === null ? null : await reading(app, "mail", () => readMail(app.engine.store, id));
  if (!mail || mail.html === null) return new Response("there is no such mail, or it has no HTML\n", { status: 404 });
  return new Response(`<!doctype html><base target="_blank">${mail.html}`, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": POLICY,
      "X-DNS-Prefetch-Control": "off",
    },
  });
}
