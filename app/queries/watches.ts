import type { WatchDetail, WatchList } from "~/domain/watches/feeds";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const watchesFeed: FeedOptions<WatchList> = {
  key: ["watches"],
  fetch: (previous, signal) => fetchFeed("/api/v1/watches", previous, signal),
  isFinal: () => false,
};

/** `before`: a page of older checks. */
export const watchFeed = (id: string, before: string | undefined): FeedOptions<WatchDetail> => ({
  key: ["watch", id, before ?? ""],
  fetch: (previous, signal) =>
    fetchFeed(
      `/api/v1/watches/${encodeURIComponent(id)}${before === undefined ? "" : `?${new URLSearchParams({ before })}`}`,
      previous,
      signal,
    ),
  isFinal: () => false,
});
