import { CANCEL, REQUEUE } from "~/domain/actions";
import { idTime } from "~/domain/ids";
import { problem } from "~/domain/problem";
import { cancel } from "~/lifecycle/cancel";
import { requeue } from "~/lifecycle/requeue";
import { json, noSuchJob } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import type { Route } from "./route";
import { cancelled, requeued } from "./schemas";

const shared = {
  404: "no job with this id is stored",
  ...ACTION_PROBLEMS,
};

export const requeueJob: Route = {
  method: "post",
  path: "/jobs/{id}/requeue",
  summary: "Run a dead or cancelled job again",
  description:
    "Its history stays; it gets all its tries anew. With `generation`, a job that somebody requeued meanwhile is left alone.",
  body: { required: false, description: "May be left out.", schema: REQUEUE },
  answers: { 200: { description: "It will run again", content: { "application/json": { schema: requeued } } } },
  problems: {
    ...shared,
    409: "the job is not dead or cancelled, or not of this generation: `state` and `generation` say what it is now",
  },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REQUEUE);
    if (isProblem(asked)) return problemResponse(asked);
    if (idTime(id) === null) return noSuchJob();
    const { reason, ...how } = asked;
    const { generation } = how;
    const done = await requeue(app.engine, { id, ...how }, { actor: app.identity.name, reason });
    if (done.kind === "not-found") return noSuchJob();
    if (done.kind === "requeued") return json({ id, state: "pending", generation: done.generation });
    const detail = `the job is ${done.state}, generation ${done.generation}: only a dead or cancelled job ${generation ? `of generation ${generation} ` : ""}is requeued`;
    return problemResponse(problem(409, "not-requeued", detail, { state: done.state, generation: done.generation }));
  },
};

export const cancelJob: Route = {
  method: "post",
  path: "/jobs/{id}/cancel",
  summary: "Cancel a job",
  description: "A pending job at once. A running one is asked to stop, and ends cancelled unless it is done before.",
  body: { required: false, description: "May be left out.", schema: CANCEL },
  answers: {
    200: { description: "It is cancelled", content: { "application/json": { schema: cancelled } } },
    202: { description: "It runs, and was asked to stop", content: { "application/json": { schema: cancelled } } },
  },
  problems: { ...shared, 409: "the job has ended: `state` says how" },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, CANCEL);
    if (isProblem(asked)) return problemResponse(asked);
    if (idTime(id) === null) return noSuchJob();
    const done = await cancel(app.engine, { id }, { actor: app.identity.name, reason: asked.reason });
    if (done.kind === "not-found") return noSuchJob();
    if (done.kind === "cancelled") return json({ id, state: "cancelled", cancelRequested: false });
    if (done.kind === "requested") return json({ id, state: "processing", cancelRequested: true }, 202);
    return problemResponse(
      problem(409, "not-cancelled", `the job is ${done.state}: it has ended`, { state: done.state }),
    );
  },
};
