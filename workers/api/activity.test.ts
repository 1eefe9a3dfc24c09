import { beforeEach, describe, expect, test } from "vitest";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
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
});
