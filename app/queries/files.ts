import { type FilePage, type FileRow, fileFeedAddress, filesFeedAddress } from "~/domain/files/files";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const filesFeed = (before: string | null): FeedOptions<FilePage> => ({
  key: ["files", before],
  fetch: (previous, signal) => fetchFeed(filesFeedAddress(before), previous, signal),
  isFinal: () => false,
});

export const fileFeed = (id: string): FeedOptions<FileRow> => ({
  key: ["file", id],
  fetch: (previous, signal) => fetchFeed(fileFeedAddress(id), previous, signal),
  isFinal: () => false,
});
