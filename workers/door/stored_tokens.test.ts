import { beforeEach, describe, expect, it } from "vitest";
import { revokeToken } from "~/lifecycle/people/tokens";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { claimOf, isSealedBy } from "./session";
import { CLOSED, LOCAL, LOCALHOST, ORIGIN, person, signInForm, TOKEN, tokenOf, visit, withToken } from "./testing";

const DAY = 86_400_000;
const OPERATOR = { role: "operator", payloads: false } as const;

let world: World;
beforeEach(async () => {
  await clean();
  world = new World(probes);
});

const ask = (token: string, path = "/api/v1/jobs", env: object = CLOSED, access?: CloudflareAccessContext) =>
  visit(env, path, withToken(token), access, world);
const idOf = async () => ((await world.sql<{ id: string }>("SELECT id FROM tokens"))[0] as { id: string }).id;
const revoke = async () => revokeToken(world.invocation().engine, await idOf(), { actor: "ann" });

describe("C068: a stored token", () => {
  it("C068: lets its holder in with its rights, under its own name, wherever a way in is set up", async () => {
    const token = await tokenOf(world, OPERATOR);
    expect(token).toMatch(/^rd_[\w-]{43}$/);
    const { visitor } = await ask(token);
    expect(visitor?.identity).toMatchObject({ ...OPERATOR, how: "token" });
    expect(visitor?.identity.name).toMatch(/^token:operator/);
    const ann = person({ email: "ann@example.com" });
    expect((await ask(token, "/api/v1/jobs", {}, ann)).visitor?.identity.role).toBe("operator");
    expect((await ask(token, "/api/v1/jobs", {})).response.status).toBe(503);
  });

  it("C068: is stored as a digest: no row, answer or log line has it", async () => {
    const token = await tokenOf(world, OPERATOR);
    await ask(token);
    const tables = ["tokens", "audit", "people"];
    const rows = await Promise.all(tables.map((table) => world.sql(`SELECT * FROM ${table}`)));
    expect(JSON.stringify([rows, world.events])).not.toContain(token.slice(10));
    expect(await world.sql("SELECT hint FROM tokens")).toEqual([{ hint: token.slice(0, 8) }]);
  });

  it("C068: that is altered, unknown or sent as a query answers as any wrong token does", async () => {
    const token = await tokenOf(world, OPERATOR);
    const wrong = [token.slice(0, -1), `${token}x`, token.toUpperCase(), `rd_${"x".repeat(43)}`, "rd_"];
    const ann = person({ email: "ann@example.com" });
    const bodies = new Set<string>();
    for (const one of wrong) {
      const { response, visitor, text } = await ask(one);
      expect([one, response.status, visitor]).toEqual([one, 401, undefined]);
      bodies.add(text);
    }
    expect(bodies.size).toBe(1);
    expect((await ask(`rd_${"x".repeat(43)}`, "/api/v1/jobs", {}, ann)).response.status).toBe(401);
    expect((await visit(CLOSED, `/api/v1/jobs?token=${token}`, {}, undefined, world)).response.status).toBe(401);
  });

  it("C068: ends when it is revoked, at once, and when its days are over", async () => {
    const token = await tokenOf(world, OPERATOR, 2);
    expect((await ask(token)).response.status).toBe(200);
    world.now += 2 * DAY - 1;
    expect((await ask(token)).response.status).toBe(200);
    world.now += 1;
    expect((await ask(token)).response.status).toBe(401);
    world.now -= 1;
    expect(await revoke()).toBe(true);
    expect((await ask(token)).response.status).toBe(401);
  });

  it("costs one call, and one write more an hour for when it was used", async () => {
    const token = await tokenOf(world, OPERATOR);
    const calls = async () => {
      let n = 0;
      world.fault = () => {
        n++;
        return null;
      };
      await ask(token);
      return n;
    };
    expect(await calls()).toBe(2);
    expect(await calls()).toBe(1);
    world.now += 3_600_000 - 1;
    expect(await calls()).toBe(1);
    world.now += 1;
    expect(await calls()).toBe(2);
    expect(await world.sql("SELECT last_used_at FROM tokens")).toEqual([{ last_used_at: world.now }]);
  });

  it("that cannot be looked up lets nobody in, and says so; the admin token needs no database", async () => {
    const token = await tokenOf(world, OPERATOR);
    world.fault = () => "before";
    const call = await ask(token);
    expect([call.response.status, call.visitor, JSON.parse(call.text).code]).toEqual([
      503,
      undefined,
      "database-unreachable",
    ]);
    expect(call.response.headers.get("Retry-After")).toBe("10");
    expect((await ask(token, "/jobs")).text).toContain("The database does not answer");
    expect((await ask(TOKEN)).response.status).toBe(200);
  });
});

