import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProbeRows, probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { submit } from "./submit";
import { sweep } from "./sweep";

beforeAll(createProbeRows);
beforeEach(clean);

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

describe("jobs without a message", () => {
  test("C009: a submit whose send throws is accepted all the same, and the next sweep sends it, once", async () => {
    const world = new World(probes);
    world.queues.normal.failSends = new Error("Queue sendBatch failed: Too Many Requests");
    const asked = { kind: "probe.effect", idempotencyKey: "k" };
    const [id] = (await world.submit(asked)) as [string];
    expect(await world.job(id)).toMatchObject({ state: "pending", sent_at: null });
    // The client is not sure, and asks again.
    expect(await world.submit(asked)).toEqual([id]);
    world.queues.normal.failSends = null;
    world.now += 60_000;
    expect(await world.sweep()).toMatchObject({ sent: 1, resent: 0 });
    expect(await world.sweep()).toMatchObject({ sent: 0, resent: 0 });
    await world.deliver();
    expect(await world.sql("SELECT * FROM probe_rows WHERE job_id = ?", id)).toHaveLength(1);
  });

  for (const [when, begin, end] of [
    ["never arrives", "SELECT 1", "SELECT 1"],
    [
      "fails in its last writing statement",
      "CREATE TRIGGER refuse BEFORE INSERT ON job_counts BEGIN SELECT RAISE(ABORT, 'refused'); END",
      "DROP TRIGGER refuse",
    ],
  ] as const) {
    test(`C009: a submit whose write ${when} leaves no job, no key, no number and no message`, async () => {
      const world = new World(probes);
      const revision = await world.revision();
      await world.sql(begin);
      world.fault = () => (when === "never arrives" ? "before" : null);
      const jobs = [{ kind: "probe.ok", payload: {}, payloadText: "{}", idempotencyKey: "k" }];
      const { engine } = world.invocation();
      await expect(world.until(submit(engine, jobs, "ann"))).rejects.toThrow(/Network connection lost|refused/);
      world.fault = () => null;
      await world.sql(end);
      for (const table of ["jobs", "job_counts", "daily_numbers", "audit"])
        expect([table, await world.sql(`SELECT * FROM ${table}`)]).toEqual([table, []]);
      expect(await world.revision()).toBe(revision);
      expect(world.queues.normal.sent).toEqual([]);
    });
  }

  test("a submit whose reply was lost after it committed answers with the same ids and sends each message once", async () => {
    const world = new World(probes);
    let calls = 0;
    world.fault = () => (++calls === 1 ? "after" : null);
    const jobs = [1, 2, 3].map((n) => ({
      kind: "probe.effect",
      payload: {},
      payloadText: "{}",
      idempotencyKey: n === 2 ? "k" : undefined,
    }));
    const answer = await world.until(submit(world.invocation().engine, jobs));
    expect(answer).toMatchObject({
      kind: "accepted",
      jobs: [{ replayed: false }, { replayed: false }, { replayed: false }],
    });
    expect(await world.sql("SELECT count(*) AS n FROM jobs")).toEqual([{ n: 3 }]);
    expect(world.queues.normal.sent).toHaveLength(3);
    await exact(world);
  });

  test("a crash between insert and send: the message must be gone, and the sweep sends it", async () => {
    const world = new World(probes);
    const invocation = world.invocation();
    world.seam = (site, at) => {
      if (site === "submit: between insert and send") at.kill();
    };
    const inserted = Promise.withResolvers<void>();
    const original = world.seam;
    world.seam = (site, at) => {
      original(site, at);
      if (at.killed) inserted.resolve();
    };
    void submit(invocation.engine, [{ kind: "probe.ok", payload: {}, payloadText: "{}" }]);
    await inserted.promise;
    const [job] = await world.sql<{ id: string }>("SELECT id FROM jobs");
    expect(world.queues.normal.sent).toEqual([]);
    world.now += 59_000;
    expect(await world.sweep()).toMatchObject({ resent: 0 });
    world.now += 1_000;
    expect(await world.sweep()).toMatchObject({ resent: 1 });
    await world.deliver();
    expect((await world.job((job as { id: string }).id)).state).toBe("done");
  });

  test("C011: a long delay is kept in D1 and ends on time, never early", async () => {
    for (const delaySeconds of [86_400, 86_401, 604_800]) {
      await clean();
      const world = new World(probes);
      const [id] = (await world.submit({ kind: "probe.ok", delaySeconds })) as [string];
      const due = world.now + delaySeconds * 1000;
      expect(world.queues.normal.sent).toEqual([]);
      world.now = due - 360_000;
      await world.sweep();
      expect(world.queues.normal.sent).toEqual([]);
      world.now = due - 240_000;
      await world.sweep();
      expect(world.queues.normal.sent).toMatchObject([{ delayMs: 240_000 }]);
      world.now = due - 1;
      expect((await world.deliver()).batch.messages).toEqual([]);
      world.now = due;
      await world.deliver();
      expect(await world.job(id)).toMatchObject({ state: "done", leased_at: due });
    }
  });
});

