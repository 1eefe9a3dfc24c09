import { describe, expect, it } from "vitest";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { SESSION_MS, sealSession } from "./session";
import { CLOSED, LOCAL, LOCALHOST, ORIGIN, person, signedIn, signInForm, TOKEN, visit } from "./testing";

const cookie = (value: string) => ({ headers: { Cookie: `__Host-redrive=${value}` } });

describe("the sign-in page", () => {
  it("is a form that works without scripts, and remembers where the visitor wanted to go", async () => {
    const { response, text } = await visit(CLOSED, `/sign-in?next=${encodeURIComponent("/jobs?view=dead")}`);
    expect(response.status).toBe(200);
    expect(text).toContain('<form method="post" action="/sign-in">');
    expect(text).toContain('value="/jobs?view=dead"');
    expect(text).not.toContain("<script");
  });

  it("C066: gives a cookie that scripts cannot read and other sites cannot use", async () => {
    const { response } = await visit(CLOSED, "/sign-in", signInForm(TOKEN, "/dead"));
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/dead"]);
    const set = response.headers.get("Set-Cookie") ?? "";
    expect(set).toMatch(/^__Host-redrive=\d+\.[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/);
  });

  it("C066: works on localhost without TLS, where a cookie cannot be Secure", async () => {
    const { response } = await visit(CLOSED, `${LOCALHOST}/sign-in`, signInForm(TOKEN, "/", LOCALHOST));
    expect(response.headers.get("Set-Cookie")).toMatch(/^redrive=.*; HttpOnly; SameSite=Lax; Max-Age=43200$/);
    const session = await signedIn(TOKEN, LOCALHOST);
    const { visitor } = await visit(CLOSED, `${LOCALHOST}/jobs`, { headers: { Cookie: session } });
    expect(visitor?.identity.how).toBe("session");
  });

  it("says so when the token is wrong, and gives no cookie", async () => {
    for (const token of ["", "wrong", `${TOKEN}x`, "€".repeat(TOKEN.length)]) {
      const { response, text } = await visit(CLOSED, "/sign-in", signInForm(token, "/dead"));
      expect(response.status).toBe(401);
      expect(response.headers.get("Set-Cookie")).toBeNull();
      expect(text).toContain('role="alert"');
      expect(text).toContain('value="/dead"');
    }
  });

  it("never sends the visitor to another site, and never writes what it was given into the page unescaped", async () => {
    const bad = ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "/.//evil.example"];
    for (const next of [...bad, "evil.example", "javascript:alert(1)", ""]) {
      const { response } = await visit(CLOSED, "/sign-in", signInForm(TOKEN, next));
      expect([next, response.headers.get("Location")]).toEqual([next, "/"]);
      const { text } = await visit(CLOSED, `/sign-in?next=${encodeURIComponent(next)}`);
      expect(text).toContain('name="next" value="/"');
    }
    const { text } = await visit(CLOSED, `/sign-in?next=${encodeURIComponent('/"><b>')}`);
    expect(text).not.toContain("<b>");
  });

  it("reads no more of a body than a form needs", async () => {
    const { response } = await visit(CLOSED, "/sign-in", {
      method: "POST",
      headers: { Origin: ORIGIN },
      body: `token=${TOKEN}&rest=${"x".repeat(100_000)}`,
    });
    expect(response.status).toBe(401);
  });

  it("C066: takes no form from another site, so that nobody is signed in unasked", async () => {
    for (const origin of ["https://evil.example", "null", `${ORIGIN}:8443`, undefined]) {
      const { response } = await visit(CLOSED, "/sign-in", {
        method: "POST",
        headers: origin === undefined ? {} : { Origin: origin },
        body: new URLSearchParams({ token: TOKEN }),
      });
      expect([origin, response.status, response.headers.get("Set-Cookie")]).toEqual([origin, 403, null]);
    }
  });

  it("is skipped where there is nothing to type in", async () => {
    const access = await visit(CLOSED, "/sign-in?next=/jobs", {}, person({ email: "ann@example.com" }));
    expect(access.response.headers.get("Location")).toBe("/jobs");
    const local = await visit(LOCAL, `${LOCALHOST}/sign-in?next=/jobs`);
    expect([local.response.status, local.text.includes("no token is needed")]).toEqual([200, true]);
    expect((await visit(CLOSED, "/sign-in")).text).not.toContain("no token is needed");
  });
});

describe("a session", () => {
  it("lets in until it ends", async () => {
    const { visitor } = await visit(CLOSED, "/jobs", { headers: { Cookie: `a=b; ${await signedIn()}; c=d` } });
    expect(visitor?.identity).toEqual({ name: "admin", how: "session", ...ALL_RIGHTS });
    const nearlyOver = await sealSession(TOKEN, Date.now() - SESSION_MS + 60_000);
    expect((await visit(CLOSED, "/jobs", cookie(nearlyOver))).visitor).toBeDefined();
  });

  it("C063: that is over, forged, altered or made with an earlier token lets nobody in", async () => {
    const sealed = await sealSession(TOKEN, Date.now());
    const [expires, signature] = sealed.split(".") as [string, string];
    const bad = {
      over: await sealSession(TOKEN, Date.now() - SESSION_MS),
      "of an earlier token": await sealSession("an earlier token", Date.now()),
      "with a later end": `${Number(expires) + 1}.${signature}`,
      "with another signature": `${expires}.${signature.replace(/^./, (first) => (first === "0" ? "1" : "0"))}`,
      "without signature": `${expires}.`,
      "with half a signature": `${expires}.${signature.slice(0, 32)}`,
      empty: "",
      huge: "9".repeat(10_000),
    };
    for (const [what, value] of Object.entries(bad)) {
      const { response, visitor } = await visit(CLOSED, "/jobs", cookie(value));
      expect([what, response.status, visitor]).toEqual([what, 303, undefined]);
    }
  });

  it("with the name it has without TLS does not count where there is TLS", async () => {
    const sealed = await sealSession(TOKEN, Date.now());
    const { response } = await visit(CLOSED, "/jobs", { headers: { Cookie: `redrive=${sealed}` } });
    expect(response.status).toBe(303);
  });

  it("is forgotten on sign-out, which other sites cannot cause and a link cannot either", async () => {
    const headers = { Cookie: await signedIn(), Origin: ORIGIN };
    const { response } = await visit(CLOSED, "/sign-out", { method: "POST", headers });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/sign-in"]);
    expect(response.headers.get("Set-Cookie")).toMatch(/^__Host-redrive=; .*Max-Age=0/);
    const foreign = { ...headers, Origin: "https://evil.example" };
    expect((await visit(CLOSED, "/sign-out", { method: "POST", headers: foreign })).response.status).toBe(403);
    expect((await visit(CLOSED, "/sign-out", { headers })).response.status).toBe(405);
  });
});
