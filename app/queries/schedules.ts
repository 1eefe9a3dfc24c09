import type { ScheduleDetail, SchedulePage } from "~/domain/schedules/feeds";
import { scheduleAddress, schedulesAddress } from "~/domain/schedules/words";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

export const schedulesFeed = (cursor?: string): FeedOptions<SchedulePage> => ({
  key: ["schedules", cursor ?? null],
  fetch: (previous, signal) => fetchFeed(`/api/v1${schedulesAddress(cursor)}`, previous, signal),
  isFinal: () => false,
});

export const scheduleFeed = (id: string): FeedOptions<ScheduleDetail> => ({
  key: ["schedule", id],
  fetch: (previous, signal) => fetchFeed(`/api/v1${scheduleAddress(id)}`, previous, signal),
  isFinal: () => false,
});
