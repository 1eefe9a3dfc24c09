import type { BulkAction, BulkFilter } from "./bulk/bulk";
import { type JobList, readJobList } from "./query/list";

export type { JobList };

/** Reads the address of a list. What it does not know it leaves out: an old or mistyped link still shows a list. */
export const jobListOf = (params: URLSearchParams): JobList => readJobList(params).list;

/** The address of a list, without what goes without saying: one list has one. */
export const jobsAddress = ({ view, kind, cause, q, sort, order, columns, cursor }: JobList = {}): string =>
  withQuery("/jobs", { view, kind, cause, q, sort, order, columns, cursor });

export const jobAddress = (id: string): string => `/jobs/${encodeURIComponent(id)}`;

/** The page that asks before it acts on everything that matches. */
export const bulkAddress = (
  action: BulkAction,
  filter: BulkFilter,
  more: { reason?: string; back?: string } = {},
): string => withQuery("/bulk", { action, ...filter, ...more });
export const bulkCountAddress = (filter: BulkFilter): string => withQuery("/api/v1/bulk/count", filter);
export const operationAddress = (id: string): string => `/operations/${encodeURIComponent(id)}`;
export const operationsAddress = (cursor?: string): string => withQuery("/operations", { cursor });
/** Where a kind stands on the page of all kinds. */
export const kindsPlace = (kind: string): string => `/kinds#kind-${encodeURIComponent(kind)}`;
export const kindAddress = (kind: string): string => `/kinds/${encodeURIComponent(kind)}`;

/** Where the API serves the same list. */
export const jobsFeedAddress = (
  { columns: _, ...list }: JobList,
  { limit, since }: { limit: number; since?: string },
): string => withQuery("/api/v1/jobs", { ...list, limit: String(limit), since, brief: "1" });

/** Where all of it can be had as a file. */
export const exportAddress = ({ columns: _, cursor: __, ...list }: JobList, format: "csv" | "ndjson"): string =>
  withQuery(`/api/v1/jobs.${format}`, list);

export const jobFeedAddress = (id: string, attempt: number | null = null): string =>
  withQuery(`/api/v1/jobs/${encodeURIComponent(id)}`, { attempt: attempt === null ? undefined : String(attempt) });

/** A job's page from one attempt on: that one in full, and those before it. */
export const attemptAddress = (id: string, attempt: number): string =>
  `${jobAddress(id)}?attempt=${attempt}#attempt-${attempt}`;
/** The attempt that an address asks for; null: the newest. */
export function attemptOf(params: URLSearchParams): number | null {
  const asked = params.get("attempt") ?? "";
  return /^[1-9]\d{0,14}$/.test(asked) ? Number(asked) : null;
}

function withQuery(path: string, values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(given).toString();
  return query ? `${path}?${query}` : path;
}

/** A path of this site to go back to, or `fallback`: a form's hidden field must not send people elsewhere. */
export function safePath(text: unknown, fallback: string): string {
  if (typeof text !== "string" || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return fallback;
  const base = "http://here.invalid";
  return new URL(text, base).origin === base ? text : fallback;
}
