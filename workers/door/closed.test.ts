import { describe, expect, it } from "vitest";
import { SESSION_MS, sealSession } from "./session";
import { CLOSED, ORIGIN, TOKEN, visit, withToken } from "./testing";
import { calls, pages, spellings } from "./testing_routes";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** All that anybody may see, beside static files. */
const PUBLIC = ["/sign-in", "/sign-out"];

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
