import type { JobDetail, JobRow } from "../feeds";

/** Every limit of an upload and of `process_file`: told before, checked on the way. Bytes; rows in characters. */
export const FILE_BYTES = 2_000_000_000;
/** What the platform takes as one request body on its smaller plans: a form without a script is one request. */
export const FORM_BYTES = 100_000_000;
/** Of an upload in parts: all have this size, the last one what is left. */
export const PART_BYTES = 10 * 1024 * 1024;
export const COLUMNS = 10_000;
export const ROW_CHARS = 1_000_000;
/** Of all column names together. */
export const NAMES_CHARS = 1_000_000;
/** Column names stand in every line of the derived file, so it can be far larger than its source. */
export const DERIVED_BYTES = 8_000_000_000;
export const FILE_NAME_CHARS = 200;
/** A result names this many bad lines and columns; it counts all of them. */
export const BAD_LINES_LISTED = 100;
export const COLUMNS_LISTED = 100;

export const FILE_STATES = ["uploading", "stored", "removing"] as const;
export type FileState = (typeof FILE_STATES)[number];

export const FORMATS = ["auto", "csv", "ndjson", "bytes"] as const;
export type Format = (typeof FORMATS)[number];
export const DELIMITERS = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** How a file is to be read. `strict`: a broken CSV row ends the job, and is not only told. */
export type Reading = { format: Format; delimiter: Delimiter; strict: boolean };

export function formatOf(name: string, asked: Format): Exclude<Format, "auto"> {
  if (asked !== "auto") return asked;
  const ending = /\.([^.]+)$/.exec(name.toLowerCase())?.[1];
  if (ending === "csv") return "csv";
  return ending === "ndjson" || ending === "jsonl" ? "ndjson" : "bytes";
}

export const partsOf = (size: number): number => Math.ceil(size / PART_BYTES);

/** The exact size of part `number` (1, 2, 3 …) of a file, or null where it has no such part. */
export function partBytes(size: number, number: number): number | null {
  if (number < 1 || number > partsOf(size)) return null;
  return Math.min(PART_BYTES, size - (number - 1) * PART_BYTES);
}

/** Whatever lies here in the bucket takes a right to be seen. */
export const FILES_FOLDER = "files/";
/** Where a file and what is made of it lie in the bucket: one prefix a file. */
export const filePrefix = (id: string): string => `${FILES_FOLDER}${id}/`;
export const sourceKey = (id: string): string => `${filePrefix(id)}source`;
export const derivedKey = (id: string, jobId: string): string => `${filePrefix(id)}derived/${jobId}.ndjson`;

/** A file's first job has this key, later ones have it with more behind a colon: so a file's jobs are found by it. */
export const fileJobKey = (id: string, again?: string): string => `file:${id}${again ? `:${again}` : ""}`;

/** The name of the derived file, for whoever downloads it. */
export const derivedName = (name: string): string => `${name.replace(/\.[^.]*$/, "") || "file"}.ndjson`;

/** Makes any browser save it under this name, whatever is in it. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const all = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${all}`;
}

/** What `process_file` found: the result of its job. */
export type FileResult = {
  name: string;
  format: Exclude<Format, "auto">;
  bytes: number;
  sha256: string;
  /** Null: it was read as bytes. */
  table: {
    /** As the file has them, whatever became of each. */
    rows: number;
    columnCount: number;
    /** The first ones. `empty`: rows without a value there. */
    columns: { name: string; type: string; empty: number }[];
    badLines: { count: number; listed: { row: number; line: number; problem: string }[] };
    derived: { key: string; rows: number; bytes: number; sha256: string };
  } | null;
};

/** What a job found out about a file, if it did: a result of another kind, or one that was cut, is none. */
export function fileOfJob(job: Pick<JobDetail, "kind" | "result" | "payloadText">) {
  if (job.kind !== "process_file" || typeof job.result !== "object") return null;
  const result = job.result as FileResult | null;
  const { file } = JSON.parse(job.payloadText) as { file?: unknown };
  return result && typeof result.sha256 === "string" && typeof file === "string" ? { result, fileId: file } : null;
}

/** A file as the API and the page show it. */
export type FileRow = {
  id: string;
  name: string;
  state: FileState;
  size: number | null;
  createdBy: string;
  createdAt: string;
  storedAt: string | null;
  /** Newest first; those that were submitted for it here. */
  jobs: JobRow[];
};
export type FilePage = {
  revision: number;
  now: string;
  files: FileRow[];
  /** Pass as `before` for the files after these. */
  next: string | null;
};

export const filesAddress = (before?: string): string => (before ? `/files?before=${before}` : "/files");
export const fileAddress = (id: string): string => `/files/${encodeURIComponent(id)}`;
export const derivedAddress = (id: string, jobId: string): string => `${fileAddress(id)}/derived/${jobId}`;
export const filesFeedAddress = (before: string | null): string =>
  before ? `/api/v1/files?before=${before}` : "/api/v1/files";
export const fileFeedAddress = (id: string): string => `/api/v1${fileAddress(id)}`;

/** What the fields of a form say of how to read a file; null: nothing that is known. */
export function readingOf(fields: Record<string, unknown>): Reading | null {
  const { format, delimiter, lenient } = fields;
  if (!FORMATS.includes(format as Format) || !DELIMITERS.includes(delimiter as Delimiter)) return null;
  return { format: format as Format, delimiter: delimiter as Delimiter, strict: lenient === undefined };
}
