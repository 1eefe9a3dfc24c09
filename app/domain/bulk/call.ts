import { z } from "zod";
import { idTime } from "../ids";
import { REASON_CHARS } from "../limits";
import { QUERY_CHARS } from "../query/fields";
import { BOX } from "../query/filter";
import { VIEW_NAMES, VIEWS, type View } from "../states";
import { BULK_ACTION_NAMES, BULK_ACTIONS, type BulkAction, fits, frozenAt, isUnderstood } from "./bulk";

const action = z.enum(BULK_ACTION_NAMES as [BulkAction, ...BulkAction[]]);
const reason = z.string().trim().max(REASON_CHARS).optional();

const shape = {
  view: z.enum(VIEW_NAMES as [View, ...View[]]),
  kind: z.string().min(1).max(100).optional(),
  cause: z.string().min(1).max(500).optional(),
  q: BOX.optional(),
};

function fitting(filter: z.infer<z.ZodObject<typeof shape>>, ctx: z.RefinementCtx) {
  const wrong = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
  // Written out it is as long at any time.
  if (isUnderstood(filter) && !isUnderstood(frozenAt(filter, 0)))
    wrong("q", `with its times written out it has over ${QUERY_CHARS} characters: leave something out`);
  if (filter.cause !== undefined && filter.view !== "dead")
    wrong("cause", "names why jobs are dead: the view must be dead");
}

/** What can be meant as a whole. */
export const BULK_FILTER = z.strictObject(shape).superRefine(fitting);

const PACE = z.int().min(1).max(1_000_000).optional();
const COUNT = z.int().min(0).optional();

/** Named jobs at once; or everything that matches, as an operation. */
export const BULK = z
  .strictObject({
    action,
    ids: z.array(z.string().min(1).max(64)).min(1).optional(),
    filter: BULK_FILTER.optional(),
    pace: PACE,
    confirm: COUNT,
    id: z
      .string()
      .refine((id) => idTime(id) !== null, "must be a UUIDv7")
      .optional(),
    reason,
  })
  .superRefine((call, ctx) => {
    const wrong = (path: string[], message: string) => ctx.addIssue({ code: "custom", path, message });
    if (call.ids) {
      for (const name of ["pace", "confirm", "id"] as const) {
        if (call[name] !== undefined) wrong([name], "belongs to a filter: jobs named by ids are changed at once");
      }
      if (call.filter?.q !== undefined) wrong(["filter", "q"], "belongs to a filter alone, without ids");
      return;
    }
    if (!call.filter) return wrong([], "name jobs by ids, or give a filter");
    const { view } = call.filter;
    if (!fits(call.action, view)) {
      wrong(["filter", "view"], `is ${VIEWS[view].state}: ${BULK_ACTIONS[call.action].unfit}`);
    }
    if (call.action === "delete" && call.confirm === undefined) {
      wrong(["confirm"], "is needed to delete: the count that GET /bulk/count has answered");
    }
  });
export type BulkCall = z.output<typeof BULK>;

/** Why somebody stops an operation, pauses or resumes a kind. */
export const WHY = z.strictObject({ reason });
export const AGAIN = z.strictObject({ reason, pace: PACE, confirm: COUNT });
