const VARYING: [RegExp, string][] = [
  [/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  // What the runtime says where no connection came about, each time by another name.
  [/\breference = [0-9a-z]{12,}\b/g, "reference = <id>"],
  [/\b[\w.+-]+@[\w-]+\.[\w.-]+\b/g, "<email>"],
  [/\b\d{4,}\b/g, "<n>"],
  [/\b(?:0x)?[0-9a-f]{12,}\b/gi, "<hex>"],
  [/\d{4,}/g, "<n>"],
  // Control characters as well: D1 ends a text at NUL, and a cause is a key.
  [/[\s\p{Cc}]+/gu, " "],
];

/** Of a first line longer than this the rest says nothing new, and looking through megabytes would take its time. */
const LINE_CHARS = 2_000;
const CAUSE_CHARS = 160;

/**
 * The name of a failure: its kind and first line with what varies taken out (ids, addresses, long hex, times, numbers of
 * four digits and more: an HTTP status stays). Readable on purpose: it is shown, linked and searched.
 */
export function causeOf(kind: string, message: string): string {
  let line = (message.split("\n", 1)[0] ?? "").slice(0, LINE_CHARS).toWellFormed();
  for (const [what, mark] of VARYING) line = line.replace(what, mark);
  return `${kind}: ${[...line.trim()].slice(0, CAUSE_CHARS).join("") || "no message"}`;
}
