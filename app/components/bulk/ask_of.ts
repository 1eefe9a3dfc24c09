import { BULK_ACTIONS, type BulkAction, fits, usualReason } from "~/domain/bulk/bulk";
import { count } from "~/domain/format";
import { BULK_IDS } from "~/domain/limits";
import { partsOf, type Question } from "./question";
import type { Picked, Selection } from "./selection";
import type { Group } from "./use_bulk";

export type Ask = { question: Question; groups: Group[] } | { why: string };

type Of = {
  selection: Selection;
  /** How many jobs match where all are meant, and of which kinds. */
  matching: number | null;
  parts: Question["parts"];
  who: string;
};

/** What an action on the selection comes to, or why it cannot be done. */
export function askOf(action: BulkAction, { selection: { picked, all }, matching, parts, who }: Of): Ask {
  const { unfit } = BULK_ACTIONS[action];
  const reason = usualReason(action, who);
  if (all) {
    if (!fits(action, all.filter.view)) return { why: unfit };
    if (!matching) return { why: "nothing matches" };
    return { question: { action, n: matching, filter: all.filter, left: 0, parts, names: [], reason }, groups: [] };
  }
  if (picked.size === 0) return { why: "select jobs first" };
  const fitting = [...picked].filter(([, job]) => fits(action, job.view));
  if (fitting.length === 0) return { why: unfit };
  if (fitting.length > BULK_IDS) return { why: `at most ${count(BULK_IDS)} jobs can be selected one by one` };
  const jobs = fitting.map(([, job]) => job);
  const question: Question = {
    action,
    n: fitting.length,
    filter: null,
    left: picked.size - fitting.length,
    parts: partsOf(jobs.map(({ kind }) => kind)),
    names: jobs.slice(0, 10).map(({ name }) => name),
    reason,
  };
  return { question, groups: groupsOf(fitting) };
}

function groupsOf(jobs: [string, Picked][]): Group[] {
  const groups = Map.groupBy(jobs, ([, { place }]) => JSON.stringify(place.filter));
  return [...groups.values()].map((of) => ({ from: of[0]?.[1].place.filter ?? null, ids: of.map(([id]) => id) }));
}
