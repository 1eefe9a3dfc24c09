import type { App } from "~/cloudflare";
import { cacheKey, lifetimeMs, nextChange } from "~/domain/report/public_page";
import { isUnreachable } from "~/store/errors";
import { readPublicationRevision } from "~/store/publications";

export type Made = { status: number; type: string; body: string; headers?: Record<string, string> };

/**
 * A page that is the same for everybody who may see it, kept under the publication revision: a publication makes all
 * copies miss at once, with no purge. Costs one row read where a copy serves. Where the revision cannot be read nothing
 * kept is shown: the page says that it failed. `path`: the page's own name, without what makes no difference to it.
 */
export async function publicPage(
  request: Request,
  app: App,
  { path, longestMs }: { path: string; longestMs: number },
  make: (nowMs: number) => Promise<Made>,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return new Response("only GET and HEAD are answered here\n", { status: 405, headers: { Allow: "GET, HEAD" } });
  }
  try {
    const { revision, now } = await readPublicationRevision(app.engine.store);
    const build = app.engine.settings.appVersion;
    const life = lifetimeMs(now, longestMs);
    // A page may change by the clock alone: the moment when it does is part of its name, so no clock of a cache counts.
    const until = nextChange(now);
    const key = new Request(
      cacheKey({
        environment: app.local ? "local" : "deployed",
        origin: new URL(request.url).origin,
        build,
        revision,
        until,
        path,
      }),
    );
    const etag = `"${build}.${revision}.${until}"`;
    const kept = await copies().match(key);
    const page = kept ?? (await keep(key, life, await make(now)));
    return answer(request, app, page, etag);
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    app.engine.events({ event: "database.unreachable", step: "public page", error: String(error) });
    return new Response("this page cannot be read now\n", { status: 503, headers: { "Retry-After": "10" } });
  }
}

async function keep(key: Request, life: number, made: Made): Promise<Response> {
  const headers = { "Content-Type": made.type, ...made.headers };
  const seconds = Math.floor(life / 1000);
  if (made.status === 200 && seconds > 0) {
    await copies().put(
      key,
      new Response(made.body, { headers: { ...headers, "Cache-Control": `max-age=${seconds}` } }),
    );
  }
  return new Response(made.body, { status: made.status, headers });
}

/** What visitors get is never older than one look at the revision. */
function answer(request: Request, app: App, page: Response, etag: string): Response {
  const headers = new Headers({
    "Content-Type": page.headers.get("Content-Type") ?? "text/html; charset=utf-8",
    "Cache-Control": `${app.identity.how === "public" ? "public" : "private"}, max-age=0, must-revalidate`,
  });
  const robots = page.headers.get("X-Robots-Tag");
  if (robots) headers.set("X-Robots-Tag", robots);
  if (page.status === 200) headers.set("ETag", etag);
  const same = request.headers
    .get("If-None-Match")
    ?.split(",")
    .some((one) => [etag, "*"].includes(one.trim().replace(/^W\//, "")));
  const unchanged = page.status === 200 && same;
  if (!unchanged && request.method !== "HEAD") return new Response(page.body, { status: page.status, headers });
  page.body?.cancel();
  return new Response(null, { status: unchanged ? 304 : page.status, headers });
}

/** The browser's types know no default cache. */
const copies = (): Cache => (caches as unknown as { default: Cache }).default;
