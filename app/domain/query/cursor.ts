/**
 * A cut in the order of ids, or with `at` in the order of ends (ms) and then ids, and which way to walk from it.
 * `inclusive`: the job `id` itself is on the way.
 */
export type Cursor = { walk: Walk; id: string; inclusive: boolean; at?: number };
export type Walk = "older" | "newer";

const SHAPE = /^([<>])(=?)(?:(\d{1,15})~)?([\w-]{1,64})$/;

/** Opaque to callers, so that its form can change; it says nothing about filters, which may change between two pages. */
export const writeCursor = ({ walk, id, inclusive, at }: Cursor): string =>
  btoa(`${walk === "older" ? "<" : ">"}${inclusive ? "=" : ""}${at === undefined ? "" : `${at}~`}${id}`)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** Null for everything that `writeCursor` did not write. */
export function readCursor(text: string): Cursor | null {
  if (!/^[\w-]{1,100}$/.test(text)) return null;
  let plain: string;
  try {
    plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
  const match = SHAPE.exec(plain);
  if (!match) return null;
  const cursor: Cursor = {
    walk: match[1] === "<" ? "older" : "newer",
    id: match[4] as string,
    inclusive: match[2] === "=",
    ...(match[3] !== undefined && { at: Number(match[3]) }),
  };
  return writeCursor(cursor) === text ? cursor : null;
}

/** The same cut, walked the other way: together the two see every job exactly once. */
export const turnedRound = (cursor: Cursor): Cursor => ({
  ...cursor,
  walk: cursor.walk === "older" ? "newer" : "older",
  inclusive: !cursor.inclusive,
});

/** Whether a walk from the cut comes to this job. `at`: its end in ms, where the cut is in the order of ends. */
export function comesTo({ walk, id, inclusive, at }: Cursor, job: { id: string; at: number | null }): boolean {
  const way = walk === "older" ? 1 : -1;
  const byEnd = at === undefined ? 0 : at - (job.at ?? 0);
  if (byEnd !== 0) return way * byEnd > 0;
  return job.id === id ? inclusive : way * (id > job.id ? 1 : -1) > 0;
}
