import { z } from "zod";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "../limits";
import { STATE_NAMES, type State, VIEW_NAMES, VIEWS, type View } from "../states";
import { readCursor } from "./cursor";
import { parseQuery } from "./parse";
import { fitsSort, wantedOf } from "./wanted";

/** What stands in a filter box; each thing that is not understood is an issue of its own. */
export const BOX = z.string().superRefine((text, ctx) => {
  for (const message of parseQuery(text).problems) ctx.addIssue({ code: "custom", message });
});

const shape = {
  view: z.enum(VIEW_NAMES as [View, ...View[]]).optional(),
  state: z.enum(STATE_NAMES as [State, ...State[]]).optional(),
  kind: z.string().min(1).max(100).optional(),
  cause: z.string().min(1).max(500).optional(),
  q: BOX.optional(),
  sort: z.enum(["created", "finished"]).optional(),
  order: z.enum(["newest", "oldest"]).optional(),
  cursor: z
    .string()
    .refine((text) => readCursor(text) !== null, "is no cursor that a list has given out")
    .optional(),
};

/**
 * Where the rows end that the caller has: a cut in the list's own order. What came on its other side since then is only
 * counted.
 */
const SINCE = z
  .string()
  .refine((text) => readCursor(text) !== null, "is no cut of a list")
  .optional();

/** Rows of a page, as an address says it. */
export const PAGE_LIMIT = z
  .string()
  .refine(
    (text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= PAGE_SIZE_MAX,
    `must be a whole number from 1 to ${PAGE_SIZE_MAX}`,
  )
  .transform(Number)
  .default(PAGE_SIZE);

/** Which jobs a list shows, in which order, and from where. Everything a list shows is in its address. */
export const JOB_FILTER = z
  .strictObject({
    ...shape,
    limit: PAGE_LIMIT,
    since: SINCE,
    /** Rows as a screen shows them: how long an error is must not weigh on every poll. */
    brief: z.literal("1").optional(),
  })
  .superRefine(holds);

/** The same without pages: all of it, from `cursor` on. */
export const EXPORT_FILTER = z.strictObject(shape).superRefine(holds);

/** `cause` alone shows the dead jobs of that cause. */
export type JobFilter = Partial<z.output<typeof JOB_FILTER>>;

function holds(filter: JobFilter, ctx: z.RefinementCtx): void {
  for (const path of ["cursor", "since"] as const) {
    const cut = readCursor(filter[path] ?? "");
    if (!cut || fitsSort(cut, wantedOf(filter).sort)) continue;
    ctx.addIssue({ code: "custom", path: [path], message: "is of a list in another order" });
  }
  if (filter.since !== undefined && filter.cursor !== undefined) {
    ctx.addIssue({ code: "custom", path: ["since"], message: "speaks of the first page: leave out cursor" });
  }
  if (filter.view && filter.state && VIEWS[filter.view].state !== filter.state) {
    ctx.addIssue({
      code: "custom",
      path: ["view"],
      message: `is a part of ${VIEWS[filter.view].state}, so it shows nothing of ${filter.state}`,
    });
  }
  if (filter.cause && ((filter.view ?? "dead") !== "dead" || (filter.state ?? "dead") !== "dead")) {
    ctx.addIssue({
      code: "custom",
      path: ["cause"],
      message: "names why jobs are dead: leave out view and state, or ask for dead",
    });
  }
}
