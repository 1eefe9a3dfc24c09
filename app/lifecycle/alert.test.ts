import { beforeEach, describe, expect, test } from "vitest";
import { AlertWorld, HOOK } from "~/testing/alerts";
import { putSchedule } from "~/testing/schedules";
import { clean, type World } from "~/testing/world";
import { tellAlerts } from "./alert";
import { consume } from "./consume";
import { requeue } from "./requeue";
import { sweep } from "./sweep";

beforeEach(clean);

const exact = async (world: World) => {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
};

describe("C089: an alert is sent on a change of condition, once", () => {
  test("C089: more than 10 dead jobs in 15 min: true for 60 sweeps, false, true again: 1 alert, a reminder a period, 1 all-clear, 1 new alert", async () => {
    const world = new AlertWorld();
    const id = await world.rule({ moreThan: 10, windowMinutes: 15, remindMinutes: 30 });
    await world.die(10);
    for (let n = 0; n < 5; n++) await world.minute();
    expect(world.types()).toEqual([]);

    // The eleventh, at 10:05; then one a minute: never fewer than 11 in any 15 minutes.
    for (let n = 0; n < 60; n++) {
      await world.die(1);
      await world.minute();
    }
    expect(world.types()).toEqual(["opened", "reminder"]);
    expect(world.told.map(({ at }) => new Date(at).toISOString().slice(11, 16))).toEqual(["10:06", "10:36"]);
    expect(world.told[0]).toMatchObject({
      title: "jobs die",
      text: "11 dead jobs in the last 15 minutes: more than 10\nRule: ops",
      data: { rule: { id, name: "ops" }, count: 11, moreThan: 10, windowMinutes: 15 },
    });

    // 11:05 was the last minute with a death: 11 of them are within the window until 11:10, 10 from 11:11 on.
    for (let n = 0; n < 30; n++) await world.minute();
    expect(world.types()).toEqual(["opened", "reminder", "reminder", "cleared"]);
    expect(world.told.slice(2).map(({ at }) => new Date(at).toISOString().slice(11, 16))).toEqual(["11:06", "11:10"]);
    expect(world.told[3]).toMatchObject({ title: "Over: jobs die", data: { count: 10 } });

    await world.die(11);
    for (let n = 0; n < 10; n++) await world.minute();
    expect(world.types()).toEqual(["opened", "reminder", "reminder", "cleared", "opened"]);
    expect(await world.alerts()).toMatchObject([{ notices: 4 }, { notices: 1, cleared_at: null }]);
    await exact(world);
  });

  test("C089: a redeploy in between repeats nothing: what was told stands in rows", async () => {
    const world = new AlertWorld();
    await world.rule();
    await world.die(11);
    await world.minute();
    const next = new AlertWorld();
    next.now = world.now;
    for (let n = 0; n < 10; n++) await next.minute();
    expect([world.types(), next.types()]).toEqual([["opened"], []]);
  });

  test("C089: two sweeps at once tell once, also where no lease keeps them apart", async () => {
    const world = new AlertWorld();
    await world.rule();
    await world.die(11);
    world.now += 60_000;
    await world.until(Promise.all([sweep(world.invocation().engine), sweep(world.invocation().engine)]));
    await world.deliver();
    expect(world.types()).toEqual(["opened"]);

    await clean();
    const other = new AlertWorld();
    await other.rule();
    await other.die(11);
    await other.until(Promise.all([1, 2, 3].map(() => tellAlerts(other.invocation().engine))));
    await other.deliver();
    expect(other.types()).toEqual(["opened"]);
    expect(await other.alerts()).toHaveLength(1);
    expect(await other.notices()).toHaveLength(1);
    await exact(other);
  });

  test("C089: one that is held between reading and writing until the other has told, reminded and cleared, tells nothing", async () => {
    const world = new AlertWorld();
    await world.rule({ remindMinutes: 1 });
    await world.die(11);
    const slow = world.invocation();
    const gate = world.hold("alerts: between reading and writing", slow);
    const held = tellAlerts(slow.engine);
    await gate.reached;
    await world.minute();
    await world.minute();
    expect(world.types()).toEqual(["opened", "reminder"]);
    const before = [await world.notices(), await world.revision()];
    gate.open();
    await world.until(held);
    expect([await world.notices(), await world.revision()]).toEqual(before);
  });

  test("C089: a write whose reply is lost, and one that the network does twice, tell once", async () => {
    for (const fault of ["after", "twice"] as const) {
      await clean();
      const world = new AlertWorld();
      await world.rule();
      await world.die(11);
      const { engine } = world.invocation();
      let calls = 0;
      if (fault === "twice") world.twice = true;
      else world.fault = () => (++calls === 2 ? "after" : null);
      await world.until(tellAlerts(engine));
      world.fault = () => null;
      world.twice = false;
      await world.deliver();
      expect([fault, world.types()]).toEqual([fault, ["opened"]]);
      await exact(world);
    }
  });

  test("C089: a crash between the write and the message costs time, not the alert", async () => {
    const world = new AlertWorld();
    await world.rule();
    await world.die(11);
    const crashing = world.invocation();
    const crashed = Promise.withResolvers<void>();
    world.seam = (site, invocation) => {
      if (site !== "alerts: between write and send" || invocation !== crashing) return;
      invocation.kill();
      crashed.resolve();
    };
    world.now += 60_000;
    void sweep(crashing.engine);
    await crashed.promise;
    expect(world.types()).toEqual([]);
    for (let n = 0; n < 4; n++) await world.minute();
    expect(world.types()).toEqual(["opened"]);
  });

  test("C089: a channel that fails for 10 minutes is tried again until it answers, its failures are visible and raise no alerts", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "cause", moreThan: 0 });
    await world.rule({ name: "all", condition: "dead", moreThan: 0 });
    await world.die(1);
    const from = world.now + 60_000;
    world.answer = () => new Response("down", { status: world.now < from + 600_000 ? 503 : 200 });
    for (let n = 0; n < 14; n++) await world.minute();
    // Both rules, once each: one for the cause, one for all.
    expect(world.types()).toEqual(["opened", "opened"]);
    expect(world.asked.length).toBeGreaterThan(8);
    const jobs = await world.sql<{ state: string; attempt: number }>(
      "SELECT state, attempt FROM jobs WHERE kind = 'alert'",
    );
    expect(jobs).toEqual([
      { state: "done", attempt: 7 },
      { state: "done", attempt: 7 },
    ]);
    expect(
      await world.sql(
        "SELECT DISTINCT error FROM attempts WHERE error IS NOT NULL AND job_id IN (SELECT id FROM jobs WHERE kind = 'alert')",
      ),
    ).toEqual([{ error: "answered 503" }]);
    await exact(world);
  });

  test("C089: an alert whose job dies raises none about itself, whatever the rules ask", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "cause", moreThan: 0 });
    await world.rule({ name: "all", moreThan: 0 });
    world.answer = () => new Response("gone", { status: 410 });
    await world.die(1);
    for (let n = 0; n < 5; n++) await world.minute();
    expect(await world.sql("SELECT state, count(*) AS n FROM jobs WHERE kind = 'alert'")).toEqual([
      { state: "dead", n: 2 },
    ]);
    expect(await world.alerts()).toHaveLength(2);
    expect(await world.sql("SELECT kind, n FROM deaths ORDER BY kind")).toEqual([
      { kind: "alert", n: 2 },
      { kind: "probe.permanent", n: 1 },
    ]);
    // Nor do those deaths keep the condition true.
    world.answer = () => new Response();
    for (let n = 0; n < 15; n++) await world.minute();
    expect(world.types()).toEqual(["cleared", "cleared"]);
  });

  test("C089: a daily 01:00 schedule made at 17:00 is not missed before its first slot", async () => {
    const world = new AlertWorld();
    world.now = Date.parse("2026-12-01T17:00:00Z");
    await world.rule({ condition: "missed", moreThan: 0 });
    await putSchedule(world, Date.parse("2026-12-02T01:00:00Z"), { cron: "0 1 * * *" });
    for (let n = 0; n < 8 * 60 + 5; n++) {
      world.now += 60_000;
      await world.sweep();
    }
    expect(new Date(world.now).toISOString()).toBe("2026-12-02T01:05:00.000Z");
    await world.deliver();
    expect(world.types()).toEqual([]);
    expect(await world.sql("SELECT fate FROM slots")).toEqual([{ fate: "fired" }]);
  });
});

