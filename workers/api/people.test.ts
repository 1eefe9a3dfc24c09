import { beforeEach, describe, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

let world: World;
let api: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  world = new World(probes);
  api = clientOf(world);
});

describe("API tokens", () => {
  test("C068: one is shown once: the list knows who made it, when it ends and how it begins, and no more", async () => {
    const made = await api.post("/tokens", { name: "deploys", role: "operator", payloads: true, days: 7 });
    expect([made.status, made.body.token]).toEqual([201, expect.stringMatching(/^rd_[\w-]{43}$/)]);
    const { tokens } = (await api.get("/tokens")).body;
    expect(tokens).toEqual([
      {
        id: made.body.id,
        name: "deploys",
        hint: made.body.token.slice(0, 8),
        role: "operator",
        payloads: true,
        createdAt: "2026-12-01T10:00:00.000Z",
        createdBy: "ann",
        expiresAt: "2026-12-08T10:00:00.000Z",
        lastUsedAt: null,
        expired: false,
      },
    ]);
    world.now += 7 * 86_400_000;
    expect((await api.get("/tokens")).body.tokens[0].expired).toBe(true);
  });

  test("what is asked for wrongly is refused by name, and a name that is taken as well", async () => {
    const good = { name: "deploys", role: "viewer" };
    for (const [field, bad] of [
      ["name", ""],
      ["name", "two\nlines"],
      ["name", "x".repeat(61)],
      ["role", "owner"],
      ["role", undefined],
      ["payloads", "yes"],
      ["days", 0],
      ["days", 1.5],
      ["days", 3_651],
    ] as const) {
      const answer = await api.post("/tokens", { ...good, [field]: bad });
      expect([field, bad, answer.status, answer.body.errors?.[0].path]).toEqual([field, bad, 400, field]);
    }
    expect((await api.post("/tokens", good)).status).toBe(201);
    const again = await api.post("/tokens", good);
    expect([again.status, again.body.errors[0].path]).toEqual([400, "name"]);
    expect((await api.get("/tokens")).body.tokens).toHaveLength(1);
  });

  test("one that is not there cannot be revoked", async () => {
    const { id } = (await api.post("/tokens", { name: "deploys", role: "viewer" })).body;
    expect((await api.post(`/tokens/${id}/revoke`)).status).toBe(200);
    expect((await api.post(`/tokens/${id}/revoke`)).body.code).toBe("no-such-token");
    expect((await api.post("/tokens/x/revoke")).status).toBe(404);
  });
});

describe("people", () => {
  test("are listed by name once somebody is, with what all others may do from the first admin on", async () => {
    expect((await api.get("/people")).body).toEqual({ others: null, people: [] });
    await api.put("/people/bob@example.com", { role: "viewer", payloads: true });
    expect((await api.get("/people")).body.others).toBeNull();
    expect((await api.put("/default-role", { role: "operator" })).body.code).toBe("not-listed");
    await api.put("/people/ANN@example.com", { role: "admin" });
    expect((await api.put("/default-role", { role: "operator" })).body).toEqual({ role: "operator", payloads: false });
    const { others, people } = (await api.get("/people")).body;
    expect(others).toEqual({ role: "operator", payloads: false });
    expect(people.map((one: { name: string; role: string }) => [one.name, one.role])).toEqual([
      ["ann@example.com", "admin"],
      ["bob@example.com", "viewer"],
    ]);
  });

  test("a role that there is not, and a name that is none, are refused by name", async () => {
    const role = await api.put("/people/ann@example.com", { role: "owner" });
    expect([role.status, role.body.errors[0].path]).toEqual([400, "role"]);
    expect((await api.put(`/people/${"x".repeat(257)}`, { role: "viewer" })).status).toBe(400);
    expect((await api.put("/people/%20", { role: "viewer" })).status).toBe(400);
    expect((await api.post("/people/ann@example.com/remove")).body.code).toBe("not-listed");
    expect((await api.get("/people")).body.people).toEqual([]);
  });
});

test("the document says of each call which role it takes", async () => {
  const { paths } = (await api.get("/openapi.json")).body;
  const said = (path: string, method: string) => paths[`/api/v1${path}`][method].responses[403]?.description;
  expect(said("/jobs", "get")).toBeUndefined();
  expect(said("/jobs", "post")).toBe("it takes: operator; or a page of another site wrote this");
  expect(said("/tokens", "get")).toBe("it takes: admin");
  expect(said("/schedules/{id}", "put")).toMatch(/^it takes: operator who sees payloads/);
});
