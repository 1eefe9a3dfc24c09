import { beforeEach, describe, expect, it } from "vitest";
import { ACTS } from "~/domain/people/acts";
import { actsOf, neededFor } from "~/domain/people/needed";
import { covers, type Rights, ROLES } from "~/domain/people/roles";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { CLOSED, LOCAL, LOCALHOST, ORIGIN, person, tokenOf, visit, withToken } from "./testing";
import { anyOf, reads, spellings, writes } from "./testing_routes";

let world: World;
beforeEach(async () => {
  await clean();
  world = new World(probes);
});

const ALL: Rights[] = ROLES.flatMap((role) => [true, false].map((payloads) => ({ role, payloads })));
const ask = (token: string, method: string, path: string, headers: Record<string, string> = {}) =>
  visit(CLOSED, path, { ...withToken(token, headers), method }, undefined, world);
const refusals = () =>
  world.sql<{ actor: string; after: string }>(
    "SELECT actor, after FROM audit WHERE action = 'refused' ORDER BY at, id",
  );

/** What an admin's session can send, and which role it takes: C065 by name. */
const TAKES: Record<string, Rights["role"]> = {
  "POST /jobs/x/requeue": "operator",
  "POST /jobs/x/cancel": "operator",
  "POST /bulk": "operator",
  "POST /bulk/send": "operator",
  "POST /submit": "operator",
  "POST /schedules/new": "operator",
  "POST /schedules/x/edit": "operator",
  "POST /schedules/x/pause": "operator",
  "POST /schedules/x/delete": "operator",
  "POST /endpoints/new": "admin",
  "POST /endpoints/x/rotate": "admin",
  "POST /endpoints/x/delete": "admin",
  "POST /alerts/new": "admin",
  "POST /settings": "admin",
  "POST /api/v1/jobs": "operator",
  "POST /api/v1/jobs/x/requeue": "operator",
  "POST /api/v1/jobs/x/cancel": "operator",
  "POST /api/v1/bulk": "operator",
  "POST /api/v1/schedules": "operator",
  "PUT /api/v1/schedules/x": "operator",
  "POST /api/v1/endpoints": "admin",
  "POST /api/v1/endpoints/x/rotate": "admin",
  "PUT /api/v1/retention": "admin",
  "POST /preferences": "viewer",
};

describe("C065: what changes something", () => {
  it("C065: is named in the table with the role that it takes; and the table names nothing else", () => {
    expect(writes.length).toBeGreaterThan(80);
    expect(writes.filter(([method, path]) => actsOf(method, anyOf(path)) === "unnamed")).toEqual([]);
    const known = new Set([...writes.map((write) => write.join(" ")), ...reads.map(([, path]) => path)]);
    const named = Object.values(ACTS).flatMap(({ by }) => by as readonly string[]);
    expect(named.filter((address) => !known.has(address) && !known.has(anyOf(address)))).toEqual([]);
    expect(actsOf("POST", "/not/there")).toBe("unnamed");
    expect(neededFor("POST", "/not/there")).toEqual({ role: "admin", payloads: false });
  });

  it("C065: takes the agreed role, at the door itself", async () => {
    for (const [write, role] of Object.entries(TAKES)) {
      const [method, path] = write.split(" ") as [string, string];
      for (const held of ROLES) {
        const { response, visitor } = await ask(await tokenOf(world, { role: held, payloads: true }), method, path);
        const enough = ROLES.indexOf(held) >= ROLES.indexOf(role);
        expect([write, held, response.status, visitor !== undefined]).toEqual([
          write,
          held,
          enough ? 200 : 403,
          enough,
        ]);
      }
    }
  });

  it("C065: each role gets to what its rights cover, and to nothing else, at every address and in every spelling", async () => {
    for (const rights of ALL) {
      const token = await tokenOf(world, rights);
      for (const [method, path] of [...writes, ...reads]) {
        const at = anyOf(path);
        const may = covers(rights, neededFor(method, at));
        const { response, visitor } = await ask(token, method, at);
        expect([rights, method, at, response.status, visitor !== undefined]).toEqual([
          rights,
          method,
          at,
          may ? 200 : 403,
          may,
        ]);
      }
    }
    const viewer = await tokenOf(world, { role: "viewer", payloads: false });
    for (const [method, path] of [...writes, ...reads]) {
      const at = anyOf(path);
      if (covers({ role: "viewer", payloads: false }, neededFor(method, at))) continue;
      // No router takes that one for the page.
      for (const spelled of spellings(at).filter((one) => !one.includes(";"))) {
        const { visitor } = await ask(viewer, method, spelled);
        expect([method, spelled, visitor]).toEqual([method, spelled, undefined]);
      }
      if (method === "POST") expect((await ask(viewer, method, `${at};jsessionid=1`)).visitor).toBeUndefined();
    }
  });

  it("C065: a session and somebody through Access are held to the same", async () => {
    const token = await tokenOf(world, { role: "viewer", payloads: true });
    const form = { method: "POST", headers: { Origin: ORIGIN }, body: new URLSearchParams({ token }) };
    const signedIn = await visit(CLOSED, "/sign-in", form, undefined, world);
    const Cookie = signedIn.response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const replayed = { method: "POST", headers: { Origin: ORIGIN, Cookie } };
    const requeue = await visit(CLOSED, "/jobs/x/requeue", replayed, undefined, world);
    expect([requeue.response.status, requeue.visitor]).toEqual([403, undefined]);
    expect((await visit(CLOSED, "/preferences", replayed, undefined, world)).visitor?.identity.role).toBe("viewer");

    await world.sql("INSERT INTO people VALUES ('', 'viewer', 0, 0, 'ann')");
    const bob = { method: "POST", headers: { Origin: ORIGIN } };
    const through = await visit({}, "/jobs/x/requeue", bob, person({ email: "bob@example.com" }), world);
    expect([through.response.status, through.visitor]).toEqual([403, undefined]);
  });
});

