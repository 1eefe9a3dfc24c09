import { beforeEach, describe, expect, test } from "vitest";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { COUNT_ROWS } from "~/store/bulk/matching";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { bulkCount, bulkDone, startedOperation } from "./bulk_schemas";
import { clientOf } from "./testing";

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
const states = () =>
  world.sql("SELECT state, count(*) AS n FROM jobs WHERE kind <> 'bulk' GROUP BY state ORDER BY state");

async function unchanged(status: number, body: unknown) {
  const before = await client.stored();
  const answer = await client.post("/bulk", body);
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await client.stored()).toEqual(before);
  return answer.body;
}

describe("C059: jobs named by ids", () => {
  test.each([99, 100, 101, 250])("C059: %i dead ones are requeued, each once", async (n) => {
    const ids = await dead(n);
    const answer = await client.post("/bulk", { action: "requeue", ids: [...ids, ids[0], "no-such-job"] });
    expect(answer).toMatchObject({ status: 200, body: { requested: n + 1, changed: n } });
    expect(answer.body.skipped).toEqual([{ id: "no-such-job", reason: "is not stored" }]);
    expect(bulkDone.parse(answer.body)).toEqual(answer.body);
    expect(await states()).toEqual([{ state: "pending", n }]);
    expect(await world.sql("SELECT DISTINCT generation FROM jobs")).toEqual([{ generation: 2 }]);
  });

  test("C059: 250 scheduled ones are cancelled, 250 are submitted in one call", async () => {
    const answer = await client.post("/jobs", Array(250).fill({ kind: "probe.ok", payload: {}, delaySeconds: 60 }));
    expect(answer.status).toBe(202);
    const { ids } = answer.body;
    expect(await client.post("/bulk", { action: "cancel", ids, reason: " sent by mistake " })).toMatchObject({
      status: 200,
      body: { requested: 250, changed: 250, skipped: [] },
    });
    expect(await states()).toEqual([{ state: "cancelled", n: 250 }]);
    expect((await client.get(`/jobs/${ids[7]}`)).body.audit).toMatchObject([
      { actor: "ann", action: "cancel", reason: "sent by mistake" },
    ]);
  });

  test("C059: over the maximum it is 413, which names it, and nothing is changed", async () => {
    const ids = await dead(3);
    const many = [...ids, ...Array.from({ length: 1_997 }, () => world.newId())];
    expect(await unchanged(413, { action: "requeue", ids: many })).toMatchObject({
      code: "too-many-ids",
      errors: [{ path: "ids", limit: 1_000 }],
    });
    expect(
      await unchanged(413, { action: "requeue", ids: Array.from({ length: 20_000 }, () => "x".repeat(36)) }),
    ).toMatchObject({
      errors: [{ limit: 200_000 }],
    });
  });

  test("C059: just the maximum is taken, the same id a thousand times is one job", async () => {
    const [id] = await dead(1);
    const known = { action: "requeue", ids: [id, ...Array.from({ length: 999 }, () => world.newId())] };
    expect((await client.post("/bulk", known)).body).toMatchObject({ requested: 1_000, changed: 1 });
    const same = { action: "cancel", ids: Array(1_001).fill(id) };
    expect((await client.post("/bulk", same)).body).toEqual({ requested: 1, changed: 1, skipped: [] });
  });

  test("with a filter as well, those that have left it are skipped and stay as they are", async () => {
    const [first, second] = (await dead(2)) as [string, string];
    await client.post(`/jobs/${second}/requeue`);
    const filter = { view: "dead" };
    expect((await client.post("/bulk", { action: "delete", ids: [first, second], filter })).body).toEqual({
      requested: 2,
      changed: 1,
      skipped: [{ id: second, reason: "is pending now" }],
    });
    expect((await client.get(`/jobs/${first}`)).status).toBe(404);
    expect((await client.get(`/jobs/${second}`)).status).toBe(200);
  });
});

