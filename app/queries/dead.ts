import { type CauseDetail, causeFeedAddress, type DeadPage, deadFeedAddress } from "~/domain/dead/dead";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const deadFeed = (after: string | null): FeedOptions<DeadPage> => ({
  key: ["dead", after],
  fetch: (previous, signal) => fetchFeed(deadFeedAddress(after), previous, signal),
  isFinal: () => false,
  everyMs: 5_000,
});

export const causeFeed = (cause: string): FeedOptions<CauseDetail> => ({
  key: ["cause", cause],
  fetch: (previous, signal) => fetchFeed(causeFeedAddress(cause), previous, signal),
  isFinal: () => false,
  everyMs: 5_000,
});