describe("a session of a stored token", () => {
  async function signedIn(token: string, env: object = CLOSED, origin = ORIGIN): Promise<string> {
    const { response } = await visit(env, `${origin}/sign-in`, signInForm(token, "/", origin), undefined, world);
    return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  }
  const look = (Cookie: string) => visit(CLOSED, "/jobs", { headers: { Cookie } }, undefined, world);

  it("has the rights of its token", async () => {
    const { visitor } = await look(await signedIn(await tokenOf(world, OPERATOR)));
    expect(visitor?.identity).toMatchObject({ ...OPERATOR, how: "session" });
  });

  it("C063: ends at once when the token is revoked, and nobody is let in by one that was altered", async () => {
    const Cookie = await signedIn(await tokenOf(world, OPERATOR));
    const other = await signedIn(await tokenOf(world, { role: "admin", payloads: true }));
    const [name, value] = Cookie.split("=") as [string, string];
    const parts = value.split(".");
    const idOfOther = other.split(".")[1] as string;
    const altered = [
      `${name}=${parts[0]}.${idOfOther}.${parts[2]}`,
      `${name}=${Number(parts[0]) + 1}.${parts[1]}.${parts[2]}`,
      `${name}=${parts[0]}.${parts[2]}`,
    ];
    for (const one of altered) expect([one, (await look(one)).visitor]).toEqual([one, undefined]);
    expect((await look(Cookie)).visitor).toBeDefined();
    await world.sql("DELETE FROM tokens WHERE role = 'operator'");
    const { response, visitor } = await look(Cookie);
    expect([response.status, visitor]).toEqual([303, undefined]);
    expect((await look(other)).visitor).toBeDefined();
  });

  it("lasts no longer than its token", async () => {
    world.now = Date.now();
    const token = await tokenOf(world, OPERATOR, 1);
    const { expires_at: end } = (await world.sql<{ expires_at: number }>("SELECT expires_at FROM tokens"))[0] as {
      expires_at: number;
    };
    await world.sql("UPDATE tokens SET expires_at = ?", end - DAY + 60_000);
    const value = (await signedIn(token)).split("=")[1] as string;
    expect(Number(value.split(".")[0])).toBe(end - DAY + 60_000);
    expect(claimOf(value, end - DAY + 60_000)).toBeNull();
    const [{ hash }] = (await world.sql("SELECT hash FROM tokens")) as [{ hash: string }];
    const claim = claimOf(value, Date.now()) as NonNullable<ReturnType<typeof claimOf>>;
    expect([await isSealedBy(hash, claim), await isSealedBy(TOKEN, claim)]).toEqual([true, false]);
  });

  it("shows on one's own machine what the token's holder sees, until it ends", async () => {
    const Cookie = await signedIn(await tokenOf(world, OPERATOR), LOCAL, LOCALHOST);
    const here = () => visit(LOCAL, `${LOCALHOST}/jobs`, { headers: { Cookie } }, undefined, world);
    expect((await here()).visitor?.identity).toMatchObject(OPERATOR);
    await revoke();
    expect((await here()).visitor?.identity.how).toBe("local");
  });
});
