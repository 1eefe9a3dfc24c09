import { useEffect, useRef } from "react";
import type { Choosing } from "~/components/bulk/row_box";
import { clearSelection, type Place, pick, refreshPicked, type Selection, unpick } from "~/components/bulk/selection";
import { nameOf } from "~/components/jobs/jobs_table";
import { leftOf, rangeOf } from "~/domain/bulk/selection";
import type { JobPage, JobRow } from "~/domain/feeds";

type Props = {
  /** Rows on screen, in their order. */
  rows: JobRow[];
  /** The newest that is known of this list. */
  page: JobPage;
  place: Place;
  selection: Selection;
  sending: { all: boolean; ids: ReadonlySet<string> } | null;
};

/** Jobs chosen in a list. What leaves the list by itself loses its tick; what another filter hides keeps it. */
export function useChoosing({ rows, page, place, selection, sending }: Props): Choosing {
  const anchor = useRef<string | null>(null);
  const { list } = place;
  const filter = JSON.stringify(place.filter);
  const { picked, all } = selection;

  useEffect(() => {
    const ofThis = [...picked].filter(([, job]) => job.place.list === list).map(([id]) => id);
    const left = leftOf(page, ofThis);
    if (left.length > 0) unpick(left);
    refreshPicked(page.jobs);
  }, [page, picked, list]);

  // "All that match" speaks of one filter: with another it is over.
  useEffect(() => {
    if (all && JSON.stringify(all.of) !== filter) clearSelection();
  }, [all, filter]);

  return {
    isPicked: (id) => all !== null || picked.has(id),
    isSending: (id) => sending !== null && (sending.all || sending.ids.has(id)),
    onPick(id, on, range) {
      const ids = rows.map((job) => job.id);
      const meant = new Set(range ? rangeOf(ids, anchor.current, id) : [id]);
      anchor.current = id;
      // Out of all that match one takes one: what is left is this page without it.
      if (all) pick(rows, nameOf, place);
      if (on) {
        pick(
          rows.filter((job) => meant.has(job.id)),
          nameOf,
          place,
        );
      } else unpick(meant);
    },
  };
}
