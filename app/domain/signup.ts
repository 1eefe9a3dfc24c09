import { z } from "zod";
import { emailProblem, NAME_CHARS, nameProblem } from "./mail/email";

/** With what stands before it, an address of this length still makes an idempotency key of 256 characters. */
const SIGNUP_EMAIL_CHARS = 240;

/** Who signs up, as the form and the API take it. */
export const SIGNUP = z.strictObject({
  email: z
    .string()
    .trim()
    .max(SIGNUP_EMAIL_CHARS)
    .superRefine((text, ctx) => {
      const message = emailProblem(text);
      if (message !== null) ctx.addIssue({ code: "custom", message });
    }),
  name: z
    .string()
    .trim()
    .max(NAME_CHARS)
    .superRefine((text, ctx) => {
      const message = nameProblem(text);
      if (message !== null) ctx.addIssue({ code: "custom", message });
    })
    .default(""),
});

export type SignupForm = z.output<typeof SIGNUP>;
