import type { App, Identity } from "~/cloudflare";
import { token } from "~/domain/ids";
import { neededFor } from "~/domain/people/needed";
import { covers, LEAST_RIGHTS } from "~/domain/people/roles";
import { isUnreachable } from "~/store/errors";
import { databaseAway, foreignWrite, noWayIn, unknownVisitor } from "./answers";
import { drain } from "./drain";
import { secured } from "./headers";
import { identify, type Ways } from "./identify";
import { isForeign } from "./origin";
import { type Desk, refuse } from "./refuse";
import { signIn, signOut } from "./sign_in";

export type DoorEnv = { REDRIVE_LOCAL?: string; ADMIN_TOKEN?: string; REPORTS_PUBLIC?: string };
export type Visitor = Pick<App, "identity" | "local" | "adminToken" | "nonce">;
type Enter = (visitor: Visitor) => Response | Promise<Response>;

/**
 * In front of all that the Worker serves. Whoever may not come in, or may not do what they ask for, is answered here, and
 * nothing behind it runs: no route, loader or API handler has to remember to ask.
 */
export async function door(
  request: Request,
  env: DoorEnv,
  access: CloudflareAccessContext | undefined,
  desk: Desk,
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
  const response = await answer(request, url, ways, nonce, desk, enter);
  if (env.REDRIVE_LOCAL === "1") await drain(request);
  return secured(response, url, nonce);
}

async function answer(
  request: Request,
  url: URL,
  ways: Ways,
  nonce: string,
  desk: Desk,
  enter: Enter,
): Promise<Response> {
  if (!ways.local && !ways.access && !ways.adminToken) return noWayIn(url, nonce);
  const admitted = await admit(request, url, ways, nonce, desk).catch((error: unknown) => {
    if (!isUnreachable(error)) throw error;
    desk.events({ event: "database.unreachable", step: "the door", error: String(error) });
    return databaseAway(url, nonce);
  });
  if (admitted instanceof Response) return admitted;
  return enter({ identity: admitted, local: ways.local, adminToken: ways.adminToken !== "", nonce });
}

/** Who it is that may have what they ask for; or the answer to whoever may not. */
async function admit(request: Request, url: URL, ways: Ways, nonce: string, desk: Desk): Promise<Identity | Response> {
  if (url.pathname === "/sign-in") return signIn(request, url, ways, nonce, desk.store);
  if (url.pathname === "/sign-out") return signOut(request, url, ways);
  if (isPublic(request, url, ways)) return VISITOR;
  const known = await identify(request, url, ways, desk.store);
  if (!known) return unknownVisitor(request, url);
  if (isForeign(request, url, known)) return foreignWrite();
  const needed = neededFor(request.method, url.pathname);
  return covers(known.identity, needed) ? known.identity : refuse(request, url, known.identity, needed, nonce, desk);
}

const VISITOR: Identity = { name: "visitor", how: "public", ...LEAST_RIGHTS };

/** Reports are shown to everybody where the deployment says so: these very addresses, for reading, and nothing beside. */
const isPublic = (request: Request, url: URL, ways: Ways): boolean =>
  ways.publicReports &&
  !ways.local &&
  (request.method === "GET" || request.method === "HEAD") &&
  /^\/reports(\/\d{4}-\d\d-\d\d(\.svg)?)?$/.test(url.pathname);

/** The host name too: a page elsewhere whose name was made to point at this machine must not be let in. */
const isLocal = (env: DoorEnv, url: URL): boolean =>
  env.REDRIVE_LOCAL === "1" && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
