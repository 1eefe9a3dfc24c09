import { describe, expect, test, vi } from "vitest";
import { numberIn, readable } from "./page_text";

describe("the text of a page", () => {
  test.each([
    ["  a \t b\u00a0c  ", "a b c"],
    ["a\n\n  \r\n b \u2028c", "a\nb\nc"],
    ["1&nbsp;299,00&nbsp;&euro;", "1 299,00 €"],
    ["&lt;b&gt; &amp;amp; &#8364; &#x20AC; &quot;x&quot;", '<b> &amp; € € "x"'],
    ["pr&eacute;f&eacute;r&eacute; &Uuml;ber", "préféré Über"],
    ["cafe\u0301", "café"],
    ["so\u00adft\u200b \u202ehid\u0000den", "soft hid den"],
    ["&valueOf; &toString; &constructor;", "&valueOf; &toString; &constructor;"],
    ["&unknown; &#0; &#xD800; & &;", "&unknown; \ufffd \ufffd & &;"],
    ["\ud800", "\ufffd"],
    ["", ""],
  ])("%j counts as %j", (raw, text) => expect(readable(raw)).toBe(text));
});

describe("the number in a text", () => {
  test.each([
    ["Price: 1,299.00 USD", 1299],
    ["1.299,00 €", 1299],
    ["1 299,50 €", 1299.5],
    ["CHF 1'299.95", 1299.95],
    ["1.299", 1299],
    ["1,299", 1299],
    ["0.125 %", 0.125],
    ["0,125 %", 0.125],
    ["12.5", 12.5],
    ["12,34", 12.34],
    ["1.234.567", 1234567],
    ["1,234,567.8", 1234567.8],
    ["−4.5 °C", -4.5],
    ["-4.5", -4.5],
    ["+7", 7],
    ["3 of 12 left", 3],
    ["12,34,56", 12],
    ["1234.567", 1234567],
    ["42", 42],
    ["sold out", null],
    [`1${"0".repeat(308)}`, 1e308],
    ["9".repeat(400), null],
    ["9".repeat(600), null],
    [`1${",234".repeat(200)}`, null],
    [`7 ${"12 ".repeat(200)}`, 7],
    [`${"1,".repeat(400)}5`, 1],
    ["", null],
  ])("%j: %s", (text, number) => expect(numberIn(text)).toBe(number));

  test("of a page that is one long number only its beginning is taken apart", () => {
    const split = vi.spyOn(String.prototype, "split");
    numberIn("1,".repeat(100_000));
    const longest = Math.max(...split.mock.contexts.map((text) => String(text).length));
    split.mockRestore();
    expect(longest).toBeGreaterThan(100);
    expect(longest).toBeLessThanOrEqual(500);
  });
});
