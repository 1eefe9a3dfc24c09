import { z } from "zod";
import { readCursor } from "../query/cursor";
import { PAGE_LIMIT } from "../query/filter";
import { parseRange } from "../query/times";
import { ACTION_NAMES, type Action } from "./actions";

const WORDS = z.string().min(1).max(200);

/** What the list of deeds can be asked, by the same names in its address and in the API. */
export const ACTIVITY_FILTER = z.strictObject({
  actor: WORDS.optional(),
  action: z.enum(ACTION_NAMES as [Action, ...Action[]]).optional(),
  object: WORDS.optional(),
  at: z
    .string()
    .refine((text) => parseRange(text) !== null, "is no stretch of time: 1h, 2026-12-01, >2026-12-01T10:00Z, A..B")
    .optional(),
  cursor: z
    .string()
    .refine((text) => readCursor(text)?.walk === "older", "is no cursor that a list has given out")
    .optional(),
  limit: PAGE_LIMIT,
});

type Read = z.output<typeof ACTIVITY_FILTER>;
/** As it stands in an address: without what goes without saying. */
export type ActivityList = Partial<Omit<Read, "limit">>;
export type ActivityFilter = ActivityList & { limit?: number };

const NAMES = ["actor", "action", "object", "at", "cursor"] as const;
const LABELS: Record<(typeof NAMES)[number], string> = {
  actor: "Who",
  action: "What",
  object: "Of what",
  at: "When",
  cursor: "Page",
};

/** Reads the address of a list. What it does not understand it leaves out, and says so. */
export function readActivity(params: URLSearchParams): { list: ActivityList; problems: string[] } {
  const list: ActivityList = {};
  const problems: string[] = [];
  for (const name of NAMES) {
    const value = params.get(name)?.trim();
    if (!value) continue;
    const read = ACTIVITY_FILTER.shape[name].safeParse(value);
    if (read.success) Object.assign(list, { [name]: read.data });
    else problems.push(`${LABELS[name]}: ${read.error.issues[0]?.message}`);
  }
  return { list, problems };
}

export const activityAddress = (list: ActivityList = {}): string => withFilter("/activity", list);
export const activityFeedAddress = (list: ActivityList): string => withFilter("/api/v1/audit", list);

function withFilter(path: string, list: ActivityList): string {
  const given = NAMES.flatMap((name) => (list[name] ? [[name, list[name]] as [string, string]] : []));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
