import { describe, expect, it } from "vitest";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { secured } from "./headers";
import { CLOSED, LOCAL, LOCALHOST, ORIGIN, person, serviceToken, TOKEN, visit, withToken } from "./testing";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

describe("a deployment with no sign-in set up", () => {
  it("C063: serves the page that says how, and nothing else", async () => {
    for (const path of ["/", "/jobs", "/jobs/1", "/sign-in", "/sign-out", "/anything"]) {
      for (const method of METHODS) {
        const { response, visitor, text } = await visit({}, path, { method });
        expect([path, method, response.status, visitor]).toEqual([path, method, 503, undefined]);
        expect(text).toContain("ADMIN_TOKEN");
        expect(text).toContain("Cloudflare Access");
      }
    }
  });

  it("C063: answers programs with a problem document", async () => {
    for (const path of ["/api", "/api/v1/jobs", "/api/v1/health", "/jobs.data?_routes=routes%2Fjobs"]) {
      const { response, visitor, text } = await visit({}, path);
      expect([response.status, visitor]).toEqual([503, undefined]);
      expect(response.headers.get("Content-Type")).toBe("application/problem+json");
      expect(JSON.parse(text)).toMatchObject({ status: 503, code: "no-sign-in" });
    }
  });

  it("is opened by Access alone", async () => {
    expect((await visit({}, "/jobs", {}, person({ email: "ann@example.com" }))).visitor).toBeDefined();
  });
});

describe("local mode", () => {
  it("lets requests to this machine in", async () => {
    for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "localhost"]) {
      const { visitor } = await visit(LOCAL, `http://${host}/jobs`);
      expect(visitor).toMatchObject({ identity: { name: "local", how: "local" }, local: true });
    }
  });

  it("lets no other host name in, also one that was made to point at this machine", async () => {
    const others = [
      "jobs.example.com",
      "localhost.evil.example",
      "evil.example:8787",
      "127.0.0.1.nip.io",
      "192.168.0.2",
    ];
    for (const host of others) {
      expect((await visit(LOCAL, `http://${host}/jobs`)).response.status).toBe(503);
      const { visitor } = await visit({ ...LOCAL, ...CLOSED }, `http://${host}/jobs`, withToken());
      expect(visitor).toMatchObject({ identity: { how: "token" }, local: false });
    }
  });

  it("is on for the value 1 only", async () => {
    for (const value of ["", "0", "true", "false", "yes", " 1"]) {
      expect((await visit({ REDRIVE_LOCAL: value }, `${LOCALHOST}/jobs`)).response.status).toBe(503);
    }
  });
});

describe("Cloudflare Access", () => {
  it("names the person", async () => {
    const { visitor } = await visit({}, "/jobs", {}, person({ email: "ann@example.com", name: "Ann" }));
    expect(visitor?.identity).toEqual({ name: "ann@example.com", how: "access", ...ALL_RIGHTS });
    for (const [told, name] of [
      [{ name: "Ann" }, "name:Ann"],
      [{ name: "admin" }, "name:admin"],
      [{ name: "ann@example.com" }, "name:ann@example.com"],
      [{ name: "token:deploys", email: "" }, "name:token:deploys"],
      [{ email: "admin" }, "name:admin"],
      [{ name: "" }, "unnamed"],
    ] as const) {
      const { visitor } = await visit({}, "/jobs", {}, person(told));
      expect([told, visitor?.identity.name]).toEqual([told, name]);
    }
  });

  it("names the service token", async () => {
    const claims = btoa(JSON.stringify({ common_name: "deploys.example" }));
    const named = { headers: { "Cf-Access-Jwt-Assertion": `e30.${claims}.x` } };
    expect((await visit({}, "/api/v1/jobs", named, serviceToken)).visitor?.identity.name).toBe("deploys.example");
    const odd = { headers: { "Cf-Access-Jwt-Assertion": "no.assertion!" } };
    expect((await visit({}, "/api/v1/jobs", odd, serviceToken)).visitor?.identity.name).toBe("service token");
  });

  it("does not make a wrong token right", async () => {
    const ann = person({ email: "ann@example.com" });
    expect((await visit(CLOSED, "/api/v1/jobs", withToken("wrong"), ann)).response.status).toBe(401);
    expect((await visit(CLOSED, "/api/v1/jobs", withToken(), ann)).visitor?.identity.how).toBe("token");
  });
});

describe("an unknown visitor", () => {
  it("is led to the sign-in page, and from there back to where the way led", async () => {
    const { response } = await visit(CLOSED, "/jobs?view=dead&kind=demo");
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`/sign-in?next=${encodeURIComponent("/jobs?view=dead&kind=demo")}`);
    const write = await visit(CLOSED, "/jobs/1/requeue", { method: "POST" });
    expect(write.response.headers.get("Location")).toBe("/sign-in");
  });

  it("C063: gets nothing from the router's own fetches either", async () => {
    for (const path of ["/jobs.data?_routes=routes%2Fjobs", "/_root.data", "/jobs/1.data"]) {
      const { response, visitor } = await visit(CLOSED, path);
      expect([path, response.status, visitor]).toEqual([path, 401, undefined]);
    }
  });
});

describe("every answer", () => {
  it("carries the headers that keep a browser from being turned against its user", async () => {
    const answers = [
      await visit(CLOSED, "/jobs"),
      await visit(CLOSED, "/api/v1/jobs"),
      await visit(CLOSED, "/jobs", withToken()),
      await visit({}, "/"),
    ];
    for (const { response } of answers) {
      const { headers } = response;
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("same-origin");
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("Strict-Transport-Security")).toContain("max-age=");
      expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("Content-Security-Policy")).not.toMatch(/script-src[^;]*unsafe/);
    }
  });

  it("has a nonce of its own, which is the one that the pages get", async () => {
    const one = await visit(CLOSED, "/jobs", withToken());
    const two = await visit(CLOSED, "/jobs", withToken());
    expect(one.response.headers.get("Content-Security-Policy")).toContain(`'nonce-${one.visitor?.nonce}'`);
    expect(one.visitor?.nonce).not.toBe(two.visitor?.nonce);
    const closed = await visit({}, "/");
    const nonce = /<style nonce="([^"]+)"/.exec(closed.text)?.[1];
    expect(closed.response.headers.get("Content-Security-Policy")).toContain(`'nonce-${nonce}'`);
  });

  it("asks for TLS only where there is TLS", async () => {
    const { response } = await visit(LOCAL, `${LOCALHOST}/jobs`);
    expect(response.headers.get("Strict-Transport-Security")).toBeNull();
  });

  it("is kept by nobody unless the room says so", () => {
    const kept = secured(
      new Response(null, { headers: { "Cache-Control": "private, no-cache" } }),
      new URL(ORIGIN),
      "n",
    );
    expect(kept.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(secured(new Response(), new URL(ORIGIN), "n").headers.get("Cache-Control")).toBe("no-store");
  });

  it("never holds the token", async () => {
    for (const path of ["/", "/sign-in", "/api/v1/jobs"]) {
      const { response, text } = await visit(CLOSED, path);
      expect(text + JSON.stringify([...response.headers])).not.toContain(TOKEN);
    }
  });
});
