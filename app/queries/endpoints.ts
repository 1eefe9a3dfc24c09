import type { EndpointDetail, EndpointList } from "~/domain/webhooks/webhooks";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const endpointsFeed: FeedOptions<EndpointList> = {
  key: ["endpoints"],
  fetch: (previous, signal) => fetchFeed("/api/v1/endpoints", previous, signal),
  isFinal: () => false,
};

export const endpointFeed = (id: string): FeedOptions<EndpointDetail> => ({
  key: ["endpoint", id],
  fetch: (previous, signal) => fetchFeed(`/api/v1/endpoints/${encodeURIComponent(id)}`, previous, signal),
  isFinal: () => false,
});
