import { beforeEach, describe, expect, test } from "vitest";
import { bulk } from "~/kinds/bulk";
import type { Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { kindsPage, limitedKind, pausedKind } from "./bulk_schemas";
import { clientOf } from "./testing";

let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  world = new World(registryOf(...probes.values(), bulk));
  client = clientOf(world);
});

type Told = { kind: string; [field: string]: unknown };
const kind = async (name: string) =>
  (await client.get("/kinds")).body.kinds.find((one: Told) => one.kind === name) as Told | undefined;

describe("kinds", () => {
  test("come with counts and what ended in the last hour, and no longer ago", async () => {
    await world.submit(...Array(20).fill({ kind: "probe.ok" }), { kind: "probe.permanent" });
    while (world.queues.normal.available().length > 0) await world.deliver();
    const answer = await client.get("/kinds");
    expect(kindsPage.parse(answer.body)).toEqual(answer.body);
    expect(answer.body.kinds.map((one: Told) => one.kind)).toEqual([...world.kinds.keys()].sort());
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

  test("tell their limits, take others as a whole with who and why, and those of the definition back", async () => {
    const probe = world.kinds.get("probe.ok") as Kind;
    (world.kinds as Map<string, Kind>).set("probe.ok", { ...probe, limits: { running: 9 } });
    expect((await kind("probe.ok"))?.limits).toEqual({ defined: { running: 9 }, set: null });
    const limits = { perGroup: 2, rate: { jobs: 10, per: "minute" } };
    const done = await client.post("/kinds/probe.ok/limits", { limits, reason: "they asked for it" });
    expect(done).toMatchObject({ status: 200, body: { kind: "probe.ok", limits, changed: true } });
    expect(limitedKind.parse(done.body)).toEqual(done.body);
    const set = { limits, by: "ann", reason: "they asked for it", since: "2026-12-01T10:00:00.000Z" };
    expect((await kind("probe.ok"))?.limits).toEqual({ defined: { running: 9 }, set });
    const page = (await client.get("/kinds")).body;
    expect(kindsPage.parse(page)).toEqual(page);
    expect((await client.post("/kinds/probe.ok/limits", { limits })).body.changed).toBe(false);
    expect((await client.post("/kinds/probe.ok/limits", { limits: null })).body).toMatchObject({ changed: true });
    expect((await kind("probe.ok"))?.limits).toEqual({ defined: { running: 9 }, set: null });
    expect(await world.sql("SELECT actor, action, before, after, reason FROM audit ORDER BY id")).toEqual([
      {
        actor: "ann",
        action: "limit kind",
        before: '{"kind":"probe.ok","limits":null}',
        after: '{"kind":"probe.ok","limits":{"perGroup":2,"jobs":10,"perMs":60000}}',
        reason: "they asked for it",
      },
      expect.objectContaining({ after: '{"kind":"probe.ok","limits":null}', reason: null }),
    ]);
  });

  test.each([
    [{}, "limits"],
    [{ limits: { running: 0 } }, "limits.running"],
    [{ limits: { running: 1.5 } }, "limits.running"],
    [{ limits: { perGroup: "2" } }, "limits.perGroup"],
    [{ limits: { rate: { jobs: 1, per: "fortnight" } } }, "limits.rate.per"],
    [{ limits: { rate: { jobs: 1 } } }, "limits.rate.per"],
    [{ limits: { runnning: 1 } }, "limits.runnning"],
  ])("refuse limits that are none, say where, and change nothing: %j", async (body, path) => {
    const answer = await client.post("/kinds/probe.ok/limits", body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect(await world.sql("SELECT * FROM kinds")).toEqual([]);
  });

  test("limits of nobody's kind are 404, and of operations there are none", async () => {
    expect((await client.post("/kinds/nothing/limits", { limits: {} })).body).toMatchObject({ code: "no-such-kind" });
    expect((await client.post("/kinds/bulk/limits", { limits: {} })).body).toMatchObject({ code: "never-held" });
  });

  test("say what holds a job: the limit of its kind, of its group, or its rate and when the next start comes", async () => {
    const held = async (id: string) => (await client.get(`/jobs/${id}`)).body.held;
    const none = { reason: null, since: null, limit: null, per: null, next: null };
    const busy = async (limits: object, job: object = {}) => {
      await clean();
      world = new World(registryOf(...probes.values(), bulk));
      client = clientOf(world);
      await client.post("/kinds/probe.ok/limits", { limits });
      const [first, second] = (await world.submit({ kind: "probe.ok", ...job }, { kind: "probe.ok", ...job })) as [
        string,
        string,
      ];
      return { first, second };
    };
    const running = async (id: string) => {
      await world.sql(
        "UPDATE jobs SET state = 'processing', attempt = 1, sent_at = NULL, lease_until = ? WHERE id = ?",
        world.now + 600_000,
        id,
      );
      await world.sql(
        "INSERT INTO job_counts VALUES ('probe.ok', 'processing', 1) ON CONFLICT DO UPDATE SET n = n + 1",
      );
    };

    const limited = await busy({ running: 1 });
    await running(limited.first);
    expect(await held(limited.second)).toBeNull();
    await world.deliver();
    expect(await held(limited.second)).toEqual({ ...none, by: "limit", limit: 1 });
    expect((await client.get("/stats")).body.held).toEqual([
      { kind: "probe.ok", by: "limit", since: null, who: null, reason: "1 at once" },
    ]);

    const grouped = await busy({ perGroup: 1 }, { groupKey: "g" });
    await running(grouped.first);
    await world.deliver();
    const since = "2026-12-01T10:00:00.000Z";
    expect(await held(grouped.second)).toEqual({ ...none, by: "group", limit: 1, since });
    const { jobs } = (await client.get("/jobs")).body;
    expect(jobs.map((job: { heldByGroup: boolean }) => job.heldByGroup)).toEqual([true, false]);
    expect((await client.get("/stats")).body.held).toEqual([]);

    const rated = await busy({ rate: { jobs: 1, per: "hour" } });
    await world.deliver();
    expect(await held(rated.second)).toEqual({
      ...none,
      by: "rate",
      limit: 1,
      per: "hour",
      next: "2026-12-01T11:00:00.000Z",
    });
    expect((await client.get("/stats")).body.held).toMatchObject([
      { kind: "probe.ok", by: "rate", reason: "1 an hour" },
    ]);
  });
});
