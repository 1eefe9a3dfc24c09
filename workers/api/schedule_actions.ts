import { z } from "@hono/zod-openapi";
import type { App } from "~/cloudflare";
import { REASON_CHARS } from "~/domain/limits";
import { problem, problemOf } from "~/domain/problem";
import { remove } from "~/lifecycle/schedules/edit";
import { type Paused, pause, resume } from "~/lifecycle/schedules/pause";
import { run } from "~/lifecycle/schedules/run";
import type { By } from "~/store/reopen";
import { json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, REASON, readAction } from "./body";
import type { Route } from "./route";
import { deletedSchedule, pausedSchedule, ranNow } from "./schedule_schemas";
import { noSuchSchedule, unknownSchedule } from "./schedules";

const reason = z.string().trim().max(REASON_CHARS).optional();
const key = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w.:-]+$/, "takes letters, digits and . _ : -")
  .optional();
const RUN = z.strictObject({
  reason,
  idempotencyKey: key.describe("one key makes one job"),
});

const problems = {
  ...unknownSchedule,
  ...ACTION_PROBLEMS,
};

type Act = (engine: App["engine"], id: string, by: By) => Promise<Paused>;
const pausing = (verb: "pause" | "resume", summary: string, description: string, act: Act): Route => ({
  method: "post",
  path: `/schedules/{id}/${verb}`,
  summary,
  description,
  body: { required: false, description: "May be left out.", schema: REASON },
  answers: { 200: { description: "It is so now", content: { "application/json": { schema: pausedSchedule } } } },
  problems,
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await act(app.engine, id, { actor: app.identity.name, ...asked });
    if (done === "not-found") return noSuchSchedule();
    return json({ id, paused: verb === "pause", changed: done === "done" });
  },
});

export const pauseScheduleCall = pausing("pause", "Pause a schedule", "No slot fires until it is resumed.", pause);
export const resumeScheduleCall = pausing(
  "resume",
  "Resume a schedule",
  "It goes on with the first slot from now: slots of the pause do not run.",
  resume,
);

export const runScheduleCall: Route = {
  method: "post",
  path: "/schedules/{id}/run",
  summary: "Make a job of a schedule now",
  description: "Paused or not; its slots stay as they are.",
  body: { required: false, description: "May be left out.", schema: RUN },
  answers: { 202: { description: "Stored; will run", content: { "application/json": { schema: ranNow } } } },
  problems: { ...problems, 409: "a job of it (`jobId`) is unfinished, and its overlap policy is skip" },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, RUN);
    if (isProblem(asked)) return problemResponse(asked);
    const { idempotencyKey, reason } = asked;
    const done = await run(app.engine, { id, key: idempotencyKey }, { actor: app.identity.name, reason });
    if (done.kind === "not-found") return noSuchSchedule();
    if (done.kind === "rejected") return problemResponse(problemOf(done.rejection));
    if (done.kind === "made") return json({ id, jobId: done.jobId, replayed: done.replayed }, 202);
    const detail = `job ${done.jobId} of it is unfinished, and it has one at a time`;
    return problemResponse(problem(409, "unfinished", detail, { jobId: done.jobId }));
  },
};

export const deleteScheduleCall: Route = {
  method: "post",
  path: "/schedules/{id}/delete",
  summary: "Delete a schedule",
  description: "And what became of its slots. Its jobs stay, and who did what.",
  body: { required: false, description: "May be left out.", schema: REASON },
  answers: { 200: { description: "It is gone", content: { "application/json": { schema: deletedSchedule } } } },
  problems,
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await remove(app.engine, id, { actor: app.identity.name, ...asked });
    return done === "not-found" ? noSuchSchedule() : json({ id, deleted: true });
  },
};
