import type { AuditRow } from "../feeds";
import type { View } from "../states";
import type { Preview } from "./preview";
import type { Fate, MissedPolicy, OverlapPolicy } from "./schedule";

/** What the API and the pages show of schedules. Times are RFC 3339 UTC with ms and Z. */
export type SlotRow = {
  slotAt: string;
  fate: Fate;
  decidedAt: string;
  /** Of a stretch of skipped slots that one row stands for: the last of them. */
  throughAt: string | null;
  /** How many slots the row stands for; null: they were not counted. */
  n: number | null;
  jobId: string | null;
  error: string | null;
};

export type ScheduleRow = {
  id: string;
  name: string;
  cron: string | null;
  everyMinutes: number | null;
  anchor: string | null;
  timeZone: string;
  /** When it fires, in words. */
  text: string;
  kind: string;
  version: number;
  /** null: paused, or broken. */
  nextAt: string | null;
  paused: { at: string; by: string | null } | null;
  error: { at: string; text: string } | null;
  /** Newest slots first. */
  recent: SlotRow[];
};

export type SchedulePage = {
  revision: number;
  now: string;
  schedules: ScheduleRow[];
  next: string | null;
  previous: string | null;
};

export type ScheduleDetail = ScheduleRow & {
  revision: number;
  now: string;
  payload: unknown;
  payloadText: string;
  priority: "normal" | "high";
  maxAttempts: number | null;
  missed: MissedPolicy;
  missedMax: number;
  overlap: OverlapPolicy;
  createdAt: string;
  updatedAt: string;
  /** null: its times cannot be read. */
  preview: Preview | null;
  /** How the jobs of the recent slots stand now. */
  jobs: Record<string, View>;
  /** Jobs of it that have not ended. */
  unfinished: { id: string; view: View; slotAt: string | null }[];
  audit: AuditRow[];
};
