import type { JobPage, JobRow } from "~/domain/feeds";

export type ShownRow = {
  job: JobRow;
  /** It is in this list no more: its state has changed. Stays where it is until nobody points at it. */
  left: boolean;
};

export type Merged = {
  rows: ShownRow[];
  /** Newer jobs than the first one on screen. */
  fresh: number;
  /** There may be more newer ones than the feed holds. */
  freshOrMore: boolean;
  /** Rows below this many newer jobs are beyond what the feed holds: they are as old as the page. */
  stale: boolean;
};

/**
 * What is on screen, patched with what the feed says. Rows keep their places: nothing moves under a pointer. `page` is
 * what the loader read, `feed` the newest poll of the same list, which may reach further down.
 */
export function mergeRows(page: JobPage, feed: JobPage): Merged {
  const byId = new Map(feed.jobs.map((job) => [job.id, job]));
  const first = page.jobs[0]?.id;
  const reach = feed.jobs.at(-1)?.id;
  // Rows older than the last one of a feed that goes on are out of its sight, not out of the list.
  const inSight = (id: string) => feed.next === null || reach === undefined || id >= reach;
  const rows = page.jobs.map((job) => ({ job: byId.get(job.id) ?? job, left: !byId.has(job.id) && inSight(job.id) }));
  const fresh = first === undefined ? 0 : feed.jobs.filter((job) => job.id > first).length;
  return {
    rows,
    fresh,
    freshOrMore: fresh > 0 && fresh === feed.jobs.length && feed.next !== null,
    stale: page.jobs.some((job) => !inSight(job.id)),
  };
}
