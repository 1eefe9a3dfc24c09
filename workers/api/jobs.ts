import { z } from "@hono/zod-openapi";
import { readerOf } from "~/cloudflare";
import { attemptOf } from "~/domain/addresses";
import { idTime } from "~/domain/ids";
import { PAGE_SIZE, PAGE_SIZE_MAX } from "~/domain/limits";
import { FIELD_NAMES, FIELDS } from "~/domain/query/fields";
import { JOB_FILTER } from "~/domain/query/filter";
import { readJob } from "~/store/reads/job";
import { listJobs } from "~/store/reads/list";
import { readStats } from "~/store/reads/stats";
import { fresh, noSuchJob } from "./answers";
import { jobDetail } from "./job_schemas";
import type { Route } from "./route";
import { jobPage, stats } from "./schemas";

const { shape } = JOB_FILTER;
/** The parameters of a list, for the document. */
export const FILTER_WORDS = {
  ...shape,
  cause: shape.cause.describe("as in `cause` of a job: only dead jobs have one"),
  q: z
    .string()
    .optional()
    .openapi({
      description: `what stands in the filter box: terms such as ${FIELD_NAMES.map((name) => `\`${FIELDS[name].example}\``).join(", ")}, with \`-\` before one for all but these; the rest is searched for, letter for letter, in label and cause. Times are from their first moment up to, and without, the last`,
    }),
  sort: shape.sort.describe(
    "`finished`: by end, and only what has ended; goes without saying where `finished:` is asked for",
  ),
  cursor: z.string().optional().openapi({ description: "`next` or `previous` of a page; opaque" }),
  since: z
    .string()
    .optional()
    .openapi({
      description: `for whoever asks again: where the rows end that are known, as the dashboard's lists say it. What came on the other side is counted in \`fresh\`, out of \`limit\` jobs; of this side ${PAGE_SIZE} are answered at most`,
    }),
  brief: z.literal("1").optional().openapi({
    description: "`1`: rows as the dashboard shows them, without `cause` and with 120 characters of `lastError`",
  }),
  limit: z.int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE).openapi({ description: "rows of a page" }),
};

export const getJobs: Route = {
  method: "get",
  path: "/jobs",
  summary: "Jobs, newest first",
  description:
    "`view` and `state` say which; `cause` shows the dead jobs of one cause; `q` is what the filter box of the dashboard takes. Follow `next` and `previous` as `cursor`. Where no index serves a filter, a page looks at 5,000 rows at most and says so in `scanned`.",
  query: JOB_FILTER,
  parameters: z.object(FILTER_WORDS),
  cached: true,
  answers: { 200: { description: "A page of jobs", content: { "application/json": { schema: jobPage } } } },
  problems: {},
  handle: ({ request, url, app }) =>
    fresh(request, app, () => listJobs(app.engine.store, JOB_FILTER.parse(Object.fromEntries(url.searchParams)))),
};

export const getJob: Route = {
  method: "get",
  path: "/jobs/{id}",
  summary: "One job with its attempts, refusals, effects and audit",
  query: z.strictObject({
    attempt: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, "must be the number of an attempt")
      .optional(),
  }),
  parameters: z.object({
    attempt: z.int().min(1).optional().openapi({ description: "this attempt in full, and those before it" }),
  }),
  cached: true,
  answers: { 200: { description: "The job", content: { "application/json": { schema: jobDetail } } } },
  problems: { 404: "no job with this id is stored" },
  handle: async ({ request, url, params: { id = "" }, app }) => {
    const upTo = attemptOf(url.searchParams);
    return idTime(id) === null
      ? noSuchJob()
      : fresh(request, app, () => readJob(app.engine.store, id, readerOf(app), upTo));
  },
};

export const getStats: Route = {
  method: "get",
  path: "/stats",
  summary: "Exact counts by kind and view, dead jobs by cause, the last sweep",
  cached: true,
  answers: { 200: { description: "The numbers", content: { "application/json": { schema: stats } } } },
  problems: {},
  handle: ({ request, app }) => fresh(request, app, () => readStats(app.engine.store, app.engine.kinds)),
};
