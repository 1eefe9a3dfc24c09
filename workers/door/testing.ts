import type { Rights } from "~/domain/people/roles";
import { makeToken } from "~/lifecycle/people/tokens";
import { probes } from "~/testing/probes";
import { World } from "~/testing/world";
import type { Visitor } from "./door";
import { door } from "./door";

export const ORIGIN = "https://jobs.example.com";
export const LOCALHOST = "http://localhost:8787";
export const TOKEN = "kX9mQ2vT7wR4yU1iO6pA3sD8fG5hJ0kL";
export const CLOSED = { ADMIN_TOKEN: TOKEN };
export const LOCAL = { REDRIVE_LOCAL: "1" };

/** The door with a room behind it that says who came in. */
export async function visit(
  env: Parameters<typeof door>[1],
  path: string,
  init: RequestInit = {},
  access?: CloudflareAccessContext,
  world = new World(probes),
): Promise<{ response: Response; visitor: Visitor | undefined; text: string }> {
  let visitor: Visitor | undefined;
  const url = /^https?:/.test(path) ? path : ORIGIN + path;
  const request = new Request(url, { redirect: "manual", ...init });
  const response = await door(request, env, access, world.invocation().engine, (entered) => {
    visitor = entered;
    return new Response("the room");
  });
  return { response, visitor, text: await response.clone().text() };
}

export const withToken = (token = TOKEN, headers: Record<string, string> = {}) => ({
  headers: { Authorization: `Bearer ${token}`, ...headers },
});

export const person = (identity: CloudflareAccessIdentity): CloudflareAccessContext => ({
  aud: "aud",
  getIdentity: async () => identity,
});

export const serviceToken: CloudflareAccessContext = { aud: "aud", getIdentity: async () => undefined };

/** Signs in through the form, as a browser would, and gives the cookie to send from then on. */
export async function signedIn(token = TOKEN, origin = ORIGIN): Promise<string> {
  const { response } = await visit(CLOSED, `${origin}/sign-in`, signInForm(token, "/", origin));
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

export const signInForm = (token: string, next = "/", origin = ORIGIN): RequestInit => ({
  method: "POST",
  headers: { Origin: origin },
  body: new URLSearchParams({ token, next }),
});

/** A token that is stored, with these rights. */
export async function tokenOf(world: World, rights: Rights, days: number | null = null): Promise<string> {
  const asked = { ...rights, name: `${rights.role} ${rights.payloads} ${world.newId()}`, days };
  const made = await makeToken(world.invocation().engine, asked, { actor: "ann" });
  if (made.kind !== "made") throw new Error(JSON.stringify(made));
  return made.token;
}
