import type { Stats } from "../feeds";
import { VIEW_NAMES, type View } from "../states";
import type { JobList } from "./list";
import { isChosen, isCounted, wantedOf } from "./wanted";

/** How many jobs of the list's kinds are in each view; null where its other filters are not counted. */
export function viewCounts(list: JobList, stats: Pick<Stats, "counts" | "kinds">): Record<View, number> | null {
  const { view: _, ...others } = list;
  const wanted = wantedOf(others);
  if (!isCounted(wanted) || isChosen(wanted.cause)) return null;
  const { kind } = wanted;
  if (!isChosen(kind)) return stats.counts;
  const shown = stats.kinds.filter((one) => (kind.in ?? [one.kind]).includes(one.kind) && !kind.out.includes(one.kind));
  return Object.fromEntries(
    VIEW_NAMES.map((name) => [name, shown.reduce((sum, one) => sum + one.counts[name], 0)]),
  ) as Record<View, number>;
}

/** How many jobs each kind has in the view that the list shows, most first; all views where it shows all. */
export function kindCounts(list: JobList, stats: Pick<Stats, "kinds">): { kind: string; n: number }[] {
  const views = list.view ? [list.view] : (wantedOf({ q: list.q }).views ?? VIEW_NAMES);
  return stats.kinds
    .map(({ kind, counts }) => ({ kind, n: views.reduce((sum, view) => sum + counts[view], 0) }))
    .sort((a, b) => b.n - a.n || (a.kind < b.kind ? -1 : 1));
}