describe("C060: everything that matches", () => {
  const filter = { view: "dead", kind: "probe.permanent" };

  test("C060: the count is told before, only what is meant is touched, and later arrivals are not", async () => {
    const ids = await dead(120);
    await world.submit(...Array(30).fill({ kind: "probe.hang" }));
    await world.sql(
      "UPDATE jobs SET state = 'dead', sent_at = NULL, finished_at = created_at, cause = 'b' WHERE kind = 'probe.hang'",
    );
    await world.sql("UPDATE job_counts SET view = 'dead' WHERE kind = 'probe.hang'");
    await client.post("/bulk", { action: "requeue", ids: ids.slice(0, 25) });
    const counted = await client.get("/bulk/count?view=dead&kind=probe.permanent");
    expect(counted).toMatchObject({ status: 200, body: { count: 95 } });
    expect(bulkCount.parse(counted.body)).toEqual(counted.body);
    expect((await client.get("/bulk/count?view=dead")).body.count).toBe(125);

    const answer = await client.post("/bulk", { action: "requeue", filter, reason: "fixed" });
    expect(answer).toMatchObject({
      status: 202,
      body: { operation: { action: "requeue", ...filter, state: "running", expected: 95, changed: 0, actor: "ann" } },
    });
    expect(startedOperation.parse(answer.body)).toEqual(answer.body);
    const at = answer.headers.get("location")?.replace("/api/v1", "") as string;
    world.now += 1_000;
    // The 25 that were requeued die anew, and five others: all of them later than the operation.
    await dead(5);
    await world.deliver("high");
    expect((await client.get(at)).body).toMatchObject({
      state: "done",
      changed: 95,
      skipped: 0,
      matching: 30,
      job: { state: "done" },
      skips: [],
    });
    expect(await world.sql("SELECT DISTINCT generation FROM jobs WHERE kind = 'probe.hang'")).toEqual([
      { generation: 1 },
    ]);
  });

  test("C060: of any filter of a list, counted back from the call: what it shows is touched, later ones are not", async () => {
    const hour = 3_600_000;
    const [old] = await dead(1);
    world.now += 2 * hour;
    await dead(3);
    await client.post("/jobs", { kind: "probe.permanent", payload: {}, priority: "high" });
    await world.deliver("high");
    const meant = { view: "dead", kind: "probe.permanent", q: "finished:1h priority:normal" };
    const counted = await client.get(`/bulk/count?${new URLSearchParams(meant)}`);
    const q = `finished:>${new Date(world.now - hour).toISOString()} priority:normal`;
    expect(counted.body).toMatchObject({ count: 3, filter: { ...meant, q } });
    expect(bulkCount.parse(counted.body)).toEqual(counted.body);

    const ask = { action: "requeue", filter: meant, confirm: 3 };
    const { body, headers } = await client.post("/bulk", ask);
    expect(body.operation).toMatchObject({ q, expected: 3 });
    expect(startedOperation.parse(body)).toEqual(body);
    const at = headers.get("location")?.replace("/api/v1", "") as string;
    world.now += hour - 1;
    await dead(2);
    await world.deliver("high");
    expect((await client.get(at)).body).toMatchObject({ state: "done", changed: 3, skipped: 0, matching: null });
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE generation = 2")).toEqual([{ n: 3 }]);
    expect((await client.get(`/jobs/${old}`)).body.generation).toBe(1);

    // What is left of it by now: those that died of it again, and no later ones.
    while (world.queues.normal.available().length > 0) await world.deliver();
    expect(await client.post(`${at}/again`, { confirm: 4 })).toMatchObject({ status: 409, body: { expected: 5 } });
  });

  test("C060: where more jobs would have to be looked at than one call may, nothing is started", async () => {
    await dead(1);
    const columns = await world.sql<{ name: string }>("SELECT name FROM pragma_table_info('jobs') WHERE name <> 'id'");
    const rest = columns.map(({ name }) => name).join(", ");
    await world.sql(
      `WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < ${COUNT_ROWS})
       INSERT INTO jobs (id, ${rest}) SELECT printf('0%015d', n), ${rest} FROM numbers CROSS JOIN jobs`,
    );
    const meant = { view: "dead", q: "priority:normal" };
    const answers = [
      await client.get(`/bulk/count?${new URLSearchParams(meant)}`),
      await client.post("/bulk", { action: "requeue", filter: meant }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code, body.errors[0].path]).toEqual([413, "too-many-to-count", "filter"]);
    }
    expect(await world.sql("SELECT count(*) AS n FROM bulk_operations")).toEqual([{ n: 0 }]);
    expect((await client.get("/bulk/count?view=dead&q=priority%3Anormal+finished%3A1m")).status).toBe(413);
    await world.sql(`DELETE FROM jobs WHERE id = '0000000000000001'`);
    expect((await client.get(`/bulk/count?${new URLSearchParams(meant)}`)).body.count).toBe(COUNT_ROWS);
  });

  test("to delete, the count must be confirmed; another count than that starts nothing", async () => {
    await dead(3);
    const problem = await unchanged(400, { action: "delete", filter });
    expect(problem.errors).toMatchObject([{ path: "confirm" }]);
    expect(await unchanged(409, { action: "delete", filter, confirm: 2 })).toMatchObject({
      code: "recounted",
      expected: 3,
    });
    expect((await client.post("/bulk", { action: "delete", filter, confirm: 3 })).status).toBe(202);
    while (world.queues.high.available().length > 0) await world.deliver("high");
    expect(await states()).toEqual([]);
  });

  test("asked twice with one id it is started once", async () => {
    await dead(2);
    const call = { action: "requeue", filter, id: world.newId(), pace: 60 };
    const first = await client.post("/bulk", call);
    world.now += 1_000;
    await dead(1);
    expect((await client.post("/bulk", call)).body).toEqual(first.body);
    expect(first.body.operation).toMatchObject({ id: call.id, expected: 2, pace: 60 });
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE kind = 'bulk'")).toEqual([{ n: 1 }]);
  });
});

