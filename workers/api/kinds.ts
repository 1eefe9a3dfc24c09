import { WHY } from "~/domain/bulk/call";
import { LIMIT_KIND } from "~/domain/limit_call";
import { problem } from "~/domain/problem";
import { limitKind } from "~/lifecycle/limits/limit_kind";
import { type Paused, pauseKind, resumeKind } from "~/lifecycle/limits/pause_kind";
import { readKinds } from "~/store/reads/kinds";
import { fresh, json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import { kindsPage, limitedKind, pausedKind } from "./bulk_schemas";
import type { Route } from "./route";

export const getKinds: Route = {
  method: "get",
  path: "/kinds",
  summary: "Every kind: its counts, its last hour, whether it is paused",
  description: "Also those that only earlier releases knew, while jobs of them are stored.",
  cached: true,
  answers: { 200: { description: "By name", content: { "application/json": { schema: kindsPage } } } },
  problems: {},
  handle: ({ request, app }) => fresh(request, app, () => readKinds(app.engine.store, [...app.engine.kinds.values()])),
};

const PROBLEMS = {
  404: "this release has no such kind, and no job of it is stored",
  409: "this kind is never held",
  ...ACTION_PROBLEMS,
};

function answer(id: string, done: Paused, stands: object): Response {
  switch (done.kind) {
    case "not-found":
      return problemResponse(problem(404, "no-such-kind", `"${id}" is no kind here, and no job of it is stored`));
    case "never-held":
      return problemResponse(problem(409, "never-held", `${id} is never held: operations must go on`));
    default:
      return json({ kind: id, ...stands, changed: done.kind === "changed" });
  }
}

const pausing = (paused: boolean, summary: string, description: string, act: typeof pauseKind): Route => ({
  method: "post",
  path: `/kinds/{id}/${paused ? "pause" : "resume"}`,
  summary,
  description,
  body: { required: false, description: "May be left out.", schema: WHY },
  answers: { 200: { description: "Done", content: { "application/json": { schema: pausedKind } } } },
  problems: PROBLEMS,
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, WHY);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await act(app.engine, id, { actor: app.identity.name, ...asked });
    return answer(id, done, { paused });
  },
});

export const pauseKindCall = pausing(
  true,
  "Pause a kind",
  "None of its jobs starts any more; what runs goes on. They are held, and use up no attempt.",
  pauseKind,
);
export const limitKindCall: Route = {
  method: "post",
  path: "/kinds/{id}/limits",
  summary: "Set the limits of a kind",
  description:
    "In place of those of its definition, as a whole: what is left out is not limited. null gives it those of its definition again. What runs goes on.",
  body: { required: true, description: "Limits, or null.", schema: LIMIT_KIND },
  answers: { 200: { description: "Done", content: { "application/json": { schema: limitedKind } } } },
  problems: PROBLEMS,
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, LIMIT_KIND);
    if (isProblem(asked)) return problemResponse(asked);
    const { limits, reason } = asked;
    const done = await limitKind(app.engine, id, limits, { actor: app.identity.name, reason });
    return answer(id, done, { limits });
  },
};

export const resumeKindCall = pausing(false, "Resume a kind", "Its held jobs start within seconds.", resumeKind);
