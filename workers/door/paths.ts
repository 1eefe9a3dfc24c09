export const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/** Asked for by a script, which a redirect to a page would only confuse. `.data` is how the router fetches. */
export const isForScripts = (path: string): boolean => isApi(path) || path.endsWith(".data");

/** The same of a form that a script of ours sends while its page stays. */
export const asksForData = (request: Request, url: URL): boolean =>
  isForScripts(url.pathname) || request.headers.get("accept") === "application/json";

/** Where to go after signing in: a path of this origin, or the front page. */
export function pathToReturnTo(next: string | null, origin: string): string {
  if (!next?.startsWith("/")) return "/";
  const url = URL.parse(next, origin);
  // "/.//elsewhere" stays on this origin until it is written down as "//elsewhere".
  if (url?.origin !== origin || url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search;
}
