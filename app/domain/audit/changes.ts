import { count } from "../format";
import { decodeLimits, limitWords } from "../kind_limits";
import { instant } from "../time";
import { aboutOf } from "./actions";
import type { ActivityRow } from "./feeds";
import { toldOf } from "./words";

/** One thing that is otherwise since, or was told of one that is new or gone: then the other side is null. */
export type Change = { name: string; before: string | null; after: string | null };

/** Jobs that a deed has made or meant, where they were few enough to be told by name. */
export function jobsOf({ after, jobId, scheduleId }: ActivityRow): string[] {
  const { jobs } = toldOf(after);
  if (Array.isArray(jobs)) return jobs.map(String);
  return jobId !== null && scheduleId !== null ? [jobId] : [];
}

/** What is told beside that which it was done to: of a change, only what has changed. Which jobs were meant is said already. */
export function changesOf(row: ActivityRow): Change[] {
  if (aboutOf(row.action)?.to === "jobs") return [];
  const [before, after] = [row.before, row.after].map((text) => (text === null ? null : flat(toldOf(text))));
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name): Change[] => {
    const [was, is] = [before?.[name] ?? null, after?.[name] ?? null];
    const known = (value: string | null) => value !== null && value === (row.object ?? row.jobId);
    const isSaid = name === "name" && (was === null || is === null);
    if (was === is || isSaid || known(was ?? is) || name === "jobs") return [];
    return [{ name: wordsOf(name), before: was, after: is }];
  });
}

/** Each value in words, by its path. What is null is left out, as if it were not there. */
function flat(told: object, path = ""): Record<string, string> {
  const entries = Object.entries(told).flatMap(([name, value]): [string, string][] => {
    const at = path ? `${path} ${name}` : name;
    if (value === null || value === undefined) return [];
    if (name === "limits") return [[at, limitWords(decodeLimits(JSON.stringify(value))).join(", ")]];
    if (typeof value === "object" && !Array.isArray(value)) return Object.entries(flat(value, at));
    return [[at, textOf(name, value)]];
  });
  return Object.fromEntries(entries);
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(", ") : "none";
  if (typeof value !== "number") return String(value);
  return MOMENTS.includes(name) ? instant(value) : count(value);
}

/** Numbers that are times in ms. */
const MOMENTS = ["until", "anchorAt"];

/** `finishedDays` as it is read: `finished days`. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
