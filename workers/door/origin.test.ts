import { describe, expect, it } from "vitest";
import { CLOSED, LOCAL, LOCALHOST, ORIGIN, person, serviceToken, signedIn, visit, withToken } from "./testing";

const WRITES = ["POST", "PUT", "PATCH", "DELETE"];
const FORMS = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"];
const PATHS = ["/api/v1/jobs", "/api/v1/jobs/1/requeue", "/api/v1/jobs/1/cancel", "/jobs/1/requeue", "/submit"];
const FOREIGN: Record<string, string>[] = [
  { Origin: "https://evil.example" },
  { Origin: "null" },
  { Origin: `${ORIGIN}.evil.example` },
  { Origin: ORIGIN.replace("https", "http") },
  { Origin: ORIGIN, "Sec-Fetch-Site": "cross-site" },
  {},
];

const write = (headers: Record<string, string>, method = "POST") => ({ method, headers, body: "{}" });

describe("C066: a write", () => {
  it("C066: is taken from our own pages, on the deployed host and on localhost", async () => {
    const Cookie = await signedIn();
    for (const path of PATHS) {
      for (const type of [...FORMS, "application/json"]) {
        const own = { Cookie, Origin: ORIGIN, "Content-Type": type, "Sec-Fetch-Site": "same-origin" };
        expect((await visit(CLOSED, path, write(own))).visitor).toBeDefined();
        const local = { Origin: LOCALHOST, "Content-Type": type };
        expect((await visit(LOCAL, LOCALHOST + path, write(local))).visitor?.identity.how).toBe("local");
      }
    }
  });

  it("C066: from another site, a hidden one or an unnamed one is refused, whoever the browser is signed in as", async () => {
    const Cookie = await signedIn();
    for (const path of PATHS) {
      for (const method of WRITES) {
        for (const foreign of FOREIGN) {
          for (const type of [...FORMS, "application/json"]) {
            const headers = { ...foreign, Cookie, "Content-Type": type };
            const { response, visitor } = await visit(CLOSED, path, write(headers, method));
            expect([path, method, headers, response.status, visitor]).toEqual([path, method, headers, 403, undefined]);
          }
        }
      }
    }
  });

  it("C066: is refused in local mode as well when a page elsewhere makes it", async () => {
    const foreign = [{ Origin: "https://evil.example" }, { Origin: "null" }, { Origin: "http://localhost:3000" }];
    for (const path of PATHS) {
      for (const type of [...FORMS, "application/json"]) {
        for (const headers of foreign) {
          const { response } = await visit(LOCAL, LOCALHOST + path, write({ ...headers, "Content-Type": type }));
          expect(response.status).toBe(403);
        }
      }
      for (const type of FORMS) {
        expect((await visit(LOCAL, LOCALHOST + path, write({ "Content-Type": type }))).response.status).toBe(403);
      }
    }
  });

  it("C066: of a program without Origin is taken with a token, and in local mode from the API only", async () => {
    const json = { "Content-Type": "application/json" };
    expect((await visit(CLOSED, "/api/v1/jobs", { ...write(json), ...withToken() })).visitor).toBeDefined();
    expect((await visit(LOCAL, `${LOCALHOST}/api/v1/jobs`, write(json))).visitor).toBeDefined();
    const bare = { method: "POST" };
    expect((await visit(LOCAL, `${LOCALHOST}/api/v1/jobs/1/requeue`, bare)).visitor).toBeDefined();
    expect((await visit(LOCAL, `${LOCALHOST}/jobs/1/requeue`, bare)).response.status).toBe(403);
  });

  it("C066: with a token is refused when a page elsewhere makes it", async () => {
    const headers = withToken(undefined, { Origin: "https://evil.example" }).headers;
    expect((await visit(CLOSED, "/api/v1/jobs", write(headers))).response.status).toBe(403);
  });

  it("C066: of a person behind Access needs an Origin, of a service token none", async () => {
    const ann = person({ email: "ann@example.com" });
    const path = "/api/v1/jobs";
    expect((await visit({}, path, write({}), ann)).response.status).toBe(403);
    expect((await visit({}, path, write({ Origin: ORIGIN }), ann)).visitor).toBeDefined();
    expect((await visit({}, path, write({}), serviceToken)).visitor).toBeDefined();
    expect((await visit({}, path, write({ Origin: "https://evil.example" }), serviceToken)).response.status).toBe(403);
  });

  it("C066: is what is checked: a read from anywhere is let through, since it changes nothing", async () => {
    const headers = { Cookie: await signedIn(), "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" };
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      expect((await visit(CLOSED, "/jobs", { method, headers })).visitor).toBeDefined();
    }
  });
});
