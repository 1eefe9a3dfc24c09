/**
 * How time zones turn their clocks, from the runtime's own tables: the sweep and the editor read the same ones. Offsets
 * are wall time minus UTC, in ms.
 */
const MINUTE = 60_000;
/** No zone turns its clocks twice within one. */
const STEP = 7 * 24 * 60 * MINUTE;

export type ClockChange = { at: number; before: number; after: number };

/** What is wrong with the name of a zone, and what would be right; null: nothing. */
export function zoneProblem(zone: string): string | null {
  const right = "a name of the IANA time zone database, as in Europe/Berlin or UTC";
  if (zone === "") return `the time zone "" is empty: give ${right}`;
  if (zone.length <= 100 && isZone(zone)) return null;
  if (/^(utc|gmt)?[+-]\d/i.test(zone)) {
    return `"${zone.slice(0, 100)}" is no time zone but an offset: give ${right}; a fixed offset has a name such as Etc/GMT-3 (three hours ahead of UTC)`;
  }
  const near = nearestZone(zone);
  return `"${zone.slice(0, 100)}" is no time zone${near ? `: did you mean ${near}?` : `: give ${right}`}`;
}

/** Offsets such as +03:00 are no zones: they do not say when clocks are turned. */
export const isZone = (zone: string): boolean => /^[A-Za-z]/.test(zone) && formatOf(zone) !== null;

export const zoneNames = (): string[] => [
  "UTC",
  ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC"),
];

export function offsetAt(zone: string, ms: number): number {
  // A chart of thirty days asks a hundred times.
  if (zone === "UTC") return 0;
  const format = formatOf(zone);
  if (!format) throw new RangeError(zoneProblem(zone) ?? zone);
  const parts: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

/** The moments after `from` and up to `to` at which the zone's clocks are turned, in order. */
export function clockChanges(zone: string, from: number, to: number): ClockChange[] {
  const found: ClockChange[] = [];
  let before = offsetAt(zone, from);
  for (let low = from; low < to; low += STEP) {
    const high = Math.min(low + STEP, to);
    const after = offsetAt(zone, high);
    if (after !== before) found.push({ at: turnBetween(zone, low, high, before), before, after });
    before = after;
  }
  return found;
}

function turnBetween(zone: string, from: number, to: number, before: number): number {
  let low = Math.floor(from / MINUTE);
  let high = Math.ceil(to / MINUTE);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * MINUTE) === before) low = middle;
    else high = middle;
  }
  return high * MINUTE;
}

const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  if (formats.size > 500) formats.clear();
  const made = makeFormat(zone);
  formats.set(zone, made);
  return made;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | null {
  const numeric = "numeric";
  const fields = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", ...fields });
  } catch {
    return null;
  }
}

/** The zone that a mistyped name most likely means: letters changed in places, or one too many or too few. */
function nearestZone(typed: string): string | null {
  const wanted = sorted(typed);
  const near = (name: string) => Math.abs(name.length - typed.length) <= 1 && distance(sorted(name), wanted) <= 1;
  return zoneNames().find(near) ?? null;
}

const sorted = (text: string): string => [...text.toLowerCase().slice(0, 50)].sort().join("");

/** How many letters of one have no partner in the other, of the text that has more of them. */
function distance(a: string, b: string): number {
  let rest = b;
  let alone = 0;
  for (const letter of a) {
    if (rest.includes(letter)) rest = rest.replace(letter, "");
    else alone++;
  }
  return Math.max(alone, rest.length);
}
