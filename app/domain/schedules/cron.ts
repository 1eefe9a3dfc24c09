import { Cron } from "croner";

/** The values that a field allows, in order. `any`: it is `*` and restricts nothing. */
export type CronField = { text: string; any: boolean; values: number[] };
export type CronFields = { minute: CronField; hour: CronField; day: CronField; month: CronField; weekday: CronField };

/** No field needs more: a list of all 60 minutes has 169 characters. */
const CRON_CHARS = 300;

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const FIELDS = [
  { key: "minute", name: "minute", low: 0, high: 59, names: [] as string[] },
  { key: "hour", name: "hour", low: 0, high: 23, names: [] as string[] },
  { key: "day", name: "day of the month", low: 1, high: 31, names: [] as string[] },
  { key: "month", name: "month", low: 1, high: 12, names: MONTHS },
  { key: "weekday", name: "day of the week", low: 0, high: 7, names: WEEKDAYS },
] as const;
type Field = (typeof FIELDS)[number];

/** The five fields of an expression, or what is wrong with it and what would be right. */
export function parseCron(text: string): CronFields | string {
  if (text.length > CRON_CHARS) return `the expression has ${text.length} characters: at most ${CRON_CHARS} are taken`;
  const parts = text.trim().split(/\s+/).filter(Boolean);
  if (parts.length !== FIELDS.length) {
    const has = parts.length === 0 ? "is empty" : `has ${parts.length} field${parts.length === 1 ? "" : "s"}`;
    return `the expression "${text}" ${has}: five are needed (minute, hour, day of the month, month, day of the week), as in 30 2 * * *`;
  }
  const fields: Partial<CronFields> = {};
  for (const [index, field] of FIELDS.entries()) {
    const read = parseField(parts[index] as string, field);
    if (typeof read === "string") return read;
    fields[field.key] = read;
  }
  return fields as CronFields;
}

/** The library that finds the slots, on an expression that `parseCron` has taken. */
export function cronOf(expression: string, zone: string): Cron {
  const key = `${zone} ${expression}`;
  const known = crons.get(key);
  if (known) return known;
  if (crons.size > 500) crons.clear();
  const cron = new Cron(expression, { mode: "5-part", timezone: zone, fixedTimeRule: "no-wildcard", paused: true });
  crons.set(key, cron);
  return cron;
}
const crons = new Map<string, Cron>();

function parseField(text: string, field: Field): CronField | string {
  if (text === "*") return { text, any: true, values: span(field.low, field.high, 1, field) };
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const read = parsePart(part, field);
    if (typeof read === "string") return read;
    for (const value of read) values.add(value);
  }
  return { text, any: false, values: [...values].sort((a, b) => a - b) };
}

function parsePart(part: string, field: Field): number[] | string {
  const { name, low, high } = field;
  const wrong = (why: string) => `"${part}" is no ${name}: ${why}`;
  const [range = "", step, ...rest] = part.split("/");
  const right = `${low} to ${high}${field.names.length > 0 ? ` or ${field.names[0]} to ${field.names.at(-1)}` : ""}, as in *, */2, ${low + 1}-${low + 3} or ${low + 1},${low + 3}`;
  if (rest.length > 0 || (step !== undefined && !/^\d{1,2}$/.test(step))) return wrong(right);
  const every = step === undefined ? 1 : Number(step);
  if (every < 1 || every > high - low + 1) return wrong(`a step is 1 to ${high - low + 1}`);
  if (range === "*") return step === undefined ? wrong("* stands alone") : span(low, high, every, field);

  const [first = "", last, ...more] = range.split("-");
  const from = numberOf(first, field);
  const to = last === undefined ? from : numberOf(last, field, true);
  if (more.length > 0 || from === null || to === null) return wrong(right);
  if (step !== undefined && last === undefined) return wrong(`write ${range}-${high}/${step}`);
  if (from > to) return wrong(`${first} comes after ${last}: write ${first}-${high},${low}-${last}`);
  return span(from, to, every, field);
}

/** SUN at the end of a range is the seventh day, not the first. */
function numberOf(text: string, { names, low, high }: Field, ends = false): number | null {
  const named = (names as readonly string[]).indexOf(text.toUpperCase());
  if (named >= 0) return low + named === 0 && ends ? 7 : low + named;
  if (!/^\d{1,2}$/.test(text)) return null;
  const value = Number(text);
  return value >= low && value <= high ? value : null;
}

/** 0 and 7 are both Sunday. */
function span(from: number, to: number, step: number, { key }: Field): number[] {
  const values = Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
  return key === "weekday" ? [...new Set(values.map((value) => value % 7))].sort() : values;
}
