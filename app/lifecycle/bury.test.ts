import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listLetters } from "~/store/reads/letters";
import { createProbeRows, probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { bury } from "./bury";
import { replayFor, replayLetter } from "./replay";
import { requeue } from "./requeue";

beforeAll(createProbeRows);
beforeEach(clean);

const ana = { actor: "ana" };
const letters = async (world: World) => (await listLetters(world.invocation().engine.store, null, true)).letters;
const ask = (world: World, id: string, attempt = 1) => world.dead.ask(id, attempt, "probe.ok");

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

/** A job whose message has died, and which that has ended. */
async function buried(world: World): Promise<string> {
  const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
  world.dead.messages = world.queues.normal.messages.splice(0);
  await world.deliverDead();
  expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 0 });
  return id;
}

async function requeued(world: World, id: string): Promise<void> {
  expect(await world.until(requeue(world.invocation().engine, { id }, ana))).toMatchObject({ kind: "requeued" });
}

describe("a dead letter ends the generation that it was sent for, and no later one", () => {
  test("a second letter for the same attempt, with an id of its own, does not bury what was requeued in between", async () => {
    const world = new World(probes);
    const id = await buried(world);
    await requeued(world, id);
    ask(world, id);
    expect((await world.deliverDead()).acked()).toBe(1);
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 0, generation: 2 });
    expect((await letters(world)).map(({ fate }) => fate)).toEqual(["ignored", "buried"]);
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", generation: 2 });
    await exact(world);
  });

  test("the letter of the requeued job's own message ends it", async () => {
    const world = new World(probes);
    const id = await buried(world);
    await requeued(world, id);
    world.dead.messages = world.queues.normal.messages.splice(0);
    await world.deliverDead();
    expect(await world.job(id)).toMatchObject({ state: "dead", generation: 2, cause: "probe.ok: dead letter" });
    await exact(world);
  });

  test("so does one that a sweep, a feed or an outage of D1 has sent in place of it", async () => {
    const world = new World(probes);
    const id = await buried(world);
    const bodies = () => world.queues.normal.sent.slice(-1).map(({ body }) => body);
    const generation = { jobId: id, attempt: 1, generation: 2 };
    world.queues.normal.failSends = new Error("down");
    await requeued(world, id);
    world.queues.normal.failSends = null;
    world.now += 60_000;
    expect(await world.sweep()).toMatchObject({ sent: 1 });
    expect(bodies()).toMatchObject([generation]);
    world.queues.normal.messages = [];
    world.now += 61_000;
    expect(await world.sweep()).toMatchObject({ resent: 1 });
    expect(bodies()).toMatchObject([generation]);
    world.fault = () => "before";
    await world.deliver();
    world.fault = () => null;
    expect(bodies()).toMatchObject([{ ...generation, hops: 1 }]);
    world.now += 30_000;
    world.dead.messages = world.queues.normal.messages.splice(0);
    await world.deliverDead();
    expect(await world.job(id)).toMatchObject({ state: "dead", generation: 2 });
  });
});

