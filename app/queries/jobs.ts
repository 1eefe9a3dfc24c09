import { type JobList, jobsFeedAddress } from "~/domain/addresses";
import type { JobPage } from "~/domain/feeds";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { fetchFeed } from "./feed";
import { mergeRows } from "./merge";
import type { FeedOptions } from "./use_feed";

const SCANNED_EVERY_MS = 15_000;

/**
 * Rows to ask for: those of a page, and the newer ones that have pushed them down, so that these are kept up to date too.
 * Where the oldest come first, new ones come after the page, and could not be seen from it.
 */
export function windowOf({ cursor, order }: JobList, fresh: number): number {
  if (cursor) return PAGE_SIZE;
  return order === "oldest" ? PAGE_SIZE_MAX : Math.min(PAGE_SIZE_MAX, PAGE_SIZE + fresh);
}

/** `page`: what is on screen. */
export const jobsFeed = (list: JobList, page: JobPage): FeedOptions<JobPage> => ({
  key: ["jobs", list],
  fetch: (previous, signal) => {
    const fresh = previous ? mergeRows(page, previous.body, list).fresh : 0;
    return fetchFeed(jobsFeedAddress(list, windowOf(list, fresh)), previous, signal);
  },
  isFinal: () => false,
  // Thousands of rows were looked at for it.
  everyMs: (page) => (page.scanned === null ? 0 : SCANNED_EVERY_MS),
});
