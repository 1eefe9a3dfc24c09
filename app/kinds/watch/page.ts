import { meaningOf, retryAfter } from "~/domain/answers";
import { PermanentError, RetryLater } from "~/domain/errors";
import type { JobContext } from "../define";

const REDIRECTS = 5;
/** For one request, to the end of its answer: the attempt itself has 30 s. */
const TIMEOUT_MS = 20_000;
const REDIRECTING = [301, 302, 303, 307, 308];

/** What the page said of itself when it was read last: sent back, so that it can answer 304. */
export type Validators = { etag: string | null; lastModified: string | null };
export type Page = { status: number; response: Response | null; validators: Validators };

/**
 * Asks for a page, by the table of answers. Redirects are followed, each under the outbound rules: nothing secret goes
 * along. `response` is null where the page is the one that the validators speak of.
 */
export async function fetchPage(ctx: JobContext, address: string, known: Validators): Promise<Page> {
  const headers = {
    accept: "text/html, application/xhtml+xml, */*;q=0.5",
    "user-agent": "Redrive page watch",
    ...(known.etag !== null && { "if-none-match": known.etag }),
    ...(known.lastModified !== null && { "if-modified-since": known.lastModified }),
  };
  const response = await follow(ctx, address, headers);
  const { status } = response;
  const conditional = known.etag !== null || known.lastModified !== null;
  if (status === 304 && conditional) {
    await response.body?.cancel();
    return { status, response: null, validators: known };
  }
  const meaning = meaningOf(status);
  if (meaning === "success") return { status, response, validators: validatorsOf(response.headers) };
  await response.body?.cancel();
  if (meaning === "permanent") throw new PermanentError(`answered ${status}`);
  throw new RetryLater(retryAfter(response.headers.get("retry-after"), ctx.now()) ?? 0, `answered ${status}`);
}

async function follow(ctx: JobContext, address: string, headers: Record<string, string>): Promise<Response> {
  const been = new Set<string>();
  for (let url = address; ; ) {
    been.add(url);
    const response = await ctx.fetch(url, {
      headers,
      redirect: "manual",
      // What stands between us and the page must ask it, too.
      cache: "no-store",
      timeoutMs: TIMEOUT_MS,
    });
    const { status } = response;
    if (!REDIRECTING.includes(status)) return response;
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (location === null || !URL.canParse(location, url)) {
      throw new PermanentError(`answered ${status} without an address to go to`);
    }
    const next = new URL(location, url);
    next.hash = "";
    if (been.has(next.href)) throw new PermanentError(`redirects in a circle, back to ${next.href}`);
    if (been.size > REDIRECTS) throw new PermanentError(`redirects more than ${REDIRECTS} times, last to ${next.href}`);
    url = next.href;
  }
}

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,500}"$/;

/** What is not well formed would make the next request one that nobody can read. */
function validatorsOf(headers: Headers): Validators {
  const etag = headers.get("etag");
  const lastModified = headers.get("last-modified");
  return {
    etag: etag !== null && ETAG.test(etag) ? etag : null,
    lastModified: lastModified !== null && HTTP_DATE.test(lastModified) ? lastModified : null,
  };
}
