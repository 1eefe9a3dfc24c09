import { VIEW_NAMES, type View } from "../states";
import { columnsOf, columnsText } from "./columns";
import { readCursor } from "./cursor";
import { FIELDS, type Field } from "./fields";
import { parseQuery, type Query, type Term } from "./parse";
import { fitsSort, wantedOf } from "./wanted";
import { writeQuery } from "./write";

/** What the list of jobs shows, as its address says, but for what goes without saying. No view: all of them. */
export type JobList = {
  view?: View;
  kind?: string;
  cause?: string;
  /** The rest of what stands in the filter box. */
  q?: string;
  sort?: "finished";
  order?: "oldest";
  columns?: string;
  cursor?: string;
};

/** One state, one kind and one cause have a parameter of their own: links and tabs speak of them. */
const OWN = { state: "view", kind: "kind", cause: "cause" } as const;

/**
 * Reads the address of a list. What it does not know it leaves out, and says so: an old or mistyped link still shows a
 * list. A form without a script sends what was typed as a further `q`.
 */
export function readJobList(params: URLSearchParams): { list: JobList; problems: string[] } {
  const { terms, text, problems } = parseQuery(params.getAll("q").join(" "));
  const own: Term[] = [];
  for (const [field, name] of Object.entries(OWN) as [Field, string][]) {
    const value = params.get(name);
    if (!value) continue;
    if (field === "state" && !VIEW_NAMES.includes(value as View)) continue;
    if (value.length <= FIELDS[field].chars) own.push({ field, not: false, values: [value] });
  }
  const list = listOf({ terms: withOwn(own, terms), text });
  const columns = columnsOf(params.get("columns"));
  const cursor = params.get("cursor");
  if (params.get("sort") === "finished") list.sort = "finished";
  if (params.get("order") === "oldest") list.order = "oldest";
  if (columns) list.columns = columnsText(columns);
  const from = cursor ? readCursor(cursor) : null;
  if (from && fitsSort(from, wantedOf(list).sort)) list.cursor = cursor as string;
  return { list, problems };
}

/** What was typed last of a state, a kind or a cause takes the place of what the address said of it. */
const withOwn = (own: Term[], terms: Term[]): Term[] => [
  ...own.filter(({ field }) => !terms.some((term) => term.field === field && !term.not)),
  ...terms,
];

/** The list of everything that stands in the box. */
export function listOf({ terms, text }: Query): JobList {
  const list: JobList = {};
  const rest = terms.filter((term) => {
    const name = OWN[term.field as keyof typeof OWN];
    const [value, ...more] = term.values;
    if (!name || term.not || value === undefined || more.length > 0) return true;
    Object.assign(list, { [name]: value });
    return false;
  });
  // A cause is why jobs are dead: of another view it would show nothing.
  if (list.cause !== undefined) {
    if ((list.view ?? "dead") !== "dead") delete list.cause;
    else list.view = "dead";
  }
  const q = writeQuery({ terms: rest, text });
  if (q) list.q = q;
  return list;
}

/** The other way round: everything that a list filters by, as it stands in the box. */
export function queryOf({ view, kind, cause, q }: JobList): Query {
  const { terms, text } = parseQuery(q ?? "");
  const own = Object.entries({ state: view, kind, cause }).flatMap(([field, value]) =>
    value === undefined ? [] : [{ field: field as Field, not: false, values: [value as string] }],
  );
  return { terms: [...own, ...terms], text };
}

/** Of a list with another filter: how it looks stays, where it was does not. */
export const refiltered = (list: JobList, query: Query): JobList => {
  const { sort, order, columns } = list;
  const next = listOf(query);
  return { ...next, ...(sort && { sort }), ...(order && { order }), ...(columns && { columns }) };
};
