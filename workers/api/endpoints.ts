import { z } from "@hono/zod-openapi";
import { membersOf } from "~/domain/json";
import { problem, problemOf } from "~/domain/problem";
import { type Problem, parseJson, problemsOf } from "~/domain/submission";
import { NEW_ENDPOINT } from "~/domain/webhooks/endpoint_input";
import { type Changed, disable, enable, remove, rotate, saveEndpoint } from "~/lifecycle/webhooks/endpoints";
import { listEndpoints, readEndpoint } from "~/store/reads/webhooks";
import { fresh, json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, REASON, readAction, readText, typeProblem } from "./body";
import type { Route } from "./route";
import { callId } from "./schema_words";
import { changedEndpoint, endpointDetail, endpointList, rotatedSecret, savedEndpoint } from "./webhook_schemas";

const CALL = NEW_ENDPOINT.extend({ id: callId });
/** Twenty headers of 8 KB each, and an address. */
const ENDPOINT_BYTES = 262_144;
const unknown = { 404: "no endpoint with this id is saved" };

export const getEndpoints: Route = {
  method: "get",
  path: "/endpoints",
  summary: "Saved receivers of webhooks, newest first",
  description: "Secrets, and what custom headers hold, are not shown.",
  cached: true,
  answers: { 200: { description: "All of them", content: { "application/json": { schema: endpointList } } } },
  problems: {},
  handle: ({ request, app }) => fresh(request, app, () => listEndpoints(app.engine.store, app.identity)),
};

export const getEndpoint: Route = {
  method: "get",
  path: "/endpoints/{id}",
  summary: "One endpoint with what it was sent lately",
  cached: true,
  answers: { 200: { description: "The endpoint", content: { "application/json": { schema: endpointDetail } } } },
  problems: unknown,
  async handle({ request, params: { id = "" }, app }) {
    const answer = await fresh(request, app, () => readEndpoint(app.engine.store, id, app.identity));
    return answer.status === 404 ? noSuchEndpoint() : answer;
  },
};

export const postEndpoint: Route = {
  method: "post",
  path: "/endpoints",
  summary: "Save an endpoint",
  description:
    "`standard` is signed by Standard Webhooks: with `secret` (whsec_ and base64), or one made for it. The answer is the only one that holds the secret. With `id` and `secret` it is safe to repeat, and answers the same.",
  body: { required: true, description: `At most ${ENDPOINT_BYTES} bytes.`, schema: CALL },
  answers: { 201: { description: "Saved", content: { "application/json": { schema: savedEndpoint } } } },
  problems: { 413: `the body is over ${ENDPOINT_BYTES} bytes`, 415: "the body is not application/json" },
  async handle({ request, url, app }) {
    const wrongType = typeProblem(request);
    if (wrongType) return problemResponse(wrongType);
    const text = await readText(request, ENDPOINT_BYTES);
    if (isProblem(text)) return problemResponse(text);
    const value = parseJson(text);
    if (!value.ok) return problemResponse(problemOf(value.rejection));
    const parsed = CALL.safeParse(value.json);
    if (!parsed.success) return invalid(problemsOf(parsed.error));
    const { id, ...input } = parsed.data;
    const done = await saveEndpoint(app.engine, input, headersOf(text), { actor: app.identity.name }, id);
    if (done.kind === "rejected") return invalid(done.problems);
    return json({ id: done.id, secret: done.kind === "saved" ? done.secret : null }, 201, {
      Location: `${url.pathname}/${done.id}`,
    });
  },
};

/** As they were written: an object of JSON keeps only the last of two with one name. */
function headersOf(text: string): [string, string][] {
  const [, headers = "{}"] = membersOf(text.trim()).findLast(([name]) => name === "headers") ?? [];
  return membersOf(headers).map(([name, value]) => [name, JSON.parse(value) as string]);
}

const ROTATE = z.strictObject({ secret: z.string().max(200).optional().describe("one is made where it is left out") });

const changing = (verb: string, summary: string, description: string, change: Change): Route => ({
  method: "post",
  path: `/endpoints/{id}/${verb}`,
  summary,
  description,
  body: { required: false, description: "May be left out.", schema: REASON },
  answers: { 200: { description: "Done", content: { "application/json": { schema: changedEndpoint } } } },
  problems: { ...unknown, ...ACTION_PROBLEMS },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await change(app.engine, id, { actor: app.identity.name, ...asked });
    return done.kind === "not-found" ? noSuchEndpoint() : json({ id, changed: done.kind === "changed" });
  },
});
type Change = (...args: Parameters<typeof disable>) => Promise<Changed>;

export const disableEndpoint = changing(
  "disable",
  "Send an endpoint nothing more",
  "Events skip it, and what is being retried ends at its next try.",
  disable,
);
export const enableEndpoint = changing(
  "enable",
  "Send an endpoint events again",
  "What it missed can be resent one by one.",
  enable,
);
export const deleteEndpoint = changing(
  "delete",
  "Remove an endpoint",
  "It gets nothing more. What it was sent stays with its events.",
  remove,
);

export const rotateEndpoint: Route = {
  method: "post",
  path: "/endpoints/{id}/rotate",
  summary: "Give an endpoint a new secret",
  description:
    "The one before signs beside it for 24 hours; a further rotation within that time drops the older one. The answer is the only one that holds the new secret. With `secret` it is safe to repeat: the same one again changes nothing and answers the same.",
  body: { required: false, description: "May be left out.", schema: ROTATE },
  answers: { 200: { description: "It signs from now on", content: { "application/json": { schema: rotatedSecret } } } },
  problems: { ...unknown, ...ACTION_PROBLEMS, 409: "the endpoint is not signed" },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, ROTATE);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await rotate(app.engine, id, { actor: app.identity.name }, asked.secret);
    if (done.kind === "rejected") return invalid(done.problems);
    if (done.kind === "not-found") return noSuchEndpoint();
    if (done.kind === "rotated") return json({ id, secret: done.secret });
    return problemResponse(problem(409, "not-signed", "this endpoint is not signed: it has no secret to rotate"));
  },
};

const invalid = (problems: Problem[]) => problemResponse(problemOf({ status: 400, code: "invalid", problems }));
const noSuchEndpoint = () => problemResponse(problem(404, "no-such-endpoint", "no endpoint with this id is saved"));
