import { beforeEach, describe, expect, test } from "vitest";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { kindsPage, pausedKind } from "./bulk_schemas";
import { clientOf } from "./testing";

let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  world = new World(registryOf(...probes.values(), bulk));
  client = clientOf(world);
});

type Kind = { kind: string; [field: string]: unknown };
const kind = async (name: string) =>
  (await client.get("/kinds")).body.kinds.find((one: Kind) => one.kind === name) as Kind | undefined;

describe("kinds", () => {
  test("come with counts and what ended in the last hour, and no longer ago", async () => {
    await world.submit(...Array(20).fill({ kind: "probe.ok" }), { kind: "probe.permanent" });
    while (world.queues.normal.available().length > 0) await world.deliver();
    const answer = await client.get("/kinds");
    expect(kindsPage.parse(answer.body)).toEqual(answer.body);
    expect(answer.body.kinds.map((one: Kind) => one.kind)).toEqual([...world.kinds.keys()].sort());
    expect(await kind("probe.ok")).toMatchObject({
      known: true,
      title: "probe.ok",
      paused: null,
      counts: { done: 20, dead: 0 },
      lastHour: { done: 20, failed: 0, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
    });
    expect(await kind("probe.permanent")).toMatchObject({ counts: { dead: 1 }, lastHour: { done: 0, failed: 1 } });
    expect(await kind("probe.slow")).toMatchObject({ lastHour: { done: 0, failed: 0, p50Ms: null, p95Ms: null } });
    world.now += 3_600_000;
    expect(await kind("probe.ok")).toMatchObject({ counts: { done: 20 }, lastHour: { done: 0, p95Ms: null } });
    const same = await client.get("/kinds");
    const again = await client.get("/kinds", { "If-None-Match": same.headers.get("etag") as string });
    expect(again).toMatchObject({ status: 304, used: { rowsRead: 1 } });
  });

  test("are paused with who and why, hold their jobs, and start them when they resume", async () => {
    const paused = await client.post("/kinds/probe.ok/pause", { reason: " the provider is down " });
    expect(paused).toMatchObject({ status: 200, body: { kind: "probe.ok", paused: true, changed: true } });
    expect(pausedKind.parse(paused.body)).toEqual(paused.body);
    expect((await client.post("/kinds/probe.ok/pause")).body.changed).toBe(false);
    const [id] = await world.submit({ kind: "probe.ok" });
    await world.deliver();
    expect(await kind("probe.ok")).toMatchObject({
      paused: { by: "ann", reason: "the provider is down", since: "2026-12-01T10:00:00.000Z" },
      counts: { pending: 1 },
    });
    expect((await client.get(`/jobs/${id}`)).body).toMatchObject({
      state: "pending",
      attempt: 0,
      held: { by: "paused" },
    });
    expect((await client.get("/stats")).body.held).toEqual([
      {
        kind: "probe.ok",
        by: "paused",
        since: "2026-12-01T10:00:00.000Z",
        who: "ann",
        reason: "the provider is down",
      },
    ]);
    expect((await client.post("/kinds/probe.ok/resume")).body).toEqual({
      kind: "probe.ok",
      paused: false,
      changed: true,
    });
    expect((await client.post("/kinds/probe.ok/resume")).body.changed).toBe(false);
    await world.deliver();
    expect((await client.get(`/jobs/${id}`)).body.state).toBe("done");
    expect((await client.get("/stats")).body.held).toEqual([]);
    expect(await world.sql("SELECT actor, action, reason FROM audit ORDER BY id")).toEqual([
      { actor: "ann", action: "pause kind", reason: "the provider is down" },
      { actor: "ann", action: "resume kind", reason: null },
    ]);
  });

  test("that this release does not know are listed while jobs of them are stored", async () => {
    await world.sql("INSERT INTO job_counts (kind, view, n) VALUES ('an.old one', 'pending', 2)");
    expect(await kind("an.old one")).toMatchObject({ known: false, title: null, counts: { pending: 2 } });
    expect((await client.post("/kinds/an.old%20one/pause")).body).toMatchObject({ kind: "an.old one", changed: true });
  });

  test("that nobody knows are 404, the one of operations is never held, and a wrong body is 400", async () => {
    for (const verb of ["pause", "resume"]) {
      expect((await client.post(`/kinds/nothing/${verb}`)).body).toMatchObject({ status: 404, code: "no-such-kind" });
      expect((await client.post(`/kinds/bulk/${verb}`)).body).toMatchObject({ status: 409, code: "never-held" });
      expect((await client.post(`/kinds/probe.ok/${verb}`, { why: 1 })).status).toBe(400);
      expect((await client.get(`/kinds/probe.ok/${verb}`)).headers.get("allow")).toBe("POST");
    }
    expect(await world.sql("SELECT * FROM kinds")).toEqual([]);
  });
});
