import { z } from "@hono/zod-openapi";
import { type FullDay, fullDayText } from "~/domain/day";
import { CALL_BYTES, CALL_JOBS, NESTING_LEVELS, PAYLOAD_BYTES } from "~/domain/limits";
import { problem, problemOf } from "~/domain/problem";
import { parseSubmissions, SUBMISSION } from "~/domain/submission";
import { instant } from "~/domain/time";
import { type Submitted, submit } from "~/lifecycle/submit";
import { json } from "./answers";
import { isProblem, problemResponse, readText, typeProblem } from "./body";
import type { Route } from "./route";
import { accepted } from "./schemas";

const { shape } = SUBMISSION;
const submission = z
  .strictObject({
    ...shape,
    payload: shape.payload.describe(
      `the kind's input: at most ${PAYLOAD_BYTES} bytes of JSON in UTF-8, nested at most ${NESTING_LEVELS} levels deep`,
    ),
    idempotencyKey: shape.idempotencyKey.describe("stands for this one request, over all kinds"),
    delaySeconds: shape.delaySeconds.describe("from now; not together with runAt"),
    runAt: z.iso
      .datetime({ offset: true })
      .optional()
      .openapi({ description: "RFC 3339 with an offset; the past runs at once. Not together with delaySeconds" }),
    expiresAt: z.iso.datetime({ offset: true }).optional().openapi({
      description: "RFC 3339 with an offset: not started from then on, but dead. After now, and after the job is due",
    }),
    groupKey: shape.groupKey.describe(
      "what it belongs to, as in customer-7: a kind can limit how many of one group run at once",
    ),
    maxAttempts: shape.maxAttempts.describe(
      "tries at most, the first one included; the kind's own number where left out",
    ),
  })
  .openapi("Submission", { example: { kind: "demo", payload: {} } });

export const submitJobs: Route = {
  method: "post",
  path: "/jobs",
  summary: "Submit one job, or up to 1,000 in one call",
  description:
    "All jobs of a call are stored, or none. The same idempotencyKey with the same request answers with the job that is there; with another request it is a conflict. Keys hold as long as their job is stored.",
  body: {
    required: true,
    description: `One job or an array of 1 to ${CALL_JOBS}; at most ${CALL_BYTES} bytes.`,
    schema: z.union([submission, z.array(submission).min(1).max(CALL_JOBS)]),
  },
  answers: {
    202: {
      description: "Stored; will run. For one job its address is in Location.",
      headers: z.object({
        Location: z.string().optional().openapi({ description: "of a single job" }),
        "Idempotency-Replayed": z
          .literal("true")
          .optional()
          .openapi({ description: "all of these jobs were there before" }),
      }),
      content: { "application/json": { schema: accepted } },
    },
  },
  problems: {
    409: "the idempotencyKey stands for another request; `idempotencyKey` and `jobId` say which",
    429: "the submitter's day is full; nothing of the call is stored, `resetsAt` says when the next day begins",
    413: `the call is over ${CALL_BYTES} bytes or ${CALL_JOBS} jobs, or a payload is over ${PAYLOAD_BYTES} bytes`,
    415: "the body is not application/json",
  },
  async handle({ request, url, app }) {
    const wrongType = typeProblem(request);
    if (wrongType) return problemResponse(wrongType);
    const text = await readText(request, CALL_BYTES);
    if (isProblem(text)) return problemResponse(text);
    const parsed = parseSubmissions(text);
    if ("status" in parsed) return problemResponse(problemOf(parsed));
    return answer(await submit(app.engine, parsed.submissions, app.identity.name), parsed.single, url);
  },
};

function answer(submitted: Submitted, single: boolean, url: URL): Response {
  if (submitted.kind === "rejected") return problemResponse(problemOf(submitted.rejection));
  if (submitted.kind === "conflict") return problemResponse(conflict(submitted, single));
  if (submitted.kind === "full") return dayIsFull(submitted);
  const { jobs } = submitted;
  const replays = jobs.filter((job) => job.replayed);
  const replayed: Record<string, string> = replays.length === jobs.length ? { "Idempotency-Replayed": "true" } : {};
  if (!single) return json({ ids: jobs.map((job) => job.id), ...(replays.length > 0 && { replays }) }, 202, replayed);
  const [job] = jobs as [(typeof jobs)[number]];
  return json(job.replayed ? job : { id: job.id }, 202, { Location: `${url.pathname}/${job.id}`, ...replayed });
}

export function dayIsFull(day: FullDay): Response {
  const message = fullDayText(day);
  const seconds = Math.max(1, Math.ceil((day.endsAt - Date.now()) / 1000));
  const more = { errors: [{ path: "", message, limit: day.dailyLimit }], resetsAt: instant(day.endsAt) };
  return problemResponse(problem(429, "day-is-full", message, more), { "Retry-After": String(seconds) });
}

function conflict({ index, key, jobId }: Extract<Submitted, { kind: "conflict" }>, single: boolean) {
  const holder = jobId === null ? "an earlier job of this call" : `job ${jobId}`;
  const message = `"${key}" stands for another request: ${holder} has it`;
  const path = `${single ? "" : `${index}.`}idempotencyKey`;
  return problem(409, "idempotency-conflict", message, { errors: [{ path, message }], idempotencyKey: key, jobId });
}
