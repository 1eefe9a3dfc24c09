import { z } from "zod";
import { REASON_CHARS } from "../limits";
import { isOneLine } from "../mail/email";
import { type Rights, ROLES } from "./roles";

/** Somebody who comes in through Cloudflare Access: by e-mail, or by the name of a service token. */
export type PersonRow = Rights & { name: string; updatedAt: string; updatedBy: string };

/** One spelling of one person: Access tells e-mail addresses as the identity provider spells them. */
export const personName = (text: string): string => text.trim().toLowerCase();

/** As the audit and lists of submitters name whoever has told no address: what was chosen reads as nobody else. */
export const chosenName = (name: string): string => `name:${name}`;

export const PERSON = z
  .string()
  .transform(personName)
  .pipe(
    z
      .string()
      .min(1, "is needed: an e-mail address, or the client id of a service token")
      .max(256, "has at most 256 characters")
      .refine((name) => isOneLine(name), "is one line of text, without control characters"),
  );

export const RIGHTS = z.strictObject({
  role: z.enum(ROLES, { error: `is one of ${ROLES.join(", ")}` }),
  payloads: z.boolean().default(false),
  reason: z.string().trim().max(REASON_CHARS).optional(),
});

export const PEOPLE_ADDRESS = "/settings/people";
export const removeAddress = (name: string): string => `${PEOPLE_ADDRESS}/${encodeURIComponent(name)}/remove`;

/** What may stand in the way of a change, in words. */
export const REFUSED_CHANGES = {
  "last-admin": "is the last admin: list another one first",
  "not-self": "list yourself as an admin first: roles come into force with the first one, and you would be none",
  "not-listed": "is not listed",
  full: "as many people are listed as can be",
};
