import type { JobPage } from "~/domain/feeds";
import { EXPORT_PAGE, EXPORT_PAGES, EXPORT_ROWS } from "~/domain/query/export";
import type { JobFilter } from "~/domain/query/filter";
import type { Store } from "../store";
import { listJobs } from "./list";

/** Statements of a page at most. */
const PAGE_STATEMENTS = 3;

/**
 * A list from `cursor` on, page after page, as long as somebody takes them and the invocation has statements left. The last
 * page's `next` tells whether that was all.
 */
export async function* exportJobs(
  store: Store,
  filter: JobFilter,
  statements: number,
): AsyncGenerator<JobPage, void, void> {
  let left = EXPORT_ROWS;
  let { cursor } = filter;
  for (let n = 0; n < EXPORT_PAGES; n++) {
    const page = await listJobs(store, { ...filter, cursor, limit: Math.min(EXPORT_PAGE, left) });
    yield page;
    left -= page.jobs.length;
    if (page.next === null || left <= 0 || store.used.statements + PAGE_STATEMENTS > statements) return;
    cursor = page.next;
  }
}
