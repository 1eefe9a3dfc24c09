/** Columns of a list of jobs that can be left out or added. The job's name always stands there. */
export const COLUMNS = {
  state: "State",
  kind: "Kind",
  tries: "Tries",
  when: "When",
  submitted: "Submitted",
  ended: "Ended",
  ran: "Ran",
  priority: "Priority",
  id: "Id",
} as const;

export type Column = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as Column[];
export const DEFAULT_COLUMNS: Column[] = ["state", "kind", "tries", "when"];

/** Null: as they go without saying. Names that are none are left out; `none` leaves all out. */
export function columnsOf(text: string | null): Column[] | null {
  if (text === null) return null;
  const named = COLUMN_NAMES.filter((name) => text.split(",").includes(name));
  if (named.length === 0 && text !== "none") return null;
  return named.join() === DEFAULT_COLUMNS.join() ? null : named;
}

export const columnsText = (columns: Column[]): string => columns.join() || "none";
