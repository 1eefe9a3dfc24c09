import type { Identity } from "~/cloudflare";
import { chosenName, personName } from "~/domain/people/people";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { digestOf, isApiToken, tokenActor } from "~/domain/people/tokens";
import { findRights } from "~/store/people/people";
import { findToken, type StoredToken } from "~/store/people/tokens";
import type { Store } from "~/store/store";
import { claimOf, isSealedBy, readSession } from "./session";
import { bearerOf, isSameToken } from "./token";

/** Who is asking. `ambient`: proved by what a browser sends along by itself, whichever page made it send. */
export type Known = { identity: Identity; ambient: boolean };

export type Ways = {
  local: boolean;
  access: CloudflareAccessContext | undefined;
  adminToken: string;
  publicReports: boolean;
};

const ADMIN = { name: "admin", ...ALL_RIGHTS };

/**
 * Null for nobody. A token that is sent decides alone: a wrong one is not made good by a cookie. A stored one is looked up
 * each time, so it holds for nothing from the moment it is revoked.
 */
export async function identify(request: Request, url: URL, ways: Ways, store: Store): Promise<Known | null> {
  const { local, access, adminToken } = ways;
  const authorization = request.headers.get("Authorization");
  const given = bearerOf(authorization ?? "");
  if (isApiToken(given)) return byToken(await findToken(store, "hash", await digestOf(given)), "token");
  if (authorization !== null && adminToken && !local) {
    const right = await isSameToken(given, adminToken);
    return right ? { identity: { ...ADMIN, how: "token" }, ambient: false } : null;
  }
  if (access && !local) return byAccess(request, access, store);
  const known = await bySession(readSession(request, url) ?? "", adminToken, store);
  return known ?? (local ? { identity: { name: "local", ...ALL_RIGHTS, how: "local" }, ambient: true } : null);
}

/** The token of a person's choosing who signs in with it, where it is in force. */
export async function holderOf(given: string, adminToken: string, store: Store): Promise<"admin" | StoredToken | null> {
  if (isApiToken(given)) return findToken(store, "hash", await digestOf(given));
  return adminToken && (await isSameToken(given, adminToken)) ? "admin" : null;
}

function byToken(token: StoredToken | null, how: "token" | "session"): Known | null {
  if (!token) return null;
  const { name, role, payloads } = token;
  return { identity: { name: tokenActor(name), role, payloads, how }, ambient: how === "session" };
}

async function bySession(value: string, adminToken: string, store: Store): Promise<Known | null> {
  const session = claimOf(value, Date.now());
  if (!session) return null;
  if (session.id !== null) {
    const token = await findToken(store, "id", session.id);
    return token && (await isSealedBy(token.hash, session)) ? byToken(token, "session") : null;
  }
  if (!adminToken || !(await isSealedBy(adminToken, session))) return null;
  return { identity: { ...ADMIN, how: "session" }, ambient: true };
}

async function byAccess(request: Request, access: CloudflareAccessContext, store: Store): Promise<Known> {
  const person = await access.getIdentity();
  if (person) {
    // Only an address says who somebody is: names are often of one's own choosing, and could read as another's.
    const email = person.email?.includes("@") ? person.email : null;
    const called = person.name || person.email;
    const rights = await findRights(store, email && personName(email));
    const name = email ?? (called ? chosenName(called) : "unnamed");
    return { identity: { name, ...rights, how: "access" }, ambient: true };
  }
  const name = serviceName(request);
  const rights = await findRights(store, name && personName(name));
  return { identity: { name: name ?? "service token", ...rights, how: "access" }, ambient: false };
}

/** The platform has let the service token in; its name is only in the assertion that came with it. No person has such a name. */
function serviceName(request: Request): string | null {
  const claims = request.headers.get("Cf-Access-Jwt-Assertion")?.split(".")[1] ?? "";
  try {
    const name = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).common_name;
    return typeof name === "string" && name && !name.includes("@") ? name : null;
  } catch {
    return null;
  }
}
