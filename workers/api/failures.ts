import { problem } from "~/domain/problem";
import { isBucketTrouble, untilMidnight } from "~/domain/trouble";
import type { Engine } from "~/lifecycle/engine";
import { isUnreachable } from "~/store/errors";
import { problemResponse } from "./body";

const RETRY_AFTER_SECONDS = "10";

/**
 * What a handler threw: a database or a bucket that does not answer, or a mistake of ours. The text of none leaves the
 * house.
 */
export function failure(error: unknown, request: Request, path: string, engine: Engine): Response {
  const { events } = engine;
  const step = `${request.method} ${path}`;
  if (isUnreachable(error)) {
    events({ event: "database.unreachable", step, error: String(error) });
    if (error.trouble === "daily-limit") {
      const seconds = Math.ceil(untilMidnight(engine.localNow(), 0) / 1000);
      return problemResponse(problem(503, "daily-limit", LIMITED), { "Retry-After": String(seconds) });
    }
    const detail = request.method === "POST" ? UNKNOWN : "the database does not answer: ask again in a moment";
    return problemResponse(problem(503, "database-unreachable", detail), { "Retry-After": RETRY_AFTER_SECONDS });
  }
  if (isBucketTrouble(error)) {
    events({ event: "files.unreachable", step, error: String(error) });
    const detail = "the bucket of files does not answer, the rest does: ask again in a moment";
    return problemResponse(problem(503, "files-unreachable", detail), { "Retry-After": RETRY_AFTER_SECONDS });
  }
  const stack = error instanceof Error ? (error.stack ?? null) : null;
  events({ event: "request.failed", method: request.method, path, error: String(error), stack });
  return problemResponse(problem(500, "unexpected", "something went wrong here; it has been logged"));
}

const LIMITED =
  "the daily limit of this account's free plan is reached: the database answers again after 00:00 UTC. Accepted jobs are stored, and go on then";
const UNKNOWN =
  "the database does not answer, so whether this was done is unknown. Repeating is safe: a submit with the same idempotencyKey (without one it may make a second job), a requeue with its generation, a cancel as it is";
