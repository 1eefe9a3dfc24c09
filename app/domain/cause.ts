const VARYING: [RegExp, string][] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b[\w.+-]+@[\w-]+\.[\w.-]+\b/g, "<email>"],
  [/\b(?:0x)?[0-9a-f]{12,}\b/gi, "<hex>"],
  [/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, "<time>"],
];

/**
 * The name of a failure: its kind and first line with what varies taken out (ids, addresses, long hex, times, numbers of
 * four digits and more: an HTTP status stays). Readable on purpose: it is shown, linked and searched.
 */
export function causeOf(kind: string, message: string): string {
  let line = message.split("\n", 1)[0] ?? "";
  for (const [what, mark] of VARYING) line = line.replace(what, mark);
  line = line.replace(/\d{4,}/g, "<n>").replace(/\s+/g, " ").trim();
  return `${kind}: ${[...line].slice(0, 160).join("") || "no message"}`;
}
