import { expect, test } from "vitest";
import { mailHeaderProblems } from "./headers";

const named = (headers: Record<string, string>) => mailHeaderProblems(headers).map(({ name }) => name);

test("headers of lists, threads and one's own are taken", () => {
  expect(
    named({
      "List-Unsubscribe": "<https://example.com/u?id=1>, <mailto:u@example.com>",
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "In-Reply-To": "<a@example.com>",
      "X-Campaign_1": "a".repeat(998),
    }),
  ).toEqual([]);
});

test("headers that say who gets it, who sent it or what it is are refused in any spelling", () => {
  for (const name of [
    "Bcc",
    "bCC",
    "To",
    "Cc",
    "From",
    "Sender",
    "Reply-To",
    "Subject",
    "Resent-Bcc",
    "Apparently-To",
    "Return-Path",
    "Date",
    "Message-ID",
    "MIME-Version",
    "Content-Type",
    "DKIM-Signature",
    "Received",
    "X-",
    "X-A:B",
    "X-A\r\nBcc",
    "X A",
    "",
    "constructor",
    `X-${"a".repeat(99)}`,
  ]) {
    expect(named({ [name]: "a@evil.example" })).toEqual([name]);
  }
});

test("a value that ends its line, or that is written differently elsewhere, is refused", () => {
  for (const value of [
    "<https://e.example>\r\nBcc: a@evil.example",
    "a\nb",
    "a\rb",
    "",
    " a",
    "a ",
    "é",
    "a\u0000",
    "a".repeat(999),
  ])
    expect(named({ "List-Unsubscribe": value })).toEqual(["List-Unsubscribe"]);
});

test("a name given twice, too many and too much are refused", () => {
  expect(named({ "X-A": "1", "x-a": "2" })).toEqual(["x-a"]);
  const many = (n: number, value: string) =>
    Object.fromEntries(Array.from({ length: n }, (_, index) => [`X-${index}`, value]));
  expect(named(many(20, "v"))).toEqual([]);
  expect(named(many(21, "v"))).toEqual([""]);
  expect(named(many(17, "v".repeat(998)))).toEqual([""]);
});
