import { problem } from "~/domain/problem";
import type { Engine } from "~/lifecycle/engine";
import { isRefusal } from "~/store/errors";
import { problemResponse } from "./body";

const RETRY_AFTER_SECONDS = "10";

/** What a handler threw: a database that does not answer, or a mistake of ours. The text of neither leaves the house. */
export function failure(error: unknown, request: Request, path: string, events: Engine["events"]): Response {
  if (isUnreachable(error)) {
    events({ event: "database.unreachable", step: `${request.method} ${path}`, error: String(error) });
    const detail = request.method === "POST" ? UNKNOWN : "the database does not answer: ask again in a moment";
    return problemResponse(problem(503, "database-unreachable", detail), { "Retry-After": RETRY_AFTER_SECONDS });
  }
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  events({ event: "request.failed", method: request.method, path, error: String(error), stack });
  return problemResponse(problem(500, "unexpected", "something went wrong here; it has been logged"));
}

const UNKNOWN =
  "the database does not answer, so whether this was done is unknown. Repeating is safe: a submit with the same idempotencyKey (without one it may make a second job), a requeue with its generation, a cancel as it is";

/** D1 throws plain errors. A TypeError and its like come from code, and a refusal is an answer. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && error.name === "Error" && !isRefusal(error);
