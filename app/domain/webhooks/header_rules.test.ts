import { expect, test } from "vitest";
import { headerProblems } from "./header_rules";

const refused = (name: string, value = "x") => headerProblems([[name, value]])[0]?.name;

test("C079: values that would not arrive as they were written are refused, by the header's name", () => {
  const values = [
    "café",
    "Marić",
    "日本",
    "😀",
    "a\r\nX-Evil: 1",
    "a\nb",
    "a\0b",
    "a\tb",
    "",
    " ",
    " a",
    "a ",
    "x".repeat(9_000),
  ];
  for (const value of values) expect([value, refused("X-Ok", value)]).toEqual([value, "X-Ok"]);
});

test("C079: bad names, and names that are the product's or the connection's, are refused in any case", () => {
  const names = [
    "X Bad",
    "",
    "X:Bad",
    "X-Évil",
    "X\r\nEvil",
    "Host",
    "content-length",
    "Transfer-Encoding",
    "CONTENT-TYPE",
    "Webhook-Id",
    "webhook-signature",
    "WEBHOOK-TIMESTAMP",
    "Connection",
    "CF-Connecting-IP",
  ];
  for (const name of names) expect([name, refused(name)]).toEqual([name, name]);
});

test("C079: the same name twice is refused, whatever its case", () => {
  expect(
    headerProblems([
      ["X-Team", "a"],
      ["x-team", "b"],
    ]),
  ).toEqual([{ name: "x-team", message: "is given twice" }]);
});

test("C079: other headers are taken", () => {
  const headers: [string, string][] = [
    ["Authorization", "Bearer abc"],
    ["X-Team", 'a, b; c="d"'],
    ["x_odd!name", "x".repeat(8_192)],
  ];
  expect(headerProblems(headers)).toEqual([]);
  expect(headerProblems(Array.from({ length: 21 }, (_, n) => [`X-${n}`, "x"]))).toHaveLength(1);
});