describe("the dead-letter consumer survives its own faults", () => {
  test("a hundred letters of the largest size, and bodies of any kind, are kept, each once", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    const loop: Record<string, unknown> = { big: 2n ** 64n };
    loop.self = loop;
    for (let n = 0; n < 98; n++) world.dead.put("\u0000".repeat(60_000));
    for (const message of world.dead.messages.slice(0, 1)) message.body = loop;
    ask(world, id);
    const taken = await world.deliverDead();
    expect([taken.acked(), taken.retried()]).toEqual([99, 0]);
    expect(await world.sql("SELECT fate, count(*) AS n FROM dead_letters GROUP BY 1 ORDER BY 1")).toEqual([
      { fate: "buried", n: 1 },
      { fate: "unreadable", n: 98 },
    ]);
    expect((await world.sql("SELECT max(octet_length(body)) AS n FROM dead_letters"))[0]).toEqual({ n: 16_384 });
    await exact(world);
  });

  test("one that D1 refuses does not hold the others up: it is in the log whole, and acknowledged", async () => {
    const world = new World(probes);
    const ids = await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" });
    world.dead.messages = world.queues.normal.messages.splice(0);
    await world.sql(
      "CREATE TRIGGER no BEFORE INSERT ON dead_letters WHEN new.job_id = '" +
        ids[0] +
        "' BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    const taken = await world.deliverDead();
    await world.sql("DROP TRIGGER no");
    expect([taken.acked(), taken.retried()]).toEqual([2, 0]);
    expect((await world.job(ids[1] as string)).state).toBe("dead");
    expect((await world.job(ids[0] as string)).state).toBe("pending");
    const lost = world.events.filter(({ event }) => event === "dead_letter.lost");
    expect(lost).toMatchObject([{ body: expect.stringContaining(ids[0] as string) }]);
    world.now += 61_000;
    expect(await world.sweep()).toMatchObject({ resent: 1 });
    await world.deliver();
    expect((await world.job(ids[0] as string)).state).toBe("done");
  });

  test("with D1 out of reach letters come again, ever more seldom; at the last delivery they are in the log", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    ask(world, id);
    world.dead.put({ v: 2 });
    world.fault = () => "before";
    const waits: number[] = [];
    for (let n = 0; n < 101; n++) {
      const taken = world.dead.take(100);
      expect(taken.batch.messages).toHaveLength(2);
      await world.until(bury(world.invocation().engine, taken.batch));
      taken.finish();
      waits.push((world.dead.messages[0]?.availableAt ?? world.now) - world.now);
      world.now = world.dead.messages[0]?.availableAt ?? world.now;
    }
    expect(waits.slice(0, 8)).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map((s) => s * 1_000));
    expect(world.dead.messages).toEqual([]);
    expect(world.events.filter(({ event }) => event === "dead_letter.lost")).toHaveLength(2);
    expect((await world.job(id)).state).toBe("pending");
  });

  test("a message that nobody understands is not lost with D1 out of reach: it comes again, and is kept then", async () => {
    const world = new World(probes);
    world.queues.normal.put({ v: 2, job: "x" });
    world.fault = () => "before";
    const taken = await world.deliver();
    expect([taken.acked(), taken.retried()]).toEqual([0, 1]);
    world.fault = () => null;
    world.now += 3_600_000;
    expect((await world.deliver()).acked()).toBe(1);
    expect(await letters(world)).toMatchObject([
      {
        fate: "unreadable",
        queue: "redrive-normal",
        body: '{"v":2,"job":"x"}',
        why: expect.stringContaining("version 2"),
      },
    ]);
  });

  test("a write whose reply was lost buries once", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    ask(world, id);
    let calls = 0;
    world.fault = () => (++calls === 1 ? "after" : null);
    expect((await world.deliverDead()).acked()).toBe(1);
    expect((await world.job(id)).state).toBe("dead");
    expect(await letters(world)).toMatchObject([{ fate: "buried" }]);
    await exact(world);
  });
});

describe("while replaying is on", () => {
  const on = (world: World) => world.until(replayFor(world.invocation().engine, 60, ana));

  test("dead letters are sent again and end no job: three times for one attempt, then it is ended", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    expect(await on(world)).toBe(world.now + 3_600_000);
    for (let n = 1; n <= 3; n++) {
      world.dead.messages = world.queues.normal.messages.splice(0);
      expect((await world.deliverDead()).acked()).toBe(1);
      expect(await world.job(id)).toMatchObject({ state: "pending", sent_at: world.now });
      expect(world.queues.normal.messages).toHaveLength(1);
      expect(await letters(world)).toHaveLength(n);
    }
    expect(await letters(world)).toMatchObject([{ fate: "replayed", replays: 3 }, {}, {}]);
    world.dead.messages = world.queues.normal.messages.splice(0);
    await world.deliverDead();
    expect((await world.job(id)).state).toBe("dead");
    expect(world.events.filter(({ event }) => event === "dead_letter.replayed")).toHaveLength(3);
    await exact(world);
  });

  test("a letter that comes twice, its acknowledgement lost, is sent again once", async () => {
    const world = new World(probes);
    await world.submit({ kind: "probe.ok" });
    await on(world);
    world.dead.messages = world.queues.normal.messages.splice(0);
    const taken = world.dead.take(100);
    await world.until(bury(world.invocation().engine, taken.batch));
    taken.crash();
    world.now += 60_000;
    await world.deliverDead();
    expect(world.queues.normal.messages).toHaveLength(1);
    expect(await letters(world)).toMatchObject([{ replays: 1 }]);
  });

  test("a crash between the write and the send loses nothing: the sweep finds the message gone", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    await on(world);
    world.dead.messages = world.queues.normal.messages.splice(0);
    const mortal = world.invocation();
    const gate = world.hold("bury: between write and send", mortal);
    const taken = world.dead.take(100);
    void bury(mortal.engine, taken.batch);
    await gate.reached;
    mortal.kill();
    taken.crash();
    world.now += 61_000;
    expect(await world.sweep()).toMatchObject({ resent: 1 });
    await world.deliver();
    expect((await world.job(id)).state).toBe("done");
  });

  test("once it is over, or ended by hand, letters end their jobs", async () => {
    const world = new World(probes);
    const [one, two] = (await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" })) as [string, string];
    await on(world);
    expect(await world.until(replayFor(world.invocation().engine, 0, ana))).toBeNull();
    ask(world, one);
    await world.deliverDead();
    expect((await world.job(one)).state).toBe("dead");
    await on(world);
    world.now += 3_600_000;
    ask(world, two);
    await world.deliverDead();
    expect((await world.job(two)).state).toBe("dead");
    expect(await world.sql("SELECT actor, action FROM audit")).toEqual(
      Array(3).fill({ actor: "ana", action: "replay dead letters" }),
    );
  });
});

