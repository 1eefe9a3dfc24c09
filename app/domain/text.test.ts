import { describe, expect, test } from "vitest";
import { byteLength, capText, preview } from "./text";

test("length is in UTF-8 bytes, over NUL and all", () => {
  expect(["", "a\0b", "é", "😀"].map(byteLength)).toEqual([0, 3, 2, 4]);
});

describe("capped text", () => {
  test("is the text itself where it fits, to the byte", () => {
    expect(capText("a".repeat(100), 100)).toBe("a".repeat(100));
    expect(capText("😀".repeat(25), 100)).toBe("😀".repeat(25));
  });

  test("is cut between characters, says how long it was, and is never longer than asked", () => {
    expect(capText("a".repeat(101), 100)).toBe(`${"a".repeat(80)}… [cut: 101 bytes]`);
    for (let max = 0; max < 120; max++) {
      const cut = capText("😀é".repeat(100), max);
      expect(byteLength(cut)).toBeLessThanOrEqual(max);
      expect(cut.isWellFormed() && !cut.includes("\ufffd")).toBe(true);
    }
  });

  test("keeps a byte order mark", () => {
    expect(capText(`\ufeff${"a".repeat(200)}`, 100).startsWith("\ufeffa")).toBe(true);
  });

  test("has no half characters, as D1 could not keep them", () => {
    expect(capText("a\ud800b", 100)).toBe("a\ufffdb");
  });
});

describe("a preview", () => {
  test("is the text where it is short, by characters and not by units", () => {
    expect(preview("abc", 3)).toBe("abc");
    expect(preview("😀😀😀", 3)).toBe("😀😀😀");
  });

  test("never ends in half an emoji", () => {
    expect(preview("abcd", 3)).toBe("ab…");
    expect(preview("a😀😀😀😀", 3)).toBe("a😀…");
    for (let max = 1; max < 40; max++) {
      for (const text of ["😀".repeat(50), `a${"😀".repeat(50)}`]) {
        const shown = preview(text, max);
        expect(shown.isWellFormed()).toBe(true);
        expect([...shown].length).toBeLessThanOrEqual(max);
      }
    }
  });
});
