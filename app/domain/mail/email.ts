/** An address, and who reads there. */
export type Person = { email: string; name?: string };

export const EMAIL_CHARS = 254;
export const NAME_CHARS = 200;
export const SUBJECT_CHARS = 998;

const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Why `text` is no address that every provider takes, or null: name@host.tld in ASCII, without quotes, comments or IP
 * addresses. Stricter than RFC 5322 on purpose: what is refused here cannot be read as two addresses elsewhere.
 */
export function emailProblem(text: string): string | null {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const labels = domain.split(".");
  if (text.length > EMAIL_CHARS || local.length > 64) return `${EMAIL_RULE}; this is too long`;
  if (/\P{ASCII}/u.test(text)) return `${EMAIL_RULE}; write a domain of other letters in its xn-- form`;
  if (at < 1 || !LOCAL_PART.test(local)) return EMAIL_RULE;
  // A last part of digits only would make the domain an IP address.
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || /^\d+$/.test(labels.at(-1) ?? "")) {
    return EMAIL_RULE;
  }
  return null;
}

const EMAIL_RULE = "must be one plain address such as ana@example.com";

/** One spelling for one mailbox, to tell whether two people are the same. What is written to stays as it was typed. */
export const sameEmail = (text: string): string => text.trim().toLowerCase();

/** What ends a line, to whoever may read it: a header must not go on as another one. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

export const isOneLine = (text: string): boolean => text.isWellFormed() && !CONTROL.test(text);

/** Why `name` cannot stand beside an address, or null. Without these four no reader can take it for an address. */
export function nameProblem(name: string): string | null {
  if (!isOneLine(name)) return "must be one line of text, without control characters";
  return /[<>"\\]/.test(name) ? 'must be without < > " and \\' : null;
}

/** Reads `Name <address>` or an address alone, as configuration has it. */
export function personOf(text: string): Person | null {
  const [, name = "", email = text.trim()] = /^\s*"?([^<>"]*?)"?\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  if (emailProblem(email) !== null || nameProblem(name) !== null) return null;
  return name ? { email, name } : { email };
}

/** As it stands in a header of plain text: `"Ana, of Sales" <ana@example.com>`. */
export const personText = ({ email, name }: Person): string => {
  if (!name) return email;
  return `${/^[\p{L}\p{N} '_-]+$/u.test(name) ? name : `"${name}"`} <${email}>`;
};
