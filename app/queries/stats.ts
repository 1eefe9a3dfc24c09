import type { Stats } from "~/domain/feeds";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const statsFeed: FeedOptions<Stats> = {
  key: ["stats"],
  fetch: (previous, signal) => fetchFeed("/api/v1/stats", previous, signal),
  isFinal: () => false,
};
