import { count } from "../format";
import { isTime, shownValues } from "../query/fields";
import type { JobList } from "../query/list";
import { parseQuery } from "../query/parse";
import { frozenRange, rangeText } from "../query/times";
import { writeQuery } from "../query/write";
import { canCancel, canRequeue, isFinal, type State, VIEWS, type View } from "../states";

/** The kind of the jobs that work operations off: never held, and nothing that a person submits. */
export const BULK_KIND = "bulk";

/** What can be done with many jobs at once. `fits`: a job in this state can be; `unfit`: what to say of one that cannot. */
export const BULK_ACTIONS = {
  requeue: {
    label: "Requeue",
    doing: "Requeueing",
    done: "requeued",
    fits: canRequeue,
    unfit: "only dead and cancelled jobs are requeued",
  },
  cancel: {
    label: "Cancel",
    doing: "Cancelling",
    done: "cancelled",
    fits: canCancel,
    unfit: "only jobs that have not ended are cancelled",
  },
  delete: {
    label: "Delete",
    doing: "Deleting",
    done: "deleted",
    fits: isFinal,
    unfit: "only jobs that have ended are deleted",
  },
} as const satisfies Record<
  string,
  { label: string; doing: string; done: string; fits: (state: State) => boolean; unfit: string }
>;

export type BulkAction = keyof typeof BULK_ACTIONS;

/** The reason that stands in a dialog before anybody writes another. */
export function usualReason(action: BulkAction, who: string): string {
  const { done } = BULK_ACTIONS[action];
  return `${done[0]?.toUpperCase()}${done.slice(1)} by ${who}`;
}

export const BULK_ACTION_NAMES = Object.keys(BULK_ACTIONS) as BulkAction[];

/** What is meant as a whole: jobs of one view, and what else stands in the filter box (`q`). */
export type BulkFilter = { view: View; kind?: string; cause?: string; q?: string };

/** Whether the numbers that every write keeps count it: a view, of one kind or all, or a cause. Others are looked at, job by job. */
export const isKept = ({ kind, cause, q }: BulkFilter): boolean =>
  q === undefined && (kind === undefined || cause === undefined);

/** The same, asked once and for all: its `1h` is counted back from `now` (ms since 1970), and stays where it was. */
export function frozenAt(filter: BulkFilter, now: number): BulkFilter {
  if (filter.q === undefined) return filter;
  const { terms, text } = parseQuery(filter.q);
  const frozen = terms.map((term) =>
    isTime(term.field) ? { ...term, values: term.values.map((value) => frozenRange(value, now)) } : term,
  );
  return { ...filter, q: writeQuery({ terms: frozen, text }) };
}

/** Whether all of it can be read. What of a filter is left out widens it, and an action would reach jobs that nobody meant. */
export const isUnderstood = ({ q }: BulkFilter): boolean => parseQuery(q ?? "").problems.length === 0;

/** Whether jobs of operations died of it: those are meant by their kind alone, and not by a cause. */
export const killsOperations = (cause: string): boolean => cause.startsWith(`${BULK_KIND}: `);

export const fits = (action: BulkAction, view: View): boolean => BULK_ACTIONS[action].fits(VIEWS[view].state);

/** `dead jobs of the kind demo, priority high` */
export function filterText({ view, kind, cause, q }: BulkFilter): string {
  const { terms, text } = parseQuery(q ?? "");
  const own = [kind !== undefined && `the kind ${kind}`, cause !== undefined && `the cause “${cause}”`].filter(Boolean);
  const rest = terms.map(({ field, not, values }) => {
    const said = isTime(field) ? values.map(rangeText).join(", ") : shownValues(field, values).join(" or ");
    return `${not ? "not " : ""}${field} ${said}`;
  });
  const jobs = `${VIEWS[view].label.toLowerCase()} jobs${own.length > 0 ? ` of ${own.join(" and ")}` : ""}`;
  return [jobs, ...rest, text && `label or cause holds “${text}”`].filter(Boolean).join(", ");
}

/** What a list shows, if it can be meant as a whole; or why it cannot. `problems`: what of its filter was left out. */
export function bulkFilterOf(
  { view, kind, cause, q, sort }: JobList,
  problems: readonly string[] = [],
): { filter: BulkFilter } | { why: string } {
  // Without that part it shows more than somebody asked for.
  if (problems.length > 0) return { why: "part of the filter was not understood" };
  if (!view) return { why: "choose one state first: each can do something else" };
  if (sort === "finished" && !isFinal(VIEWS[view].state))
    return { why: "sorted by end, jobs that wait or run are not shown" };
  return { filter: { view, ...(kind && { kind }), ...(cause && { cause }), ...(q && { q }) } };
}

/** How much a person is asked before it is done. `typed`: it cannot be taken back. */
export type Confirm = "none" | "plain" | "counted" | "typed";
const PLAIN_UP_TO = 50;

export function confirmFor(action: BulkAction, n: number): Confirm {
  if (action === "delete") return "typed";
  if (n === 1) return "none";
  return n <= PLAIN_UP_TO ? "plain" : "counted";
}

/** `95 requeued, 2 skipped: is pending now`; where there are several reasons, each with its number. */
export function doneText(
  action: BulkAction,
  changed: number,
  skipped: readonly { reason: string; n: number }[],
): string {
  const done = `${count(changed)} ${BULK_ACTIONS[action].done}`;
  const n = skipped.reduce((sum, one) => sum + one.n, 0);
  if (n === 0) return done;
  const reasons = skipped.map(({ reason, n }) => (skipped.length > 1 ? `${reason} (${count(n)})` : reason));
  return `${done}, ${count(n)} skipped: ${reasons.join(", ")}`;
}

/** Skipped jobs by their reason, most first. */
export function reasonsOf(skipped: { reason: string }[]): { reason: string; n: number }[] {
  const groups = Map.groupBy(skipped, ({ reason }) => reason);
  return [...groups].map(([reason, { length }]) => ({ reason, n: length })).sort((a, b) => b.n - a.n);
}
