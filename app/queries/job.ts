import { jobFeedAddress } from "~/domain/addresses";
import type { JobDetail } from "~/domain/feeds";
import { isFinal } from "~/domain/states";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const jobFeed = (id: string, attempt: number | null): FeedOptions<JobDetail> => ({
  key: ["job", id, attempt],
  fetch: (previous, signal) => fetchFeed(jobFeedAddress(id, attempt), previous, signal),
  // A fan-out is done when each endpoint was tried: those that failed may still get it.
  isFinal: (job) => isFinal(job.state) && job.fanout?.overall !== "delivering",
});