describe("C065: the attempt", () => {
  it("C065: is answered with the role that it takes: as a problem to programs, as a page to people", async () => {
    const token = await tokenOf(world, { role: "viewer", payloads: false });
    const call = await ask(token, "POST", "/api/v1/jobs/x/requeue");
    expect(call.response.headers.get("Content-Type")).toBe("application/problem+json");
    expect(JSON.parse(call.text)).toMatchObject({
      status: 403,
      code: "not-allowed",
      needs: { role: "operator", payloads: false },
      detail: expect.stringContaining("to requeue and cancel jobs needs: the role operator"),
    });
    const page = await ask(token, "POST", "/jobs/x/requeue");
    expect(page.response.headers.get("Content-Type")).toMatch("text/html");
    expect(page.text).toContain("You may not requeue and cancel jobs");
    expect(page.text).toContain("an operator");
    for (const headers of [{ accept: "application/json" }]) {
      expect(JSON.parse((await ask(token, "POST", "/jobs/x/requeue", headers)).text).code).toBe("not-allowed");
    }
    expect(JSON.parse((await ask(token, "POST", "/jobs/x/requeue.data")).text).code).toBe("not-allowed");
  });

  it("C065: is in the audit with who, what and what it takes, once a minute however often it is made", async () => {
    const token = await tokenOf(world, { role: "viewer", payloads: false });
    for (let n = 0; n < 5; n++) await ask(token, "POST", "/jobs/x/requeue");
    await ask(token, "POST", `/jobs/${"y".repeat(1_000)}/cancel`);
    const [first, ...more] = await refusals();
    expect(more).toEqual([]);
    expect(first?.actor).toMatch(/^token:viewer/);
    expect(JSON.parse(first?.after ?? "")).toEqual({
      method: "POST",
      path: "/jobs/x/requeue",
      needed: { role: "operator", payloads: false },
      as: { role: "viewer", payloads: false },
    });
    expect(world.events.filter(({ event }) => event === "access.refused")).toHaveLength(6);

    await ask(token, "POST", "/settings");
    expect(await refusals()).toHaveLength(2);
    await ask(await tokenOf(world, { role: "viewer", payloads: false }), "POST", "/settings");
    expect(await refusals()).toHaveLength(3);
    world.now += 60_000;
    await ask(token, "POST", "/settings");
    expect(await refusals()).toHaveLength(4);
  });

  it("C065: leaves no row where nobody was refused, or nobody is known", async () => {
    await ask(await tokenOf(world, { role: "operator", payloads: false }), "POST", "/jobs/x/requeue");
    await visit(CLOSED, "/jobs/x/requeue", { method: "POST" }, undefined, world);
    await ask("wrong", "POST", "/api/v1/jobs/x/requeue");
    expect(await refusals()).toEqual([]);
  });

  it("C065: is refused also where it cannot be kept", async () => {
    const token = await tokenOf(world, { role: "viewer", payloads: false });
    await ask(token, "GET", "/jobs");
    let calls = 0;
    world.fault = () => (++calls > 1 ? "before" : null);
    const { response, visitor } = await ask(token, "POST", "/settings");
    expect([response.status, visitor]).toEqual([403, undefined]);
    expect(world.events.map(({ event }) => event)).toContain("database.unreachable");
  });
});

it("on one's own machine everybody is an admin, unless a token is sent", async () => {
  const local = await visit(
    LOCAL,
    `${LOCALHOST}/settings`,
    { method: "POST", headers: { Origin: LOCALHOST } },
    undefined,
    world,
  );
  expect(local.visitor?.identity).toEqual({ name: "local", how: "local", role: "admin", payloads: true });
  const token = await tokenOf(world, { role: "viewer", payloads: false });
  const asViewer = await visit(
    LOCAL,
    `${LOCALHOST}/settings`,
    { ...withToken(token), method: "POST" },
    undefined,
    world,
  );
  expect(asViewer.response.status).toBe(403);
});
