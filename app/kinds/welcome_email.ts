import { z } from "zod";
import { PermanentError } from "~/domain/errors";
import { readSignup, type Signup } from "~/store/signups";
import { defineKind } from "./define";
import { sendMail } from "./mail/send";
import { MAIL_RETRY } from "./send_email";

/** The example: greets who signed up. Carries the row's id only, so what is sent is what is stored when it runs. */
export const welcomeEmail = defineKind({
  name: "welcome_email",
  title: "Welcome e-mail",
  description: "Greets one sign-up of the example. Its payload names the row; a deleted row gets no mail.",
  input: z.strictObject({ signupId: z.uuidv7() }),
  label: ({ signupId }) => `sign-up …${signupId.slice(-8)}`,
  entity: (input) => `signup:${input.signupId}`,
  internal: true,
  usualMs: 500,
  statements: 13,
  timeoutMs: 30_000,
  retry: MAIL_RETRY,
  async run({ signupId }, ctx) {
    const signup = await readSignup(ctx.store, signupId);
    if (!signup) throw new PermanentError(`the sign-up ${signupId} was deleted: nobody is left to greet`);
    return sendMail(ctx, welcome(signup));
  },
});

const welcome = ({ email, name }: Signup) => ({
  to: name ? { email, name } : email,
  subject: name ? `Welcome, ${name}` : "Welcome",
  text: `Hello${name ? ` ${name}` : ""},\n\nyou are signed up. This mail is sent once, however often you do so.\n`,
  html: `<h1>Welcome${name ? `, ${escaped(name)}` : ""}</h1><p>You are signed up. This mail is sent once, however often you do so.</p>`,
  headers: { "Auto-Submitted": "auto-generated" },
});

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
