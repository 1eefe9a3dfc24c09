import type { ChannelType } from "../channels";
import type { CheckOutcome, Comparison } from "./watch";

/** What the API and the pages show of watches. Times are RFC 3339 UTC with ms and Z. */
export type WatchRow = {
  id: string;
  name: string;
  url: string;
  selector: string | null;
  attribute: string | null;
  compare: Comparison;
  cron: string | null;
  everyMinutes: number | null;
  anchor: string | null;
  timeZone: string;
  /** When it looks, in words. */
  text: string;
  version: number;
  /** The slot that comes next, or that is being checked; null: paused, or none comes. */
  nextAt: string | null;
  /** `by`: null where it stopped by itself, as lastError says. */
  paused: { at: string; by: string | null } | null;
  checkedAt: string | null;
  changedAt: string | null;
  /** Checks that failed in a row. */
  failures: number;
  lastError: string | null;
  /** What the page shows, in a list its first 200 characters. */
  value: string | null;
  number: number | null;
};

export type WatchList = { revision: number; now: string; watches: WatchRow[] };

export type CheckRow = {
  slotAt: string;
  at: string;
  outcome: CheckOutcome;
  jobId: string;
  httpStatus: number | null;
  /** Slots that passed before it ended, and were skipped. */
  missed: number;
  number: number | null;
  /** Jobs that tell of the change. */
  told: string[];
  error: string | null;
  /** Of a change: what stood there before, and what does now. */
  previous: string | null;
  value: string | null;
};

export type WatchDetail = WatchRow & {
  revision: number;
  now: string;
  /** The check of the slot that is due, while it waits or runs. */
  checking: string | null;
  /** Who is told of a change: channels and their addresses, as they may be shown. */
  tells: { type: ChannelType; target: string }[];
  createdAt: string;
  updatedAt: string;
  checks: CheckRow[];
  /** Pass as `before` for older checks; null: there are none. */
  next: string | null;
};
