import { z } from "zod";
import { REASON_CHARS } from "../limits";
import { isOneLine } from "../mail/email";
import { sha256 } from "../sha256";
import { ROLES, type Role } from "./roles";

/** How every API token begins, so that people and scanners of leaked secrets know one. */
const PREFIX = "rd_";
const BYTES = 32;
const HINT_CHARS = 8;

/** 256 random bits. It is shown once, and only its digest is stored. */
export const newApiToken = (): string =>
  PREFIX + crypto.getRandomValues(new Uint8Array(BYTES)).toBase64({ alphabet: "base64url", omitPadding: true });

export const isApiToken = (text: string): boolean => /^rd_[\w-]{43}$/.test(text);
export const hintOf = (token: string): string => token.slice(0, HINT_CHARS);

/** A long random text needs no slow digest: nobody guesses it. */
export const digestOf = async (token: string): Promise<string> => (await sha256(token)).toHex();

export const TOKENS_ADDRESS = "/settings/tokens";
export const revokeAddress = (id: string): string => `${TOKENS_ADDRESS}/${encodeURIComponent(id)}/revoke`;

/** As the audit and lists of submitters name who used it. */
export const tokenActor = (name: string): string => `token:${name}`;

export const NAME = z
  .string()
  .trim()
  .min(1, "is needed")
  .max(60, "has at most 60 characters")
  .refine((name) => isOneLine(name), "is one line of text, without control characters");

export const NEW_TOKEN = z.strictObject({
  name: NAME.describe("stands for whoever uses it, in the audit too; no two tokens have the same"),
  role: z.enum(ROLES, { error: `is one of ${ROLES.join(", ")}` }),
  payloads: z.boolean().default(false).describe("whether it shows payloads, results, logs, mails and files"),
  days: z
    .int({ error: "is a whole number of days" })
    .min(1, "is at least 1 day")
    .max(3_650, "is at most 3650 days")
    .nullable()
    .default(null)
    .describe("for so many days it holds; null: until it is revoked"),
  reason: z.string().trim().max(REASON_CHARS).optional(),
});
export type AskedToken = z.output<typeof NEW_TOKEN>;

/** What lists show of a token. */
export type TokenRow = {
  id: string;
  name: string;
  /** How it begins. */
  hint: string;
  role: Role;
  payloads: boolean;
  createdAt: string;
  createdBy: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  expired: boolean;
};
