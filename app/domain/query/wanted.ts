import type { Lane } from "../lanes";
import { isFinal, VIEW_NAMES, VIEWS, type View } from "../states";
import type { Cursor } from "./cursor";
import type { Field } from "./fields";
import type { JobFilter } from "./filter";
import { parseQuery, type Term } from "./parse";
import { parseRange, type Range, within } from "./times";

/** One of `in` (null: any), and none of `out`. */
export type Choice<T extends string = string> = { in: T[] | null; out: T[] };

/** What a filter asks for, wherever it was said: in the address's own parameters or in the box. */
export type Wanted = {
  /** Null: all of them. */
  views: View[] | null;
  kind: Choice;
  cause: Choice;
  key: Choice;
  group: Choice;
  schedule: Choice;
  operation: Choice;
  lane: Choice<Lane>;
  created: Range[];
  finished: Range[];
  text: string;
  sort: Sort;
};

/** By submission, or by end: then only jobs that have ended are shown. */
export type Sort = "created" | "finished";

export function wantedOf(filter: JobFilter): Wanted {
  const { terms, text } = parseQuery(filter.q ?? "");
  const finished = rangesOf(terms, "finished");
  const sort = finished.length > 0 ? "finished" : (filter.sort ?? "created");
  const cause = choiceOf(terms, "cause", filter.cause);
  return {
    views: viewsOf(filter, terms, sort, cause),
    kind: choiceOf(terms, "kind", filter.kind),
    cause,
    key: choiceOf(terms, "key"),
    group: choiceOf(terms, "group"),
    schedule: choiceOf(terms, "schedule"),
    operation: choiceOf(terms, "operation"),
    lane: choiceOf(terms, "priority") as Choice<Lane>,
    created: rangesOf(terms, "created"),
    finished,
    text,
    sort,
  };
}

/** A cause names why jobs are dead, and only what has ended has an end: each narrows the views. */
function viewsOf({ view, state }: JobFilter, terms: Term[], sort: Sort, cause: Choice): View[] | null {
  const said = choiceOf(terms, "state");
  const views = VIEW_NAMES.filter(
    (name) =>
      (view ?? name) === name &&
      (state ?? VIEWS[name].state) === VIEWS[name].state &&
      (said.in ?? [name]).includes(name) &&
      !said.out.includes(name) &&
      (sort === "created" || isFinal(VIEWS[name].state)) &&
      (cause.in === null || name === "dead"),
  );
  return views.length === VIEW_NAMES.length ? null : views;
}

/** Said twice in different places, both hold. */
function choiceOf(terms: Term[], field: Field, own?: string): Choice {
  const said = terms.filter((term) => term.field === field);
  const among = said.find((term) => !term.not)?.values;
  const out = said.find((term) => term.not)?.values ?? [];
  if (own === undefined) return { in: among ?? null, out };
  return { in: among && !among.includes(own) ? [] : [own], out };
}

const rangesOf = (terms: Term[], field: Field): Range[] =>
  within(terms.filter((term) => term.field === field).flatMap((term) => parseRange(term.values[0] ?? "") ?? []));

/** Whether the counts that are kept (by kind and view; of the dead by cause) say how many jobs these are. */
export const isCounted = (wanted: Wanted): boolean => {
  const { kind, cause, key, group, schedule, operation, lane, created, finished, text } = wanted;
  const rest = [key, group, schedule, operation, lane];
  if (created.length + finished.length > 0 || text !== "" || rest.some(isChosen) || cause.out.length > 0) return false;
  return cause.in === null || !isChosen(kind);
};

/** The operations that are asked for, where nothing but views is asked beside: each keeps count of its jobs. */
export function operationsAlone(wanted: Wanted): string[] | null {
  const { operation, kind, cause } = wanted;
  const others = { ...wanted, operation: { in: null, out: operation.out } };
  return isCounted(others) && !isChosen(kind) && !isChosen(cause) ? operation.in : null;
}

export const isChosen = (choice: Choice): boolean => choice.in !== null || choice.out.length > 0;

/** A cursor leads on only in the order in which its list was walked. */
export const fitsSort = (cursor: Cursor, sort: Sort): boolean => (cursor.at !== undefined) === (sort === "finished");
