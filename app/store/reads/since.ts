import { PAGE_SIZE } from "~/domain/limits";
import { type Cursor, comesTo, turnedRound } from "~/domain/query/cursor";
import type { Rows } from "../store";

/** Rows in the order of their list, and the cuts that lead on from them. */
type Page = { rows: Rows; fresh: number; previous: Cursor | null; next: Cursor | null };

/**
 * What came beyond `since` is counted and left out, and so are rows after a full page: a poll of a list that changes fast
 * weighs no more than one of a list that stands still. The cuts lead to what was left out.
 */
export function apartAt(since: Cursor, { rows, previous, next }: Page, cutAt: (row: Rows[number]) => Cursor): Page {
  const isKnown = (row: Rows[number]) => comesTo(since, { id: row.id as string, at: row.finished_at as number | null });
  const known = rows.filter(isKnown);
  const fresh = rows.length - known.length;
  const shown = known.slice(0, PAGE_SIZE);
  const cut = known.length > PAGE_SIZE ? cutAt(shown.at(-1) as Rows[number]) : next;
  const beyond = fresh === 0 ? null : turnedRound(since);
  const atFront = rows[0] !== undefined && !isKnown(rows[0]);
  return atFront
    ? { rows: shown, fresh, previous: beyond, next: cut }
    : { rows: shown, fresh, previous, next: known.length > PAGE_SIZE ? cut : (beyond ?? next) };
}
