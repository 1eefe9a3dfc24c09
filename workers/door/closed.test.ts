import { describe, expect, it } from "vitest";
import type { App } from "~/cloudflare";
import routes from "~/routes";
import { handleApi } from "../api";
import { SESSION_MS, sealSession } from "./session";
import { CLOSED, ORIGIN, TOKEN, visit, withToken } from "./testing";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** All that anybody may see, beside static files. */
const PUBLIC = ["/sign-in", "/sign-out"];

type Entry = { path?: string; index?: boolean; children?: Entry[] };

/** Addresses of all pages and actions, a made-up value for each parameter. */
function addresses(entries: Entry[], parent = ""): string[] {
  return entries.flatMap(({ path, index, children = [] }) => {
    const here = path === undefined ? parent : `${parent}/${path.replace(/:\w+\??/g, "x").replace("*", "any/thing")}`;
    return [...(path !== undefined || index ? [here || "/"] : []), ...addresses(children, here)];
  });
}

const pages = [...new Set(addresses((await routes) as Entry[]))];

const documented = await handleApi(new Request(`${ORIGIN}/api/v1/openapi.json`), {} as App);
const { paths } = (await documented.json()) as { paths: Record<string, object> };
const calls = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, "x"));

/** Other spellings of an address, which a router may well take for the same. */
const spellings = (path: string) => [
  path,
  `${path}/`,
  `/${path}`,
  path.toUpperCase(),
  path.replace(/\w$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
  `${path}?_routes=root`,
  path === "/" ? "/_root.data" : `${path}.data`,
  path === "/" ? "/_root.data?_routes=root" : `${path}.data?_routes=root`,
  `${path};jsessionid=1`,
  `/./x/..${path}`,
];

const unproved: Record<string, Record<string, string>> = {
  nothing: {},
  "a wrong token": { Authorization: "Bearer wrong" },
  "an expired session": { Cookie: `__Host-redrive=${await sealSession(TOKEN, Date.now() - SESSION_MS)}` },
  "a session made with an earlier token": { Cookie: `__Host-redrive=${await sealSession("earlier", Date.now())}` },
  "a claim of Access that the platform did not make": { "Cf-Access-Authenticated-User-Email": "ann@example.com" },
};

describe("C063: every route of the deployment", () => {
  it("C063: is known here", () => {
    expect(pages).toContain("/");
    expect(pages.length).toBeGreaterThan(5);
    expect(calls).toContain("/api/v1/jobs/x");
    expect(calls.length).toBeGreaterThan(5);
  });

  it("C063: is closed to whoever proves nothing, with each method and in each spelling", async () => {
    for (const [what, headers] of Object.entries(unproved)) {
      for (const path of [...pages, ...calls, "/__manifest", "/not-there", "/api/v1/not-there"].flatMap(spellings)) {
        for (const method of METHODS) {
          const { response, visitor } = await visit(CLOSED, path, { method, headers: { ...headers, Origin: ORIGIN } });
          expect([what, path, method, visitor]).toEqual([what, path, method, undefined]);
          if (PUBLIC.includes(path)) continue;
          expect([what, path, method, response.status]).toEqual([
            what,
            path,
            method,
            response.status === 401 ? 401 : 303,
          ]);
          if (response.status === 303) expect(response.headers.get("Location")).toMatch(/^\/sign-in(\?next=|$)/);
        }
      }
    }
  });

  it("C063: is open to whoever holds the token", async () => {
    for (const path of [...pages, ...calls]) {
      const { visitor } = await visit(CLOSED, path, withToken());
      expect([path, visitor?.identity.name]).toEqual([path, "admin"]);
    }
  });
});
