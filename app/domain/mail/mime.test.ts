import { describe, expect, test } from "vitest";
import type { MailContent } from "./mail";
import { mimeOf } from "./mime";

const mail: MailContent = {
  id: 7,
  at: "2026-12-01T10:00:00.000Z",
  jobId: "j",
  key: "j/mail:mailbox",
  from: { email: "shop@example.com", name: "Shop" },
  to: [{ email: "ana@example.com" }],
  cc: [],
  replyTo: null,
  subject: "Hello",
  headers: {},
  attachments: [],
  text: "Hi Ana",
  html: null,
};
const headersOf = (source: string) =>
  source.slice(0, source.indexOf("\r\n\r\n")).replaceAll("\r\n ", " ").split("\r\n");
const named = (source: string, name: string) =>
  headersOf(source)
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

/** What a reader makes of encoded words. */
const decoded = (value = "") =>
  value
    .replaceAll(/\?= (?==\?)/g, "?=")
    .replaceAll(/=\?utf-8\?B\?([^?]*)\?=/g, (_, base64) => new TextDecoder().decode(Uint8Array.fromBase64(base64)));

describe("the source of a mail", () => {
  test("has its headers, each once, and its text", () => {
    expect(mimeOf(mail)).toBe(
      [
        "From: Shop <shop@example.com>",
        "To: ana@example.com",
        "Subject: Hello",
        "Date: Tue, 01 Dec 2026 10:00:00 +0000",
        "Message-ID: <7.j@redrive.invalid>",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Hi Ana",
      ].join("\r\n"),
    );
  });

  test("names all recipients and headers of the mail, and no others", () => {
    const source = mimeOf({
      ...mail,
      to: [{ email: "a@example.com", name: "Smith, Ana" }, { email: "b@example.com" }],
      cc: [{ email: "c@example.com", name: "山田" }],
      replyTo: { email: "help@example.com" },
      headers: { "X-Campaign": "spring", "List-Unsubscribe": "<https://example.com/u>" },
    });
    expect(headersOf(source).map((line) => line.split(":")[0])).toEqual([
      "From",
      "To",
      "Cc",
      "Reply-To",
      "Subject",
      "Date",
      "Message-ID",
      "X-Campaign",
      "List-Unsubscribe",
      "MIME-Version",
      "Content-Type",
      "Content-Transfer-Encoding",
    ]);
    expect(named(source, "To")).toBe('"Smith, Ana" <a@example.com>, b@example.com');
    expect(decoded(named(source, "Cc"))).toBe("山田 <c@example.com>");
  });

  test("keeps every subject: emoji, tabs, what looks encoded, and 998 characters of it", () => {
    for (const subject of [
      "Für dich 🎉🎉",
      "a\tb",
      "=?utf-8?B?eA==?=",
      "two  spaces",
      "🎉".repeat(499),
      "x".repeat(998),
      " edge ",
    ]) {
      const source = mimeOf({ ...mail, subject });
      expect(decoded(named(source, "Subject"))).toBe(subject);
      expect(headersOf(source)).toHaveLength(headersOf(mimeOf(mail)).length);
    }
  });

  test("keeps every body in lines of 76 characters", () => {
    const text = `Größe = 5€\n${"word ".repeat(100)}\n.\nFrom here\nends with a space \n\ttab\n${"é".repeat(60)}`;
    const source = mimeOf({ ...mail, text });
    const body = source.slice(source.indexOf("\r\n\r\n") + 4);
    expect(Math.max(...source.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(76);
    const bytes = body
      .replaceAll("=\r\n", "")
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    const read = new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
    expect(read).toBe(text.replaceAll("\n", "\r\n"));
  });

  test("offers text and HTML as one, and names what is attached", () => {
    const source = mimeOf({
      ...mail,
      html: "<p>--=_redrive_1</p>",
      attachments: [{ filename: "Größe.pdf", contentType: "application/pdf", size: 12, key: "invoices/1" }],
    });
    expect(source.split("--=_redrive_1\r\n")).toHaveLength(3);
    expect(source.split("--=_redrive_2\r\n")).toHaveLength(3);
    expect(source).toContain("filename*=utf-8''Gr%C3%B6%C3%9Fe.pdf");
    expect(source.endsWith("--=_redrive_2--")).toBe(true);
  });
});
