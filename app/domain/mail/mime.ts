import { byteLength } from "../text";
import { type Person, personText } from "./email";
import type { MailContent } from "./mail";

/** No line of a body can hold it: quoted-printable leaves no `=_` behind. */
const BOUNDARY = "=_redrive";
const LINE = 76;

/** The mail as it would travel (RFC 5322 and MIME), but for what is in its attachments: they are only named. */
export function mimeOf(mail: MailContent): string {
  const { text, html, attachments, replyTo } = mail;
  const bodies = [
    ...(text === null ? [] : [part("text/plain", text)]),
    ...(html === null ? [] : [part("text/html", html)]),
  ];
  const body = bodies.length === 1 ? (bodies[0] as string) : multipart("alternative", 1, bodies);
  const whole =
    attachments.length === 0 ? body : multipart("mixed", 2, [body, ...attachments.map((one) => named(one))]);
  return [
    header("From", people([mail.from])),
    header("To", people(mail.to)),
    ...(mail.cc.length > 0 ? [header("Cc", people(mail.cc))] : []),
    ...(replyTo ? [header("Reply-To", people([replyTo]))] : []),
    header("Subject", words(mail.subject)),
    header("Date", new Date(mail.at).toUTCString().replace("GMT", "+0000")),
    header("Message-ID", `<${mail.id}.${mail.jobId}@redrive.invalid>`),
    ...Object.entries(mail.headers).map(([name, value]) => header(name, value)),
    "MIME-Version: 1.0",
    whole,
  ].join("\r\n");
}

const part = (type: string, content: string): string =>
  [`Content-Type: ${type}; charset=utf-8`, "Content-Transfer-Encoding: quoted-printable", "", quoted(content)].join(
    "\r\n",
  );

const named = ({ filename, contentType, size, key }: MailContent["attachments"][number]): string =>
  [
    header("Content-Type", contentType),
    header("Content-Disposition", `attachment; filename*=utf-8''${encodeURIComponent(filename)}`),
    "",
    quoted(`[${size} bytes, not kept in the mailbox: ${key}]`),
  ].join("\r\n");

function multipart(kind: string, level: number, parts: string[]): string {
  const boundary = `${BOUNDARY}_${level}`;
  const inside = parts.flatMap((one) => [`--${boundary}`, one]);
  return [`Content-Type: multipart/${kind}; boundary="${boundary}"`, "", ...inside, `--${boundary}--`].join("\r\n");
}

const people = (all: Person[]): string =>
  all
    .map(({ email, name }) =>
      name && /\P{ASCII}/u.test(name) ? `${words(name)} <${email}>` : personText({ email, name }),
    )
    .join(", ");

/** Folds at single spaces only, so that nothing is added to what the header says. */
function header(name: string, value: string): string {
  if (value.includes("  ")) return `${name}: ${value}`;
  let line = `${name}:`;
  const lines: string[] = [];
  for (const word of value.split(" ")) {
    if (line.length + 1 + word.length > LINE && line !== `${name}:`) {
      lines.push(line);
      line = "";
    }
    line += ` ${word}`;
  }
  return [...lines, line].join("\r\n");
}

/** Text in a header: as it is where it is plain, else as encoded words (RFC 2047), none of which splits a character. */
function words(text: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && !text.includes("=?")) return text;
  const parts = [""];
  for (const character of text) {
    if (byteLength(parts.at(-1) + character) > 42) parts.push("");
    parts[parts.length - 1] += character;
  }
  return parts.map((one) => `=?utf-8?B?${new TextEncoder().encode(one).toBase64()}?=`).join(" ");
}

/** Quoted-printable (RFC 2045, 6.7) of UTF-8, its line ends CRLF. */
function quoted(text: string): string {
  const lines = text.toWellFormed().split(/\r\n|\r|\n/);
  return lines.map((line) => soft(line)).join("\r\n");
}

function soft(line: string): string {
  let out = "";
  let width = 0;
  const bytes = new TextEncoder().encode(line);
  for (const [index, byte] of bytes.entries()) {
    const last = index === bytes.length - 1;
    const plain = (byte >= 33 && byte <= 126 && byte !== 61) || ((byte === 32 || byte === 9) && !last);
    const one = plain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    if (width + one.length > LINE - 1) {
      out += "=\r\n";
      width = 0;
    }
    out += one;
    width += one.length;
  }
  return out;
}