describe("the conditions", () => {
  test("by cause: each has an alert of its own, with its count, an example and a link to its list", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "cause", moreThan: 0 });
    await world.die(2);
    await world.minute();
    const ids = await world.submit({ kind: "probe.fail", maxAttempts: 1 }, { kind: "probe.fail", maxAttempts: 1 });
    await world.deliver();
    await world.minute();
    expect(world.told.map(({ title, data }) => [title, data.count, data.subject])).toEqual([
      ["jobs die: probe.permanent: no retry can help", 2, "probe.permanent: no retry can help"],
      ["jobs die: probe.fail: the probe failed", 2, "probe.fail: the probe failed"],
    ]);
    expect(world.told[1]?.data).toMatchObject({
      example: ids[1],
      links: [
        { label: "The list", url: "https://redrive.example/jobs?view=dead&cause=probe.fail%3A+the+probe+failed" },
        { label: "An example", url: `https://redrive.example/jobs/${ids[1]}` },
        { label: "Alerts", url: "https://redrive.example/alerts" },
      ],
    });
    for (let n = 0; n < 16; n++) await world.minute();
    expect(world.types()).toEqual(["opened", "opened", "cleared", "cleared"]);
  });

  test("by cause: a requeue takes nothing back, and dying again of it within the window is no news", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "cause", moreThan: 0 });
    const [id] = await world.die(1);
    await world.minute();
    await requeue(world.invocation().engine, { id: id as string }, { actor: "ann" });
    await world.deliver();
    await world.minute();
    expect(world.types()).toEqual(["opened"]);
    expect(await world.sql("SELECT sum(n) AS n FROM deaths")).toEqual([{ n: 2 }]);
    await exact(world);
  });

  test("of one kind: deaths of others do not count", async () => {
    const world = new AlertWorld();
    await world.rule({ kind: "probe.fail", moreThan: 0 });
    await world.die(3);
    await world.minute();
    expect(world.types()).toEqual([]);
    await world.submit({ kind: "probe.fail", maxAttempts: 1 });
    await world.deliver();
    await world.minute();
    expect(world.told).toMatchObject([{ title: "probe.fail jobs die", data: { count: 1 } }]);
  });

  test("dead letters: buried, ignored and unreadable ones count", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "letters", moreThan: 1 });
    const [id] = await world.submit({ kind: "probe.ok" });
    world.dead.messages = world.queues.normal.messages.splice(0);
    await world.deliverDead();
    await world.minute();
    expect(world.types()).toEqual([]);
    world.queues.normal.put({ not: "ours" });
    await world.deliver();
    await world.minute();
    expect(world.told).toMatchObject([
      {
        title: "dead letters arrive",
        data: { count: 2, example: id, links: [{ url: "https://redrive.example/dead" }, {}, {}] },
      },
    ]);
  });

  test("missed slots: by schedule, told with its name, a minute after they were found", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "missed", moreThan: 0 });
    const id = await putSchedule(world, world.now + 60_000, { name: "nightly", cron: "* * * * *" });
    world.now += 10 * 60_000;
    await world.sweep();
    await world.minute();
    expect(world.told).toMatchObject([
      {
        title: "schedule nightly misses slots",
        data: { subject: id, links: [{ url: `https://redrive.example/schedules/${id}` }, {}] },
      },
    ]);
    expect(world.told[0]?.data.count).toBeGreaterThan(0);
  });

  test("jobs that lose their worker until they are dead count in the sweep that gives them up", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "cause", moreThan: 0 });
    await world.submit({ kind: "probe.hang", maxAttempts: 1 });
    const invocation = world.invocation();
    const gate = world.hold("run: before probe.hang", invocation);
    void consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    invocation.kill();
    world.now += 31_000;
    await world.sweep();
    await world.deliver();
    expect(world.told).toMatchObject([{ title: "jobs die: probe.hang: worker lost 1 time" }]);
  });
});

