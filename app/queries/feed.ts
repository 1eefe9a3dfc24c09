import { replaceEqualDeep } from "@tanstack/react-query";
import { learnClock } from "./clock";

/** A feed's last answer, and what polling needs to know of it. */
export type Feed<T> = {
  body: T;
  /** The server's clock at the answer, in ms. */
  at: number;
  /** Answers in a row that brought nothing new. */
  unchanged: number;
};

export const feedOf = <T>(body: T, at: number): Feed<T> => ({ body, at, unchanged: 0 });

export class FeedError extends Error {
  override name = "FeedError";
  constructor(readonly status: number) {
    super(`the feed answered ${status}`);
  }
}

/**
 * Asks a feed with If-None-Match, which the browser's cache does by itself. An answer older than what is on screen (a
 * slow one, overtaken by an action's own) is left aside.
 */
export async function fetchFeed<T>(url: string, previous: Feed<T> | undefined, signal: AbortSignal): Promise<Feed<T>> {
  const response = await fetch(url, { cache: "no-cache", headers: { accept: "application/json" }, signal });
  if (!response.ok) throw new FeedError(response.status);
  const at = Date.parse(response.headers.get("date") ?? "") || Date.now();
  learnClock(at);
  return nextFeed(previous, (await response.json()) as T, at);
}

export function nextFeed<T>(previous: Feed<T> | undefined, body: T, at: number): Feed<T> {
  if (!previous) return feedOf(body, at);
  if (revisionOf(body) < revisionOf(previous.body)) return previous;
  const same = replaceEqualDeep(content(previous.body), content(body)) === content(previous.body);
  return { body, at, unchanged: same ? previous.unchanged + 1 : 0 };
}

/** Of a feed without one, every answer counts as new enough. */
const revisionOf = (body: unknown): number => (body as { revision?: number }).revision ?? 0;

const contents = new WeakMap<object, unknown>();

/** The body without what changes at every write of somebody else's: its revision and the time. */
function content(body: unknown): unknown {
  const known = contents.get(body as object);
  if (known) return known;
  const { revision: _, now: __, ...rest } = body as Record<string, unknown>;
  contents.set(body as object, rest);
  return rest;
}
