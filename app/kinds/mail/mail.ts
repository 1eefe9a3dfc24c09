import { z } from "zod";
import { FILES_FOLDER } from "~/domain/files/files";
import {
  EMAIL_CHARS,
  emailProblem,
  isOneLine,
  NAME_CHARS,
  nameProblem,
  type Person,
  SUBJECT_CHARS,
} from "~/domain/mail/email";
import { mailHeaderProblems } from "~/domain/mail/headers";

export const RECIPIENTS = 50;
const ATTACHMENTS = 20;

/** A text that says itself what is wrong with it. */
const told = (max: number, problemOf: (text: string) => string | null) =>
  z
    .string()
    .max(max)
    .superRefine((text, ctx) => {
      const message = problemOf(text);
      if (message !== null) ctx.addIssue({ code: "custom", message });
    });

const email = told(EMAIL_CHARS, emailProblem);
const name = told(NAME_CHARS, nameProblem);
const person = z.union([email, z.strictObject({ email, name: name.optional() })], {
  error: "must be an address such as ana@example.com, or one with a name: { email, name }",
});
const people = z.union([person, z.array(person).min(1).max(RECIPIENTS)], {
  error: `must be an address or a list of 1 to ${RECIPIENTS}`,
});
const body = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "must be text, without NUL");

const attachment = z.strictObject({
  // Whoever submits mails need not have the right to see what was uploaded, and could mail it to himself.
  key: told(1_024, (key) =>
    key.startsWith(FILES_FOLDER)
      ? `must not be below ${FILES_FOLDER}, where uploaded files lie: put what a mail is to take elsewhere in R2`
      : null,
  )
    .min(1)
    .describe(`of the file in R2, none below ${FILES_FOLDER}`),
  filename: told(NAME_CHARS, (text) =>
    isOneLine(text) && !/[/\\"]/.test(text) ? null : 'must be one line, without / \\ and "',
  )
    .min(1)
    .optional()
    .describe("the last part of the key where left out"),
  contentType: z
    .string()
    .max(100)
    .regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/i, "must be a media type such as application/pdf")
    .optional()
    .describe("the file's own where left out"),
});

/** A mail as it is asked for. What is refused here can add neither a header nor a recipient anywhere behind it. */
export const MAIL = z
  .strictObject({
    to: people,
    cc: people.optional(),
    from: person.optional().describe("MAIL_FROM where left out"),
    replyTo: person.optional(),
    subject: told(SUBJECT_CHARS, (text) =>
      isOneLine(text.replaceAll("\t", " ")) ? null : "must be one line of text, without control characters",
    ).min(1),
    text: body.optional(),
    html: body.optional(),
    headers: z.record(z.string(), z.string()).optional(),
    attachments: z.array(attachment).max(ATTACHMENTS).optional(),
  })
  .superRefine((mail, ctx) => {
    const wrong = (path: string[], message: string) => ctx.addIssue({ code: "custom", path, message });
    const all = peopleOf(mail.to).length + peopleOf(mail.cc).length;
    if (all > RECIPIENTS) wrong(["to"], `a mail takes at most ${RECIPIENTS} recipients in all, this has ${all}`);
    if (mail.text === undefined && mail.html === undefined) wrong(["text"], "give text, html or both");
    for (const problem of mailHeaderProblems(mail.headers ?? {})) {
      wrong(["headers", problem.name].filter(Boolean), problem.message);
    }
  });

export type Mail = z.output<typeof MAIL>;

type Given = z.output<typeof person>;

export const personOfInput = (given: Given): Person => (typeof given === "string" ? { email: given } : given);

export const peopleOf = (given: Given | Given[] | undefined): Person[] =>
  given === undefined ? [] : [given].flat().map(personOfInput);
