import type { JobList } from "~/domain/addresses";
import type { JobPage, JobRow } from "~/domain/feeds";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { wantedOf } from "~/domain/query/wanted";

export type ShownRow = {
  job: JobRow;
  /** It is in this list no more: its state has changed. Stays where it is until nobody points at it. */
  left: boolean;
  /** The same job as the page was read, whose row keeps its height. */
  read: JobRow;
};

export type Merged = {
  rows: ShownRow[];
  /** Jobs that belong before the first one on screen; where the oldest come first, after the last one. */
  fresh: number;
  /** There may be more newer ones than the feed holds. */
  freshOrMore: boolean;
  /** There are more newer jobs than a feed ever holds: the rows below them are as old as the page. */
  stale: boolean;
};

/**
 * What is on screen, patched with what the feed says. Rows keep their places: nothing moves under a pointer. `page` is
 * what the loader read, `feed` the newest poll of the same list, which may reach further down.
 */
export function mergeRows(page: JobPage, feed: JobPage, list: JobList = {}): Merged {
  const { order } = list;
  const { sort } = wantedOf(list);
  const byId = new Map(feed.jobs.map((job) => [job.id, job]));
  const way = order === "oldest" ? -1 : 1;
  /** Above 0 where `a` stands before `b` in this list. Times of one form sort as text. */
  const before = (a: JobRow, b: JobRow): number => {
    const [x, y] = sort === "finished" ? [endOf(a), endOf(b)] : [a.id, b.id];
    return way * (x > y ? 1 : x < y ? -1 : 0);
  };
  const first = page.jobs[0];
  const last = page.jobs.at(-1);
  const reach = feed.jobs.at(-1);
  // A feed that shows less than a page, and knows what comes after it, has come to the end of the page.
  const ended = feed.next === null || (order === "oldest" && feed.fresh > 0 && feed.jobs.length < PAGE_SIZE);
  // Rows beyond the last one of a feed that goes on are out of its sight, not out of the list.
  const inSight = (job: JobRow) => ended || (reach ? before(job, reach) >= 0 : feed.fresh === 0);
  const rows = page.jobs.map((job) => ({
    job: byId.get(job.id) ?? job,
    left: !byId.has(job.id) && inSight(job),
    read: job,
  }));
  const isFresh = (job: JobRow): boolean => {
    if (!first || !last) return false;
    return order === "oldest" ? page.next === null && before(last, job) > 0 : before(job, first) > 0;
  };
  const seen = feed.jobs.length + feed.fresh;
  const fresh = feed.jobs.filter(isFresh).length + feed.fresh;
  return {
    rows,
    fresh,
    freshOrMore: fresh > 0 && feed.next !== null && (fresh === seen || (order === "oldest" && seen >= PAGE_SIZE_MAX)),
    stale: seen >= PAGE_SIZE_MAX && page.jobs.some((job) => !inSight(job)),
  };
}

const endOf = (job: JobRow): string => `${job.finishedAt} ${job.id}`;
