import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";

/** The form that the boxes of the rows belong to, wherever they stand. */
export const BULK_FORM = "bulk";

/** What a person is about to do, before it is asked whether they mean it. */
export type Question = {
  action: BulkAction;
  /** How many jobs it touches, as far as is known. */
  n: number;
  /** Everything that matches this; null: named jobs. */
  filter: BulkFilter | null;
  /** Of a selection, those that this cannot be done with: they are left alone. */
  left: number;
  /** What they are: how many of each kind, most first. */
  parts: { label: string; n: number }[];
  /** Some of them by name. */
  names: string[];
  /** Why, to begin with. */
  reason: string;
};

/** What the server says to it. `recounted`: the number that was typed is not the one that matches now. */
export type Answer =
  | { kind: "done"; changed: number; skipped: { id: string; reason: string }[] }
  | { kind: "started"; operation: string; expected: number }
  | { kind: "recounted"; expected: number }
  | { kind: "refused"; message: string };

/** How many of each, most first. */
export function partsOf(kinds: Iterable<string>): Question["parts"] {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([label, n]) => ({ label, n })).sort((a, b) => b.n - a.n);
}