describe("many at once", () => {
  test("a hundred causes are told in turn, the most deaths first, and none is forgotten or taken for over", async () => {
    const world = new AlertWorld();
    await world.rule({ condition: "cause", moreThan: 0, remindMinutes: 0 });
    await world.sql(
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100)
       INSERT INTO deaths (minute, cause, kind, n, example) SELECT ?, 'k: cause ' || i, 'k', i, 'e' FROM c`,
      world.now,
    );
    await world.minute();
    expect(world.told.map(({ data }) => data.count)).toEqual(Array.from({ length: 20 }, (_, i) => 100 - i));
    for (let n = 0; n < 4; n++) await world.minute();
    expect(new Set(world.told.map(({ data }) => data.subject)).size).toBe(100);
    await world.minute();
    expect(world.types()).toEqual(Array(100).fill("opened"));
  });

  /** Alerts of one rule that stand open, each of a subject of its own, last told of when it was opened. */
  const stand = (world: AlertWorld, rule: string, n: number) =>
    world.sql(
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1)
       INSERT INTO alerts (id, rule_id, rule_name, subject, opened_at, told_at, notices, n, token)
       SELECT printf('01a2310c-0000-7000-8000-%012d', i), ?2, 'ops', 'k: cause ' || i, ?3, ?3, 1, 1, 't' FROM c`,
      n,
      rule,
      world.now,
    );

  test("300 that are over at once are told in turn, each once, and new ones beside them", async () => {
    const world = new AlertWorld();
    const rule = await world.rule({ condition: "cause", moreThan: 0 });
    await stand(world, rule, 300);
    const [id] = await world.die(1);
    const left: number[] = [];
    for (let n = 0; n < 5; n++) {
      await world.minute();
      left.push((await world.sql("SELECT id FROM alerts WHERE cleared_at IS NULL")).length);
    }
    // The new one stays.
    expect(left).toEqual([201, 101, 1, 1, 1]);
    const cleared = world.told.filter(({ type }) => type === "alert.cleared");
    expect(new Set(cleared.map(({ data }) => data.subject)).size).toBe(300);
    expect(world.told.filter(({ type }) => type === "alert.opened")).toMatchObject([{ data: { example: id } }]);
    expect(await world.sql("SELECT type, count(*) AS n FROM alert_notices GROUP BY type ORDER BY type")).toEqual([
      { type: "alert", n: 1 },
      { type: "clear", n: 300 },
    ]);
    await exact(world);
  });

  test("150 that are due for a reminder have their turn before any is reminded of again", async () => {
    const world = new AlertWorld();
    const rule = await world.rule({ condition: "cause", moreThan: 0, remindMinutes: 2 });
    await stand(world, rule, 150);
    await world.sql(
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 150)
       INSERT INTO deaths (minute, cause, kind, n, example) SELECT ?, 'k: cause ' || i, 'k', 1, 'e' FROM c`,
      world.now,
    );
    for (let n = 0; n < 3; n++) await world.minute();
    expect(world.types()).toEqual(Array(150).fill("reminder"));
    expect(new Set(world.told.map(({ data }) => data.subject)).size).toBe(150);
  });

  test("writing them costs so many rows each, however many they are", async () => {
    const cost = async (n: number) => {
      await clean();
      const world = new AlertWorld();
      const channels = { webhook: HOOK, slack: "https://hooks.slack.com/services/T/B/x" };
      await stand(world, await world.rule({ condition: "cause", moreThan: 0, channels }), n);
      const { engine } = world.invocation();
      await world.until(tellAlerts(engine));
      expect(await world.notices()).toHaveLength(2 * n);
      expect(await world.sql("SELECT id FROM jobs WHERE kind = 'alert'")).toHaveLength(2 * n);
      return engine.store.used.rowsRead;
    };
    const [few, many] = [await cost(10), await cost(100)];
    expect(many).toBeLessThan(10 * few);
  });

  test("what a sweep reads for it is bounded, however many have died", async () => {
    const world = new AlertWorld();
    await world.rule({ moreThan: 1_000, remindMinutes: 0 });
    await world.sql(
      `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 50000)
       INSERT INTO deaths (minute, cause, kind, n, example) SELECT ?, 'k: ' || i, 'k', 1, 'e' FROM c`,
      world.now,
    );
    const { engine } = world.invocation();
    await world.until(tellAlerts(engine));
    expect(engine.store.used.rowsRead).toBeLessThan(2_100);
    expect(await world.alerts()).toMatchObject([{ n: 2_000 }]);
  });

  test("deaths are kept two days, in the table and in no rule's memory", async () => {
    const world = new AlertWorld();
    await world.die(1);
    world.now += 49 * 3_600_000;
    for (let n = 0; n < 60; n++) await world.minute();
    expect(await world.sql("SELECT * FROM deaths")).toEqual([]);
  });
});

test("without a channel the alert stands in the history all the same", async () => {
  const world = new AlertWorld();
  await world.rule({ channels: {} });
  await world.die(11);
  await world.minute();
  expect(await world.alerts()).toMatchObject([{ n: 11, cleared_at: null }]);
  expect(await world.notices()).toMatchObject([{ type: "alert", channel: null, job_id: null, error: null }]);
  expect(await world.sql("SELECT id FROM jobs WHERE kind = 'alert'")).toEqual([]);
});

test("a channel that must not be used any more has the reason in the history; the others are told", async () => {
  const world = new AlertWorld();
  await world.rule({ channels: { webhook: HOOK, slack: "https://hooks.slack.com/services/T/B/x" } });
  world.ownHosts = ["hooks.slack.com"];
  await world.die(11);
  await world.minute();
  expect(world.types()).toEqual(["opened"]);
  expect(await world.notices()).toMatchObject([
    { channel: "webhook", target: `${new URL(HOOK).origin}/…`, job_id: expect.any(String), error: null },
    {
      channel: "slack",
      target: "https://hooks.slack.com/…",
      job_id: null,
      error: expect.stringContaining("is this deployment"),
    },
  ]);
});
