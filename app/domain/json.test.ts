import { describe, expect, test } from "vitest";
import { canonicalJson, itemsOf, membersOf, nestingOf } from "./json";

describe("nesting", () => {
  test.each([
    ["1", 0],
    ["{}", 1],
    ['[{"a":[1]},[]]', 3],
    ['"[[[["', 0],
    ['["\\"[[", "\\\\", [1]]', 2],
  ])("%s has %i levels", (text, levels) => expect(nestingOf(text)).toBe(levels));

  test("60,000 brackets are counted without recursion, closed or not", () => {
    expect(nestingOf("[".repeat(60_000) + "]".repeat(60_000))).toBe(60_000);
    expect(nestingOf("[".repeat(60_000))).toBe(60_000);
  });
});

describe("members and items keep their own text", () => {
  test("with spaces, escapes, brackets in strings and duplicates", () => {
    const text = ' { "a" : 1.0 , "b\\u0041:" : [1, {"c": "},"}] ,"a":"\\"x\\"" , "n" : 9007199254740993 } ';
    expect(membersOf(text)).toEqual([
      ["a", "1.0"],
      ["bA:", '[1, {"c": "},"}]'],
      ["a", '"\\"x\\""'],
      ["n", "9007199254740993"],
    ]);
    expect(itemsOf('[ {"a":[1,2]} , "x,]" ,3,[ ], true ]')).toEqual(['{"a":[1,2]}', '"x,]"', "3", "[ ]", "true"]);
  });

  test("nothing in it is nothing", () => {
    expect(membersOf("{ }")).toEqual([]);
    expect(itemsOf("[ \n ]")).toEqual([]);
  });
});

describe("canonical JSON", () => {
  test.each([
    ['{"b":1,"a":[true,null,"x"]}', ' { "a" : [ true , null , "\\u0078" ] , "b" : 1.0 } '],
    ["[100,0.5,0,1e400]", "[1e2,5.0e-1,-0.0,10e399]"],
    ['{"a":{"y":1,"x":2}}', '{"a":{"x":2,"y":1}}'],
  ])("%s and %s are one request", (one, other) => expect(canonicalJson(one)).toBe(canonicalJson(other)));

  test.each([
    ["9007199254740993", "9007199254740992"],
    ["0.1", "0.10000000000000000001"],
    ["1e400", "1e500"],
    ["1", "-1"],
    ["10", "1"],
    ["1", '"1"'],
    ["[1,2]", "[2,1]"],
    ['{"a":null}', "{}"],
    ['{"__proto__":1}', "{}"],
    ['{"__proto__":1}', '{"__proto__":2}'],
  ])("%s and %s are two", (one, other) => expect(canonicalJson(one)).not.toBe(canonicalJson(other)));

  test("a number of 200,000 digits is carried whole", () => {
    expect(canonicalJson(`1${"0".repeat(200_000)}1`)).toBe(`1${"0".repeat(200_000)}1`);
  });

  test("an exponent that no system counts with is kept as it was written", () => {
    const power = "9".repeat(200_000);
    expect(canonicalJson(`10e${power}`)).toBe(`10e${power}`);
    expect(canonicalJson(`0e${power}`)).toBe("0");
    expect(canonicalJson("10e999999999999999")).toBe("1e1000000000000000");
  });
});
