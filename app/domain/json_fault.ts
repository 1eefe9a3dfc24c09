import { endOfString } from "./json";

/** `line` and `column` count from 1, a column in UTF-16 units, as editors do. `message`: both, the place itself, what is expected. */
export type JsonFault = { line: number; column: number; message: string };

type Wants = "value" | "item" | "name" | "member" | "colon" | "after";
const EXPECTED = {
  value: "a value",
  item: "a value or ]",
  name: "a name in double quotes",
  member: "a name in double quotes or }",
  colon: "a colon",
};
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACES = /[ \t\n\r]*/y;
const CLOSES = { "{": "}", "[": "]" } as const;

/** Where `text` stops being JSON, found without recursion; null where it does not. The parser's own words often name no place. */
export function faultOf(text: string): JsonFault | null {
  const open: ("{" | "[")[] = [];
  let wants = "value" as Wants;
  for (let at = endOf(SPACES, text, 0); ; at = endOf(SPACES, text, at)) {
    const c = text[at] ?? "";
    const inner = open.at(-1);
    if (wants === "after") {
      if (!inner) return at === text.length ? null : fault(text, at, "nothing more");
      if (c !== "," && c !== CLOSES[inner]) return fault(text, at, `a comma or ${CLOSES[inner]}`);
      if (c === ",") wants = inner === "{" ? "name" : "value";
      else open.pop();
      at++;
    } else if ((wants === "member" && c === "}") || (wants === "item" && c === "]")) {
      open.pop();
      wants = "after";
      at++;
    } else if (wants === "colon") {
      if (c !== ":") return fault(text, at, EXPECTED.colon);
      wants = "value";
      at++;
    } else if (c === '"') {
      const wrong = faultOfString(text, at);
      if (wrong) return wrong;
      at = endOfString(text, at) + 1;
      wants = wants === "name" || wants === "member" ? "colon" : "after";
    } else if (wants === "name" || wants === "member") {
      return fault(text, at, EXPECTED[wants]);
    } else if (c === "{" || c === "[") {
      open.push(c);
      wants = c === "{" ? "member" : "item";
      at++;
    } else {
      const end = endOf(SCALAR, text, at);
      if (end === at) return fault(text, at, EXPECTED[wants]);
      at = end;
      wants = "after";
    }
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

function faultOfString(text: string, start: number): JsonFault | null {
  for (let at = start + 1; text[at] !== '"'; ) {
    const c = text[at];
    if (c === undefined) return fault(text, at, "the closing double quote");
    if (c < " ")
      return fault(
        text,
        at,
        `no ${c === "\n" ? "line break" : "control character"} in a text: write it as \\n or \\u…`,
      );
    const end = c === "\\" ? endOf(ESCAPE, text, at) : at + 1;
    if (end === at) return fault(text, at, 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u and four digits');
    at = end;
  }
  return null;
}

/** Where a match at `at` ends; `at` itself where nothing matches. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Shown on either side of the place. */
const AROUND = 24;

function fault(text: string, at: number, expected: string): JsonFault {
  const begins = text.lastIndexOf("\n", at - 1) + 1;
  const line = text.slice(0, begins).split("\n").length;
  const column = at - begins + 1;
  const ends = /[\r\n]|$/.exec(text.slice(at, at + AROUND))?.index ?? 0;
  const before = text.slice(Math.max(begins, at - AROUND), at).toWellFormed();
  const place = `${before}▸${text.slice(at, at + ends).toWellFormed()}`;
  const found = at === text.length ? ", and the text ends" : "";
  return { line, column, message: `line ${line}, column ${column}, at ${place}: expected ${expected}${found}` };
}
