import { describe, expect, it } from "vitest";
import { PermanentError } from "~/domain/errors";
import { COLUMNS, type Delimiter, ROW_CHARS } from "~/domain/files/files";
import { Csv } from "./csv";
import { passed } from "./testing";

const read = (content: string | Uint8Array, { delimiter = "," as Delimiter, strict = true, piece = 65_536 } = {}) =>
  passed(new Csv(delimiter, strict), content, piece);
const refusal = async (...args: Parameters<typeof read>) => {
  const error = await read(...args).then(
    () => null,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(PermanentError);
  return (error as Error).message;
};

/** The bytes of the case: a mark, CR LF between rows, a line break and quotes inside of quotes, no line end at the end. */
const C083 = new Uint8Array([
  0xef,
  0xbb,
  0xbf,
  ...new TextEncoder().encode('"id","na,me","note"\r\n1,"a ""q"" b","l1\nl2"\r\n2,,\r\n3,x'),
]);

describe("C083: a CSV file", () => {
  it("C083: is read by the standard rules, however its bytes are cut into pieces", async () => {
    for (const piece of [1, 2, 3, 5, 7, 16, 1_000]) {
      const { rows, columns, bad, text, bytes } = await read(C083, { piece });
      expect(bytes).toBe(C083.length);
      expect(columns).toEqual([
        { name: "id", type: "integer", filled: 3 },
        { name: "na,me", type: "text", filled: 2 },
        { name: "note", type: "text", filled: 1 },
      ]);
      expect(rows).toBe(3);
      // The third row has no third field: left out there, counted and told here.
      expect(text).toBe(
        '{"id":"1","na,me":"a \\"q\\" b","note":"l1\\nl2"}\n{"id":"2","na,me":"","note":""}\n{"id":"3","na,me":"x"}\n',
      );
      expect(bad).toEqual({ count: 1, listed: [{ row: 3, line: 5, problem: "2 fields, the header has 3" }] });
    }
  });

  it("C083: that is empty, or has a header only, has no rows", async () => {
    expect(await read("")).toMatchObject({ rows: 0, columns: [], text: "", bad: { count: 0 } });
    expect(await read(new Uint8Array([0xef, 0xbb, 0xbf]))).toMatchObject({ rows: 0, columns: [] });
    for (const header of ["id,name", "id,name\n", "id,name\r\n"]) {
      const { rows, columns, text } = await read(header);
      expect({ rows, text, columns: columns.map(({ name, type }) => [name, type]) }).toEqual({
        rows: 0,
        text: "",
        columns: [
          ["id", "empty"],
          ["name", "empty"],
        ],
      });
    }
  });

  it("C083: of 10,001 columns is refused for good with the limit, one of 10,000 is read", async () => {
    const header = (n: number) => Array.from({ length: n }, (_, index) => `c${index}`).join(",");
    expect(await refusal(header(COLUMNS + 1))).toBe("the header has 10001 columns, at most 10000 are taken");
    expect(await refusal(`${header(COLUMNS + 1)}\n1`, { piece: 100 })).toMatch(/at most 10000/);
    const wide = await read(`${header(COLUMNS)}\n${",".repeat(COLUMNS - 1)}\n`);
    expect(wide).toMatchObject({ rows: 1, bad: { count: 0 } });
    expect(wide.columns.length).toBe(COLUMNS);
  });

  it("C083: with a NUL byte is refused for good, and says where", async () => {
    expect(await refusal("id,name\n1,a\0b\n")).toMatch(/^byte 12 is NUL: this is no UTF-8 text/);
    expect(await refusal("id,name\n1,a\0b\n", { piece: 1 })).toMatch(/^byte 12 is NUL/);
    expect(await refusal(new Uint8Array([0xff, 0xfe, 0x69, 0x00]))).toMatch(/^byte 4 is NUL.*UTF-16/);
    expect(await refusal(new Uint8Array([0x61, 0x2c, 0xe4, 0x0a]))).toMatch(/^the file is not UTF-8/);
    expect(await refusal(new Uint8Array([0x61, 0x2c, 0xe2, 0x82]))).toMatch(/^the file is not UTF-8/);
  });

  it("C083: separated by ; is refused for good where , was asked for, and read where ; was", async () => {
    expect(await refusal("id;name\n1;a\n")).toBe(
      'the header is one column with ";" in it: process the file again with that as its delimiter',
    );
    const { lines } = await read("id;name\n1;a,b\n", { delimiter: ";" });
    expect(lines).toEqual([{ id: "1", name: "a,b" }]);
    expect((await read("a;b\n1\n", { strict: false })).lines).toEqual([{ "a;b": "1" }]);
  });

  it("C083: with a row of too many fields is refused for good, or told where that is wished", async () => {
    const content = 'a,b,c\n1,"x\ny",3\n1,2,3,4\n5,6,7\n';
    expect(await refusal(content)).toBe("row 2, line 4: 4 fields, the header has 3");
    const { rows, lines, bad } = await read(content, { strict: false });
    expect(rows).toBe(3);
    expect(lines.map(({ a }) => a)).toEqual(["1", "5"]);
    expect(bad.listed).toEqual([{ row: 2, line: 4, problem: "4 fields, the header has 3; left out" }]);
  });
});

describe("a CSV file that would fill the memory", () => {
  const endless = (piece: string, pieces: number, begin = "") => {
    let left = pieces;
    const encoder = new TextEncoder();
    let read = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const bytes = encoder.encode(left === pieces ? begin + piece : piece);
        read += bytes.length;
        controller.enqueue(bytes);
        if (--left === 0) controller.close();
      },
    });
    return { stream, read: () => read };
  };

  it("is left at its first row over the limit: a quoted field that never ends", async () => {
    const { stream, read: taken } = endless("x\n".repeat(5_000), 100_000, 'a,b\n1,"');
    const csv = new Csv(",", true);
    const error = await drained(csv, stream);
    expect(error).toMatchObject({ name: "PermanentError" });
    expect(error.message).toMatch(
      /^row 1, which begins on line 2, is over 1000000 characters, which is the limit \(a quote that never closes\?\)$/,
    );
    expect(taken()).toBeLessThan(2_000_000);
  });

  it("is left at its first row over the limit: a header, or a row, that never ends", async () => {
    const header = await drained(new Csv(",", true), endless("column,".repeat(1_000), 100_000).stream);
    expect(header.message).toMatch(/^row 0, which begins on line 1, is over 1000000/);
    const row = await drained(new Csv(",", true), endless(",".repeat(10_000), 100_000, "a,b\n").stream);
    expect(row.message).toMatch(/^row 1, which begins on line 2, is over 1000000/);
  });

  it("is left at a row of broken quotes, however long it goes on, also where they are only told", async () => {
    const noise = 'a"b"c'.repeat(1_000);
    for (const strict of [true, false]) {
      const { stream, read: taken } = endless(noise, 100_000, 'a,b\n1,"');
      const error = await drained(new Csv(",", strict), stream);
      expect(error.message).toBe("row 1, line 2: a quoted field goes on behind its closing quote");
      expect(taken()).toBeLessThan(100_000);
    }
    // The same row within one piece, and cut into many, is the same.
    for (const piece of [100, 1_000_000]) {
      const row = (breaks: number) => `a,b\n1,"${'x"y'.repeat(breaks)}"\n2,z\n`;
      expect((await read(row(99), { strict: false, piece })).bad.count).toBe(1);
      expect(await refusal(row(100), { strict: false, piece })).toMatch(/^row 1, line 2: a quoted field goes on/);
    }
  });

  it("is read where its rows stay just within the limit, whatever the pieces are", async () => {
    const longest = ROW_CHARS - '1,""\n'.length;
    for (const piece of [50_000, 999_983, 5_000_000]) {
      const content = `a,b\n1,"${"x".repeat(longest)}"\n2,y\n`;
      expect((await read(content, { piece })).rows).toBe(2);
      expect(await refusal(content.replace('"x', '"xx'), { piece })).toMatch(/^row 1, .* is over 1000000/);
      expect(await refusal(`a,b\n0,z\n${content.slice(4).replace('"x', '"xx')}`, { piece })).toMatch(
        /^row 2, .* line 3, is/,
      );
    }
  });

  async function drained(csv: Csv, stream: ReadableStream<Uint8Array>): Promise<Error> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stream) for (const _ of csv.read(decoder.decode(chunk, { stream: true }), false));
    } catch (error) {
      return error as Error;
    }
    throw new Error("it was read to its end");
  }
});

