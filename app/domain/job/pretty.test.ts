import { expect, test } from "vitest";
import { prettyJson, resultText, tokensOf } from "./pretty";

test("one member or item a line, two spaces a level", () => {
  expect(prettyJson('{"a":1,"b":[true,{"c":"d"}]}')).toBe(
    ["{", '  "a": 1,', '  "b": [', "    true,", "    {", '      "c": "d"', "    }", "  ]", "}"].join("\n"),
  );
});

test("numbers keep their own digits", () => {
  expect(prettyJson("[9007199254740993, 1.0, 1e400, -0]")).toBe("[\n  9007199254740993,\n  1.0,\n  1e400,\n  -0\n]");
});

test("marks inside strings are not marks", () => {
  expect(prettyJson('{"a":"{,:\\"}"}')).toBe('{\n  "a": "{,:\\"}"\n}');
});

test("spaces of the submitted text do not matter, also in empty objects and arrays", () => {
  expect(prettyJson(' { "a" : [ ] ,\n "b" : { } } ')).toBe('{\n  "a": [],\n  "b": {}\n}');
});

test("a text that is no JSON stays as it is", () => {
  expect(prettyJson('{"a": … [cut: 70000 bytes]')).toBe('{"a": … [cut: 70000 bytes]');
});

test("the tokens of a text are the text", () => {
  const text = prettyJson('{"a":-1.5e3,"b":[true,null,"x: \\"y\\""],"<b>":"<script>"}');
  expect(
    tokensOf(text)
      .map((token) => token.text)
      .join(""),
  ).toBe(text);
});

test("keys, strings, numbers and words are told apart", () => {
  expect(tokensOf('{"a":-1.5e3,"b":[null,"c"]}').filter((token) => token.kind !== "mark")).toEqual([
    { kind: "key", text: '"a"' },
    { kind: "number", text: "-1.5e3" },
    { kind: "key", text: '"b"' },
    { kind: "word", text: "null" },
    { kind: "string", text: '"c"' },
  ]);
});

test("a result is told as JSON, unless it was cut", () => {
  expect(resultText({ status: 200 })).toBe('{"status":200}');
  expect(resultText("hello")).toBe('"hello"');
  expect(resultText('{"body":"aaa… [cut: 70000 bytes]')).toBe('{"body":"aaa… [cut: 70000 bytes]');
  expect(resultText(null)).toBeNull();
});
