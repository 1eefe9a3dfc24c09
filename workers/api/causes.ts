import { z } from "@hono/zod-openapi";
import { readerOf } from "~/cloudflare";
import { AGES, type CauseDetail, type DeadPage, readCauseCursor } from "~/domain/dead/dead";
import { problem } from "~/domain/problem";
import { readCause, readDead } from "~/store/reads/dead";
import { fresh } from "./answers";
import { problemResponse } from "./body";
import { attempt } from "./job_schemas";
import type { Route } from "./route";
import { at, count, text, time } from "./schema_words";

const ages = z
  .array(count)
  .length(AGES.length)
  .openapi({ description: `by hours of the clock since they died: ${AGES.map(({ label }) => label).join(", ")}` });
const cause = { cause: text, n: count, ages, firstHour: time, lastHour: time };
const tallies = z.array(z.object({ name: text, n: count }));

export const deadPage = z
  .object({
    ...at,
    causes: z.array(z.object(cause)),
    total: z.object({ n: count, orMore: z.boolean() }).openapi({ description: "causes that have dead jobs" }),
    next: text.nullable().openapi({ description: "pass as `after` for the causes after these" }),
  })
  .openapi("DeadByCause") satisfies z.ZodType<DeadPage>;

export const causeDetail = z
  .object({
    ...at,
    ...cause,
    hours: z.object({ edges: z.array(count), n: z.array(count) }).openapi({ description: "of the last 48 hours" }),
    looked: count.openapi({ description: "the newest dead jobs that kinds and versions are of" }),
    kinds: tallies,
    versions: tallies,
    example: z
      .object({ id: text, kind: text, label: text.nullable(), finishedAt: time, attempt: attempt.nullable() })
      .nullable(),
  })
  .openapi("Cause") satisfies z.ZodType<CauseDetail>;

const AFTER = z.strictObject({
  after: z
    .string()
    .refine((given) => readCauseCursor(given) !== null, "is no cursor that a list of causes has given out")
    .optional(),
});

export const getCauses: Route = {
  method: "get",
  path: "/causes",
  summary: "Dead jobs by cause and age, most first",
  query: AFTER,
  cached: true,
  answers: { 200: { description: "A page of causes", content: { "application/json": { schema: deadPage } } } },
  problems: {},
  handle: ({ request, url, app }) => {
    const after = url.searchParams.get("after");
    return fresh(request, app, () => readDead(app.engine.store, after === null ? null : readCauseCursor(after)));
  },
};

export const getCause: Route = {
  method: "get",
  path: "/causes/{id}",
  summary: "One cause: how many died of it and when, and the newest of them",
  cached: true,
  answers: { 200: { description: "The cause", content: { "application/json": { schema: causeDetail } } } },
  problems: { 404: "no job has died of this cause" },
  handle: ({ request, params, app }) =>
    fresh(
      request,
      app,
      () => readCause(app.engine.store, params.id ?? "", readerOf(app)),
      () => problemResponse(problem(404, "no-such-cause", "no job has died of this cause")),
    ),
};
