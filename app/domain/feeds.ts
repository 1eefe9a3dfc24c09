import type { HeldKind, RunningOperation } from "./bulk/feeds";
import type { Per } from "./kind_limits";
import type { Lane } from "./lanes";
import type { OutcomeName, State, Trigger, View } from "./states";
import type { Fanout } from "./webhooks/webhooks";

/** What the API and the pages show. Times are RFC 3339 UTC with ms and Z; durations are ms. */
export type JobRow = {
  id: string;
  kind: string;
  lane: Lane;
  state: State;
  view: View;
  label: string | null;
  attempt: number;
  tries: number;
  maxAttempts: number;
  generation: number;
  runAt: string;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  lastError: string | null;
  cause: string | null;
  /** It waits since others of its group run. */
  heldByGroup: boolean;
};

export type JobPage = {
  revision: number;
  /** D1's clock at the moment of reading. */
  now: string;
  jobs: JobRow[];
  /** Jobs that came beyond the cut `since`, among as many as were asked for: they are not in `jobs`. */
  fresh: number;
  /** Pass as `cursor` for the rows after these; null: there are none. */
  next: string | null;
  /** Pass as `cursor` for the rows before these; null: this is the first page. */
  previous: string | null;
  /** Set where a filter that no index serves looked at only this many rows: `next` goes on from there. */
  scanned: number | null;
  /** Where rows were looked at one by one and there are more of them: when the last one was submitted, or ended. */
  reach: string | null;
  /** How many jobs the filter shows on all its pages; null: that is not counted. */
  total: number | null;
};

export type AttemptRow = {
  number: number;
  generation: number;
  trigger: Trigger;
  startedAt: string;
  finishedAt: string;
  waitedMs: number;
  ranMs: number;
  outcome: OutcomeName;
  error: string | null;
  stack: string | null;
  log: string | null;
  /** Whether error, stack or log are longer than this: all of it comes where this attempt is the first one asked for. */
  cut: boolean;
  appVersion: string;
};

/** An outside effect of a job: `finishedAt` null: it began, and how it ended is not known. `result`: its beginning, JSON. */
export type EffectRow = { name: string; startedAt: string; finishedAt: string | null; result: string | null };
/** A job that was made of another one by a person. */
export type EditRow = { id: string; view: View };
/** How a job of a kind ended, and how long its last attempt ran. */
export type RunRow = { id: string; view: View; ranMs: number; finishedAt: string };

export type RefusalRow = { number: number; at: string; outcome: OutcomeName; error: string | null };
export type AuditRow = {
  id: string;
  at: string;
  actor: string;
  action: string;
  jobId: string | null;
  before: string | null;
  after: string | null;
  reason: string | null;
};

/**
 * What holds a due job. Where that is a limit: the number of it (jobs at once, of its group at once, or starts `per` time),
 * and when the next start of a rate comes.
 */
export type Held = {
  by: "paused" | "unknown-kind" | "limit" | "group" | "rate";
  reason: string | null;
  since: string | null;
  limit: number | null;
  per: Per | null;
  next: string | null;
};

export type JobDetail = JobRow & {
  revision: number;
  /** D1's clock at the moment of reading. */
  now: string;
  payload: unknown;
  /** The very text that was submitted: numbers that JavaScript cannot hold are whole here. */
  payloadText: string;
  result: unknown;
  progress: string | null;
  idempotencyKey: string | null;
  /** It is not started from then on. */
  expiresAt: string | null;
  groupKey: string | null;
  sentAt: string | null;
  leaseUntil: string | null;
  cancelRequestedAt: string | null;
  held: Held | null;
  attempts: AttemptRow[];
  refusals: RefusalRow[];
  audit: AuditRow[];
  /** What made it. `name`: null where the schedule is gone; `slotAt`: null where a person ran it by hand. */
  schedule: { id: string; name: string | null; slotAt: string | null } | null;
  /** The job that holds the webhook event which this one goes on with. */
  fanoutId: string | null;
  /** The operation that changed it last. */
  operationId: string | null;
  /** The job that this one was made of, as it was or with changes. */
  editedFrom: string | null;
  /** The newest jobs that were made of this one. */
  editedTo: EditRow[];
  effects: EffectRow[];
  /** Of a webhook event: how it stands at each endpoint. */
  fanout: Fanout | null;
};

export type Stats = {
  revision: number;
  /** D1's clock at the moment of reading. */
  now: string;
  counts: Record<View, number>;
  kinds: { kind: string; counts: Record<View, number> }[];
  /** Kinds whose due jobs wait: paused by a person, or not known to this release while jobs of them are stored. */
  held: HeldKind[];
  /** Operations that run, newest first, at most RUNNING_TOLD. */
  running: RunningOperation[];
  lastSweep: SweepRow | null;
  /** Dead jobs by cause, most first, at most CAUSES_TOLD causes. */
  causes: { cause: string; n: number; lastHour: string }[];
};

export type SweepRow = {
  startedAt: string;
  finishedAt: string;
  lost: number;
  /** Jobs that were not started by their expiresAt. */
  expired: number;
  /** Jobs made of schedules. */
  fired: number;
  removed: number;
  sent: number;
  resent: number;
  more: boolean;
  error: string | null;
};

export type Backlog = { messages: number | null; oldestAt: string | null };
export type Health = {
  ok: boolean;
  problems: string[];
  now: string;
  database: { ok: boolean };
  lastSweep: { at: string; ageMs: number } | null;
  lanes: Record<Lane | "dead", Backlog>;
};
