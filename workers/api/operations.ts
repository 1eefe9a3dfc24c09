import { z } from "@hono/zod-openapi";
import { AGAIN, WHY } from "~/domain/bulk/call";
import { problem } from "~/domain/problem";
import { readCursor } from "~/domain/query/cursor";
import { abortBulk, againBulk } from "~/lifecycle/bulk";
import { listOperations, readOperationDetail } from "~/store/reads/operations";
import { fresh, json } from "./answers";
import { ACTION_PROBLEMS, isProblem, problemResponse, readAction } from "./body";
import { started } from "./bulk";
import { abortedOperation, operationDetail, operationPage, startedOperation } from "./bulk_schemas";
import type { Route } from "./route";

const unknown = { 404: "no operation with this id is stored" };

const QUERY = z.strictObject({
  cursor: z
    .string()
    .refine((text) => readCursor(text) !== null, "is no cursor that a list has given out")
    .optional(),
});

export const getOperations: Route = {
  method: "get",
  path: "/operations",
  summary: "Bulk operations, newest first",
  query: QUERY,
  cached: true,
  answers: { 200: { description: "A page of them", content: { "application/json": { schema: operationPage } } } },
  problems: {},
  handle: ({ request, url, app }) =>
    fresh(request, app, () => listOperations(app.engine.store, url.searchParams.get("cursor") ?? undefined)),
};

export const getOperation: Route = {
  method: "get",
  path: "/operations/{id}",
  summary: "One bulk operation: how far it is, and what it skipped",
  cached: true,
  answers: { 200: { description: "The operation", content: { "application/json": { schema: operationDetail } } } },
  problems: unknown,
  async handle({ request, params: { id = "" }, app }) {
    const answer = await fresh(request, app, () => readOperationDetail(app.engine.store, id));
    return answer.status === 404 ? noSuchOperation() : answer;
  },
};

export const abortOperationCall: Route = {
  method: "post",
  path: "/operations/{id}/abort",
  summary: "Stop an operation",
  description: "No further jobs are touched. Those that were stay as they are.",
  body: { required: false, description: "May be left out.", schema: WHY },
  answers: { 200: { description: "Stopped", content: { "application/json": { schema: abortedOperation } } } },
  problems: { ...unknown, ...ACTION_PROBLEMS, 409: "it has ended before: `state` says how" },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, WHY);
    if (isProblem(asked)) return problemResponse(asked);
    const done = await abortBulk(app.engine, id, { actor: app.identity.name, ...asked });
    if (!done) return noSuchOperation();
    if (done.mine) return json({ id, state: "aborted" });
    return problemResponse(problem(409, "not-aborted", `the operation is ${done.state}`, { state: done.state }));
  },
};

export const againOperationCall: Route = {
  method: "post",
  path: "/operations/{id}/again",
  summary: "Run an operation again on what is left",
  description: "A new operation by the same filter, on everything that matches it now. To delete, `confirm` the count.",
  body: { required: false, description: "May be left out.", schema: AGAIN },
  answers: {
    202: {
      description: "Started",
      headers: z.object({ Location: z.string() }),
      content: { "application/json": { schema: startedOperation } },
    },
  },
  problems: {
    ...unknown,
    ...ACTION_PROBLEMS,
    413: "too many jobs would have to be looked at to count those that match",
    409: "it runs still, or the count is another one than was confirmed: `expected` is what it is now",
  },
  async handle({ request, params: { id = "" }, app }) {
    const asked = await readAction(request, AGAIN);
    if (isProblem(asked)) return problemResponse(asked);
    const { reason, ...how } = asked;
    const done = await againBulk(app.engine, id, how, { actor: app.identity.name, reason });
    if (done.kind === "not-found") return noSuchOperation();
    if (done.kind === "running") {
      return problemResponse(problem(409, "still-running", "the operation runs still: abort it first"));
    }
    if (done.kind !== "unconfirmed") return started(done);
    const message = "is needed to delete: the count of what matches now";
    const errors = [{ path: "confirm", message }];
    return problemResponse(problem(400, "invalid", `confirm: ${message}`, { errors }));
  },
};

const noSuchOperation = () => problemResponse(problem(404, "no-such-operation", unknown[404]));
