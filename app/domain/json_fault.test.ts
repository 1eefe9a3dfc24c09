import { describe, expect, test } from "vitest";
import { faultOf } from "./json_fault";

describe("where a text stops being JSON", () => {
  test.each([
    ["", 1, 1, "at ▸: expected a value, and the text ends"],
    ["{", 1, 2, "at {▸: expected a name in double quotes or }, and the text ends"],
    ['{"a":NaN}', 1, 6, 'at {"a":▸NaN}: expected a value'],
    ["{'a':1}", 1, 2, "at {▸'a':1}: expected a name in double quotes or }"],
    ['{"a":1,}', 1, 8, 'at {"a":1,▸}: expected a name in double quotes'],
    ['{"a" 1}', 1, 6, 'at {"a" ▸1}: expected a colon'],
    ["[1 2]", 1, 4, "at [1 ▸2]: expected a comma or ]"],
    ["[1,]", 1, 4, "at [1,▸]: expected a value"],
    ["[}", 1, 2, "at [▸}: expected a value or ]"],
    ['{"a":1} x', 1, 9, 'at {"a":1} ▸x: expected nothing more'],
    ['{"a":01}', 1, 7, 'at {"a":0▸1}: expected a comma or }'],
    ['{\n  "a": 1,\n  "b": tru\n}', 3, 8, 'at   "b": ▸tru: expected a value'],
    ['{\r\n"a": 1\r\n"b": 2}', 3, 1, 'at ▸"b": 2}: expected a comma or }'],
    ['["a\nb"]', 1, 4, 'at ["a▸: expected no line break in a text: write it as \\n or \\u…'],
    ['["a\tb"]', 1, 4, 'at ["a▸\tb"]: expected no control character in a text: write it as \\n or \\u…'],
    ['["\\x"]', 1, 3, 'at ["▸\\x"]: expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u and four digits'],
    ['["\\u12"]', 1, 3, 'at ["▸\\u12"]: expected one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u and four digits'],
    ['["abc', 1, 6, 'at ["abc▸: expected the closing double quote, and the text ends'],
    [`["${"é".repeat(40)}" x]`, 1, 45, `at ${"é".repeat(22)}" ▸x]: expected a comma or ]`],
  ])("%j", (text, line, column, place) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(faultOf(text)).toEqual({ line, column, message: `line ${line}, column ${column}, ${place}` });
  });

  test.each(["1", ' {"a" : [ true , null, -0.5e+3, "\\u00e9\\n" ], "" : { } , "b": [ ] }\n', '"x"', "[[[]]]", "\t0"])(
    "%j is JSON all through",
    (text) => {
      JSON.parse(text);
      expect(faultOf(text)).toBeNull();
    },
  );

  test("it is a fault for it exactly where it is one for the parser, whatever character is taken out or put in", () => {
    const text = '{"a": [1.5e3, "x\\n", true, {}], "b": {"c": null, "d": []}}';
    const isJson = (one: string) => {
      try {
        JSON.parse(one);
        return true;
      } catch {
        return false;
      }
    };
    let wrong = 0;
    for (let at = 0; at <= text.length; at++) {
      for (const put of ["", '"', ",", "}", "]", ":", "1", "\\", "e", " ", "\n", "\u0000", "-", "."]) {
        for (const taken of [0, 1]) {
          const one = text.slice(0, at) + put + text.slice(at + taken);
          expect([one, faultOf(one) === null]).toEqual([one, isJson(one)]);
          if (!isJson(one)) wrong++;
        }
      }
    }
    expect(wrong).toBeGreaterThan(1_000);
  });

  test("8 MB in one text, or in a hundred thousand lines, are looked through once", () => {
    expect(faultOf(`["${"x".repeat(8_000_000)}"`)).toMatchObject({ line: 1, column: 8_000_004 });
    expect(faultOf(`[${"1,\n".repeat(100_000)}x]`)).toMatchObject({ line: 100_001, column: 1 });
  });
});
