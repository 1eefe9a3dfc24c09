import { RouterContextProvider } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import { appContext } from "~/cloudflare";
import { deedOf } from "~/domain/audit/words";
import { ALL_RIGHTS, LEAST_RIGHTS, type Rights } from "~/domain/people/roles";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { loader as activityLoader } from "~/routes/activity";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { activityPage } from "./activity_schemas";
import { clientOf } from "./testing";

let world: World;
let api: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  world = new World(registryOf(...probes.values(), bulk));
  api = clientOf(world);
});

const later = async () => (await world.submit({ kind: "probe.ok", delaySeconds: 60 }))[0] as string;
async function page(rights: Rights): Promise<{ deeds: object[] }> {
  const { engine } = world.invocation();
  const context = new RouterContextProvider();
  context.set(appContext, {
    engine,
    identity: { name: "ann", how: "token", ...rights },
    local: false,
    adminToken: true,
    nonce: "",
  });
  const args = { request: new Request("https://redrive.example/activity"), params: {}, context };
  return (await activityLoader(args as never)).page;
}
const ids = (answer: { body: { deeds: { id: string }[] } }) => answer.body.deeds.map(({ id }) => id);

describe("what people did", () => {
  test("is listed newest first, page by page, and answered from the revision", async () => {
    for (let n = 0; n < 3; n++) await api.post(`/jobs/${await later()}/cancel`, { reason: `no ${n}` });
    const first = await api.get("/audit?limit=2");
    expect(activityPage.parse(first.body)).toEqual(first.body);
    expect(first.body.deeds.map(({ reason }: { reason: string }) => reason)).toEqual(["no 2", "no 1"]);
    const second = await api.get(`/audit?limit=2&cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ deeds: [{ reason: "no 0" }], next: null });
    const again = await api.get("/audit?limit=2", { "If-None-Match": first.headers.get("etag") as string });
    expect(again).toMatchObject({ status: 304, used: { rowsRead: 1 } });
  });

  test("is found by who, what, of what and when, and by nothing else", async () => {
    const job = await later();
    await api.post(`/jobs/${job}/cancel`);
    await api.post("/kinds/probe.ok/pause", { reason: "full" });
    const [pause, cancel] = ids(await api.get("/audit"));
    const found = async (query: string) => ids(await api.get(`/audit?${query}`));
    expect(await found("object=probe.ok")).toEqual([pause]);
    expect(await found(`object=${job}`)).toEqual([cancel]);
    expect(await found("action=cancel&actor=ann")).toEqual([cancel]);
    expect(await found("actor=ben")).toEqual([]);
    expect(await found("at=1h")).toEqual([pause, cancel]);
    world.now += 7_200_000;
    expect(await found("at=1h")).toEqual([]);
    for (const query of ["action=eat", "at=noon", "cursor=x", "limit=0", "who=ann", "actor="]) {
      expect([query, (await api.get(`/audit?${query}`)).status]).toEqual([query, 400]);
    }
  });

  test("many jobs of one operation are one deed, found by the operation", async () => {
    await later();
    await later();
    const asked = { action: "cancel", filter: { view: "scheduled" }, reason: "done by hand" };
    const { id } = (await api.post("/bulk", asked)).body.operation;
    await world.drain();
    const all = await api.get("/audit");
    expect(all.body.deeds).toMatchObject([{ action: "bulk cancel", object: id, reason: "done by hand" }]);
    expect(ids(await api.get(`/audit?object=${id}`))).toEqual(ids(all));
  });

  test("of people and tokens, admins alone are told which and what; that it was done, everybody is", async () => {
    const { id } = (await api.post("/tokens", { name: "deploys", role: "operator" })).body;
    await api.put("/people/bob@example.com", { role: "operator" });
    await api.put("/people/ann@example.com", { role: "admin" });
    await api.put("/default-role", { role: "viewer" });
    await api.post(`/people/${encodeURIComponent("bob@example.com")}/remove`);
    await api.post(`/tokens/${id}/revoke`);
    const shown = (await api.get("/audit")).body.deeds;
    expect(shown).toHaveLength(6);
    const names = ["deploys", "bob@example.com", "ann@example.com", id];
    for (const name of names) expect([name, JSON.stringify(shown).includes(name)]).toEqual([name, true]);
    expect(ids(await api.get("/audit?object=bob@example.com"))).toHaveLength(2);
    for (const role of ["viewer", "operator"] as const) {
      const rights = { role, payloads: true };
      const client = clientOf(world, rights);
      const { deeds } = (await client.get("/audit")).body;
      const untold = { object: null, name: null, before: null, after: null };
      expect(deeds).toEqual(shown.map((deed: object) => ({ ...deed, ...untold })));
      expect(ids(await client.get("/audit?action=person.set"))).toHaveLength(3);
      expect((await page(rights)).deeds).toEqual(deeds);
      expect(deeds.map(deedOf).map(({ object }: { object: string }) => object)).toContain("somebody");
      for (const object of names)
        expect([object, ids(await client.get(`/audit?object=${object}`))]).toEqual([object, []]);
    }
    expect((await page(ALL_RIGHTS)).deeds).toEqual(shown);
    await api.post("/kinds/probe.ok/pause");
    expect(ids(await clientOf(world, LEAST_RIGHTS).get("/audit?object=probe.ok"))).toHaveLength(1);
  });

  test("what one role's browser has kept is not taken for another's", async () => {
    const etag = (await api.get("/audit")).headers.get("etag") as string;
    const ask = async (rights: Rights) =>
      (await clientOf(world, rights).get("/audit", { "If-None-Match": etag })).status;
    expect([await ask(ALL_RIGHTS), await ask({ role: "viewer", payloads: true })]).toEqual([304, 200]);
  });
});
