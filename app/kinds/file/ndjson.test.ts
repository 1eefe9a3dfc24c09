import { describe, expect, it } from "vitest";
import { PermanentError } from "~/domain/errors";
import { COLUMNS, ROW_CHARS } from "~/domain/files/files";
import { Ndjson } from "./ndjson";
import { passed } from "./testing";

const read = (content: string, piece?: number) => passed(new Ndjson(), content, piece);
const refusal = (content: string, piece?: number) =>
  read(content, piece).then(
    () => null,
    (error) => (error instanceof PermanentError ? error.message : error),
  );

describe("an NDJSON file", () => {
  it("is read line by line, and each line that is none is told and left out", async () => {
    const content = '{"a":1,"b":"x"}\r\n\n[1]\n{"a":2.5,"c":null}\n{"a"\n  {"b":"y","d":{"e":[]}}  \n7';
    for (const piece of [1, 5, 1_000]) {
      const { rows, columns, bad, text } = await read(content, piece);
      expect(rows).toBe(6);
      expect(text).toBe('{"a":1,"b":"x"}\n{"a":2.5,"c":null}\n{"b":"y","d":{"e":[]}}\n');
      expect(columns).toEqual([
        { name: "a", type: "number", filled: 2 },
        { name: "b", type: "text", filled: 2 },
        { name: "c", type: "empty", filled: 0 },
        { name: "d", type: "object", filled: 1 },
      ]);
      expect(bad).toEqual({
        count: 3,
        listed: [
          { row: 2, line: 3, problem: "is no JSON object; left out" },
          { row: 4, line: 5, problem: "is not JSON; left out" },
          { row: 6, line: 7, problem: "is no JSON object; left out" },
        ],
      });
    }
  });

  it("keeps every digit and every name as it was written", async () => {
    const line = '{"n":0.12345678901234567890,"__proto__":{"x":1},"s":"\\u0041"}';
    const { text, columns } = await read(line);
    expect(text).toBe(`${line}\n`);
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ["n", "number"],
      ["__proto__", "object"],
      ["s", "text"],
    ]);
  });

  it("says mixed where values are of several types", async () => {
    const { columns } = await read('{"a":1,"b":true}\n{"a":"x","b":true}\n{"a":[],"b":null}\n');
    expect(columns.map(({ type }) => type)).toEqual(["mixed", "boolean"]);
  });

  it("that would fill the memory is left: a line that never ends, ever new names, long names", async () => {
    expect(await refusal(`{"a":1}\n{"a":"${"x".repeat(ROW_CHARS)}"}`, 10_000)).toMatch(
      /^row 2, which begins on line 2, is over 1000000 characters/,
    );
    expect(await refusal(`{"a":1}\n{"a":"${"x".repeat(ROW_CHARS)}"}\n`, 5_000_000)).toMatch(
      /^row 2, .* line 2, is over/,
    );
    const names = Array.from({ length: COLUMNS + 1 }, (_, index) => `{"c${index}":1}`);
    expect(await refusal(names.join("\n"))).toBe(
      "row 10001, line 10001: more than 10000 different names, which is the limit",
    );
    expect((await read(names.slice(1).join("\n"))).rows).toBe(COLUMNS);
    const long = Array.from({ length: 20 }, (_, index) => `{"${String(index).repeat(40_000)}":1}`);
    expect(await refusal(long.join("\n"))).toMatch(/names of over 1000000 characters in all, which is the limit$/);
  });

  it("nested as deep as a line allows is read like any other", async () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const { rows, columns } = await read(`${deep}\n`);
    expect(rows).toBe(1);
    expect(columns).toEqual([{ name: "a", type: "array", filled: 1 }]);
  });
});
