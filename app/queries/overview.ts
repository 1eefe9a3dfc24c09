import { overviewFeedAddress } from "~/domain/overview/address";
import { type ChartView, RANGES } from "~/domain/overview/chart_range";
import type { Overview } from "~/domain/overview/overview";
import { fetchFeed } from "./feed";
import type { FeedOptions } from "./use_feed";

/** A chart of minutes is news each few seconds, one of days is not. */
const EVERY_MS = { minute: 5_000, hour: 20_000, day: 60_000 };

export const overviewFeed = (view: ChartView): FeedOptions<Overview> => ({
  key: ["overview", view],
  fetch: (previous, signal) => fetchFeed(overviewFeedAddress(view), previous, signal),
  isFinal: () => false,
  everyMs: EVERY_MS[RANGES[view.range].unit],
});
