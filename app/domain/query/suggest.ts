import { FIELD_NAMES, FIELDS, type Field } from "./fields";
import { writeTerm } from "./write";

/** `insert` takes the place of the last word; `whole`: it is complete, and can be applied at once. */
export type Suggestion = { insert: string; means: string; whole: boolean };
/** Values that somebody has looked up, most likely first. */
export type Known = Partial<Record<Field, { value: string; means: string }[]>>;

const SHOWN = 12;
const SPANS: Record<string, string> = { "15m": "15 minutes", "1h": "hour", "24h": "24 hours", "7d": "7 days" };

/** What could be meant by the word that is being typed: first the names of fields, then the values of one. */
export function suggest(input: string, known: Known): Suggestion[] {
  const word = lastWord(input);
  const [, minus = "", name = "", value = ""] = /^(-?)(\w+):(.*)$/.exec(word) ?? [];
  const field = FIELD_NAMES.find((one) => one === name.toLowerCase());
  if (!field) {
    const [, sign = "", start = ""] = /^(-?)(\w*)$/.exec(word) ?? [null, "", "?"];
    return FIELD_NAMES.filter((one) => one.startsWith(start.toLowerCase())).map((one) => ({
      insert: `${sign}${one}:`,
      means: FIELDS[one].means,
      whole: false,
    }));
  }
  const typed = value.replace(/^.*,/, "").replaceAll('"', "");
  const before = /^.*,/.exec(value)?.[0] ?? "";
  const fit = valuesOf(field, known).filter(
    (one) => one.value.toLowerCase().includes(typed.toLowerCase()) && one.value !== typed,
  );
  return fit
    .sort((a, b) => Number(begins(b.value, typed)) - Number(begins(a.value, typed)))
    .slice(0, SHOWN)
    .map((one) => ({
      insert: `${minus}${field}:${before}${written(field, one.value)}`,
      means: one.means,
      whole: true,
    }));
}

const begins = (value: string, typed: string) => value.toLowerCase().startsWith(typed.toLowerCase());

/** Everything after the last space that stands in no quotes. */
export function lastWord(input: string): string {
  return /(?:"(?:[^"\\]|\\.)*"?|[^\s"])*$/.exec(input)?.[0] ?? "";
}

function valuesOf(field: Field, known: Known): { value: string; means: string }[] {
  if (field === "created" || field === "finished") {
    return Object.entries(SPANS).map(([value, span]) => ({ value, means: `in the last ${span}` }));
  }
  return known[field] ?? (FIELDS[field].values ?? []).map((value) => ({ value, means: "" }));
}

const written = (field: Field, value: string): string =>
  writeTerm({ field, not: false, values: [value] }).slice(field.length + 1);
