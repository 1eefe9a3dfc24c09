import { beforeEach, describe, expect, test } from "vitest";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { operationDetail, operationPage } from "./bulk_schemas";
import { clientOf } from "./testing";

const UNKNOWN = "019ad959-2a80-7000-8000-000000000001";
let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  world = new World(registryOf(...probes.values(), bulk));
  client = clientOf(world);
});

async function dead(n: number): Promise<string[]> {
  const ids = await world.submit(...Array(n).fill({ kind: "probe.permanent" }));
  while (world.queues.normal.available().length > 0) await world.deliver();
  return ids;
}
const start = async (call: object = {}): Promise<string> =>
  (await client.post("/bulk", { action: "requeue", filter: { view: "dead" }, ...call })).body.operation.id;

describe("operations", () => {
  test("are listed newest first, page by page, and answered from the revision", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 26; n++) ids.unshift(await start());
    const first = await client.get("/operations");
    expect(first.body.operations.map((one: { id: string }) => one.id)).toEqual(ids.slice(0, 25));
    expect(operationPage.parse(first.body)).toEqual(first.body);
    const second = await client.get(`/operations?cursor=${first.body.next}`);
    expect(second.body).toMatchObject({ operations: [{ id: ids[25] }], next: null });
    const again = await client.get("/operations", { "If-None-Match": first.headers.get("etag") as string });
    expect(again).toMatchObject({ status: 304, used: { rowsRead: 1 } });
    expect((await client.get("/operations?cursor=x")).status).toBe(400);
  });

  test("tell how far they are, what they skipped and why, and who asked", async () => {
    const ids = await dead(30);
    const id = await start({ pace: 60, reason: "the receiver is back" });
    await world.deliver("high");
    expect((await client.get(`/operations/${id}`)).body).toMatchObject({
      state: "running",
      expected: 30,
      changed: 10,
      matching: 20,
      pace: 60,
      actor: "ann",
      reason: "the receiver is back",
      job: { state: "pending" },
    });
    world.seam = async (site) => {
      if (site === "bulk: between read and write")
        await world.sql("UPDATE jobs SET generation = 5 WHERE id = ?", ids[12]);
    };
    for (let turn = 0; turn < 3; turn++) {
      world.now += 12_000;
      await world.deliver("high");
    }
    const { body } = await client.get(`/operations/${id}`);
    expect(operationDetail.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      state: "done",
      changed: 29,
      skipped: 1,
      job: { state: "done" },
      skips: [{ jobId: ids[12], reason: "was requeued meanwhile" }],
    });
  });

  test("can be stopped while they run, once, and run again on what is left", async () => {
    await dead(30);
    const id = await start({ pace: 60 });
    await world.deliver("high");
    expect((await client.post(`/operations/${id}/again`)).body).toMatchObject({ status: 409, code: "still-running" });
    const reason = "wrong release";
    expect(await client.post(`/operations/${id}/abort`, { reason })).toMatchObject({
      status: 200,
      body: { id, state: "aborted" },
    });
    expect((await client.post(`/operations/${id}/abort`)).body).toMatchObject({ status: 409, state: "aborted" });
    world.now += 12_000;
    await world.deliver("high");
    expect((await client.get(`/operations/${id}`)).body).toMatchObject({ state: "aborted", changed: 10, matching: 20 });

    const again = await client.post(`/operations/${id}/again`, { pace: 100_000 });
    expect(again).toMatchObject({
      status: 202,
      body: { operation: { expected: 20, pace: 100_000, view: "dead", reason: `what operation ${id} has left` } },
    });
    const next = again.headers.get("location")?.replace("/api/v1", "") as string;
    await world.deliver("high");
    expect((await client.get(next)).body).toMatchObject({ state: "done", changed: 20 });
  });

  test("that delete are run again only with the count of what is left", async () => {
    await dead(2);
    const id = await start({ action: "delete", confirm: 2, pace: 6 });
    await client.post(`/operations/${id}/abort`);
    expect((await client.post(`/operations/${id}/again`)).body).toMatchObject({
      status: 400,
      errors: [{ path: "confirm" }],
    });
    expect((await client.post(`/operations/${id}/again`, { confirm: 1 })).body).toMatchObject({
      status: 409,
      expected: 2,
    });
    expect((await client.post(`/operations/${id}/again`, { confirm: 2 })).status).toBe(202);
  });

  test("that nobody started are 404, and a wrong body is 400", async () => {
    expect((await client.get(`/operations/${UNKNOWN}`)).body).toMatchObject({ status: 404, code: "no-such-operation" });
    for (const verb of ["abort", "again"]) {
      expect((await client.post(`/operations/${UNKNOWN}/${verb}`)).status).toBe(404);
      expect((await client.post(`/operations/${UNKNOWN}/${verb}`, { extra: 1 })).status).toBe(400);
      expect((await client.get(`/operations/${UNKNOWN}/${verb}`)).headers.get("allow")).toBe("POST");
    }
  });
});
