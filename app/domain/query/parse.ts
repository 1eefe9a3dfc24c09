import { FIELD_NAMES, FIELDS, type Field, isTime, QUERY_CHARS, QUERY_TERMS, TERM_VALUES } from "./fields";
import { parseRange } from "./times";

/** Any of `values`; with `not` none of them. Of a time: within that one stretch. */
export type Term = { field: Field; not: boolean; values: string[] };
/** All terms hold, and `text` stands, letter for letter, in the label or in the cause. */
export type Query = { terms: Term[]; text: string };
export type Parsed = Query & {
  /** What was not understood and is left out, in words for whoever wrote it. */
  problems: string[];
};

/** `text:` says that what follows is no term, whatever it looks like. */
const START = new RegExp(`(?:(-?)(${FIELD_NAMES.join("|")})|(text)):`, "iy");
const VALUE = /"((?:[^"\\]|\\.)*)"|[^\s,"][^\s,]*/sy;

/** Reads what stands in the filter box. Whatever it holds, something comes out; what is wrong is said and left out. */
export function parseQuery(input: string): Parsed {
  if (input.length > QUERY_CHARS) {
    return {
      terms: [],
      text: "",
      problems: [`A filter has at most ${QUERY_CHARS} characters. This one was left out.`],
    };
  }
  const terms: Term[] = [];
  const texts: string[] = [];
  const problems: string[] = [];
  for (let at = 0; at < input.length; ) {
    const space = /\s+/y;
    space.lastIndex = at;
    if (space.test(input)) {
      at = space.lastIndex;
      continue;
    }
    START.lastIndex = at;
    const start = START.exec(input);
    if (!start) {
      const end = endOfText(input, at);
      texts.push(input.slice(at, end).trimEnd());
      at = end;
      continue;
    }
    const name = (start[2] ?? start[3] ?? "").toLowerCase();
    const { values, end, closed } = valuesFrom(input, START.lastIndex);
    at = end;
    if (!closed) problems.push(`The quote after ${name}: is not closed.`);
    else if (name === "text") texts.push(values.join(","));
    else keep(terms, { field: name as Field, not: start[1] === "-", values }, problems);
  }
  return { terms, text: texts.join(" ").trim(), problems };
}

/** Text goes on to the next term: what stands between its words is text as well. */
function endOfText(input: string, from: number): number {
  for (const word of input.slice(from).matchAll(/\S+/g)) {
    const at = from + word.index;
    START.lastIndex = at;
    if (at > from && START.test(input)) return at;
  }
  return input.length;
}

function valuesFrom(input: string, from: number): { values: string[]; end: number; closed: boolean } {
  const values: string[] = [];
  for (let at = from; ; at++) {
    if (input[at] === '"') {
      VALUE.lastIndex = at;
      if (!VALUE.test(input)) return { values, end: input.length, closed: false };
    }
    VALUE.lastIndex = at;
    const match = VALUE.exec(input);
    if (match) {
      values.push(match[1] === undefined ? match[0] : match[1].replace(/\\(.)/gs, "$1"));
      at = VALUE.lastIndex;
    }
    if (input[at] !== ",") return { values: values.filter((value) => value !== ""), end: at, closed: true };
  }
}

function keep(terms: Term[], term: Term, problems: string[]): void {
  const { field, not } = term;
  const values = isTime(field) ? timeOf(term, problems) : knownOf(term, problems);
  if (values.length === 0) return;
  const same = isTime(field) ? undefined : terms.find((one) => one.field === field && one.not === not);
  if (same) same.values = [...new Set([...same.values, ...values])];
  else if (terms.length < QUERY_TERMS) terms.push({ field, not, values: [...new Set(values)] });
  else problems.push(`At most ${QUERY_TERMS} filters at once: ${field}: was left out.`);
  if (same && same.values.length > TERM_VALUES) {
    same.values.length = TERM_VALUES;
    problems.push(tooMany(field));
  }
}

function timeOf({ field, not, values: [value = "", ...more] }: Term, problems: string[]): string[] {
  if (!not && more.length === 0 && parseRange(value)) return [value];
  problems.push(
    not
      ? `-${field}: cannot be turned round: say ${field}:<… or ${field}:>… instead.`
      : `${field}: takes a time, such as 1h, >2026-12-01, 2026-12-01..2026-12-03 or a time with its zone as in >2026-12-01T02:00Z: from the first moment up to, and without, the second.`,
  );
  return [];
}

function knownOf({ field, values }: Term, problems: string[]): string[] {
  const {
    values: all,
    chars,
    example,
  }: { values: readonly string[] | null; chars: number; example: string } = FIELDS[field];
  if (values.length === 0) problems.push(`${field}: needs a value, such as ${example}`);
  const fit = values.flatMap((value) => {
    const known = all ? all.find((one) => one === value.toLowerCase()) : value.length <= chars ? value : undefined;
    if (known === undefined) problems.push(unknown(field, value, all, chars));
    return known ?? [];
  });
  if (fit.length > TERM_VALUES) problems.push(tooMany(field));
  return fit.slice(0, TERM_VALUES);
}

const tooMany = (field: Field) => `${field}: takes at most ${TERM_VALUES} values. The rest was left out.`;

const unknown = (field: Field, value: string, all: readonly string[] | null, chars: number): string =>
  all
    ? `There is no ${field} “${value.slice(0, 40)}”: it is one of ${all.join(", ")}.`
    : `A value of ${field}: has at most ${chars} characters. One was left out.`;
