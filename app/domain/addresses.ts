import { readCursor } from "./cursor";
import { VIEW_NAMES, type View } from "./states";

/** What the list of jobs shows, as its address says. No view: all of them. */
export type JobList = { view?: View; kind?: string; cause?: string; cursor?: string };

const TEXT_CHARS = { kind: 100, cause: 300 };

/** Reads the address of a list. What it does not know it leaves out: an old or mistyped link still shows a list. */
export function jobListOf(params: URLSearchParams): JobList {
  const list: JobList = {};
  const view = params.get("view");
  const kind = params.get("kind");
  const cause = params.get("cause");
  const cursor = params.get("cursor");
  if (VIEW_NAMES.includes(view as View)) list.view = view as View;
  if (kind && kind.length <= TEXT_CHARS.kind) list.kind = kind;
  // A cause is why jobs are dead: of another view it would show nothing.
  if (cause && cause.length <= TEXT_CHARS.cause && (list.view ?? "dead") === "dead") {
    list.view = "dead";
    list.cause = cause;
  }
  if (cursor && readCursor(cursor)) list.cursor = cursor;
  return list;
}

/** The address of a list, without what goes without saying. */
export const jobsAddress = (list: JobList = {}): string => withQuery("/jobs", list);

export const jobAddress = (id: string): string => `/jobs/${encodeURIComponent(id)}`;

/** Where the API serves the same list. */
export const jobsFeedAddress = (list: JobList, limit: number): string =>
  withQuery("/api/v1/jobs", { ...list, limit: String(limit) });
export const jobFeedAddress = (id: string): string => `/api/v1/jobs/${encodeURIComponent(id)}`;

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
