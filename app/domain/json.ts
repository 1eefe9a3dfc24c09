/** Levels of nesting in a JSON text, found without recursion: a text of 60,000 brackets must not overflow a parser. */
export function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') i = endOfString(text, i);
    else if (c === "{" || c === "[") deepest = Math.max(deepest, ++depth);
    else if (c === "}" || c === "]") depth--;
  }
  return deepest;
}

/** The members of the object `text`, each with its value's own text, in order and with duplicates. `text` is valid JSON. */
export function membersOf(text: string): [name: string, value: string][] {
  return partsOf(text).map((part) => {
    const end = endOfString(text, part.start);
    const colon = text.indexOf(":", end);
    return [JSON.parse(text.slice(part.start, end + 1)), text.slice(colon + 1, part.end).trim()];
  });
}

/** The text of one member of the object `text`, as it was written; of several of that name the last. `text` is valid JSON. */
export const memberText = (text: string, name: string): string | undefined =>
  membersOf(text.trim()).findLast(([one]) => one === name)?.[1];

/** The items of the array `text`, each as its own text. `text` is valid JSON. */
export const itemsOf = (text: string): string[] => partsOf(text).map((part) => text.slice(part.start, part.end).trim());

/**
 * One text for all spellings of the same JSON value: keys sorted, no spaces, numbers by their exact decimal value. So 1.0
 * is 1, and 9007199254740993 and 9007199254740992, one double for JavaScript, stay two different requests.
 */
export function canonicalJson(text: string): string {
  const seen = JSON.parse(text, function (this: unknown, _key, value, context?: { source?: string }) {
    return typeof value === "number" && context?.source !== undefined ? new Exact(context.source) : value;
  } as (key: string, value: unknown) => unknown);
  return write(seen);
}

/** An exponent of more digits is kept as it was written: to count with it would take time, and no two systems agree on it. */
const EXPONENT_CHARS = 16;

/** A number as significant digits and a power of ten. */
class Exact {
  readonly text: string;
  constructor(source: string) {
    const [, sign, whole = "", fraction = "", power = "0"] =
      /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
    const digits = (whole + fraction).replace(/^0+/, "");
    let end = digits.length;
    while (digits[end - 1] === "0") end--;
    if (end > 0 && power.length > EXPONENT_CHARS) {
      this.text = source;
      return;
    }
    const exponent = BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - end);
    this.text = end === 0 ? "0" : `${sign}${digits.slice(0, end)}${exponent === 0n ? "" : `e${exponent}`}`;
  }
}

function write(value: unknown): string {
  if (value instanceof Exact) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${write((value as Record<string, unknown>)[key])}`).join(",")}}`;
}

function partsOf(text: string): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let depth = 0;
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (depth === 1 && start < 0 && !/[\s,\]}]/.test(c)) start = i;
    if (c === '"') i = endOfString(text, i);
    else if (c === "{" || c === "[") depth++;
    else if (c === "}" || c === "]") depth--;
    const ended = (c === "," && depth === 1) || depth === 0;
    if (ended && start >= 0) {
      parts.push({ start, end: i });
      start = -1;
    }
  }
  return parts;
}

/** Index of the quote that ends the string opened at `start`. */
export function endOfString(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === "\\" ? 2 : 1;
  return i;
}
