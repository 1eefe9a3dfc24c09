import type { App } from "~/cloudflare";
import { problem } from "~/domain/problem";
import { removeWatchAndHistory } from "~/lifecycle/watches/edit";
import { checkNow, pauseChecks, resumeChecks, type Switched } from "~/lifecycle/watches/pause";
import type { By } from "~/store/reopen";
import { json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, REASON, readAction } from "./body";
import type { Route } from "./route";
import { askedCheck, switchedWatch } from "./watch_schemas";
import { noSuchWatch, unknownWatch } from "./watches";

const body = { required: false, description: "May be left out.", schema: REASON };

type Act = (engine: App["engine"], id: string, by: By) => Promise<Switched>;
const switching = (verb: string, summary: string, description: string, act: Act): Route => ({
  method: "post",
  path: `/watches/{id}/${verb}`,
  summary,
  description,
  body,
  answers: { 200: { description: "It is so now", content: { "application/json": { schema: switchedWatch } } } },
  problems: {
    ...unknownWatch,
    ...ACTION_PROBLEMS,
    409: "its times cannot be read, or no slot ever comes: change them",
  },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await act(app.engine, id, { actor: app.identity.name, ...asked });
    if (done.kind === "not-found") return noSuchWatch();
    if (done.kind === "refused") return problemResponse(problem(409, "not-resumed", done.why));
    return json({ id, changed: done.kind === "done" });
  },
});

export const pauseWatchCall = switching("pause", "Pause a watch", "A check under way ends as it would.", pauseChecks);
export const resumeWatchCall = switching(
  "resume",
  "Resume a watch",
  "It goes on with the first slot from now.",
  resumeChecks,
);
export const deleteWatchCall = switching(
  "delete",
  "Delete a watch",
  "And its history. Its jobs stay.",
  async (engine, id, by) =>
    (await removeWatchAndHistory(engine, id, by)) === "removed" ? { kind: "done" } : { kind: "not-found" },
);

export const checkWatchCall: Route = {
  method: "post",
  path: "/watches/{id}/check",
  summary: "Look at a page now",
  description: "Paused or not; the next slot stays. A check that is due or under way is the one.",
  body,
  answers: {
    202: { description: "Its job is stored; will run", content: { "application/json": { schema: askedCheck } } },
  },
  problems: { ...unknownWatch, ...ACTION_PROBLEMS, 409: "a check is under way" },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await checkNow(app.engine, id, { actor: app.identity.name, ...asked });
    if (done.kind === "not-found") return noSuchWatch();
    if (done.kind === "started") return json({ id, jobIds: done.jobIds }, 202);
    return problemResponse(problem(409, "under-way", "a check of it is under way"));
  },
};
