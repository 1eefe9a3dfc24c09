import { RETENTION, SET_RETENTION } from "~/domain/retention";
import { setRetention } from "~/lifecycle/retain";
import { readRetention } from "~/store/retention";
import { json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import type { Route } from "./route";

const answers = {
  200: { description: "As it is from now on", content: { "application/json": { schema: RETENTION } } },
};

export const getRetention: Route = {
  method: "get",
  path: "/retention",
  summary: "For how long ended jobs are kept",
  description:
    "Days after their end at which jobs are removed; 0: never. `deadDays` of dead jobs, `finishedDays` of all others.",
  answers,
  problems: {},
  handle: async ({ app }) => json(await readRetention(app.engine.store)),
};

export const putRetention: Route = {
  method: "put",
  path: "/retention",
  summary: "Set for how long ended jobs are kept",
  description:
    "Counted from the end of a job. Unfinished ones are never removed. The next sweep goes by it, in steps; what is removed does not come back.",
  body: { required: true, description: "Both numbers.", schema: SET_RETENTION },
  answers,
  problems: ACTION_PROBLEMS,
  async handle({ request, app }) {
    const asked = await readAction(request, SET_RETENTION);
    if (isProblem(asked)) return problemResponse(asked);
    const { reason, ...retention } = asked;
    await setRetention(app.engine, retention, { actor: app.identity.name, reason });
    return json(retention);
  },
};
