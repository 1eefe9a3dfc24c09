import { type JobList, jobsFeedAddress } from "~/domain/addresses";
import type { JobPage } from "~/domain/feeds";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

const SCANNED_EVERY_MS = 15_000;

/** The first page looks further than it shows: what new jobs push down is still kept up to date. */
export const windowOf = (list: JobList): number => (list.cursor ? PAGE_SIZE : PAGE_SIZE_MAX);

export const jobsFeed = (list: JobList): FeedOptions<JobPage> => ({
  key: ["jobs", list],
  fetch: (previous, signal) => fetchFeed(jobsFeedAddress(list, windowOf(list)), previous, signal),
  isFinal: () => false,
  // Thousands of rows were looked at for it.
  everyMs: (page) => (page.scanned === null ? 0 : SCANNED_EVERY_MS),
});
