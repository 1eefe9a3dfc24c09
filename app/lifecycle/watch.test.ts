import { beforeEach, describe, expect, test } from "vitest";
import { readDueWatches } from "~/store/watches/watches";
import { html, putWatch, WatchWorld } from "~/testing/watches";
import { clean } from "~/testing/world";
import { cancel } from "./cancel";
import { consume } from "./consume";
import { requeue } from "./requeue";
import { sweep } from "./sweep";
import { sweepWatches } from "./watch";

beforeEach(clean);

const MINUTE = 60_000;
const at = (text: string) => Date.parse(text);
const jobsOf = (world: WatchWorld) =>
  world.sql<{ id: string }>("SELECT * FROM jobs WHERE kind = 'watch_page' ORDER BY id");
const exact = async (world: WatchWorld) => {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
};

describe("the cadence", () => {
  test("due 4 August 08:00, everything down until 6 August 10:00: that slot is checked, 5 and 6 August are skipped, next is 7 August 08:00", async () => {
    const world = new WatchWorld("2026-08-03T12:00:00Z");
    const id = await putWatch(world, "2026-08-04T08:00:00Z");
    await world.sweepAt("2026-08-04T07:59:59Z");
    expect(await jobsOf(world)).toEqual([]);
    await world.sweepAt("2026-08-06T10:00:00Z");
    expect(await jobsOf(world)).toMatchObject([
      {
        idempotency_key: `watch/${id}/${at("2026-08-04T08:00:00Z")}`,
        payload: JSON.stringify({ watch: id, slot: "2026-08-04T08:00:00.000Z", name: "price" }),
      },
    ]);
    // Nothing moves before the check has ended.
    expect(await world.due(id)).toBe("2026-08-04T08:00:00.000Z");
    await world.deliver();
    expect(await world.due(id)).toBe("2026-08-07T08:00:00.000Z");
    expect(await world.checks(id)).toMatchObject([
      { slot_at: at("2026-08-04T08:00:00Z"), at: at("2026-08-06T10:00:00Z"), outcome: "first", missed: 2 },
    ]);
    for (let now = at("2026-08-06T10:01:00Z"); now < at("2026-08-06T10:10:00Z"); now += MINUTE)
      await world.sweepAt(now);
    expect(await jobsOf(world)).toHaveLength(1);
    await world.sweepAt("2026-08-07T08:00:00Z");
    await world.deliver();
    expect(await world.due(id)).toBe("2026-08-08T08:00:00.000Z");
    expect((await world.checks(id)).map(({ missed, outcome }) => [missed, outcome])).toEqual([
      [2, "first"],
      [0, "unchanged"],
    ]);
    await exact(world);
  });

  test("the same where the job was there and nobody ran it for two days", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const id = await putWatch(world, "2026-08-04T08:00:00Z");
    await world.sweep();
    world.now = at("2026-08-06T10:00:00Z");
    await world.deliver();
    expect(await world.due(id)).toBe("2026-08-07T08:00:00.000Z");
    expect(await jobsOf(world)).toHaveLength(1);
  });

  test("keeps the wall time of its zone, over a clock change too", async () => {
    const world = new WatchWorld("2026-10-24T06:00:00Z");
    const id = await putWatch(world, "2026-10-24T06:00:00Z", { timeZone: "Europe/Berlin" });
    await world.sweep();
    await world.deliver();
    expect(await world.due(id)).toBe("2026-10-25T07:00:00.000Z");
  });

  test("every 15 minutes from 10:00, held up until 11:07:41: next 11:15, four slots skipped", async () => {
    const world = new WatchWorld("2026-08-04T11:07:41Z");
    const id = await putWatch(world, "2026-08-04T10:00:00Z", { everyMinutes: 15, anchor: "2026-08-04T10:00:00Z" });
    await world.sweep();
    await world.deliver();
    expect(await world.due(id)).toBe("2026-08-04T11:15:00.000Z");
    expect(await world.checks(id)).toMatchObject([{ missed: 4 }]);
  });

  test("a check that is retried past the next slots does not make them run in a row", async () => {
    const world = new WatchWorld("2026-08-04T10:00:00Z");
    const id = await putWatch(world, "2026-08-04T10:00:00Z", { everyMinutes: 1 });
    world.answer = (_asked, nth) => (nth < 5 ? html("", {}, 503) : html("<p>up</p>"));
    await world.sweep();
    await world.drain();
    // 10 + 20 + 40 + 80 s of backoff.
    expect(await world.checks(id)).toMatchObject([{ outcome: "first", missed: 2 }]);
    expect(await world.due(id)).toBe("2026-08-04T10:03:00.000Z");
  });
});

