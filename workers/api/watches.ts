import { z } from "@hono/zod-openapi";
import { problem, problemOf } from "~/domain/problem";
import { parseInstant } from "~/domain/time";
import { WATCHES_MAX } from "~/domain/watches/watch";
import { createWatchFrom, type SavedWatch, updateWatchFrom } from "~/lifecycle/watches/edit";
import { listWatches, readWatch } from "~/store/reads/watches";
import { fresh, json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import type { Route } from "./route";
import { NEW_WATCH, savedWatch, WATCH_CHANGE, watch, watchChange, watchDetail, watchList } from "./watch_schemas";

export const unknownWatch = { 404: "no watch with this id is stored" };

export const getWatches: Route = {
  method: "get",
  path: "/watches",
  summary: "Watched pages, newest first, with what each shows",
  cached: true,
  answers: { 200: { description: "All of them", content: { "application/json": { schema: watchList } } } },
  problems: {},
  handle: ({ request, app }) => fresh(request, app, () => listWatches(app.engine.store)),
};

const before = z
  .string()
  .refine((text) => parseInstant(text) !== null, "must be an RFC 3339 time: `next` of a page")
  .optional()
  .describe("checks of slots before this one: `next` of a page");

export const getWatch: Route = {
  method: "get",
  path: "/watches/{id}",
  summary: "One watch with its checks, newest first",
  query: z.strictObject({ before }),
  cached: true,
  answers: { 200: { description: "The watch", content: { "application/json": { schema: watchDetail } } } },
  problems: unknownWatch,
  async handle({ request, url, params: { id = "" }, app }) {
    const from = url.searchParams.get("before");
    const page = from === null ? {} : { before: parseInstant(from) as number };
    const answer = await fresh(request, app, () => readWatch(app.engine.store, id, page));
    return answer.status === 404 ? noSuchWatch() : answer;
  },
};

export const postWatch: Route = {
  method: "post",
  path: "/watches",
  summary: "Watch a page",
  description:
    "Give `cron` with its `timeZone`, or `everyMinutes`. Each slot is one job of kind watch_page; missed slots are skipped. A change submits a job for each channel.",
  body: { required: true, description: "The watch.", schema: watch },
  answers: {
    201: {
      description: "It looks from its next slot on",
      headers: z.object({ Location: z.string() }),
      content: { "application/json": { schema: savedWatch } },
    },
  },
  problems: { ...ACTION_PROBLEMS, 409: `${WATCHES_MAX} watches are stored` },
  async handle({ request, url, app }) {
    const asked = await readAction(request, NEW_WATCH);
    if (isProblem(asked)) return problemResponse(asked);
    const { id, ...call } = asked;
    const done = await createWatchFrom(app.engine, call, { origin: url.origin, id }, { actor: app.identity.name });
    if (done.kind !== "saved" && done.kind !== "exists") return refusal(done);
    return json({ id: done.id, version: done.version }, 201, { Location: `${url.pathname}/${done.id}` });
  },
};

export const putWatch: Route = {
  method: "put",
  path: "/watches/{id}",
  summary: "Change a watch",
  description:
    "The whole of it is given anew. With another page, selector or comparison what it saw before is forgotten; with other times it goes on from now by those.",
  body: { required: true, description: "The watch, and the `version` that was looked at.", schema: watchChange },
  answers: { 200: { description: "Changed", content: { "application/json": { schema: savedWatch } } } },
  problems: { ...ACTION_PROBLEMS, ...unknownWatch, 409: "somebody changed it meanwhile (`version`)" },
  async handle({ request, url, params: { id = "" }, app }) {
    const asked = await readAction(request, WATCH_CHANGE);
    if (isProblem(asked)) return problemResponse(asked);
    const { version, ...call } = asked;
    const done = await updateWatchFrom(app.engine, { id, version }, call, url.origin, { actor: app.identity.name });
    return done.kind === "saved" ? json({ id, version: done.version }) : refusal(done);
  },
};

function refusal(done: Exclude<SavedWatch, { kind: "saved" }>): Response {
  switch (done.kind) {
    case "rejected":
      return problemResponse(problemOf(done.rejection));
    case "full":
      return problemResponse(problem(409, "too-many-watches", `${done.stored} watches are stored, no more are taken`));
    case "changed": {
      const detail = `somebody changed it meanwhile: it is version ${done.version} now`;
      return problemResponse(problem(409, "changed-meanwhile", detail, { version: done.version }));
    }
    case "exists":
    case "not-found":
      return noSuchWatch();
  }
}

export const noSuchWatch = (): Response =>
  problemResponse(problem(404, "no-such-watch", "no watch with this id is stored"));
