import type { JobRow } from "../feeds";

/** A list as a file. Its first page is there at once, the rest is read as it is sent. */
export const EXPORT_FORMATS = {
  csv: { type: "text/csv; charset=utf-8; header=present", head: () => BOM + line(NAMES), row: csvRow, cut: csvCut },
  ndjson: { type: "application/x-ndjson", head: () => "", row: ndjsonRow, cut: ndjsonCut },
} as const;
export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** Rows of a file at most: whoever wants more goes on from its end. */
export const EXPORT_ROWS = 50_000;
export const EXPORT_PAGE = 1_000;
/** Pages of a file at most: where no index serves the filter, most of them may be empty. */
export const EXPORT_PAGES = 100;

/** Spreadsheets read UTF-8 only where it says so. */
const BOM = "\ufeff";

const NAMES = [
  "id",
  "kind",
  "view",
  "label",
  "lane",
  "attempt",
  "tries",
  "maxAttempts",
  "generation",
  "createdAt",
  "runAt",
  "startedAt",
  "finishedAt",
  "cause",
  "lastError",
] as const satisfies (keyof JobRow)[];

function csvRow(job: JobRow): string {
  return line(NAMES.map((name) => job[name]));
}

function csvCut(rows: number, next: string): string {
  return line([`Cut short after ${rows} rows: go on with cursor=${next}`]);
}

function ndjsonRow(job: JobRow): string {
  return `${JSON.stringify(job)}\n`;
}

function ndjsonCut(rows: number, next: string): string {
  return `${JSON.stringify({ cutShort: { rows, next } })}\n`;
}

function line(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** As RFC 4180 has it. What a spreadsheet would run as a formula gets a quote before it, and is shown as text. */
function cell(value: string | number | null): string {
  if (value === null) return "";
  const text = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
