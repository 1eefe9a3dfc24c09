import { z } from "@hono/zod-openapi";
import { ROLES } from "~/domain/people/roles";
import { NEW_TOKEN } from "~/domain/people/tokens";
import { problem, problemOf } from "~/domain/problem";
import { makeToken, revokeToken } from "~/lifecycle/people/tokens";
import { listTokens } from "~/store/people/tokens";
import { json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, REASON, readAction } from "./body";
import type { Route } from "./route";
import { text, time } from "./schema_words";

const token = z
  .object({
    id: text,
    name: text,
    hint: text.openapi({ description: "how it begins" }),
    role: z.enum(ROLES),
    payloads: z.boolean(),
    createdAt: time,
    createdBy: text,
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable().openapi({ description: "to the hour" }),
    expired: z.boolean(),
  })
  .openapi("ApiToken", { description: "What is kept of an API token; the token itself is not" });
const madeToken = z
  .object({ id: text, token: text.openapi({ description: "shown in this answer, and never again" }) })
  .openapi("MadeToken");

export const getTokens: Route = {
  method: "get",
  path: "/tokens",
  summary: "API tokens, newest first",
  answers: {
    200: {
      description: "All of them",
      content: { "application/json": { schema: z.object({ tokens: z.array(token) }) } },
    },
  },
  problems: {},
  handle: async ({ app }) => json({ tokens: await listTokens(app.engine.store) }),
};

export const postToken: Route = {
  method: "post",
  path: "/tokens",
  summary: "Make an API token",
  description:
    "256 random bits behind `rd_`. Only its digest is stored: the answer is the only one that holds it. Where that was lost, revoke it and make another.",
  body: { required: true, description: "What it is called, and what it may do.", schema: NEW_TOKEN },
  answers: { 201: { description: "It holds from now on", content: { "application/json": { schema: madeToken } } } },
  problems: ACTION_PROBLEMS,
  async handle({ request, url, app }) {
    const asked = await readAction(request, NEW_TOKEN);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await makeToken(app.engine, asked, { actor: app.identity.name, reason: asked.reason });
    if (done.kind === "rejected") {
      return problemResponse(problemOf({ status: 400, code: "invalid", problems: done.problems }));
    }
    return json({ id: done.id, token: done.token }, 201, { Location: `${url.pathname}/${done.id}` });
  },
};

export const revokeTokenCall: Route = {
  method: "post",
  path: "/tokens/{id}/revoke",
  summary: "Revoke an API token",
  description: "From this moment on it lets nobody in, nor does any session that was made of it.",
  body: { required: false, description: "May be left out.", schema: REASON },
  answers: {
    200: { description: "Revoked", content: { "application/json": { schema: z.object({ id: text }) } } },
  },
  problems: { ...ACTION_PROBLEMS, 404: "no token with this id is in force" },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, REASON);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await revokeToken(app.engine, id, { actor: app.identity.name, ...asked });
    return done ? json({ id }) : problemResponse(problem(404, "no-such-token", "no token with this id is in force"));
  },
};