describe("what is in a CSV file", () => {
  it("blank lines are no rows, line ends may be of any kind, lines are counted as an editor counts them", async () => {
    const { lines, bad } = await read("a,b\r\n\r\n1,2\n3,4\r\n\n5\r\n");
    expect(lines).toEqual([{ a: "1", b: "2" }, { a: "3", b: "4" }, { a: "5" }]);
    expect(bad.listed).toEqual([{ row: 3, line: 6, problem: "1 field, the header has 2" }]);
    expect((await read("a,b\r1,2\r3,4\r")).lines).toEqual([
      { a: "1", b: "2" },
      { a: "3", b: "4" },
    ]);
  });

  it("a broken quote ends the job and says where; or is told, and its row left out", async () => {
    expect(await refusal('a,b\n1,2\n3,"x"y\n')).toBe("row 2, line 3: a quoted field goes on behind its closing quote");
    expect(await refusal('a,b\n3,"x"y\n4,5\n', { strict: false })).toMatch(/^row 1, line 2: a quoted field goes on/);
    expect(await refusal('a,b\n1,"never\nends')).toBe("row 1, line 2: a quoted field that begins here never ends");
    expect(await refusal('a,"b')).toBe("the header, row 0: a quoted field that begins here never ends");
    const { lines, bad } = await read('a,b\n3,"x"y",z\n5,6\n', { strict: false });
    expect(lines).toEqual([{ a: "5", b: "6" }]);
    expect(bad).toEqual({
      count: 1,
      listed: [{ row: 1, line: 2, problem: "a quoted field goes on behind its closing quote; left out" }],
    });
  });

  it("each column has a name of its own, also one that objects have already", async () => {
    const { columns, text } = await read("a,a,,a_2,__proto__,constructor\n1,2,3,4,5,6\n");
    expect(columns.map(({ name }) => name)).toEqual(["a", "a_3", "column_3", "a_2", "__proto__", "constructor"]);
    expect(text).toBe('{"a":"1","a_3":"2","column_3":"3","a_2":"4","__proto__":"5","constructor":"6"}\n');
  });

  it("types are those that all values have", async () => {
    const rows = [
      "int,dec,mix,bool,day,time,both,zip,none,neg,exp",
      "1,1.5,1,true,2026-12-01,2026-12-01T10:00:00Z,2026-12-01,01234,,-1,1e5",
      "20,2,2.5,FALSE,2026-12-31,2026-12-01 10:00,2026-12-01T10:00:00.123+01:00,99999,,-20,2",
      ",,,,,,,,,,",
    ];
    const { columns } = await read(rows.join("\n"));
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "int integer",
      "dec number",
      "mix number",
      "bool boolean",
      "day date",
      "time datetime",
      "both datetime",
      "zip text",
      "none empty",
      "neg integer",
      "exp number",
    ]);
    const odd = await read("a,b,c,d\n1,true,2026-13-01,-\nx,yes,2026-12-01,2\n");
    expect(odd.columns.map(({ type }) => type)).toEqual(["text", "text", "text", "text"]);
  });

  it("text of any kind comes out as it went in", async () => {
    const values = ["é€😀", "tab\there", "back\\slash", 'qu"ote', "\u2028", "\u007f", "  spaces  ", "null", "{}"];
    const content = `v,w\n${values.map((value) => `"${value.replaceAll('"', '""')}",x`).join("\n")}\n`;
    for (const piece of [1, 1_000]) {
      expect((await read(content, { piece })).lines.map(({ v }) => v)).toEqual(values);
    }
  });

  it("however many lines are bad, the list of them is short and the count is right", async () => {
    const { bad, rows } = await read(`a,b\n${"1\n".repeat(5_000)}`);
    expect(rows).toBe(5_000);
    expect(bad.count).toBe(5_000);
    expect(bad.listed.length).toBe(100);
  });
});