describe("one slot, one check", () => {
  test("two sweeps at once, and one that was held until after the settle, make one job and one row", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const id = await putWatch(world, world.now);
    const engines = [1, 2, 3].map(() => world.invocation());
    const due = await Promise.all(engines.map(({ engine }) => readDueWatches(engine.store, 100)));
    const [first, second, slow] = engines as [(typeof engines)[0], (typeof engines)[0], (typeof engines)[0]];
    const gate = world.hold("watches: between reading and writing", slow);
    const held = sweepWatches(slow.engine, due[2] as never);
    await gate.reached;
    await world.until(
      Promise.all([sweepWatches(first.engine, due[0] as never), sweepWatches(second.engine, due[1] as never)]),
    );
    await world.deliver();
    const revision = await world.revision();
    gate.open();
    await world.until(held);
    expect(await world.revision()).toBe(revision);
    expect(await jobsOf(world)).toHaveLength(1);
    expect(world.queues.normal.sent).toHaveLength(1);
    expect(await world.checks(id)).toHaveLength(1);
    await exact(world);
  });

  test("a write whose reply is lost, and one that the network does twice, make one job", async () => {
    for (const fault of ["after", "twice"] as const) {
      await clean();
      const world = new WatchWorld("2026-08-04T08:00:00Z");
      const id = await putWatch(world, world.now);
      const { engine } = world.invocation();
      const due = await readDueWatches(engine.store, 100);
      let calls = 0;
      if (fault === "twice") world.twice = true;
      else world.fault = () => (calls++ === 0 ? "after" : null);
      await world.until(sweepWatches(engine, due));
      world.fault = () => null;
      world.twice = false;
      expect(world.queues.normal.sent).toHaveLength(1);
      await world.deliver();
      expect(await world.checks(id)).toHaveLength(1);
      await exact(world);
    }
  });

  test("a crash between the write and the message costs time, not the check", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const id = await putWatch(world, world.now);
    const crashing = world.invocation();
    const crashed = Promise.withResolvers<void>();
    world.seam = (site, invocation) => {
      if (site !== "watches: between write and send" || invocation !== crashing) return;
      invocation.kill();
      crashed.resolve();
    };
    void sweep(crashing.engine);
    await crashed.promise;
    expect(world.queues.normal.sent).toEqual([]);
    await world.sweepAt("2026-08-04T08:03:00Z");
    await world.deliver();
    expect(await jobsOf(world)).toHaveLength(1);
    expect(await world.due(id)).toBe("2026-08-05T08:00:00.000Z");
  });

  test("result, history and next slot are saved together with the settle: lost replies and repeats change nothing", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const id = await putWatch(world, world.now);
    await world.sweep();
    world.seam = (site) => {
      if (site === "settle: before write") world.twice = true;
    };
    await world.deliver();
    expect(await world.checks(id)).toHaveLength(1);
    expect(await world.watch(id)).toMatchObject({ seen: 1, due_at: at("2026-08-05T08:00:00Z"), value: "same" });
    expect(await jobsOf(world)).toMatchObject([{ state: "done" }]);
    await exact(world);
  });

  test("a worker that was taken over saves nothing; the one that took over does", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const id = await putWatch(world, world.now);
    await world.sweep();
    world.answer = (_asked, nth) => html(`<p>look ${nth}</p>`);
    const slow = world.invocation();
    const gate = world.hold("effect: before look", slow);
    const work = consume(slow.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    slow.frozen = true;
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    slow.frozen = false;
    gate.open();
    await world.until(work);
    expect(await world.watch(id)).toMatchObject({ value: "look 1", seen: 1, due_at: at("2026-08-05T08:00:00Z") });
    expect(await world.checks(id)).toHaveLength(1);
    expect(await world.sql("SELECT number FROM refusals")).toEqual([{ number: 1 }]);
  });
});

