import type { ActivityPage } from "~/domain/audit/feeds";
import { type ActivityList, activityFeedAddress } from "~/domain/audit/filter";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

const SCANNED_EVERY_MS = 15_000;

export const activityFeed = (list: ActivityList): FeedOptions<ActivityPage> => ({
  key: ["activity", list],
  fetch: (previous, signal) => fetchFeed(activityFeedAddress(list), previous, signal),
  isFinal: () => false,
  // Thousands of rows were looked at for it.
  everyMs: (page) => (page.scanned === null ? 0 : SCANNED_EVERY_MS),
});
