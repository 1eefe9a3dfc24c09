import { operationAddress, operationsAddress } from "~/domain/addresses";
import type { KindsPage, OperationDetail, OperationPage } from "~/domain/bulk/feeds";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const operationsFeed = (cursor?: string): FeedOptions<OperationPage> => ({
  key: ["operations", cursor ?? null],
  fetch: (previous, signal) => fetchFeed(`/api/v1${operationsAddress(cursor)}`, previous, signal),
  isFinal: () => false,
});

export const operationFeed = (id: string): FeedOptions<OperationDetail> => ({
  key: ["operation", id],
  fetch: (previous, signal) => fetchFeed(`/api/v1${operationAddress(id)}`, previous, signal),
  // What matches now is told too, so it goes on being asked.
  isFinal: () => false,
});

export const kindsFeed: FeedOptions<KindsPage> = {
  key: ["kinds"],
  fetch: (previous, signal) => fetchFeed("/api/v1/kinds", previous, signal),
  isFinal: () => false,
};
