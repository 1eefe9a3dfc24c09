import { type RouteConfig, z } from "@hono/zod-openapi";
import { neededFor } from "~/domain/people/needed";
import { covers, LEAST_RIGHTS, rightsText } from "~/domain/people/roles";
import { PROBLEM_TYPE, type ProblemStatus } from "~/domain/problem";
import type { Route } from "./route";
import { problemDocument } from "./schemas";

export const SECURITY = {
  type: "http",
  scheme: "bearer",
  description:
    "An API token, or ADMIN_TOKEN, which is an admin's. Behind Cloudflare Access, and in local mode, none is needed.",
} as const;

export const ABOUT = {
  openapi: "3.1.0",
  info: {
    title: "Redrive",
    version: "1",
    description: "Jobs: submit, watch, requeue, cancel. Errors are RFC 9457 problem documents.",
  },
  security: [{ bearer: [] }],
};

const IN_PATH: Record<string, string> = {
  id: "as in the path: of the job, the operation, the endpoint, the delivery, the file; the name of a kind",
  number: "of the part: 1, 2, 3 …",
};

/** Who is turned away at the door, before the call is read. */
function refusalOf(method: string, path: string): { 403?: string } {
  const needed = neededFor(method.toUpperCase(), `/api/v1${path.replace(/\{(\w+)\}/g, ":$1")}`);
  const role = covers(LEAST_RIGHTS, needed) ? [] : [`it takes: ${rightsText(needed)}`];
  const all = method === "get" ? role : [...role, "a page of another site wrote this"];
  return all.length > 0 ? { 403: all.join("; or ") } : {};
}

/** What the document says of a route: everything that it says of itself, and what is true of all of them. */
export function entryOf({
  method,
  path,
  summary,
  description,
  query,
  parameters = query,
  body,
  cached,
  answers,
  problems,
}: Route): RouteConfig {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const params =
    names.length > 0
      ? {
          params: z.object(
            Object.fromEntries(names.map((name) => [name, z.string().openapi({ description: IN_PATH[name] })])),
          ),
        }
      : {};
  const all: Partial<Record<ProblemStatus, string>> = {
    400: "something in the query or the body is not right: `errors` says where, and what would be",
    401: "no way in was shown",
    ...refusalOf(method, path),
    500: "unexpected; it has been logged",
    503: "the database does not answer; Retry-After says when to ask again",
    ...problems,
  };
  return {
    method,
    path,
    summary,
    description,
    request: {
      ...params,
      ...(parameters && { query: parameters }),
      ...(cached && { headers: z.object({ "If-None-Match": z.string().optional() }) }),
      ...(body && {
        body: {
          required: body.required,
          description: body.description,
          content: { [body.type ?? "application/json"]: { schema: body.schema } },
        },
      }),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(all).map(([status, text]) => [
          status,
          {
            description: text,
            content: { [PROBLEM_TYPE]: { schema: problemDocument } },
            ...(status === "503" && { headers: z.object({ "Retry-After": z.string() }) }),
          },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [
          status,
          cached ? { ...answer, headers: z.object({ ETag: z.string() }) } : answer,
        ]),
      ),
      ...(cached && { 304: { description: "nothing has changed since this ETag" } }),
    },
  };
}
