import type { KindLimits } from "../kind_limits";
import type { State, View } from "../states";
import type { BulkAction } from "./bulk";

/** `stopped`: the job that works it off has ended before it, or is gone. It runs again as soon as that job does. */
export const OPERATION_STATES = ["running", "done", "aborted", "stopped"] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** What the API and the pages show of a bulk operation. Times are RFC 3339 UTC with ms and Z. */
export type OperationRow = {
  id: string;
  action: BulkAction;
  view: View;
  kind: string | null;
  cause: string | null;
  /** What else was asked in the filter box; its times are moments. */
  q: string | null;
  state: OperationState;
  /** The exact count at the cutoff: what came later is not touched. */
  expected: number;
  changed: number;
  skipped: number;
  /** Jobs a minute; null: as fast as it goes. */
  pace: number | null;
  actor: string;
  reason: string | null;
  cutoff: string;
  createdAt: string;
  endedAt: string | null;
  /** What stopped it; null in every other state. */
  why: string | null;
  /** How many of the jobs that it changed, and no later operation did, are in each view by now. */
  became: Record<View, number>;
};

/** One that runs, as every page is told of it. */
export type RunningOperation = Pick<
  OperationRow,
  "id" | "action" | "view" | "kind" | "cause" | "q" | "expected" | "changed" | "skipped"
>;
export const RUNNING_TOLD = 20;

export type OperationPage = {
  revision: number;
  now: string;
  operations: OperationRow[];
  /** Pass as `cursor` for the older ones. */
  next: string | null;
};

export type OperationDetail = OperationRow & {
  revision: number;
  now: string;
  /** The job that works it off; null where it is stored no more. */
  job: { id: string; state: State } | null;
  /** How many jobs match its filter now: what running it again would touch. Null: no number is kept of these. */
  matching: number | null;
  /** Jobs that matched and were not changed, the first of them by id. */
  skips: { jobId: string; reason: string }[];
  /** Of its newest dead jobs, at most CAUSES_AMONG: what they died of, most first, at most CAUSES_OF_OPERATION causes. */
  causes: { cause: string; n: number }[];
};

export const CAUSES_AMONG = 500;
export const CAUSES_OF_OPERATION = 5;

export type KindRow = {
  kind: string;
  /** Whether this release can run it. Jobs of one that it cannot are held. */
  known: boolean;
  title: string | null;
  description: string | null;
  paused: { by: string | null; reason: string | null; since: string } | null;
  limits: KindLimitsRow;
  counts: Record<View, number>;
  /** Attempts that ended in the last 60 minutes; run times are read from buckets, each twice as wide as the one before. */
  lastHour: { done: number; failed: number; p50Ms: number | null; p95Ms: number | null };
};

/** `set`: by a person, in place of those of the definition; null: those of the definition are in force. */
export type KindLimitsRow = {
  defined: KindLimits;
  set: { limits: KindLimits; by: string | null; reason: string | null; since: string } | null;
};

export type KindsPage = { revision: number; now: string; kinds: KindRow[] };

/** A kind whose due jobs wait though they could run. */
export type HeldKind = {
  kind: string;
  by: "paused" | "unknown-kind" | "limit" | "rate";
  since: string | null;
  who: string | null;
  reason: string | null;
};
