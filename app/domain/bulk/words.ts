import { count } from "../format";
import type { Tone } from "../states";
import { BULK_ACTIONS, type BulkFilter, filterText } from "./bulk";
import type { OperationRow, OperationState } from "./feeds";

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

/** `Requeue dead jobs of the kind demo has stopped at 40 of 900: its job died: worker lost 3 times.` */
export const stoppedText = (operation: OperationRow): string => {
  const { changed, skipped, expected, why } = operation;
  return `${operationTitle(operation)} has stopped at ${count(changed + skipped)} of ${count(expected)}: ${why}.`;
};

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
