import { type JobList, jobsFeedAddress } from "~/domain/addresses";
import type { JobPage } from "~/domain/feeds";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { writeCursor } from "~/domain/query/cursor";
import { wantedOf } from "~/domain/query/wanted";
import { fetchFeed } from "./feed";
import { mergeRows } from "./merge";
import type { FeedOptions } from "./use_feed";

const SCANNED_EVERY_MS = 15_000;

/**
 * Where to ask for what has become of the rows of `page`, and how many came since. `fresh`: as many as did so far. They
 * have pushed the rows down, so the feed looks at that many more; where the oldest come first they come after the last
 * page, and can be seen from there alone.
 */
export function pollAddress(list: JobList, page: JobPage, fresh: number): string {
  const { cursor, order } = list;
  const edge = order === "oldest" ? page.jobs.at(-1) : page.jobs[0];
  if (cursor || !edge || (order === "oldest" && page.next !== null)) return jobsFeedAddress(list, { limit: PAGE_SIZE });
  const at = wantedOf(list).sort === "finished" ? { at: Date.parse(edge.finishedAt ?? "") } : {};
  const since = writeCursor({ walk: "older", inclusive: true, id: edge.id, ...at });
  const limit = order === "oldest" ? PAGE_SIZE_MAX : Math.min(PAGE_SIZE_MAX, PAGE_SIZE + fresh);
  return jobsFeedAddress(list, { limit, since });
}

/** `page`: what is on screen. */
export const jobsFeed = (list: JobList, page: JobPage): FeedOptions<JobPage> => ({
  key: ["jobs", list],
  fetch: (previous, signal) => {
    const fresh = previous ? mergeRows(page, previous.body, list).fresh : 0;
    return fetchFeed(pollAddress(list, page, fresh), previous, signal);
  },
  isFinal: () => false,
  // Thousands of rows were looked at for it.
  everyMs: (page) => (page.scanned === null ? 0 : SCANNED_EVERY_MS),
});
