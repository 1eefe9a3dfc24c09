import type { App } from "~/cloudflare";
import { token } from "~/domain/ids";
import { foreignWrite, noWayIn, unknownVisitor } from "./answers";
import { drain } from "./drain";
import { secured } from "./headers";
import { identify, type Ways } from "./identify";
import { isForeign } from "./origin";
import { signIn, signOut } from "./sign_in";

export type DoorEnv = { REDRIVE_LOCAL?: string; ADMIN_TOKEN?: string; REPORTS_PUBLIC?: string };
export type Visitor = Pick<App, "identity" | "local" | "nonce">;
type Enter = (visitor: Visitor) => Response | Promise<Response>;

/**
 * In front of all that the Worker serves. Whoever may not come in is answered here, and nothing behind it runs: no
 * route, loader or API handler has to remember to ask.
 */
export async function door(
  request: Request,
  env: DoorEnv,
  access: CloudflareAccessContext | undefined,
  enter: Enter,
): Promise<Response> {
  const url = new URL(request.url);
  const nonce = token();
  const ways = {
    local: isLocal(env, url),
    access,
    adminToken: env.ADMIN_TOKEN?.trim() ?? "",
    publicReports: env.REPORTS_PUBLIC === "1",
  };
  const response = await answer(request, url, ways, nonce, enter);
  if (env.REDRIVE_LOCAL === "1") await drain(request);
  return secured(response, url, nonce);
}

async function answer(request: Request, url: URL, ways: Ways, nonce: string, enter: Enter): Promise<Response> {
  if (!ways.local && !ways.access && !ways.adminToken) return noWayIn(url, nonce);
  if (url.pathname === "/sign-in") return signIn(request, url, ways, nonce);
  if (url.pathname === "/sign-out") return signOut(request, url, ways);
  if (isPublic(request, url, ways)) return enter({ identity: { name: "visitor", how: "public" }, local: false, nonce });
  const known = await identify(request, url, ways);
  if (!known) return unknownVisitor(request, url);
  if (isForeign(request, url, known)) return foreignWrite();
  return enter({ identity: known.identity, local: ways.local, nonce });
}

/** Reports are shown to everybody where the deployment says so: these very addresses, for reading, and nothing beside. */
const isPublic = (request: Request, url: URL, ways: Ways): boolean =>
  ways.publicReports &&
  !ways.local &&
  (request.method === "GET" || request.method === "HEAD") &&
  /^\/reports(\/\d{4}-\d\d-\d\d(\.svg)?)?$/.test(url.pathname);

/** The host name too: a page elsewhere whose name was made to point at this machine must not be let in. */
const isLocal = (env: DoorEnv, url: URL): boolean =>
  env.REDRIVE_LOCAL === "1" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
