import { prettyJson } from "../job/pretty";
import { itemsOf, membersOf } from "../json";
import { faultOf } from "../json_fault";
import type { Problem } from "../submission";
import type { Spec } from "./spec";

/**
 * A payload as the fields of a form hold it: texts by name, where the name is the path. `<path>.#` is how many items a list or
 * a map has; a map's are `<path>.<n>.name` and `.value`.
 */
export type Draft = Record<string, string>;

/** The fields' texts for a payload; null where it holds what the form has no field for. Numbers keep their very digits. */
export function draftOf(spec: Spec, text: string): Draft | null {
  const draft: Draft = {};
  try {
    return put(spec, "", text.trim(), draft) ? draft : null;
  } catch {
    return null;
  }
}

function put(spec: Spec, at: string, text: string, draft: Draft): boolean {
  const value: unknown = JSON.parse(text);
  const kind = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  switch (spec.draws) {
    case "object": {
      if (kind !== "object") return false;
      const fields = new Map(spec.fields);
      return membersOf(text).every(([name, part]) => {
        const field = fields.get(name);
        return field !== undefined && put(field, below(at, name), part, draft);
      });
    }
    case "list": {
      if (kind !== "array") return false;
      const items = itemsOf(text);
      draft[`${at}.#`] = String(items.length);
      return items.every((item, n) => put(spec.item as Spec, below(at, n), item, draft));
    }
    case "map": {
      if (kind !== "object") return false;
      const members = membersOf(text);
      draft[`${at}.#`] = String(members.length);
      return members.every(([name, part], n) => {
        const one: unknown = JSON.parse(part);
        draft[`${at}.${n}.name`] = name;
        draft[`${at}.${n}.value`] = String(one);
        return typeof one === "string";
      });
    }
    case "json":
      draft[at] = spec.orText && typeof value === "string" && !/^\s*["[{\d]/.test(value) ? value : prettyJson(text);
      return true;
    case "number":
      draft[at] = text;
      return kind === "number";
    case "yes-no":
      draft[at] = text;
      return kind === "boolean";
    case "choice":
      draft[at] = String(value);
      return spec.options?.includes(String(value)) ?? false;
    default:
      draft[at] = String(value);
      // A line has one.
      return kind === "string" && (spec.draws === "text" || !/[\r\n]/.test(value as string));
  }
}

/** The payload that the fields say, as JSON text, and what in them is none. */
export function payloadOf(spec: Spec, draft: Draft): { text: string; problems: Problem[] } {
  const problems: Problem[] = [];
  return { text: read(spec, "", draft, problems) ?? "{}", problems };
}

/** Null: it is left out. */
function read(spec: Spec, at: string, draft: Draft, problems: Problem[]): string | null {
  const typed = draft[at] ?? "";
  const line = typed.trim();
  switch (spec.draws) {
    case "object": {
      const members = (spec.fields ?? []).flatMap(([name, field]) => {
        const part = read(field, below(at, name), draft, problems);
        return part === null ? [] : [`${JSON.stringify(name)}: ${part}`];
      });
      return members.length === 0 && !spec.required ? null : `{${members.join(", ")}}`;
    }
    case "list": {
      const items = Array.from({ length: countOf(draft, at) }, (_, n) =>
        read(spec.item as Spec, below(at, n), draft, problems),
      );
      return items.length === 0 && !spec.required ? null : `[${items.map((item) => item ?? "null").join(", ")}]`;
    }
    case "map": {
      const members = Array.from({ length: countOf(draft, at) }, (_, n) => {
        const [name = "", value = ""] = [draft[`${at}.${n}.name`], draft[`${at}.${n}.value`]];
        return name === "" && value === "" ? [] : [`${JSON.stringify(name)}: ${JSON.stringify(value)}`];
      }).flat();
      return members.length === 0 && !spec.required ? null : `{${members.join(", ")}}`;
    }
    case "json":
      return line === "" ? null : jsonOf(spec, at, line, problems);
    case "number":
      if (line === "") return null;
      return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(line) ? line : JSON.stringify(line);
    case "yes-no":
      return line === "true" || line === "false" ? line : null;
    case "text":
      return typed === "" && !spec.required ? null : JSON.stringify(typed.replaceAll("\r\n", "\n"));
    case "time":
      return line === "" ? null : JSON.stringify(utcOf(line));
    case "choice":
    case "file":
    case "date":
      return typed === "" ? null : JSON.stringify(typed);
    default:
      return typed === "" && !spec.required ? null : JSON.stringify(typed);
  }
}

function jsonOf(spec: Spec, at: string, line: string, problems: Problem[]): string {
  const fault = faultOf(line);
  if (fault === null) return line;
  if (spec.orText && !/^["[{]/.test(line)) return JSON.stringify(line);
  problems.push({ path: `payload.${at}`, message: `is not JSON: ${fault.message}` });
  return "null";
}

const ITEMS_MAX = 1_000;

export const countOf = (draft: Draft, at: string): number => {
  const n = Number(draft[`${at}.#`] ?? 0);
  return Number.isInteger(n) && n > 0 ? Math.min(n, ITEMS_MAX) : 0;
};

/** With one more item at the end of a list or map. */
export const withItem = (draft: Draft, at: string): Draft => ({
  ...draft,
  [`${at}.#`]: String(countOf(draft, at) + 1),
});

/** Without the item that `at` names: those after it move up. */
export function withoutItem(draft: Draft, at: string): Draft {
  const dot = at.lastIndexOf(".");
  const [list, gone] = [at.slice(0, dot), Number(at.slice(dot + 1))];
  const next: Draft = {};
  for (const [name, text] of Object.entries(draft)) {
    const [, n = "", rest = ""] = name.startsWith(`${list}.`)
      ? (/^(\d+)(.*)$/s.exec(name.slice(list.length + 1)) ?? [])
      : [];
    if (n === "" || Number(n) < gone) next[name] = text;
    else if (Number(n) > gone) next[`${list}.${Number(n) - 1}${rest}`] = text;
  }
  return { ...next, [`${list}.#`]: String(Math.max(0, countOf(draft, list) - 1)) };
}

const below = (at: string, name: string | number): string => (at === "" ? String(name) : `${at}.${name}`);

/** A date field has no zone: ours is labelled UTC. */
const utcOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text.length === 16 ? `${text}:00` : text}Z` : text;
