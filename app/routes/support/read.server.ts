import { data } from "react-router";
import type { App } from "~/cloudflare";
import { isBucketTrouble, untilMidnight } from "~/domain/trouble";
import { isUnreachable } from "~/store/errors";

const RETRY_AFTER_SECONDS = "10";

/**
 * Runs a page's read. Where D1 or the bucket does not answer, the page says so with 503, and nothing of the error leaves
 * the house.
 */
export async function reading<T>(app: App, page: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const step = `page ${page}`;
    if (isUnreachable(error)) {
      app.engine.events({ event: "database.unreachable", step, error: String(error) });
      if (error.trouble !== "daily-limit") throw unavailable("database-unreachable", RETRY_AFTER_SECONDS);
      throw unavailable("daily-limit", String(Math.ceil(untilMidnight(app.engine.localNow(), 0) / 1000)));
    }
    if (!isBucketTrouble(error)) throw error;
    app.engine.events({ event: "files.unreachable", step, error: String(error) });
    throw unavailable("files-unreachable", RETRY_AFTER_SECONDS);
  }
}

const unavailable = (reason: string, retryAfter: string) =>
  data({ reason }, { status: 503, headers: { "Retry-After": retryAfter } });