describe("bad input to bulk", () => {
  test.each<[object, string]>([
    [{ action: "requeue" }, ""],
    [{ action: "retry", ids: ["x"] }, "action"],
    [{ action: "requeue", ids: [] }, "ids"],
    [{ action: "requeue", ids: [1] }, "ids.0"],
    [{ action: "requeue", ids: ["x"], pace: 5 }, "pace"],
    [{ action: "requeue", ids: ["x"], confirm: 1 }, "confirm"],
    [{ action: "requeue", ids: ["x"], extra: 1 }, "extra"],
    [{ action: "requeue", filter: {} }, "filter.view"],
    [{ action: "requeue", filter: { view: "failed" } }, "filter.view"],
    [{ action: "requeue", filter: { view: "done" } }, "filter.view"],
    [{ action: "cancel", filter: { view: "dead" } }, "filter.view"],
    [{ action: "delete", filter: { view: "processing" }, confirm: 1 }, "filter.view"],
    [{ action: "requeue", filter: { view: "cancelled", cause: "x" } }, "filter.cause"],
    [{ action: "requeue", filter: { view: "dead", q: "created:yesterday" } }, "filter.q"],
    [{ action: "requeue", filter: { view: "dead", q: "state:gone" } }, "filter.q"],
    [{ action: "requeue", ids: ["x"], filter: { view: "dead", q: "priority:high" } }, "filter.q"],
    [{ action: "requeue", filter: { view: "dead" }, pace: 0 }, "pace"],
    [{ action: "requeue", filter: { view: "dead" }, id: "x" }, "id"],
    [{ action: "requeue", filter: { view: "dead" }, reason: "x".repeat(501) }, "reason"],
  ])("%o is 400, says where, and changes nothing", async (body, path) => {
    await dead(1);
    const problem = await unchanged(400, body);
    expect(problem.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  test("a filter whose times, written out, are too long to be read again is refused before it is counted", async () => {
    await dead(2);
    const q = (chars: number) => `created:1h ${"x".repeat(chars)}`;
    const longest = 1_000 - "created:>2026-12-01T10:00:00.000Z ".length;
    const ask = (chars: number) => ({ action: "delete", filter: { view: "dead", q: q(chars) }, confirm: 0 });
    const problem = await unchanged(400, ask(longest + 1));
    expect(problem.errors).toEqual([{ path: "filter.q", message: expect.stringContaining("over 1000 characters") }]);
    expect((await client.get(`/bulk/count?view=dead&q=${q(longest + 1)}`)).status).toBe(400);
    const twice = await unchanged(400, ask(1_000));
    expect(twice.errors).toEqual([{ path: "filter.q", message: expect.stringContaining("at most 1000 characters") }]);
    expect((await client.post("/bulk", ask(longest))).status).toBe(202);
    await world.deliver("high");
    expect(await states()).toEqual([{ state: "dead", n: 2 }]);
  });

  test.each(["finished:>9999-12-31T23:59:59-23:59", "created:<0000-01-01T00:00:00+23:59"])(
    "a time that cannot be written in UTC is none: %s once stood for no time at all, and all jobs were meant",
    async (q) => {
      await dead(2);
      await unchanged(400, { action: "delete", filter: { view: "dead", q }, confirm: 0 });
    },
  );

  test("an operation is nobody's to submit as a job: it would say that somebody else had asked for it", async () => {
    await dead(1);
    const before = await client.stored();
    const plan = {
      operationId: world.newId(),
      action: "delete",
      view: "dead",
      cutoff: world.now,
      expected: 1,
      actor: "ben",
    };
    expect(await client.post("/jobs", { kind: "bulk", payload: plan })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "kind" }] },
    });
    expect(await client.stored()).toEqual(before);
  });

  test("a count of what cannot be counted is 400", async () => {
    for (const query of ["", "?kind=a", "?view=gone", "?view=done&cause=x", "?view=dead&state=dead"]) {
      expect((await client.get(`/bulk/count${query}`)).status).toBe(400);
    }
  });

  test("another content type is 415, another method 405, an unreachable database 503", async () => {
    const text = JSON.stringify({ action: "requeue", ids: ["x"] });
    expect((await client.postText("/bulk", text, { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await client.get("/bulk")).headers.get("allow")).toBe("POST");
    world.fault = () => "before";
    expect((await client.postText("/bulk", text)).status).toBe(503);
  });
});
