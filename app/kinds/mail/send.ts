import { OutcomeUnknown, PermanentError } from "~/domain/errors";
import { type Person, personOf } from "~/domain/mail/email";
import { readEffects } from "~/store/effects";
import type { JobContext } from "../define";
import { type Pinned, pinAttachments, readAttachment } from "./attachments";
import { type Mail, peopleOf, personOfInput } from "./mail";
import { type Letter, type Mailer, mailerOf } from "./mailer";

export type Sent = { provider: string; id: string };

/** What a mail does not say itself, as it stood at the first attempt: every attempt sends the same bytes. */
type Draft = { from: Person; attachments: Pinned[] };

const EFFECT = "mail:";

/** Sends a mail once over all attempts of its job, with whatever this deployment sends. */
export async function sendMail(ctx: JobContext, mail: Mail): Promise<Sent> {
  const mailer = mailerOf(ctx.services);
  const sent = ctx.attempt > 1 ? await sentElsewhere(ctx, mailer) : null;
  if (sent) return sent;
  const draft =
    mail.from && !mail.attachments?.length
      ? { from: personOfInput(mail.from), attachments: [] }
      : await ctx.once(`draft:${mailer.name}`, () => draftOf(ctx, mailer, mail), { keyed: true });
  return ctx.once(
    EFFECT + mailer.name,
    async (key) => ({ provider: mailer.name, ...(await mailer.send(letterOf(ctx, mail, draft), key, ctx)) }),
    { keyed: mailer.keyed },
  );
}

/**
 * What an earlier attempt did with another provider, since changed in the configuration. No provider knows another's keys:
 * a mail that one of them may have sent is not given to the next.
 */
async function sentElsewhere(ctx: JobContext, mailer: Mailer): Promise<Sent | null> {
  const effects = await readEffects(ctx.store, ctx.jobId, EFFECT);
  const others = effects.filter(({ name }) => name !== EFFECT + mailer.name);
  const done = others.find(({ finishedAt }) => finishedAt !== null);
  if (done) return JSON.parse(done.result as string);
  const [begun] = others;
  if (begun) throw new OutcomeUnknown(begun.name, `mail goes out through ${mailer.name} now`);
  return null;
}

async function draftOf(ctx: JobContext, mailer: Mailer, mail: Mail): Promise<Draft> {
  const from = mail.from ? personOfInput(mail.from) : senderOf(ctx, mailer);
  return { from, attachments: await pinAttachments(ctx.services.files, mail.attachments) };
}

function senderOf(ctx: JobContext, mailer: Mailer): Person {
  const configured = ctx.services.secret("MAIL_FROM");
  const sender = configured === undefined ? mailer.sender : personOf(configured);
  if (sender) return sender;
  throw new PermanentError(
    configured === undefined
      ? "nobody to send from: give `from`, or set MAIL_FROM"
      : "MAIL_FROM is no address: write it as Name <mail@example.com>",
  );
}

const letterOf = (ctx: JobContext, mail: Mail, { from, attachments }: Draft): Letter => ({
  from,
  to: peopleOf(mail.to),
  cc: peopleOf(mail.cc),
  replyTo: mail.replyTo ? personOfInput(mail.replyTo) : null,
  subject: mail.subject,
  headers: mail.headers ?? {},
  text: mail.text ?? null,
  html: mail.html ?? null,
  attachments: attachments.map((pinned) => ({
    ...pinned,
    read: () => readAttachment(ctx.services.files, pinned),
  })),
});
