import type { Identity } from "~/cloudflare";
import { isSession, readSession } from "./session";
import { bearerOf, isSameToken } from "./token";

/** Who is asking. `ambient`: proved by what a browser sends along by itself, whichever page made it send. */
export type Known = { identity: Identity; ambient: boolean };

export type Ways = {
  local: boolean;
  access: CloudflareAccessContext | undefined;
  adminToken: string;
  publicReports: boolean;
};

/** Null for nobody. A token that is sent decides alone: a wrong one is not made good by a cookie. */
export async function identify(request: Request, url: URL, ways: Ways): Promise<Known | null> {
  const { local, access, adminToken } = ways;
  if (local) return { identity: { name: "local", how: "local" }, ambient: true };
  const authorization = request.headers.get("Authorization");
  if (authorization !== null && adminToken) {
    const right = await isSameToken(bearerOf(authorization), adminToken);
    return right ? { identity: { name: "admin", how: "token" }, ambient: false } : null;
  }
  if (access) return byAccess(request, access);
  const session = readSession(request, url);
  if (!session || !adminToken || !(await isSession(session, adminToken, Date.now()))) return null;
  return { identity: { name: "admin", how: "session" }, ambient: true };
}

async function byAccess(request: Request, access: CloudflareAccessContext): Promise<Known> {
  const person = await access.getIdentity();
  if (person) return { identity: { name: person.email ?? person.name ?? "unnamed", how: "access" }, ambient: true };
  return { identity: { name: serviceName(request) ?? "service token", how: "access" }, ambient: false };
}

/** The platform has let the service token in; its name is only in the assertion that came with it. */
function serviceName(request: Request): string | null {
  const claims = request.headers.get("Cf-Access-Jwt-Assertion")?.split(".")[1] ?? "";
  try {
    const name = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).common_name;
    return typeof name === "string" && name ? name : null;
  } catch {
    return null;
  }
}
