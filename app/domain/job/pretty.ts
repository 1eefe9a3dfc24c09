import { endOfString } from "../json";

/**
 * JSON text with one member or item a line. Works on the text itself, so that every number and every string keeps the
 * very characters it came with: 9007199254740993 and 1.0 stay what they are. What is no JSON comes back as it is.
 */
export function prettyJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const out: string[] = [];
  let depth = 0;
  const line = () => out.push(`\n${"  ".repeat(depth)}`);
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (c === '"') {
      const end = endOfString(text, i);
      out.push(text.slice(i, end + 1));
      i = end;
    } else if (c === "{" || c === "[") {
      const close = nextMark(text, i + 1);
      out.push(c);
      if (/[}\]]/.test(text[close] ?? "")) {
        out.push(text[close] as string);
        i = close;
        continue;
      }
      depth++;
      line();
    } else if (c === "}" || c === "]") {
      depth--;
      line();
      out.push(c);
    } else if (c === ",") {
      out.push(c);
      line();
    } else if (c === ":") out.push(": ");
    else if (!/\s/.test(c)) out.push(c);
  }
  return out.join("");
}

function nextMark(text: string, from: number): number {
  let i = from;
  while (i < text.length && /\s/.test(text[i] as string)) i++;
  return i;
}

export type Token = { kind: "key" | "string" | "number" | "word" | "mark"; text: string };

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|([^"\dtfn-]+|.)/gs;

/** The parts of a JSON text in order, for colouring: together they are the text. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [whole, string, colon, number, word] of text.matchAll(TOKENS)) {
    if (string !== undefined) {
      tokens.push({ kind: colon === undefined ? "string" : "key", text: string });
      if (colon !== undefined) tokens.push({ kind: "mark", text: colon });
    } else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else tokens.push({ kind: "mark", text: whole });
  }
  return tokens;
}

/** A result as text. One that was cut to its limit is no JSON any more: it is shown as it is. */
export function resultText(result: unknown): string | null {
  if (result === null || result === undefined) return null;
  return typeof result === "string" && /… \[cut: \d+ bytes\]$/.test(result) ? result : JSON.stringify(result);
}
