import type { JobPage } from "../feeds";
import { readCursor } from "../query/cursor";

/** Whether a job would stand on this page, were it still in the page's list: between its two cuts. */
const covers = (page: JobPage, id: string): boolean => !beyond(page.previous, id) && !beyond(page.next, id);

function beyond(cut: string | null, id: string): boolean {
  const cursor = cut === null ? null : readCursor(cut);
  if (!cursor) return false;
  // In the order of ends an id does not say where its job stands.
  if (cursor.at !== undefined) return true;
  if (id === cursor.id) return cursor.inclusive;
  return cursor.walk === "older" ? id < cursor.id : id > cursor.id;
}

/** Of jobs that were chosen in this list, those that have left it: the page that would show them does not. */
export function leftOf(page: JobPage, chosen: Iterable<string>): string[] {
  const there = new Set(page.jobs.map(({ id }) => id));
  return [...chosen].filter((id) => !there.has(id) && covers(page, id));
}

/** From one row to another, both included, in the order in which they stand. */
export function rangeOf(ids: string[], from: string | null, to: string): string[] {
  const [a, b] = [from === null ? -1 : ids.indexOf(from), ids.indexOf(to)];
  return a < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}
