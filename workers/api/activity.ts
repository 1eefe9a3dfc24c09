import { z } from "@hono/zod-openapi";
import { ACTIVITY_FILTER } from "~/domain/audit/filter";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { listActivity } from "~/store/reads/activity";
import { activityPage } from "./activity_schemas";
import { fresh } from "./answers";
import type { Route } from "./route";

const { shape } = ACTIVITY_FILTER;

export const getActivity: Route = {
  method: "get",
  path: "/audit",
  summary: "What people and programs did, newest first",
  description:
    "Jobs that were changed together are one deed; what became of each stands in the audit of that job, and where `object` names it. Where no index serves a filter, a page looks at 5,000 rows at most and says so in `scanned`. Of people and tokens only admins are told which, and what was before and after. Kept for 400 days.",
  query: ACTIVITY_FILTER,
  parameters: z.object({
    actor: shape.actor.describe("who did it"),
    action: shape.action.describe("what was done"),
    object: shape.object.describe(
      "what it was done to: the id of a job, operation, schedule, watch, alert rule, endpoint, token or file, the name of a kind, person or submitter",
    ),
    at: z
      .string()
      .optional()
      .openapi({ description: "when: `1h`, `2026-12-01`, `>2026-12-01T10:00Z`, or `A..B` up to and without B" }),
    cursor: z.string().optional().openapi({ description: "`next` of a page; opaque" }),
    limit: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE).openapi({ description: "rows of a page" }),
  }),
  cached: true,
  answers: { 200: { description: "A page of them", content: { "application/json": { schema: activityPage } } } },
  problems: {},
  handle: ({ request, url, app }) =>
    fresh(request, app, () =>
      listActivity(app.engine.store, ACTIVITY_FILTER.parse(Object.fromEntries(url.searchParams)), app.identity),
    ),
};
