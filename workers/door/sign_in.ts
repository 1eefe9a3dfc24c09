import type { Store } from "~/store/store";
import { foreignWrite, page, wrongMethod } from "./answers";
import { holderOf, type Ways } from "./identify";
import { pathToReturnTo } from "./paths";
import { SESSION_MS, sealSession, setSession } from "./session";
import { signInPage } from "./sign_in_page";

/** A form that a browser sends is far smaller; more is not read. */
const FORM_BYTES = 16_384;

/** The one page that anybody may see. Where Access lets people in, there is nothing to type; on one's own machine there need not be. */
export async function signIn(request: Request, url: URL, ways: Ways, nonce: string, store: Store): Promise<Response> {
  if (!["GET", "HEAD", "POST"].includes(request.method)) return wrongMethod("GET, HEAD, POST");
  const asked = pathToReturnTo(url.searchParams.get("next"), url.origin);
  if (!ways.local && (ways.access || !ways.adminToken)) return seeOther(asked);
  if (request.method !== "POST") return page(200, signInPage(nonce, asked, ways.local, false));
  if (request.headers.get("Origin") !== url.origin) return foreignWrite();
  const form = await formOf(request);
  const next = pathToReturnTo(form.get("next"), url.origin);
  const holder = await holderOf(form.get("token")?.trim() ?? "", ways.adminToken, store);
  if (holder === null) return page(401, signInPage(nonce, next, ways.local, true));
  const now = Date.now();
  const session =
    holder === "admin" ? await sealSession(ways.adminToken, now) : await sealSession(holder.hash, now, holder);
  return seeOther(next, setSession(url, session, SESSION_MS));
}

export function signOut(request: Request, url: URL, ways: Ways): Response {
  if (request.method !== "POST") return wrongMethod("POST");
  if (request.headers.get("Origin") !== url.origin) return foreignWrite();
  return seeOther(ways.access && !ways.local ? "/cdn-cgi/access/logout" : "/sign-in", setSession(url, "", 0));
}

async function formOf(request: Request): Promise<URLSearchParams> {
  const body = new Uint8Array(FORM_BYTES);
  let length = 0;
  for await (const chunk of request.body ?? []) {
    if (length + chunk.length > FORM_BYTES) return new URLSearchParams();
    body.set(chunk, length);
    length += chunk.length;
  }
  return new URLSearchParams(new TextDecoder().decode(body.subarray(0, length)));
}

function seeOther(path: string, cookie?: string): Response {
  const headers = new Headers({ Location: path });
  if (cookie) headers.set("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}
