import { expect, test } from "vitest";
import type { App } from "~/cloudflare";
import { servicesOf } from "~/kinds/services";
import { leadsToMailbox, mailGoesOutBy } from "./mailbox.server";

const app = (local: boolean, bindings: object) =>
  ({ local, engine: { services: servicesOf(bindings) } }) as unknown as App;
const EMAIL = { send: async () => ({ messageId: "m" }) };

test("mail goes out by the HTTP provider where there is a key for it, else by the binding, else not at all", () => {
  expect(mailGoesOutBy(app(false, { MAIL_API_KEY: "k", EMAIL }))).toBe("resend");
  expect(mailGoesOutBy(app(false, { MAIL_API_KEY: "", EMAIL }))).toBe("cloudflare");
  expect(mailGoesOutBy(app(false, { MAIL_FROM: "a@example.com" }))).toBeNull();
});

test("pages lead to the mailbox where mails come in, and always on one's own machine", () => {
  expect(leadsToMailbox(app(false, {}))).toBe(true);
  expect(leadsToMailbox(app(false, { EMAIL }))).toBe(false);
  expect(leadsToMailbox(app(true, { EMAIL }))).toBe(true);
});