describe("messages that must be gone, and those that live", () => {
  /** 2,000 messages: one an hour old, 100 in a consumer's hands, 100 handed back, 500 delayed, the rest just waiting. */
  async function backlog(world: World) {
    const { queues } = world;
    const [old] = (await world.submit({ kind: "probe.ok" })) as [string];
    world.now += 3_600_000;
    const many = (n: number, rest = {}) =>
      world.submit(...Array.from({ length: n }, () => ({ kind: "probe.ok", ...rest })));
    await many(100);
    const head = queues.normal.messages.shift();
    const inHands = queues.normal.take(100);
    queues.normal.messages.unshift(head as never);
    await many(500, { delaySeconds: 280 });
    await many(1_000);
    await many(100);
    const back = await many(299);
    const handedBack = queues.normal.messages.splice(-100);
    world.now += 30_000;
    for (const message of handedBack) queues.normal.messages.push({ ...message, sentAt: world.now });
    await world.sql(
      "UPDATE jobs SET sent_at = ? WHERE id IN (SELECT value FROM json_each(?))",
      world.now,
      JSON.stringify(back.slice(-100)),
    );
    return { old, inHands };
  }

  test("three sweeps add no message to a backlog of 2,000; a lost one is sent within two sweeps after the old one is gone", async () => {
    const world = new World(probes);
    const { old, inHands } = await backlog(world);
    const [lost] = (await world.submit({ kind: "probe.ok" })) as [string];
    world.queues.normal.messages = world.queues.normal.messages.filter(
      ({ body }) => (body as { jobId: string }).jobId !== lost,
    );
    expect(world.queues.normal.messages.length + inHands.batch.messages.length).toBe(2_000);
    const sent = world.queues.normal.sent.length;
    for (let minute = 0; minute < 3; minute++) {
      world.now += 60_000;
      expect(await world.sweep()).toMatchObject({ sent: 0, resent: 0 });
    }
    expect(world.queues.normal.sent).toHaveLength(sent);

    // The consumer gets through all of it, the hour-old one first.
    inHands.crash();
    const all = async () => {
      while (world.queues.normal.available().length > 0) await world.deliver();
    };
    await world.deliver();
    expect((await world.job(old)).state).toBe("done");
    for (let minute = 0; minute < 2; minute++) {
      await all();
      expect((await world.job(lost)).state).toBe("pending");
      world.now += 60_000;
      await all();
      await world.sweep();
      await all();
      if ((await world.job(lost)).state === "done") break;
    }
    expect((await world.job(lost)).state).toBe("done");
    await exact(world);
  }, 60_000);

  test("an unreadable metric sends nothing, however old the message", async () => {
    const world = new World(probes);
    await world.submit({ kind: "probe.ok" });
    world.queues.normal.messages = [];
    world.queues.normal.metricsUnknown = true;
    for (let minute = 0; minute < 10; minute++) {
      world.now += 60_000;
      expect(await world.sweep()).toMatchObject({ resent: 0 });
    }
    world.queues.normal.metricsUnknown = false;
    expect(await world.sweep()).toMatchObject({ resent: 1 });
  });

  test("a lane whose oldest message is younger than the lost one by the margin sends it; by less, not yet", async () => {
    const world = new World(probes);
    await world.submit({ kind: "probe.ok" });
    world.queues.normal.messages = [];
    world.now += 30_000;
    await world.submit({ kind: "probe.ok" });
    world.now += 60_000;
    expect(await world.sweep()).toMatchObject({ resent: 0 });
    (world.queues.normal.messages[0] as { sentAt: number }).sentAt += 1;
    expect(await world.sweep()).toMatchObject({ resent: 1 });
  });

  test("local restart: every message gone, and all jobs end", async () => {
    const world = new World(probes);
    await world.submit(
      ...Array.from({ length: 150 }, (_, n) => ({ kind: "probe.effect", delaySeconds: n % 3 ? 0 : 40 })),
    );
    world.queues.normal.messages = [];
    await world.drain();
    expect(await world.sql("SELECT count(*) AS n FROM probe_rows WHERE job_id IN (SELECT id FROM jobs)")).toEqual([
      { n: 150 },
    ]);
  });
});

