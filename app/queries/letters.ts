import { type LetterPage, lettersFeedAddress } from "~/domain/dead/letters";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const lettersFeed = (before: string | null): FeedOptions<LetterPage> => ({
  key: ["letters", before],
  fetch: (previous, signal) => fetchFeed(lettersFeedAddress(before), previous, signal),
  isFinal: () => false,
});
