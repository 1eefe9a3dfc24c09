import type { CauseAges } from "~/domain/dead/dead";

export type MergedCauses = {
  causes: CauseAges[];
  /** Of these, the ones that are on this page no more, with the numbers they had last. */
  left: ReadonlySet<string>;
  /** Causes that have come to this page, and wait to be shown. */
  fresh: number;
};

/**
 * The causes on screen with what the feed says of them. As in a list of jobs they keep their places, whichever has most by
 * now: a button must not slip away under a finger. `read` is what the loader read, `feed` the newest poll of the same page.
 */
export function mergeCauses(read: CauseAges[], feed: CauseAges[]): MergedCauses {
  // Where nothing is on screen, nothing can jump.
  if (read.length === 0) return { causes: feed, left: new Set(), fresh: 0 };
  const byCause = new Map(feed.map((one) => [one.cause, one]));
  const shown = new Set(read.map(({ cause }) => cause));
  return {
    causes: read.map((one) => byCause.get(one.cause) ?? one),
    left: new Set([...shown].filter((cause) => !byCause.has(cause))),
    fresh: feed.filter(({ cause }) => !shown.has(cause)).length,
  };
}
