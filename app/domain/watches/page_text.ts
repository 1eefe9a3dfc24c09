/**
 * What of a page's text counts: entities read, one spelling for each character, no invisible ones, and no more white space
 * than words and lines need. Two texts that look the same to a reader are the same here.
 */
export const readable = (raw: string): string =>
  decodeEntities(raw)
    .normalize("NFC")
    .replace(/[\p{Cf}\p{Co}]/gu, "")
    .toWellFormed()
    .split(/[\n\r\u2028\u2029]+/)
    .map((line) => line.replace(/[\s\p{Cc}]+/gu, " ").trim())
    .filter(Boolean)
    .join("\n");

/** HTML knows two thousand names; these are the ones that stand in running text and prices. Others stay as written. */
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  shy: "",
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  dollar: "$",
  copy: "©",
  reg: "®",
  trade: "™",
  deg: "°",
  middot: "·",
  bull: "•",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  minus: "−",
  times: "×",
  frac12: "½",
  lsquo: "‘",
  rsquo: "’",
  sbquo: "‚",
  ldquo: "“",
  rdquo: "”",
  bdquo: "„",
  laquo: "«",
  raquo: "»",
  comma: ",",
  period: ".",
  percnt: "%",
};
for (const [base, marks] of Object.entries({
  a: "grave acute circ tilde uml ring",
  e: "grave acute circ uml",
  i: "grave acute circ uml",
  o: "grave acute circ tilde uml",
  u: "grave acute circ uml",
  y: "acute uml",
  n: "tilde",
  c: "cedil",
})) {
  for (const mark of marks.split(" ")) {
    const sign = { grave: 0x300, acute: 0x301, circ: 0x302, tilde: 0x303, uml: 0x308, ring: 0x30a, cedil: 0x327 }[mark];
    for (const letter of [base, base.toUpperCase()]) {
      ENTITIES[letter + mark] = letter + String.fromCharCode(sign as number);
    }
  }
}
Object.assign(ENTITIES, { szlig: "ß", oslash: "ø", Oslash: "Ø", aelig: "æ", AElig: "Æ", oelig: "œ", OElig: "Œ" });

const decodeEntities = (raw: string): string =>
  raw.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,9}));/gi, (whole, hex, decimal, name) => {
    if (name) return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] as string) : whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "\ufffd" : String.fromCodePoint(code);
  });

/** Digits, parted by points, commas, apostrophes or single spaces, with a sign before them. */
const NUMBER = /[-+−]?\d+(?:[.,'’ ]\d+)*/;
/** Characters of a text that a number is looked for in. So many hold more digits than a number does, also in groups of three. */
const LONGEST = 500;

/**
 * The first number of a text, as people write it: 1,299.00 · 1.299,00 · 1 299,00 · 1'299. A single point or comma with
 * exactly three digits behind it parts thousands, unless the number begins with 0. null: there is none, or one of so many
 * digits that no number holds it.
 */
export function numberIn(text: string): number | null {
  const start = text.search(/[-+−]?\d/);
  if (start < 0) return null;
  // A page may be one number of five million characters: what is taken apart must not be.
  const [found] = NUMBER.exec(text.slice(start, start + LONGEST)) as RegExpExecArray;
  const number = amountOf(found.length < LONGEST ? found : found.replace(/[.,'’ ]\d+$/, ""));
  return Number.isFinite(number) ? number : null;
}

function amountOf(found: string): number {
  const sign = /^[-−]/.test(found) ? -1 : 1;
  const body = found.replace(/^[-+−]/, "");
  const parts = body.split(/[.,'’ ]/);
  const marks = [...body.matchAll(/[.,'’ ]/g)].map(([mark]) => mark);
  const last = marks.at(-1);
  const alone = marks.filter((mark) => mark === last).length === 1;
  const tail = parts.at(-1) as string;
  const decimal =
    (last === "." || last === ",") && alone && (marks.length > 1 || tail.length !== 3 || /^0\d*$/.test(parts[0] ?? ""));
  // "1 234 56" and "12,34,56" are several numbers: only the first of them is meant.
  const grouped = decimal ? parts.slice(1, -1) : parts.slice(1);
  if (!grouped.every((part) => part.length === 3)) return sign * Number(parts[0]);
  return sign * Number(parts.slice(0, decimal ? -1 : undefined).join("") + (decimal ? `.${tail}` : ""));
}
