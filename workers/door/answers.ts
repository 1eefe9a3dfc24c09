import { PROBLEM_TYPE, type ProblemDocument, problem } from "~/domain/problem";
import { document } from "./document";
import { howToPage } from "./how_to_page";
import { isForScripts } from "./paths";

const HOW_TO_PROVE = "send `Authorization: Bearer <token>`, or sign in at /sign-in";
const HOW_TO_SET_UP = "no sign-in is set up: set the secret ADMIN_TOKEN, or put Cloudflare Access in front";
const WHOSE_WRITES = "a write must carry this site's own Origin, or a bearer token and no Origin";

const AWAY = "who you are could not be looked up: ask again in a moment. Accepted jobs go on.";
const RETRY_AFTER_SECONDS = "10";

/** The same for every wrong, old, malformed or missing proof: the answer must not say how near it was. */
export function unknownVisitor(request: Request, url: URL): Response {
  if (isForScripts(url.pathname)) {
    return asProblem(problem(401, "unauthorized", HOW_TO_PROVE), { "WWW-Authenticate": 'Bearer realm="redrive"' });
  }
  const next = request.method === "GET" ? `?next=${encodeURIComponent(url.pathname + url.search)}` : "";
  return new Response(null, { status: 303, headers: { Location: `/sign-in${next}` } });
}

export const foreignWrite = (): Response => asProblem(problem(403, "foreign-origin", WHOSE_WRITES));

/** Nobody could prove anything here, so nothing is served. */
export const noWayIn = (url: URL, nonce: string): Response =>
  isForScripts(url.pathname) ? asProblem(problem(503, "no-sign-in", HOW_TO_SET_UP)) : page(503, howToPage(nonce));

/** Whose token it is could not be looked up: what D1 need not be asked for, as ADMIN_TOKEN, goes on working. */
export const databaseAway = (url: URL, nonce: string): Response => {
  const response = isForScripts(url.pathname)
    ? asProblem(problem(503, "database-unreachable", AWAY))
    : page(
        503,
        document("The database does not answer", nonce, `<h1>The database does not answer</h1>\n<p>${AWAY}</p>`),
      );
  response.headers.set("Retry-After", RETRY_AFTER_SECONDS);
  return response;
};

export const wrongMethod = (allow: string): Response =>
  asProblem(problem(405, "method-not-allowed", `only ${allow} is answered here`), { Allow: allow });

export const page = (status: number, html: string): Response =>
  new Response(html, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });

const asProblem = (document: ProblemDocument, headers: Record<string, string> = {}): Response =>
  Response.json(document, { status: document.status, headers: { ...headers, "Content-Type": PROBLEM_TYPE } });
