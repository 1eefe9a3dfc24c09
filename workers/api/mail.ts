import { z } from "@hono/zod-openapi";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import type { MailPage, MailRow } from "~/domain/mail/mail";
import { listMail } from "~/store/reads/mailbox";
import { fresh } from "./answers";
import type { Route } from "./route";

const whole = (max: number) =>
  z
    .string()
    .refine((text) => /^[1-9]\d{0,15}$/.test(text) && Number(text) <= max, `must be a whole number from 1 to ${max}`)
    .transform(Number);

const query = z.strictObject({
  before: whole(Number.MAX_SAFE_INTEGER).optional(),
  limit: whole(PAGE_SIZE_MAX).default(PAGE_SIZE),
});

const time = z.iso.datetime({ precision: 3 });
const person = z.object({ email: z.string(), name: z.string().optional() });
const mailRow = z
  .object({
    id: z.int().openapi({ description: "in the order of arrival" }),
    at: time,
    jobId: z.string(),
    from: person,
    to: z.array(person),
    cc: z.array(person),
    subject: z.string(),
    attachments: z.int().openapi({ description: "how many" }),
  })
  .openapi("MailRow") satisfies z.ZodType<MailRow>;
const mailPage = z
  .object({
    revision: z.int(),
    now: time,
    mails: z.array(mailRow),
    next: z.int().nullable().openapi({ description: "pass as `before` for older ones" }),
  })
  .openapi("MailPage") satisfies z.ZodType<MailPage>;

export const getMail: Route = {
  method: "get",
  path: "/mail",
  summary: "The local mailbox, newest first",
  description:
    "What was sent while no mail provider is configured. The last 1,000 mails are kept. To whoever may not see payloads, only those recipients and subjects are shown that the label of the job tells as well.",
  query,
  parameters: z.object({
    before: z.int().optional().openapi({ description: "only mails that arrived before the one with this id" }),
    limit: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE).openapi({ description: "mails of a page" }),
  }),
  cached: true,
  answers: { 200: { description: "A page of mails", content: { "application/json": { schema: mailPage } } } },
  problems: {},
  handle: ({ request, url, app }) => {
    const { before, limit } = query.parse(Object.fromEntries(url.searchParams));
    return fresh(request, app, () => listMail(app.engine.store, before ?? null, app.identity, limit));
  },
};