describe("two sweeps at the same moment", () => {
  test("do the work once", async () => {
    const world = new World(probes);
    world.queues.normal.failSends = new Error("down");
    await world.submit(...Array.from({ length: 50 }, () => ({ kind: "probe.ok" })));
    world.queues.normal.failSends = null;
    const running = (await world.submit(...Array.from({ length: 20 }, () => ({ kind: "probe.hang" })))) as string[];
    await world.sql(
      `UPDATE jobs SET state = 'processing', attempt = 1, leased_at = ?1, lease_until = ?1 + 30000, sent_at = NULL, token = 'gone'
       WHERE kind = 'probe.hang'`,
      world.now,
    );
    await world.sql("UPDATE job_counts SET view = 'processing' WHERE kind = 'probe.hang'");
    world.queues.normal.messages = [];
    world.now += 60_000;
    const reports = await world.until(
      Promise.all([sweep(world.invocation().engine), sweep(world.invocation().engine)]),
    );
    expect(reports.filter((report) => report !== null)).toMatchObject([{ lost: 20, sent: 50 }]);
    for (const id of running) expect(await world.attempts(id)).toMatchObject([{ outcome: "lost" }]);
    expect(world.queues.normal.messages).toHaveLength(70);
    expect(await world.sql("SELECT count(*) AS n FROM sweeps")).toEqual([{ n: 1 }]);
    await exact(world);
  });

  test("and where the lease of the first ran out meanwhile, its guards keep it from doing the work again", async () => {
    const world = new World(probes);
    await world.submit({ kind: "probe.ok" });
    await world.sql(
      "UPDATE jobs SET state = 'processing', attempt = 1, leased_at = ?1, lease_until = ?1, sent_at = NULL",
      world.now,
    );
    await world.sql("UPDATE job_counts SET view = 'processing'");
    world.queues.normal.messages = [];
    world.now += 60_000;
    const first = world.invocation();
    const gate = world.hold("sweep: between reading and writing", first);
    const slow = sweep(first.engine);
    await gate.reached;
    world.now += 180_000;
    expect(await world.sweep()).toMatchObject({ lost: 1 });
    gate.open();
    expect(await world.until(slow)).toMatchObject({ lost: 0 });
    expect(await world.sql("SELECT count(*) AS n FROM attempts")).toEqual([{ n: 1 }]);
    expect(await world.sql("SELECT * FROM refusals")).toEqual([]);
    await exact(world);
  });

  test("one step that fails does not stop the others, and the sweep's row says which", async () => {
    const world = new World(probes);
    world.queues.normal.failSends = new Error("down");
    await world.submit({ kind: "probe.ok" });
    world.queues.normal.failSends = null;
    await world.submit({ kind: "probe.hang" });
    await world.sql(
      "UPDATE jobs SET state = 'processing', attempt = 1, leased_at = ?1, lease_until = ?1, sent_at = NULL WHERE kind = 'probe.hang'",
      world.now,
    );
    await world.sql(
      `CREATE TRIGGER refuse BEFORE INSERT ON attempts BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: refuse'); END`,
    );
    world.now += 60_000;
    const report = await world.sweep().finally(() => world.sql("DROP TRIGGER refuse"));
    expect(report).toMatchObject({ sent: 1, lost: 0 });
    expect(report?.error).toContain("expired leases");
    expect(await world.sql("SELECT error IS NOT NULL AS failed FROM sweeps")).toEqual([{ failed: 1 }]);
  });
});

describe("a full lane", () => {
  test("gives each waiting kind its share, also where the room does not divide by them", async () => {
    const world = new World(probes);
    world.queues.normal.failSends = new Error("down");
    const kinds = ["probe.ok", "probe.effect", "probe.fail"];
    await world.submit(...kinds.flatMap((kind) => Array.from({ length: 20 }, () => ({ kind }))));
    world.queues.normal.failSends = null;
    const { feed } = await import("./feed");
    expect(await feed(world.invocation().engine, "high", 10)).toBe(0);
    expect(await feed(world.invocation().engine, "normal", 10)).toBe(9);
    const sent = await world.sql(
      "SELECT kind, count(*) AS n FROM jobs WHERE sent_at IS NOT NULL GROUP BY kind ORDER BY kind",
    );
    expect(sent).toEqual(kinds.toSorted().map((kind) => ({ kind, n: 3 })));
  });

  test("takes 5,000 messages; the rest wait unsent, and whoever leaves it half empty sends the next", async () => {
    const world = new World(probes);
    for (let call = 0; call < 6; call++) {
      await world.submit(...Array.from({ length: 1_000 }, () => ({ kind: "probe.ok" })));
    }
    expect(world.queues.normal.messages).toHaveLength(5_000);
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE sent_at IS NULL")).toEqual([{ n: 1_000 }]);
    world.queues.normal.messages = world.queues.normal.messages.slice(0, 2_600);
    await world.deliver();
    // The batch saw 2,500 left.
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE state = 'pending' AND sent_at IS NULL")).toEqual([
      { n: 0 },
    ]);
    expect(world.queues.normal.messages).toHaveLength(3_500);
  }, 60_000);
});
