import { describe, expect, it } from "vitest";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { CLOSED, TOKEN, visit, withToken } from "./testing";

const api = (headers: [string, string][] | Record<string, string>, path = "/api/v1/jobs") =>
  visit(CLOSED, path, { headers: new Headers(headers) });

describe("C068: the admin token", () => {
  it("C068: lets its holder in, by the name of admin", async () => {
    const { response, visitor } = await visit(CLOSED, "/api/v1/jobs", withToken());
    expect(response.status).toBe(200);
    expect(visitor?.identity).toEqual({ name: "admin", how: "token", ...ALL_RIGHTS });
    expect(visitor?.local).toBe(false);
  });

  it("C068: takes the scheme in any case", async () => {
    for (const scheme of ["bearer", "BEARER", "Bearer "]) {
      expect((await api({ Authorization: `${scheme} ${TOKEN}` })).response.status).toBe(200);
    }
  });

  const wrong: Record<string, [string, string][]> = {
    missing: [],
    "scheme alone": [["Authorization", "Bearer"]],
    "scheme and a space": [["Authorization", "Bearer "]],
    "no scheme": [["Authorization", TOKEN]],
    "another scheme": [["Authorization", `Basic ${btoa(`admin:${TOKEN}`)}`]],
    "one character less": [["Authorization", `Bearer ${TOKEN.slice(0, -1)}`]],
    "one character more": [["Authorization", `Bearer ${TOKEN}x`]],
    "same length, other characters": [["Authorization", `Bearer ${"x".repeat(TOKEN.length)}`]],
    "same number of characters, more bytes": [["Authorization", `Bearer ${"€".repeat(TOKEN.length)}`]],
    "10 kB": [["Authorization", `Bearer ${TOKEN}${"x".repeat(10_000)}`]],
    "two headers, both right": [
      ["Authorization", `Bearer ${TOKEN}`],
      ["Authorization", `Bearer ${TOKEN}`],
    ],
    "two headers, the second right": [
      ["Authorization", "Bearer wrong"],
      ["Authorization", `Bearer ${TOKEN}`],
    ],
    "a token in another header": [["X-Admin-Token", TOKEN]],
    "a made-up cookie": [["Cookie", `__Host-redrive=9999999999999.${"0".repeat(64)}`]],
    "the token as cookie": [["Cookie", `__Host-redrive=${TOKEN}`]],
  };

  it("C068: is refused with one and the same body whatever is wrong with it, also in the query string", async () => {
    const bodies = new Set<string>();
    for (const [what, headers] of Object.entries(wrong)) {
      const { response, visitor, text } = await api(headers);
      expect([what, response.status, response.headers.get("Content-Type")]).toEqual([
        what,
        401,
        "application/problem+json",
      ]);
      expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer /);
      expect(visitor).toBeUndefined();
      bodies.add(text);
    }
    for (const query of [`?token=${TOKEN}`, `?access_token=${TOKEN}`, `?ADMIN_TOKEN=${TOKEN}`]) {
      const { response, text } = await api([], `/api/v1/jobs${query}`);
      expect(response.status).toBe(401);
      bodies.add(text);
    }
    expect([...bodies]).toHaveLength(1);
    expect(JSON.parse([...bodies][0] as string)).toMatchObject({ status: 401, code: "unauthorized" });
  });

  it("C068: when wrong is not made good by a session", async () => {
    const { response } = await visit(CLOSED, "/api/v1/jobs", withToken("wrong", { Cookie: "__Host-redrive=1.2" }));
    expect(response.status).toBe(401);
  });

  it("C068: may hold spaces, commas and any letters of a person's choosing", async () => {
    for (const token of ["correct horse, battery staple", "a=b;c", "x"]) {
      const { response } = await visit({ ADMIN_TOKEN: token }, "/api/v1/jobs", withToken(token));
      expect(response.status).toBe(200);
    }
  });

  it("C068: closes everything while it is unset, empty or blank, whatever is sent", async () => {
    for (const env of [{}, { ADMIN_TOKEN: "" }, { ADMIN_TOKEN: " \n" }]) {
      for (const token of ["", " ", "undefined", "null", TOKEN]) {
        const { response, visitor } = await visit(env, "/api/v1/jobs", withToken(token));
        expect(response.status).toBe(503);
        expect(visitor).toBeUndefined();
      }
      const { response } = await visit(env, "/api/v1/jobs");
      expect(response.status).toBe(503);
    }
  });
});
