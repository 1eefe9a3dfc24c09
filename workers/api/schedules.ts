import { z } from "@hono/zod-openapi";
import { readerOf } from "~/cloudflare";
import { CALL_BYTES } from "~/domain/limits";
import { type ProblemDocument, problem, problemOf } from "~/domain/problem";
import { readCursor } from "~/domain/query/cursor";
import { SCHEDULES_MAX } from "~/domain/schedules/schedule";
import { create, type Saved, update } from "~/lifecycle/schedules/edit";
import { readSchedule } from "~/store/reads/schedule";
import { listSchedules } from "~/store/reads/schedules";
import { fresh, json } from "./answers";
import { isProblem, problemResponse, readText, typeProblem } from "./body";
import type { Route } from "./route";
import { savedSchedule, schedule, scheduleChange, scheduleDetail, schedulePage } from "./schedule_schemas";

const cursor = z
  .string()
  .refine((text) => readCursor(text) !== null, "is no cursor that a list has given out")
  .optional()
  .describe("`next` or `previous` of a page; opaque");

export const unknownSchedule = { 404: "no schedule with this id is stored" };
const body = {
  413: `the body is over ${CALL_BYTES} bytes, or the payload over what a schedule takes`,
  415: "the body is not application/json",
};

export const getSchedules: Route = {
  method: "get",
  path: "/schedules",
  summary: "Schedules, newest first, each with its newest slots",
  query: z.strictObject({ cursor }),
  cached: true,
  answers: { 200: { description: "A page of them", content: { "application/json": { schema: schedulePage } } } },
  problems: {},
  handle: ({ request, url, app }) =>
    fresh(request, app, () => listSchedules(app.engine.store, { cursor: url.searchParams.get("cursor") ?? undefined })),
};

export const getSchedule: Route = {
  method: "get",
  path: "/schedules/{id}",
  summary: "One schedule with its next firings, its slots and who did what",
  cached: true,
  answers: { 200: { description: "The schedule", content: { "application/json": { schema: scheduleDetail } } } },
  problems: unknownSchedule,
  async handle({ request, params: { id = "" }, app }) {
    const answer = await fresh(request, app, () => readSchedule(app.engine.store, id, readerOf(app)));
    return answer.status === 404 ? noSuchSchedule() : answer;
  },
};

export const postSchedule: Route = {
  method: "post",
  path: "/schedules",
  summary: "Create a schedule",
  description:
    "Give `cron` with its `timeZone`, or `everyMinutes`. Kind and payload are checked as a submit would. Each slot is one job, whose `slotAt` it is.",
  body: { required: true, description: "The schedule.", schema: schedule },
  answers: {
    201: {
      description: "It fires from now on",
      headers: z.object({ Location: z.string() }),
      content: { "application/json": { schema: savedSchedule } },
    },
  },
  problems: { ...body, 409: `a schedule has this name already (\`scheduleId\`), or ${SCHEDULES_MAX} are stored` },
  async handle({ request, url, app }) {
    const text = await readCall(request);
    if (isProblem(text)) return problemResponse(text);
    const done = await create(app.engine, text, { actor: app.identity.name });
    if (done.kind !== "saved") return refusal(done);
    return json({ id: done.id, version: done.version }, 201, { Location: `${url.pathname}/${done.id}` });
  },
};

export const putSchedule: Route = {
  method: "put",
  path: "/schedules/{id}",
  summary: "Change a schedule",
  description:
    "The whole of it is given anew. With other times it goes on from now by those; else the next slot stays. Clears an error.",
  body: { required: true, description: "The schedule, and the `version` that was looked at.", schema: scheduleChange },
  answers: { 200: { description: "Changed", content: { "application/json": { schema: savedSchedule } } } },
  problems: {
    ...body,
    ...unknownSchedule,
    409: "another schedule has this name (`scheduleId`), or somebody changed it meanwhile (`version`)",
  },
  async handle({ request, params: { id = "" }, app }) {
    const text = await readCall(request);
    if (isProblem(text)) return problemResponse(text);
    const done = await update(app.engine, id, text, { actor: app.identity.name });
    return done.kind === "saved" ? json({ id, version: done.version }) : refusal(done);
  },
};

const readCall = async (request: Request): Promise<string | ProblemDocument> =>
  typeProblem(request) ?? (await readText(request, CALL_BYTES));

function refusal(done: Exclude<Saved, { kind: "saved" }>): Response {
  switch (done.kind) {
    case "rejected":
      return problemResponse(problemOf(done.rejection));
    case "not-found":
      return noSuchSchedule();
    case "changed": {
      const detail = `somebody changed it meanwhile: it is version ${done.version} now`;
      return problemResponse(problem(409, "changed-meanwhile", detail, { version: done.version }));
    }
    case "full":
      return problemResponse(
        problem(409, "too-many-schedules", `${done.stored} schedules are stored, no more are taken`),
      );
    case "name-taken": {
      const message = `"${done.name}" is the name of another schedule: ${done.id}`;
      const errors = [{ path: "name", message }];
      return problemResponse(problem(409, "name-taken", message, { errors, scheduleId: done.id }));
    }
  }
}

export const noSuchSchedule = (): Response =>
  problemResponse(problem(404, "no-such-schedule", "no schedule with this id is stored"));
