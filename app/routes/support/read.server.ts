import { data } from "react-router";
import type { App } from "~/cloudflare";
import { isRefusal } from "~/store/errors";

const RETRY_AFTER_SECONDS = "10";

/** Runs a page's read. Where D1 does not answer, the page says so with 503, and nothing of the error leaves the house. */
export async function reading<T>(app: App, page: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: `page ${page}`, error: String(error) });
    throw data({ reason: "database-unreachable" }, { status: 503, headers: { "Retry-After": RETRY_AFTER_SECONDS } });
  }
}

/** D1 throws plain errors. A TypeError and its like come from code, and a refusal is an answer. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error && error.name === "Error" && !isRefusal(error);