describe("a dead check never stops its watch", () => {
  const daily = async (start: WatchWorld["answer"] = () => html("<p>same</p>")) => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const id = await putWatch(world, world.now);
    world.answer = start;
    await world.sweep();
    return { world, id };
  };
  const goesOn = async (world: WatchWorld, id: string) => {
    expect(await world.due(id)).toBe("2026-08-05T08:00:00.000Z");
    world.answer = () => html("<p>fine</p>");
    await world.sweepAt("2026-08-05T08:00:00Z");
    await world.deliver();
    expect((await world.checks(id)).at(-1)).toMatchObject({ slot_at: at("2026-08-05T08:00:00Z"), outcome: "first" });
    expect(await world.watch(id)).toMatchObject({ failures: 0, last_error: null, value: "fine" });
    await exact(world);
  };

  test("one that failed for good is in the history with its error, in the batch of its settle", async () => {
    const { world, id } = await daily(() => html("gone", {}, 404));
    await world.deliver();
    expect(await world.checks(id)).toMatchObject([{ outcome: "failed", error: "answered 404", missed: 0 }]);
    expect(await world.watch(id)).toMatchObject({ failures: 1, last_error: "answered 404" });
    expect(await jobsOf(world)).toMatchObject([{ state: "dead", attempt: 1 }]);
    await goesOn(world, id);
  });

  test("one that used up all tries moves on with the last of them, not before", async () => {
    const { world, id } = await daily(() => html("", {}, 500));
    await world.deliver();
    expect(await world.due(id)).toBe("2026-08-04T08:00:00.000Z");
    expect(await world.checks(id)).toEqual([]);
    await world.drain();
    expect(await jobsOf(world)).toMatchObject([{ state: "dead", attempt: 5 }]);
    expect(await world.checks(id)).toMatchObject([{ outcome: "failed", error: "answered 500" }]);
    await goesOn(world, id);
  });

  test("one that hung until its time limit on every try moves on too", async () => {
    const { world, id } = await daily(() => new Promise<never>(() => {}));
    await world.drain();
    expect(await jobsOf(world)).toMatchObject([{ state: "dead", attempt: 5 }]);
    expect(await world.checks(id)).toMatchObject([{ outcome: "failed", error: "no answer within 20 s" }]);
    await goesOn(world, id);
  });

  test("one whose message was a dead letter is found by the sweep", async () => {
    const { world, id } = await daily();
    world.dead.messages = world.queues.normal.messages.splice(0);
    await world.deliverDead();
    expect(await world.due(id)).toBe("2026-08-04T08:00:00.000Z");
    await world.sweepAt("2026-08-04T08:01:00Z");
    expect(await world.checks(id)).toMatchObject([
      { outcome: "failed", error: expect.stringContaining("dead letter"), slot_at: at("2026-08-04T08:00:00Z") },
    ]);
    await goesOn(world, id);
  });

  test("one that lost its worker on every try is found by the sweep", async () => {
    const { world, id } = await daily();
    for (let attempt = 1; attempt <= 5; attempt++) {
      const invocation = world.invocation();
      const gate = world.hold("effect: before look", invocation);
      await world.until(
        (async () => {
          while (world.queues.normal.available().length === 0) {
            world.now += 30_000;
            await world.sweepNow();
          }
        })(),
      );
      void consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
      await gate.reached;
      invocation.kill();
      world.now += 31_000;
      await world.sweep();
    }
    expect(await jobsOf(world)).toMatchObject([{ state: "dead", attempt: 5, last_error: "worker lost 5 times" }]);
    world.now += MINUTE;
    await world.sweep();
    expect(await world.checks(id)).toMatchObject([{ outcome: "failed", error: "worker lost 5 times" }]);
    await goesOn(world, id);
  });

  test("one that was cancelled while it waited, and one while it ran, count as cancelled, not as failed", async () => {
    const waiting = await daily();
    const [job] = (await jobsOf(waiting.world)) as [{ id: string }];
    await cancel(waiting.world.invocation().engine, { id: job.id }, { actor: "ann" });
    await waiting.world.sweepAt("2026-08-04T08:01:00Z");
    expect(await waiting.world.checks(waiting.id)).toMatchObject([{ outcome: "cancelled", error: null }]);
    expect(await waiting.world.watch(waiting.id)).toMatchObject({ failures: 0 });
    await goesOn(waiting.world, waiting.id);

    await clean();
    const { world, id } = await daily(() => new Promise<never>(() => {}));
    const [running] = (await jobsOf(world)) as [{ id: string }];
    const work = consume(world.invocation().engine, "normal", world.queues.normal.take(1).batch);
    await world.until(
      (async () => {
        while ((await world.job(running.id)).state !== "processing") await new Promise((next) => setTimeout(next, 0));
        await cancel(world.invocation().engine, { id: running.id }, { actor: "ann" });
      })(),
    );
    await world.until(work);
    expect(await world.checks(id)).toMatchObject([{ outcome: "cancelled" }]);
    await goesOn(world, id);
  });

  test("one whose job is stored no more is checked again", async () => {
    const { world, id } = await daily();
    world.queues.normal.messages = [];
    await world.sql("DELETE FROM jobs");
    await world.sql("DELETE FROM job_counts");
    await world.sweepAt("2026-08-04T08:01:00Z");
    await world.deliver();
    expect(await world.checks(id)).toMatchObject([{ outcome: "first", slot_at: at("2026-08-04T08:00:00Z") }]);
  });

  test("a job of another kind that somebody gave the slot's key cannot stop it either", async () => {
    const world = new WatchWorld("2026-08-04T07:00:00Z");
    const id = await putWatch(world, "2026-08-04T08:00:00Z");
    await world.submit({
      kind: "http_request",
      payload: { url: "https://other.example/", method: "GET" },
      idempotencyKey: `watch/${id}/${at("2026-08-04T08:00:00Z")}`,
    });
    await world.deliver();
    await world.sweepAt("2026-08-04T08:00:00Z");
    expect(await jobsOf(world)).toEqual([]);
    expect(await world.checks(id)).toMatchObject([
      { outcome: "failed", error: "its job ended without a look at the page" },
    ]);
    expect(await world.due(id)).toBe("2026-08-05T08:00:00.000Z");
  });

  test("one that a person requeues fills in its own row, and moves no slot", async () => {
    const { world, id } = await daily(() => html("", {}, 404));
    await world.deliver();
    const [job] = (await jobsOf(world)) as [{ id: string }];
    world.now = at("2026-08-04T09:00:00Z");
    world.answer = () => html("<p>back</p>");
    await requeue(world.invocation().engine, { id: job.id }, { actor: "ann" });
    await world.deliver();
    expect(await world.checks(id)).toMatchObject([{ outcome: "first", at: world.now, value: "back", error: null }]);
    expect(await world.watch(id)).toMatchObject({
      value: "back",
      failures: 0,
      last_error: null,
      checked_at: world.now,
    });
    expect(await world.due(id)).toBe("2026-08-05T08:00:00.000Z");
  });

  test("a watch whose times cannot be read stops and says so; the others go on", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const broken = await putWatch(world, world.now, { name: "broken" });
    const sound = await putWatch(world, world.now, { name: "sound", url: "https://sound.example/" });
    await world.sql("UPDATE watches SET time_zone = 'Mars/Base' WHERE id = ?", broken);
    await world.sweep();
    await world.deliver();
    await world.sweepAt("2026-08-04T08:01:00Z");
    expect(await world.watch(broken)).toMatchObject({
      due_at: null,
      paused_at: world.now,
      paused_by: null,
      last_error: expect.stringContaining("Mars/Base"),
    });
    expect(world.events).toContainEqual(expect.objectContaining({ event: "watch.failed", watchId: broken }));
    expect(await world.due(sound)).toBe("2026-08-05T08:00:00.000Z");
    expect(await world.checks(sound)).toHaveLength(1);
  });
});

describe("what the sweep reads", () => {
  test("is found by an index: a thousand watches that are not due cost nothing", async () => {
    const world = new WatchWorld("2026-08-04T08:00:00Z");
    const look = async () => {
      const { store } = world.invocation().engine;
      await readDueWatches(store, 100);
      return store.used.rowsRead;
    };
    const none = await look();
    await putWatch(world, "2026-08-05T08:00:00Z");
    await world.sql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO watches (id, name, url, compare, cron, time_zone, channels, version, due_at, created_at, updated_at)
       SELECT 'w' || i, 'w', 'https://a.example/', 'text', '0 8 * * *', 'UTC', '{}', 1, ? + i, 0, 0 FROM n`,
      world.now,
    );
    expect((await look()) - none).toBeLessThanOrEqual(1);
    await world.sql("ANALYZE");
    expect((await look()) - none).toBeLessThanOrEqual(1);
  });
});
