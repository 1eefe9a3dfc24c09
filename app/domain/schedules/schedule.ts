import type { Tone } from "../states";
import type { Timing } from "./slots";

/** What becomes of slots that no sweep came for in time. */
export const MISSED = {
  once: { label: "Run once", means: "one run makes up for all missed slots, at the latest of them" },
  skip: { label: "Skip", means: "missed slots do not run" },
  all: { label: "Run all", means: "each missed slot runs, the newest ones up to a limit" },
} as const;
export type MissedPolicy = keyof typeof MISSED;

/** Whether a slot runs while an earlier job of the schedule is not finished, waiting or running. */
export const OVERLAP = {
  allow: { label: "Allow", means: "each slot gets its job, however long the ones before take" },
  skip: { label: "Skip", means: "a slot passes without a job while an earlier one is unfinished" },
} as const;
export type OverlapPolicy = keyof typeof OVERLAP;

/** What became of a slot. Written once, when its sweep came. */
export const FATES = {
  fired: { label: "On time", tone: "success", means: "its job was made in time" },
  late: { label: "Late", tone: "warning", means: "its job was made after the slot was missed" },
  skipped: { label: "Skipped", tone: "neutral", means: "missed, and not made up for" },
  overlapped: { label: "Overlapped", tone: "info", means: "an earlier job was not finished" },
  failed: { label: "Failed", tone: "danger", means: "no job could be made" },
} as const satisfies Record<string, { label: string; tone: Tone; means: string }>;
export type Fate = keyof typeof FATES;

export const NAME_CHARS = 100;
export const SCHEDULES_MAX = 1_000;
/** A schedule's payload comes with every look at what is due. */
export const SCHEDULE_PAYLOAD_BYTES = 16_384;
/** Missed slots that are looked at one by one, newest first, and so the most that can be caught up. */
export const CATCH_UP_MAX = 100;
export const EVERY_MINUTES_MAX = 525_600;
/** Slots are kept this long, and the newest hundred of each schedule longer. */
export const KEPT_SLOTS_MS = 14 * 86_400_000;
export const KEPT_SLOTS = 100;

/** When, as it is stored: either an expression, or minutes and their anchor. */
export type StoredTiming = {
  cron: string | null;
  everyMinutes: number | null;
  anchorAt: number | null;
  timeZone: string;
};

export const timingOf = ({ cron, everyMinutes, anchorAt, timeZone }: StoredTiming): Timing =>
  cron === null ? { everyMinutes: everyMinutes as number, anchor: anchorAt as number } : { cron, zone: timeZone };

/** All that a person decides about a schedule. `payload` is the text that its jobs get, as it was sent. */
export type Definition = StoredTiming & {
  name: string;
  kind: string;
  payload: string;
  priority: "normal" | "high";
  maxAttempts: number | null;
  missed: MissedPolicy;
  missedMax: number;
  overlap: OverlapPolicy;
};
