import { jobFeedAddress } from "~/domain/addresses";
import type { JobDetail } from "~/domain/feeds";
import { isFinal } from "~/domain/states";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const jobFeed = (id: string): FeedOptions<JobDetail> => ({
  key: ["job", id],
  fetch: (previous, signal) => fetchFeed(jobFeedAddress(id), previous, signal),
  isFinal: (job) => isFinal(job.state),
});
