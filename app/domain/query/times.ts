import { instant, parseInstant } from "../time";

/** A moment: ms since 1970, or so many ms before the time at which it is asked. */
export type Moment = { at: number } | { ago: number };
/** From its first moment up to, and without, its last: the bounds of every stretch of time here. Null: open. */
export type Range = { from: Moment | null; to: Moment | null };

const SECOND = 1_000;
const DAY = 86_400_000;
const UNITS: Record<string, number> = {
  s: SECOND,
  m: 60 * SECOND,
  min: 60 * SECOND,
  h: 3_600 * SECOND,
  d: DAY,
  w: 7 * DAY,
};
const YEARS_10 = 3_653 * DAY;

/**
 * `>2026-12-01` from then on · `<2026-12-01` before · `A..B` from A up to B · `2026-12-01` that day · `1h` the last hour.
 * A day begins at midnight UTC, other times are RFC 3339 with their offset, and `1h` stands for an hour ago. Null: none of these.
 */
export function parseRange(text: string): Range | null {
  const compared = /^([<>])=?(.+)$/.exec(text);
  if (compared) {
    // The end is never part of it, so "up to and with" cannot be said.
    if (text.startsWith("<=")) return null;
    const moment = parseMoment(compared[2] as string);
    if (!moment) return null;
    return compared[1] === ">" ? { from: moment, to: null } : { from: null, to: moment };
  }
  const [first = "", last, more] = text.split("..");
  if (last !== undefined) {
    const from = first ? parseMoment(first) : null;
    const to = last ? parseMoment(last) : null;
    const open = !first && !last;
    return more !== undefined || open || (first && !from) || (last && !to) ? null : { from, to };
  }
  const moment = parseMoment(text);
  if (!moment) return null;
  if ("ago" in moment) return { from: moment, to: null };
  // A moment by itself is no stretch of time; a day is one.
  return isDay(text) ? { from: moment, to: { at: moment.at + DAY } } : null;
}

const countsBack = ({ from, to }: Range): boolean => [from, to].some((moment) => moment && "ago" in moment);

/** The range that `text` is at `now` (ms since 1970), by moments that stay where they are. */
export function frozenRange(text: string, now: number): string {
  const range = parseRange(text);
  if (!range || !countsBack(range)) return text;
  const at = (moment: Moment) => instant("at" in moment ? moment.at : now - moment.ago);
  const { from, to } = range;
  if (from && to) return `${at(from)}..${at(to)}`;
  return from ? `>${at(from)}` : `<${at(to as Moment)}`;
}

/** `after 2026-12-01 10:00:00 UTC`; what counts back from now stays as it was written. */
export function rangeText(text: string): string {
  const range = parseRange(text);
  if (!range || countsBack(range)) return text;
  const [from, to] = [range.from, range.to].map(
    (moment) => moment && "at" in moment && `${instant(moment.at).slice(0, 19).replace("T", " ")} UTC`,
  );
  if (from && to) return `from ${from} to ${to}`;
  return from ? `after ${from}` : to ? `before ${to}` : text;
}

/** What is in all of them, as two at most: bounds of one sort are compared here, only D1 knows how those of the other lie. */
export function within(ranges: Range[]): Range[] {
  const [from, to] = [ranges.map((range) => range.from), ranges.map((range) => range.to)];
  const bounds = [
    { from: last(numbers(from, "at")), to: first(numbers(to, "at")) },
    { from: first(numbers(from, "ago")), to: last(numbers(to, "ago")) },
  ];
  return bounds.flatMap(({ from, to }, i): Range[] => {
    const of = (n: number | null): Moment | null => (n === null ? null : i === 0 ? { at: n } : { ago: n });
    return from === null && to === null ? [] : [{ from: of(from), to: of(to) }];
  });
}

const numbers = (moments: (Moment | null)[], sort: "at" | "ago"): number[] =>
  moments.flatMap((moment) => (moment as Record<string, number> | null)?.[sort] ?? []);
const last = (ns: number[]): number | null => (ns.length > 0 ? Math.max(...ns) : null);
const first = (ns: number[]): number | null => (ns.length > 0 ? Math.min(...ns) : null);

function parseMoment(text: string): Moment | null {
  const span = /^(\d{1,7})(s|m|min|h|d|w)$/.exec(text);
  if (span) {
    const ago = Number(span[1]) * (UNITS[span[2] as string] as number);
    return ago > 0 && ago <= YEARS_10 ? { ago } : null;
  }
  const at = parseInstant(isDay(text) ? `${text}T00:00:00Z` : withSeconds(text));
  return at === null ? null : { at };
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** `2026-12-01T10:00Z`, as people write it. */
const withSeconds = (text: string): string => text.replace(/^(\S+[Tt]\d\d:\d\d)([Zz]|[+-]\d\d:\d\d)$/, "$1:00$2");
