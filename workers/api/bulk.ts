import { z } from "@hono/zod-openapi";
import { frozenAt } from "~/domain/bulk/bulk";
import { BULK, BULK_FILTER, type BulkCall } from "~/domain/bulk/call";
import { BULK_BYTES, BULK_IDS } from "~/domain/limits";
import { problem } from "~/domain/problem";
import { instant } from "~/domain/time";
import { bulkIds, type Started, startBulk } from "~/lifecycle/bulk";
import { COUNT_ROWS, measure } from "~/store/bulk/matching";
import { operationRowOf } from "~/store/reads/operations";
import { json } from "./answers";
import { isProblem, problemResponse, readAction } from "./body";
import { bulkCount, bulkDone, startedOperation } from "./bulk_schemas";
import type { Call, Route } from "./route";

export const postBulk: Route = {
  method: "post",
  path: "/bulk",
  summary: "Requeue, cancel or delete many jobs",
  description: `Named by \`ids\`, up to ${BULK_IDS} at once: the answer says what was changed, and what was skipped and why; with \`filter\` as well, only those that match it still. By \`filter\` alone: everything that matches now, as an operation that runs by itself; jobs of operations only where the filter names their kind. To delete so, \`confirm\` is the count that you have seen; another count now is a conflict. A call with the \`id\` (UUIDv7) of an earlier one answers with its operation.`,
  body: { required: true, description: `At most ${BULK_BYTES} bytes.`, schema: BULK },
  answers: {
    200: { description: "Named jobs: done", content: { "application/json": { schema: bulkDone } } },
    202: {
      description: "Started",
      headers: z.object({ Location: z.string() }),
      content: { "application/json": { schema: startedOperation } },
    },
  },
  problems: {
    409: "the count is another one than was confirmed: `expected` is what it is now; nothing was started",
    413: `over ${BULK_IDS} ids or ${BULK_BYTES} bytes, or too many jobs would have to be looked at to count those that match; nothing was changed`,
    415: "the body is not application/json",
  },
  async handle(call) {
    const asked = await readAction(call.request, BULK, BULK_BYTES);
    if (isProblem(asked)) return problemResponse(asked);
    return asked.ids ? named(call, asked, asked.ids) : matching(call, asked);
  },
};

async function named({ app }: Call, { action, filter, reason }: BulkCall, ids: string[]): Promise<Response> {
  const given = new Set(ids).size;
  if (given > BULK_IDS) {
    const message = `at most ${BULK_IDS} ids are taken, these are ${given}: for more there is the filter`;
    return problemResponse(
      problem(413, "too-many-ids", message, { errors: [{ path: "ids", message, limit: BULK_IDS }] }),
    );
  }
  return json(await bulkIds(app.engine, action, ids, filter ?? {}, { actor: app.identity.name, reason }));
}

async function matching({ app }: Call, { reason, filter, id = app.engine.newId(), ...how }: BulkCall) {
  const ask = { ...how, id, filter: filter as NonNullable<typeof filter> };
  return started(await startBulk(app.engine, ask, { actor: app.identity.name, reason }));
}

export function started(done: Started): Response {
  if (done.kind === "recounted") {
    const detail = `${done.expected} jobs match now: confirm that count`;
    return problemResponse(problem(409, "recounted", detail, { expected: done.expected }));
  }
  if (done.kind === "uncountable") return uncountable();
  const operation = operationRowOf(done.operation);
  return json({ operation }, 202, { Location: `/api/v1/operations/${operation.id}` });
}

const TOO_MANY = `more than ${COUNT_ROWS} jobs would have to be looked at: name a kind, a cause, or a shorter time of submission or end`;
const uncountable = () =>
  problemResponse(
    problem(413, "too-many-to-count", TOO_MANY, { errors: [{ path: "filter", message: TOO_MANY, limit: COUNT_ROWS }] }),
  );

export const getBulkCount: Route = {
  method: "get",
  path: "/bulk/count",
  summary: "How many jobs an action by this filter would touch",
  description: `Exact. Of a view, of one kind or all, or of a cause it is read from the numbers that every write keeps; with \`q\`, what a filter box holds, up to ${COUNT_ROWS} jobs are looked at.`,
  query: BULK_FILTER,
  answers: { 200: { description: "The count", content: { "application/json": { schema: bulkCount } } } },
  problems: { 413: "too many jobs would have to be looked at" },
  async handle({ url, app }) {
    const filter = BULK_FILTER.parse(Object.fromEntries(url.searchParams));
    const { expected, cutoff } = await measure(app.engine.store, filter);
    if (expected === null) return uncountable();
    return json({ count: expected, now: instant(cutoff), filter: frozenAt(filter, cutoff) });
  },
};
