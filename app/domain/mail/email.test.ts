import { describe, expect, test } from "vitest";
import { emailProblem, nameProblem, personOf, personText, sameEmail } from "./email";

describe("an address", () => {
  test("in its plain form is taken", () => {
    for (const email of [
      "ana@example.com",
      "a.b+tag@sub.example.co.uk",
      "o'neil_{x}@example.com",
      "a@xn--bcher-kva.example",
      `${"l".repeat(64)}@${"d".repeat(63)}.example`,
    ]) {
      expect([email, emailProblem(email)]).toEqual([email, null]);
    }
  });

  test("that could be read as another, or as more than one, is refused", () => {
    for (const email of [
      "",
      "ana",
      "@example.com",
      "ana@",
      "ana@localhost",
      "ana@@example.com",
      "a@b@example.com",
      "ana@example.com, bob@example.com",
      "ana@example.com;bob@example.com",
      "x@example.com\nBcc: a@evil.example",
      "x@example.com\r\n",
      "ana@example.com ",
      " ana@example.com",
      "Ana <ana@example.com>",
      '"a b"@example.com',
      "ana@[127.0.0.1]",
      "ana@127.0.0.1",
      "ana@-example.com",
      "ana@example-.com",
      "ana@example..com",
      ".ana@example.com",
      "ana.@example.com",
      "a..b@example.com",
      "ana@bücher.example",
      "ana\u0000@example.com",
      "ana(comment)@example.com",
      `${"l".repeat(65)}@example.com`,
      `a@${"d".repeat(64)}.example`,
      `a@${"long.".repeat(60)}example`,
    ]) {
      expect([email, emailProblem(email)]).toEqual([email, expect.stringContaining("must be one plain address")]);
    }
  });

  test("is recognised in another spelling", () => {
    expect(sameEmail("  Ana@Example.COM ")).toBe(sameEmail("ana@example.com"));
    expect(sameEmail("ana+1@example.com")).not.toBe(sameEmail("ana@example.com"));
  });
});

describe("a name beside an address", () => {
  test("may be any text of one line", () => {
    for (const name of ["Ana", "Smith, John", "O'Neil (Sales)", "Ana 🎉", "山田"]) expect(nameProblem(name)).toBeNull();
  });

  test("cannot end the header or begin an address", () => {
    for (const name of [
      "A\r\nX: 1",
      "A\nB",
      "A\u2028B",
      "A\u0085B",
      "A\u0000",
      "A <a@evil.example>",
      'A"',
      "A\\",
      "\ud800",
    ])
      expect([name, nameProblem(name)]).toEqual([name, expect.any(String)]);
  });

  test("is written so that its address is the only one", () => {
    expect(personText({ email: "a@example.com" })).toBe("a@example.com");
    expect(personText({ email: "a@example.com", name: "Ana 山" })).toBe("Ana 山 <a@example.com>");
    expect(personText({ email: "a@example.com", name: "b@evil.example, C" })).toBe(
      '"b@evil.example, C" <a@example.com>',
    );
  });

  test("is read from configuration, or the whole is refused", () => {
    expect(personOf("Redrive <mail@example.com>")).toEqual({ email: "mail@example.com", name: "Redrive" });
    expect(personOf('"Sales, EU" <mail@example.com>')).toEqual({ email: "mail@example.com", name: "Sales, EU" });
    expect(personOf(" mail@example.com ")).toEqual({ email: "mail@example.com" });
    expect(personOf("<mail@example.com>")).toEqual({ email: "mail@example.com" });
    for (const text of [
      "",
      "Redrive",
      "A <a@example.com> <b@example.com>",
      "a@example.com, b@example.com",
      "A\nB <a@example.com>",
    ])
      expect(personOf(text)).toBeNull();
  });
});
