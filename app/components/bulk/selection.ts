import { useSyncExternalStore } from "react";
import type { BulkFilter } from "~/domain/bulk/bulk";
import type { JobRow } from "~/domain/feeds";
import type { View } from "~/domain/states";

/** Where jobs are ticked: the address of the list, and its filter if it can be meant as a whole. */
export type Place = { list: string; filter: BulkFilter | null };
/** A job that is ticked: what is known of it, and where it was ticked. It must match that place's filter still. */
export type Picked = { view: View; kind: string; name: string; place: Place };
/** Everything that matches `filter`: as the list asks (`of`), or as that was counted, its times as moments. */
export type All = {
  of: BulkFilter;
  filter: BulkFilter;
  /** How many these were then; null: the page itself knows how many they are now. */
  counted: number | null;
};
export type Selection = {
  picked: ReadonlyMap<string, Picked>;
  /** This is meant, whatever is on screen. */
  all: All | null;
};

const NONE: Selection = { picked: new Map(), all: null };
const KEY = "selection";

/** One selection for all lists of this tab: it outlives pages, filters, visits of a job, and reloads. */
let selection: Selection = load();
const listeners = new Set<() => void>();

export const useSelection = (): Selection =>
  useSyncExternalStore(
    subscribe,
    () => selection,
    () => NONE,
  );

export function pick(rows: JobRow[], nameOf: (job: JobRow) => string, place: Place): void {
  const picked = new Map(selection.picked);
  for (const job of rows) picked.set(job.id, { view: job.view, kind: job.kind, name: nameOf(job), place });
  change({ picked, all: null });
}

export function unpick(ids: Iterable<string>): void {
  const picked = new Map(selection.picked);
  for (const id of ids) picked.delete(id);
  if (picked.size !== selection.picked.size || selection.all) change({ picked, all: null });
}

export const clearSelection = (): void => change(NONE);
export const pickAll = (all: All): void => change({ ...selection, all });

/** What is on screen says how ticked jobs stand by now. */
export function refreshPicked(rows: JobRow[]): void {
  const changed = rows.filter(({ id, view }) => (selection.picked.get(id)?.view ?? view) !== view);
  if (changed.length === 0) return;
  const picked = new Map(selection.picked);
  for (const { id, view } of changed) picked.set(id, { ...(picked.get(id) as Picked), view });
  change({ ...selection, picked });
}

function change(next: Selection): void {
  selection = next;
  try {
    if (next.picked.size === 0) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify([...next.picked]));
  } catch {
    // Full or forbidden: then a reload forgets it.
  }
  for (const listener of listeners) listener();
}

function load(): Selection {
  try {
    const kept = typeof sessionStorage === "undefined" ? null : sessionStorage.getItem(KEY);
    return kept ? { picked: new Map(JSON.parse(kept) as [string, Picked][]), all: null } : NONE;
  } catch {
    return NONE;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
