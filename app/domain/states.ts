/**
 * The one place that names states, views and arrows. SQL CHECKs, labels, colours, buttons and documentation follow it
 * (tests compare them), and a new state does not compile until it has all of them.
 */
export type Tone = "neutral" | "info" | "progress" | "success" | "warning" | "danger";

export const STATES = {
  pending: { final: false, to: ["processing", "dead", "cancelled"] },
  processing: { final: false, to: ["pending", "done", "dead", "cancelled"] },
  done: { final: true, to: [] },
  dead: { final: true, to: ["pending"] },
  cancelled: { final: true, to: ["pending"] },
} as const;

export type State = keyof typeof STATES;
export const STATE_NAMES = Object.keys(STATES) as State[];

/** What a list shows: a state, or a part of `pending`. A view never changes without a write. */
export const VIEWS = {
  scheduled: { state: "pending", label: "Scheduled", tone: "info", means: "submitted for later, not tried yet" },
  pending: { state: "pending", label: "Pending", tone: "neutral", means: "waiting for its turn" },
  retrying: { state: "pending", label: "Retrying", tone: "warning", means: "tried, waiting for the next attempt" },
  processing: { state: "processing", label: "Processing", tone: "progress", means: "an attempt is running" },
  done: { state: "done", label: "Done", tone: "success", means: "an attempt succeeded" },
  dead: { state: "dead", label: "Dead", tone: "danger", means: "no more attempts: waits for a person" },
  cancelled: { state: "cancelled", label: "Cancelled", tone: "neutral", means: "stopped by a person" },
} as const satisfies Record<string, { state: State; label: string; tone: Tone; means: string }>;

export type View = keyof typeof VIEWS;
export const VIEW_NAMES = Object.keys(VIEWS) as View[];

export const TRIGGERS = {
  first: "first attempt",
  retry: "automatic retry",
  snooze: "went on after a snooze",
  requeue: "requeued by a person",
  sweep: "taken over after its worker was lost",
} as const;
export type Trigger = keyof typeof TRIGGERS;

export const OUTCOMES = {
  done: { label: "Done", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
  timed_out: { label: "Timed out", tone: "danger" },
  lost: { label: "Worker lost", tone: "danger" },
  cancelled: { label: "Cancelled", tone: "neutral" },
  snoozed: { label: "Snoozed", tone: "info" },
} as const satisfies Record<string, { label: string; tone: Tone }>;
export type OutcomeName = keyof typeof OUTCOMES;

export const isFinal = (state: State): boolean => STATES[state].final;
export const canRequeue = (state: State): boolean => state === "dead" || state === "cancelled";
export const canCancel = (state: State): boolean => !isFinal(state);
/** Tries: what budget and backoff count. A snooze and a requeue forgive the attempts made so far. */
export const triesOf = (job: { attempt: number; forgiven: number }): number => job.attempt - job.forgiven;
