import { count } from "../format";
import { writeTerm } from "../query/write";
import type { Tone, View } from "../states";
import { BULK_ACTIONS, type BulkFilter, filterText } from "./bulk";
import { type OperationRow, type OperationState, RUNNING_TOLD } from "./feeds";

type Meant = Pick<OperationRow, "view" | "kind" | "cause" | "q">;

export const filterOf = ({ view, kind, cause, q }: Meant): BulkFilter => ({
  view,
  ...(kind !== null && { kind }),
  ...(cause !== null && { cause }),
  ...(q !== null && { q }),
});

/** `Requeue dead jobs of the kind demo` */
export const operationTitle = (operation: Meant & Pick<OperationRow, "action">): string =>
  `${BULK_ACTIONS[operation.action].label} ${filterText(filterOf(operation))}`;

/** `4,000 of 24,000`, and how many of these it skipped. */
export const progressText = ({
  changed,
  skipped,
  expected,
}: Pick<OperationRow, "changed" | "skipped" | "expected">): string =>
  `${count(changed)} of ${count(expected)}${skipped > 0 ? `, ${count(skipped)} skipped` : ""}`;

/** How many operations run, for the menu: of more than are told, `20+`. */
export const runningText = (n: number): string => `${n}${n === RUNNING_TOLD ? "+" : ""}`;

/** `Requeue dead jobs of the kind demo has stopped at 40 of 900: its job died: worker lost 3 times.` */
export const stoppedText = (operation: OperationRow): string => {
  const { changed, skipped, expected, why } = operation;
  return `${operationTitle(operation)} has stopped at ${count(changed + skipped)} of ${count(expected)}: ${why}.`;
};

/** Of the jobs that an operation has changed, and no later one has since, those of a view. */
export const filterOfBecame = (id: string, view: View): BulkFilter => ({
  view,
  q: writeTerm({ field: "operation", not: false, values: [id] }),
});

type Became = Pick<OperationRow, "action" | "changed" | "became">;

/** `3,000 of 3,412 done, 212 died again, 200 wait or run`; null where no job is left to say it of. */
export function becameText({ action, changed, became }: Became): string | null {
  if (action === "delete" || changed === 0) return null;
  const { done, dead, cancelled, scheduled, pending, retrying, processing } = became;
  const meant: View = action === "requeue" ? "done" : "cancelled";
  const rest = [
    { is: "done" as View, n: done, words: "done" },
    { is: "dead" as View, n: dead, words: action === "requeue" ? "died again" : "dead" },
    { is: "cancelled" as View, n: cancelled, words: "cancelled" },
    { is: null, n: scheduled + pending + retrying + processing, words: "wait or run" },
  ].filter(({ is, n }) => is !== meant && n > 0);
  const gone = goneOf({ changed, became });
  const first = `${count(became[meant])} of ${count(changed)} ${meant}`;
  return [
    first,
    ...rest.map(({ n, words }) => `${count(n)} ${words}`),
    ...(gone > 0 ? [`${count(gone)} changed since, or removed`] : []),
  ].join(", ");
}

/** Jobs that it changed and that a later one has changed since, or that are stored no more. */
export const goneOf = ({ changed, became }: Pick<Became, "changed" | "became">): number =>
  Math.max(0, changed - Object.values(became).reduce((sum, n) => sum + n, 0));

export const STANDINGS = {
  running: { label: "Running", tone: "progress" },
  done: { label: "Done", tone: "success" },
  aborted: { label: "Aborted", tone: "warning" },
  stopped: { label: "Stopped", tone: "danger" },
} as const satisfies Record<OperationState, { label: string; tone: Tone }>;

/** Jobs a minute since it began, or over its whole run; null while it is too early to tell. */
export function ratePerMinute(operation: OperationRow, nowMs: number): number | null {
  const { changed, skipped, createdAt, endedAt, pace } = operation;
  const ms = (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(createdAt);
  if (ms < 1_000) return null;
  // A turn's jobs are done at its beginning: over a whole turn it is no faster than its pace.
  return Math.min(Math.round(((changed + skipped) * 60_000) / ms), pace ?? Number.POSITIVE_INFINITY);
}