describe("replay of one letter", () => {
  const press = async (world: World) => {
    const [first] = await letters(world);
    return world.until(replayLetter(world.invocation().engine, first as { messageId: string; queue: string }, ana));
  };

  test("runs a job that it has ended again, three times at most", async () => {
    const world = new World(probes);
    const id = await buried(world);
    for (let n = 1; n <= 3; n++) {
      expect(await press(world)).toMatchObject({ kind: "replayed", jobId: id });
      expect(await world.job(id)).toMatchObject({ state: "pending", generation: n + 1 });
      world.now += 1_000;
      world.dead.messages = world.queues.normal.messages.splice(0);
      await world.deliverDead();
      expect((await world.job(id)).state).toBe("dead");
    }
    expect(await press(world)).toMatchObject({ kind: "refused", why: expect.stringContaining("3 times") });
    expect((await letters(world))[0]?.spent).toContain("3 times");
    expect((await world.job(id)).state).toBe("dead");
    await exact(world);
  });

  test("of two people who press at once, one sends it, and it counts once", async () => {
    const world = new World(probes);
    const id = await buried(world);
    const answers = await world.until(Promise.all([press(world), press(world)]));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(["refused", "replayed"]);
    expect(await letters(world)).toMatchObject([{ replays: 1 }]);
    expect(await world.job(id)).toMatchObject({ state: "pending", generation: 2 });
    expect(world.queues.normal.messages).toHaveLength(1);
  });

  test("pressed again after its reply was lost, it counts once", async () => {
    const world = new World(probes);
    await buried(world);
    const [first] = await letters(world);
    let calls = 0;
    world.fault = () => (++calls === 3 ? "after" : null);
    expect(
      await world.until(replayLetter(world.invocation().engine, first as { messageId: string; queue: string }, ana)),
    ).toMatchObject({ kind: "replayed" });
    world.fault = () => null;
    expect(await letters(world)).toMatchObject([{ replays: 1 }]);
  });

  test("does nothing where its job has moved on, is done or gone, or where nobody understands it", async () => {
    const world = new World(probes);
    const [done, failed] = (await world.submit(
      { kind: "probe.ok" },
      { kind: "probe.fail", payload: { times: 1 } },
    )) as [string, string];
    await world.deliver();
    const revision = await world.revision();
    for (const [body, why] of [
      [{ v: 1, jobId: done, attempt: 1, kind: "probe.ok" }, "Its job is done."],
      [{ v: 1, jobId: failed, attempt: 1, kind: "probe.fail" }, "moved on"],
      [{ v: 1, jobId: "gone", attempt: 1, kind: "probe.ok" }, "not stored"],
      [{ v: 7 }, "version 7"],
      ["hello", "no message of this system"],
    ] as const) {
      world.now += 1_000;
      world.dead.put(body);
      await world.deliverDead();
      expect(await press(world)).toMatchObject({ kind: "refused", why: expect.stringContaining(why) });
    }
    expect(await world.revision()).toBe(revision + 5);
    expect(await world.sql("SELECT 1 FROM dead_letters WHERE replays > 0")).toEqual([]);
    expect(await world.sql("SELECT 1 FROM audit")).toEqual([]);
    const none = { messageId: "none", queue: "redrive-dead" };
    expect(await world.until(replayLetter(world.invocation().engine, none, ana))).toEqual({ kind: "not-found" });
  });

  test("a message that an earlier release did not understand reaches its job, now that this one does", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    world.queues.normal.messages = [];
    world.queues.normal.put({ v: 2, jobId: id, attempt: 1, kind: "probe.ok" });
    await world.deliver();
    await world.sql("UPDATE dead_letters SET body = replace(body, '\"v\":2', '\"v\":1')");
    expect(await letters(world)).toMatchObject([{ fate: "unreadable", spent: null }]);
    expect(await press(world)).toMatchObject({ kind: "replayed", jobId: id });
    await world.deliver();
    expect((await world.job(id)).state).toBe("done");
    expect(await letters(world)).toMatchObject([
      { fate: "unreadable", job: { id }, replays: 1, spent: "Its job is done." },
    ]);
  });
});

test("letters are listed newest first, a page at a time, each once", async () => {
  const world = new World(probes);
  for (let n = 0; n < 30; n++) world.dead.put({ n });
  await world.deliverDead();
  const { store } = world.invocation().engine;
  const one = await listLetters(store, null, true);
  const cursor = JSON.parse(JSON.stringify(one.next)) as string;
  const { readLetterCursor } = await import("~/domain/dead/letters");
  const two = await listLetters(store, readLetterCursor(cursor), true);
  expect(two.next).toBeNull();
  const ids = [...one.letters, ...two.letters].map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(30);
  expect(ids).toHaveLength(30);
});
