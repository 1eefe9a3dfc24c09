import type { Known } from "./identify";
import { isApi } from "./paths";

const READS = ["GET", "HEAD", "OPTIONS"];

export const isRead = (request: Request): boolean => READS.includes(request.method);

/** A write must come from one of our own pages, or from a program that is no page at all. */
export function isForeign(request: Request, url: URL, known: Known): boolean {
  if (isRead(request)) return false;
  const { headers } = request;
  if (headers.get("Sec-Fetch-Site") === "cross-site") return true;
  const origin = headers.get("Origin");
  if (origin === url.origin) return false;
  // "null" is what a browser says for pages that hide where they come from.
  if (origin !== null && origin !== "null") return true;
  if (!known.ambient) return false;
  return origin === "null" || known.identity.how !== "local" || !isApi(url.pathname) || canBeForm(headers);
}

/** Browsers put an Origin on every write; should one not, a page elsewhere could still only send what a form can. */
function canBeForm(headers: Headers): boolean {
  const type = headers.get("Content-Type");
  return type !== null && !/^application\/json\b/i.test(type);
}
