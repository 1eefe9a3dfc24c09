import type { AlertsPage } from "~/domain/alerts/feeds";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

/** `before`: a page of older alerts. */
export const alertsFeed = (before: string | undefined): FeedOptions<AlertsPage> => ({
  key: ["alerts", before ?? ""],
  fetch: (previous, signal) =>
    fetchFeed(`/api/v1/alerts${before === undefined ? "" : `?${new URLSearchParams({ before })}`}`, previous, signal),
  isFinal: () => false,
});
