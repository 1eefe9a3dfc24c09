import { z } from "@hono/zod-openapi";
import { type ChartView, dayNumber, RANGE_NAMES, type Range } from "~/domain/overview/chart_range";
import type { Overview } from "~/domain/overview/overview";
import { isZone, zoneProblem } from "~/domain/schedules/zones";
import { overviewOf } from "~/lifecycle/overview";
import { fresh } from "./answers";
import { operationRow } from "./bulk_schemas";
import type { Route } from "./route";
import { at, count, text, time } from "./schema_words";

const QUERY = z.strictObject({
  range: z
    .enum(RANGE_NAMES as [Range, ...Range[]])
    .default("24h")
    .openapi({ description: "the last so long" }),
  day: z
    .string()
    .refine((day) => dayNumber(day) !== null, "must be a day such as 2026-12-01")
    .nullable()
    .default(null)
    .openapi({ description: "one day of the zone, hour by hour, in place of the range" }),
  zone: z
    .string()
    .max(100)
    .superRefine((zone, ctx) => {
      if (!isZone(zone)) ctx.addIssue({ code: "custom", message: zoneProblem(zone) ?? "is no time zone" });
    })
    .default("UTC")
    .openapi({ description: "whose hours and days these are, as in Europe/Berlin" }),
}) satisfies z.ZodType<ChartView>;

const ms = count.openapi({ description: "ms" });
const series = z.array(count);
const latency = z
  .object({ p50: z.array(ms.nullable()), p95: z.array(ms.nullable()) })
  .openapi("Latency", { description: "ms, by buckets that double; null where nothing ran" });
const total = z.object({ p50: ms.nullable(), p95: ms.nullable() });

export const overview = z
  .object({
    ...at,
    range: z.enum(RANGE_NAMES as [Range, ...Range[]]),
    day: text.nullable(),
    zone: text,
    charts: z.object({
      unit: z.enum(["minute", "hour", "day"]),
      edges: z.array(ms).openapi({ description: "where buckets begin, in ms since 1970, and where the last one ends" }),
      done: series,
      failed: series,
      other: series,
      dead: series,
      run: latency,
      wait: latency,
      messages: z.array(count.nullable()),
      oldestMs: z.array(ms.nullable()),
      deploys: z.array(z.object({ at: ms, version: text })),
      totals: z.object({ done: count, failed: count, other: count, dead: count, run: total, wait: total }),
    }),
    lanes: z
      .array(z.object({ at: time, messages: count.nullable(), oldestAt: time.nullable() }))
      .openapi({ description: "what each sweep of the last hour saw in the lanes, newest first" }),
    oldest: z.object({ id: text, kind: text, runAt: time }).nullable(),
    failing: z
      .array(z.object({ kind: text, failed: count, ended: count }))
      .openapi({ description: "attempts of the last 15 minutes" }),
    stopped: z
      .array(operationRow)
      .openapi({ description: "bulk operations whose job has ended before them, newest first" }),
    paused: z.array(z.object({ kind: text, since: time, by: text.nullable(), reason: text.nullable() })),
    broken: z.array(z.object({ id: text, name: text, error: text, since: time })),
    silent: z.array(z.object({ id: text, name: text, dueAt: time })),
    watches: z.array(z.object({ id: text, name: text, failures: count, error: text.nullable() })),
    limits: z
      .array(z.enum(["database", "queues"]))
      .openapi({ description: "daily limits of the free plan that are reached: all goes on after 00:00 UTC" }),
    full: z.array(z.object({ submitter: text, limit: count })),
  })
  .openapi("Overview") satisfies z.ZodType<Overview>;

export const getOverview: Route = {
  method: "get",
  path: "/overview",
  summary: "What needs a person, and charts of attempts, times and backlog",
  query: QUERY,
  cached: true,
  answers: { 200: { description: "The overview", content: { "application/json": { schema: overview } } } },
  problems: {},
  handle: ({ request, url, app }) =>
    fresh(request, app, () => overviewOf(app.engine, QUERY.parse(Object.fromEntries(url.searchParams)))),
};
