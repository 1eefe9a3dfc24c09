import { z } from "@hono/zod-openapi";
import { askerOf } from "~/cloudflare";
import { PERSON, REFUSED_CHANGES, RIGHTS } from "~/domain/people/people";
import { ROLES } from "~/domain/people/roles";
import { problem, problemOf } from "~/domain/problem";
import { problemsOf } from "~/domain/submission";
import { setPerson } from "~/lifecycle/people/people";
import { listPeople } from "~/store/people/people";
import { json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, REASON, readAction } from "./body";
import type { Call, Route } from "./route";
import { text, time } from "./schema_words";

const rights = z.object({ role: z.enum(ROLES), payloads: z.boolean() }).openapi("Rights");
const people = z
  .object({
    others: rights
      .nullable()
      .openapi({ description: "of whoever is not listed; null: no admin is listed yet, so everybody is one" }),
    people: z.array(rights.extend({ name: text, updatedAt: time, updatedBy: text })),
  })
  .openapi("People", { description: "What people may do who come in through Cloudflare Access" });

const answers = {
  200: { description: "As it is from now on", content: { "application/json": { schema: rights } } },
};
const problems = {
  409: "nobody would be left who can change this, or it does not stand on the list",
  ...ACTION_PROBLEMS,
};

export const getPeople: Route = {
  method: "get",
  path: "/people",
  summary: "What people may do who come in through Access",
  answers: { 200: { description: "By name", content: { "application/json": { schema: people } } } },
  problems: {},
  handle: async ({ app }) => json(await listPeople(app.engine.store)),
};

export const putPerson: Route = {
  method: "put",
  path: "/people/{id}",
  summary: "Say what somebody may do",
  description:
    "By e-mail, or by the client id of a service token. With the first admin, roles come into force: until then everybody is one.",
  body: { required: true, description: "The role, and whether payloads are shown.", schema: RIGHTS },
  answers,
  problems,
  handle: (call) => named(call, (name) => change(call, name)),
};

export const putDefaultRole: Route = {
  method: "put",
  path: "/default-role",
  summary: "Say what whoever is not listed may do",
  body: { required: true, description: "The role, and whether payloads are shown.", schema: RIGHTS },
  answers,
  problems,
  handle: (call) => change(call, ""),
};

export const removePerson: Route = {
  method: "post",
  path: "/people/{id}/remove",
  summary: "Take somebody off the list",
  description: "From then on they may do what whoever is not listed may.",
  body: { required: false, description: "May be left out.", schema: REASON },
  answers: {
    200: { description: "Done", content: { "application/json": { schema: z.object({ id: text }) } } },
  },
  problems,
  handle: (call) =>
    named(call, async (name) => {
      const asked = await readAction(call.request, REASON);
      if (isProblem(asked)) return problemResponse(asked);
      const by = { actor: call.app.identity.name, ...asked };
      const done = await setPerson(call.app.engine, name, null, askerOf(call.app), by);
      return done === "changed" ? json({ id: name }) : refused(done);
    }),
};

async function change({ request, app }: Call, name: string): Promise<Response> {
  const asked = await readAction(request, RIGHTS);
  if (isProblem(asked)) return problemResponse(asked);
  const { reason, ...rights } = asked;
  const done = await setPerson(app.engine, name, rights, askerOf(app), { actor: app.identity.name, reason });
  return done === "changed" ? json(rights) : refused(done);
}

async function named({ params: { id = "" } }: Call, act: (name: string) => Promise<Response>): Promise<Response> {
  const name = PERSON.safeParse(id);
  if (name.success) return act(name.data);
  return problemResponse(problemOf({ status: 400, code: "invalid", problems: problemsOf(name.error) }));
}

const refused = (why: keyof typeof REFUSED_CHANGES): Response =>
  problemResponse(problem(409, why, REFUSED_CHANGES[why]));
