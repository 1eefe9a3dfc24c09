import type { App } from "~/cloudflare";
import { etagOf, matchesEtag } from "~/domain/etag";
import { problem } from "~/domain/problem";
import { type At, readRevision } from "~/store/reads/revision";
import { problemResponse } from "./body";

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });

/** Something that changes only with the revision or the minute: who has it already learns so for one row read. */
export async function fresh<T extends At>(
  request: Request,
  app: App,
  read: () => Promise<T | null>,
  missing: () => Response = noSuchJob,
): Promise<Response> {
  // One browser may have been another person's before, and rights change: what was kept for one reader is not another's.
  const { role, payloads } = app.identity;
  const build = [app.engine.settings.appVersion, role === "admin" ? "" : role, payloads ? "" : "hidden"]
    .filter(Boolean)
    .join(".");
  const had = request.headers.get("if-none-match");
  if (had !== null) {
    const etag = etagOf(build, await readRevision(app.engine.store));
    if (matchesEtag(had, etag)) return new Response(null, { status: 304, headers: cacheable(etag) });
  }
  const value = await read();
  return value === null ? missing() : json(value, 200, cacheable(etagOf(build, value)));
}

export const noSuchJob = (): Response => problemResponse(problem(404, "no-such-job", "no job with this id is stored"));

const cacheable = (etag: string) => ({ ETag: etag, "Cache-Control": "private, no-cache" });
