import { count, plural } from "../format";
import { LIMIT_MAX } from "../kind_limits";
import type { Notice } from "../notices";
import { BULK_ACTION_NAMES, BULK_ACTIONS, type BulkAction, doneText } from "./bulk";

/** What a bulk action, an operation's button or a pause did. `ops`: the operation to look at. */
export type BulkNotice = { jobId: null } & (
  | { code: "bulk-done"; action: BulkAction; changed: number; skipped: readonly { reason: string; n: number }[] }
  | { code: "bulk-started"; action: BulkAction; expected: number; operation: string }
  | { code: "bulk-ended"; action: BulkAction; changed: number; left: number; operation: string }
  | {
      code:
        | "bulk-none"
        | "bulk-gone"
        | "kind-paused"
        | "kind-resumed"
        | "kind-as-it-was"
        | "kind-refused"
        | "kind-limited"
        | "kind-limits-wrong";
    }
  | { code: "bulk-aborted" | "bulk-over"; operation: string }
);

const CODES = [
  "bulk-none",
  "bulk-gone",
  "kind-paused",
  "kind-resumed",
  "kind-as-it-was",
  "kind-refused",
  "kind-limited",
  "kind-limits-wrong",
  "bulk-aborted",
  "bulk-over",
  "bulk-done",
  "bulk-started",
  "bulk-ended",
] as const satisfies BulkNotice["code"][];

export const isBulkNotice = (notice: { code: string }): notice is BulkNotice =>
  (CODES as readonly string[]).includes(notice.code);

export function bulkNoticeOf(notice: BulkNotice): Notice {
  const say = (tone: Notice["tone"], text: string): Notice => ({
    tone,
    text,
    jobId: null,
    ...("operation" in notice && { operation: notice.operation }),
  });
  switch (notice.code) {
    case "bulk-done":
      return say(
        toneOf(notice.changed, notice.skipped.length),
        `${doneText(notice.action, notice.changed, notice.skipped)}.`,
      );
    case "bulk-started":
      return say(
        "info",
        `${BULK_ACTIONS[notice.action].doing} ${plural(notice.expected, "job")}. It runs by itself: no need to press again.`,
      );
    case "bulk-ended": {
      const skipped = notice.left > 0 ? `, ${count(notice.left)} skipped` : "";
      return say(
        toneOf(notice.changed, notice.left),
        `${count(notice.changed)} ${BULK_ACTIONS[notice.action].done}${skipped}.`,
      );
    }
    case "bulk-none":
      return say("warning", "No jobs were selected, nothing changed.");
    case "bulk-gone":
      return say("warning", "Nothing matches any more, nothing changed.");
    case "bulk-aborted":
      return say("success", "Aborted: no further jobs are touched.");
    case "bulk-over":
      return say("warning", "It had ended before, nothing changed.");
    case "kind-paused":
      return say("success", "Paused: none of its jobs starts, what runs goes on.");
    case "kind-resumed":
      return say("success", "Resumed: its held jobs start within seconds.");
    case "kind-as-it-was":
      return say("info", "It was so already, nothing changed.");
    case "kind-refused":
      return say("danger", "No such kind can be paused or limited, nothing changed.");
    case "kind-limited":
      return say("success", "Limits set: what runs goes on, what waits is sent as far as there is room for it.");
    case "kind-limits-wrong":
      return say("danger", `A limit is a whole number from 1 to ${count(LIMIT_MAX)}, or empty. Nothing changed.`);
  }
}

const toneOf = (changed: number, skipped: number): Notice["tone"] =>
  changed === 0 ? "warning" : skipped > 0 ? "info" : "success";

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const REASON =
  /^(is (not stored( any more)?|[a-z]+ now)|was requeued meanwhile|was asked to stop before|does not match any more)$/;

/** What a cookie holds of one, or null for what this did not write: no text of a stranger's link is shown. */
export function readBulkNotice(value: Record<string, unknown>): BulkNotice | null {
  const { code, action, changed, skipped, expected, left, operation } = value;
  if (!isBulkNotice({ code: String(code) })) return null;
  const checks: Record<string, boolean> = {
    action: BULK_ACTION_NAMES.includes(action as BulkAction),
    changed: isCount(changed),
    expected: isCount(expected),
    left: isCount(left),
    operation: typeof operation === "string" && /^[\w-]{1,64}$/.test(operation),
    skipped:
      Array.isArray(skipped) &&
      skipped.every(({ reason, n }) => isCount(n) && typeof reason === "string" && REASON.test(reason)),
  };
  const needed = NEEDS[code as string] ?? [];
  if (!needed.every((name) => checks[name])) return null;
  return { code, jobId: null, ...Object.fromEntries(needed.map((name) => [name, value[name]])) } as BulkNotice;
}

const NEEDS: Record<string, string[]> = {
  "bulk-done": ["action", "changed", "skipped"],
  "bulk-started": ["action", "expected", "operation"],
  "bulk-ended": ["action", "changed", "left", "operation"],
  "bulk-aborted": ["operation"],
  "bulk-over": ["operation"],
};
