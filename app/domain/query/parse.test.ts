import { describe, expect, test } from "vitest";
import { FIELD_NAMES, FIELDS } from "./fields";
import { parseQuery, type Term } from "./parse";
import { writeQuery } from "./write";

const term = (field: Term["field"], values: string[], not = false): Term => ({ field, not, values });

describe("what stands in the filter box", () => {
  test.each<[string, Term[], string]>([
    ["", [], ""],
    ["   ", [], ""],
    ["kind:demo", [term("kind", ["demo"])], ""],
    ["kind:a,b", [term("kind", ["a", "b"])], ""],
    ["kind:a kind:b,a", [term("kind", ["a", "b"])], ""],
    ["-kind:demo", [term("kind", ["demo"], true)], ""],
    ["kind:a -kind:b", [term("kind", ["a"]), term("kind", ["b"], true)], ""],
    ["KIND:a State:DEAD", [term("kind", ["a"]), term("state", ["dead"])], ""],
    ["state:dead,retrying", [term("state", ["dead", "retrying"])], ""],
    ['cause:"demo: it broke, badly"', [term("cause", ["demo: it broke, badly"])], ""],
    [String.raw`cause:"a \"b\" c:\\d"`, [term("cause", ['a "b" c:\\d'])], ""],
    ['kind:"a b",c', [term("kind", ["a b", "c"])], ""],
    ["key:welcome-email:42", [term("key", ["welcome-email:42"])], ""],
    [
      "created:>2026-12-01 created:<2026-12-02",
      [term("created", [">2026-12-01"]), term("created", ["<2026-12-02"])],
      "",
    ],
    ["finished:1h", [term("finished", ["1h"])], ""],
    ["two words", [], "two words"],
    ["  50   percent ", [], "50   percent"],
    ["before kind:demo after it", [term("kind", ["demo"])], "before after it"],
    ["it's 100% a_b C:\\tmp", [], "it's 100% a_b C:\\tmp"],
    ['"quoted"', [], '"quoted"'],
    ["https://example.com?a=b", [], "https://example.com?a=b"],
    ["demo: it broke", [], "demo: it broke"],
    ['text:"kind:demo"', [], "kind:demo"],
    ["text:a,b", [], "a,b"],
    ["-nothing", [], "-nothing"],
  ])("%j is read", (input, terms, text) => {
    expect(parseQuery(input)).toEqual({ terms, text, problems: [] });
    const written = writeQuery({ terms, text });
    expect(parseQuery(written), written).toEqual({ terms, text, problems: [] });
  });

  test.each<[string, Term[], RegExp]>([
    ["state:nonsense", [], /There is no state “nonsense”: it is one of scheduled, pending/],
    ["state:dead,nonsense", [term("state", ["dead"])], /no state “nonsense”/],
    ["priority:low", [], /no priority “low”: it is one of normal, high, long/],
    ["kind:", [], /kind: needs a value, such as kind:send_email/],
    ["kind:,", [], /kind: needs a value/],
    ['kind:""', [], /kind: needs a value/],
    ['cause:"open', [], /quote after cause: is not closed/],
    ["created:yesterday", [], /created: takes a time/],
    ["created:<=2026-12-01", [], /from the first moment up to, and without, the second/],
    ["created:1h,2h", [], /created: takes a time/],
    ["-created:1h", [], /-created: cannot be turned round/],
    [`kind:${"x".repeat(101)}`, [], /kind: has at most 100 characters/],
    ["x".repeat(1_001), [], /at most 1000 characters/],
  ])("%j is left out, and said", (input, terms, message) => {
    const parsed = parseQuery(input);
    expect(parsed.terms).toEqual(terms);
    expect(parsed.text).toBe("");
    expect(parsed.problems).toEqual([expect.stringMatching(message)]);
  });

  test("it is bounded: 20 filters, 20 values each", () => {
    const values = Array.from({ length: 30 }, (_, i) => `v${i}`);
    const long = parseQuery(`kind:${values.join(",")} kind:more`);
    expect(long.terms[0]?.values).toHaveLength(20);
    expect(long.problems).toContain("kind: takes at most 20 values. The rest was left out.");
    const many = parseQuery(values.map(() => "created:1h").join(" "));
    expect(many.terms).toHaveLength(20);
    expect(many.problems).toHaveLength(10);
  });

  test("whatever is typed is read to its end", () => {
    for (const input of [
      ":",
      "-",
      '"',
      "\\",
      'kind:"\\',
      "kind:a,,b",
      '-kind:"a"b',
      "kind:\u0000",
      "текст: 😀",
      "%00",
    ]) {
      const { terms, text } = parseQuery(input);
      expect(parseQuery(writeQuery({ terms, text })), input).toMatchObject({ terms, text, problems: [] });
    }
  });

  test("the example of each field is right", () => {
    for (const field of FIELD_NAMES) {
      const { terms, problems } = parseQuery(FIELDS[field].example);
      expect([terms[0]?.field, problems]).toEqual([field, []]);
    }
  });
});
