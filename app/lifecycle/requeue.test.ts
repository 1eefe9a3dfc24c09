import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProbeRows, probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { bury } from "./bury";
import { cancel } from "./cancel";
import { requeue } from "./requeue";

beforeAll(createProbeRows);
beforeEach(clean);

const ana = { actor: "ana", reason: "SMTP is back" };

async function exact(world: World) {
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
}

describe("requeue", () => {
  test("C012: really runs the job again, keeps its history and says who did it", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail", payload: { times: 4 }, maxAttempts: 3 })) as [string];
    // Attempt 2 loses its worker.
    await world.deliver();
    world.now += 10_000;
    const mortal = world.invocation();
    world.seam = (site, at) => {
      if (site === "run: before probe.fail" && at === mortal) at.kill();
    };
    const gate = world.hold("claim: after write", mortal);
    const taken = world.queues.normal.take(1);
    const { consume } = await import("./consume");
    void consume(mortal.engine, "normal", taken.batch);
    await gate.reached;
    mortal.kill();
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 3, generation: 1 });
    const history = await world.attempts(id);
    expect(history.map((one) => one.outcome)).toEqual(["failed", "lost", "failed"]);

    expect(await requeue(world.invocation().engine, { id, generation: 1 }, ana)).toEqual({
      kind: "requeued",
      id,
      generation: 2,
    });
    expect(await world.job(id)).toMatchObject({
      view: "pending",
      attempt: 3,
      forgiven: 3,
      last_error: null,
      finished_at: null,
    });
    await exact(world);
    await world.drain();
    // Its budget is new: attempt 4 fails, attempt 5 works.
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 5, generation: 2 });
    const after = await world.attempts(id);
    expect(after.slice(0, 3)).toEqual(history);
    expect(after.slice(3)).toMatchObject([
      { number: 4, generation: 2, trigger: "requeue", outcome: "failed" },
      { number: 5, generation: 2, trigger: "retry", outcome: "done" },
    ]);
    expect(await world.sql("SELECT actor, action, job_id, reason, before, after FROM audit")).toEqual([
      {
        actor: "ana",
        action: "requeue",
        job_id: id,
        reason: "SMTP is back",
        before: '{"state":"dead","generation":1}',
        after: '{"state":"pending","generation":2}',
      },
    ]);
    await exact(world);
  });

  test("C012: after failing again the job is dead again, not stuck, with a whole new budget used", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail", maxAttempts: 2 })) as [string];
    await world.drain();
    await requeue(world.invocation().engine, { id }, ana);
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 4, generation: 2 });
    await exact(world);
  });

  test("of two people who press at once, one wins and the other is told how the job stands", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.permanent" })) as [string];
    await world.drain();
    const press = () => requeue(world.invocation().engine, { id, generation: 1 }, ana);
    const answers = await world.until(Promise.all([press(), press()]));
    expect(answers.map((one) => one.kind).sort()).toEqual(["refused", "requeued"]);
    expect(answers).toContainEqual({ kind: "refused", state: "pending", generation: 2 });
    expect(await world.sql("SELECT count(*) AS n FROM audit")).toEqual([{ n: 1 }]);
    expect(world.queues.normal.messages).toHaveLength(1);
    await exact(world);
  });

  test("a running, a waiting and a done job are not requeued, and nothing changes", async () => {
    const world = new World(probes);
    const [done, waiting, running] = (await world.submit(
      { kind: "probe.ok" },
      { kind: "probe.ok", delaySeconds: 60 },
      { kind: "probe.ok", delaySeconds: 60 },
    )) as [string, string, string];
    await world.deliver();
    await world.sql(
      "UPDATE jobs SET state = 'processing', attempt = 1, leased_at = ?1, lease_until = ?1, sent_at = NULL WHERE id = ?2",
      world.now,
      running,
    );
    const revision = await world.revision();
    for (const [id, state] of [
      [done, "done"],
      [waiting, "pending"],
      [running, "processing"],
    ] as const) {
      expect(await requeue(world.invocation().engine, { id }, ana)).toEqual({ kind: "refused", state, generation: 1 });
    }
    expect(await requeue(world.invocation().engine, { id: "no-such-job" }, ana)).toEqual({ kind: "not-found" });
    expect(await world.revision()).toBe(revision);
    expect(await world.sql("SELECT * FROM audit")).toEqual([]);
  });

  test("one whose reply was lost after it committed answers that it did it, and sends one message", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.permanent" })) as [string];
    await world.drain();
    let calls = 0;
    world.fault = () => (++calls === 1 ? "after" : null);
    const answer = await world.until(requeue(world.invocation().engine, { id, generation: 1 }, ana));
    expect(answer).toMatchObject({ kind: "requeued", generation: 2 });
    expect(world.queues.normal.messages).toHaveLength(1);
    await exact(world);
  });

  test("a crash between its write and its send loses nothing: the sweep sends", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail", payload: { times: 1 }, maxAttempts: 1 })) as [string];
    await world.drain();
    world.queues.normal.failSends = new Error("down");
    await requeue(world.invocation().engine, { id }, ana);
    expect(await world.job(id)).toMatchObject({ state: "pending", sent_at: null });
    world.queues.normal.failSends = null;
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
  });
});

describe("cancel", () => {
  test("a waiting job is cancelled at once, its message then starts nothing, and a requeue brings it back", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.effect" })) as [string];
    expect(await cancel(world.invocation().engine, { id }, ana)).toEqual({ kind: "cancelled" });
    expect((await world.deliver()).acked()).toBe(1);
    expect(await world.job(id)).toMatchObject({ state: "cancelled", attempt: 0 });
    await exact(world);
    expect(await requeue(world.invocation().engine, { id }, ana)).toMatchObject({ kind: "requeued" });
    // Not a view of its own: "scheduled" is for what was submitted for later.
    expect((await world.job(id)).view).toBe("pending");
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    await exact(world);
  });

  test("a final job is not cancelled, and nothing changes", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    await world.deliver();
    const revision = await world.revision();
    expect(await cancel(world.invocation().engine, { id }, ana)).toEqual({ kind: "refused", state: "done" });
    expect(await cancel(world.invocation().engine, { id: "no-such-job" }, ana)).toEqual({ kind: "not-found" });
    expect(await world.revision()).toBe(revision);
  });
});

describe("C016: the job record decides; a dead letter only ends a job that still waits for that very message", () => {
  test("done and running jobs stay; a pending one is dead once, with a reason; all letters are acknowledged", async () => {
    const world = new World(probes);
    const [done, running, pending] = (await world.submit(
      { kind: "probe.ok" },
      { kind: "probe.ok", delaySeconds: 60 },
      { kind: "probe.ok", delaySeconds: 60 },
    )) as [string, string, string];
    await world.deliver();
    world.now += 60_000;
    await world.sql(
      "UPDATE jobs SET state = 'processing', attempt = 1, token = 'w', leased_at = ?1, lease_until = ?1 + 30000, sent_at = NULL WHERE id = ?2",
      world.now,
      running,
    );
    await world.sql("DELETE FROM job_counts");
    await world.sql("INSERT INTO job_counts (kind, view, n) SELECT kind, view, count(*) FROM jobs GROUP BY 1, 2");
    for (const id of [done, running, pending, pending]) world.dead.ask(id, 1, "probe.ok");
    const letters = await world.deliverDead();
    expect(letters.acked()).toBe(4);
    world.dead.ask(pending, 1, "probe.ok");
    expect((await world.deliverDead()).acked()).toBe(1);
    expect(await world.job(done)).toMatchObject({ state: "done", attempt: 1 });
    expect(await world.job(running)).toMatchObject({ state: "processing", attempt: 1 });
    expect(await world.job(pending)).toMatchObject({ state: "dead", attempt: 0, cause: "probe.ok: dead letter" });
    expect(await world.attempts(pending)).toEqual([]);
    expect(world.events.filter((event) => event.event === "job.buried")).toHaveLength(1);
    expect(await world.sql("SELECT fate, count(*) AS n FROM dead_letters GROUP BY fate ORDER BY fate")).toEqual([
      { fate: "buried", n: 1 },
      { fate: "ignored", n: 4 },
    ]);
    await exact(world);
  });

  test("a letter about an attempt that is not next buries nothing", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail", payload: { times: 1 } })) as [string];
    await world.deliver();
    world.dead.ask(id, 1, "probe.fail");
    await world.deliverDead();
    expect(await world.job(id)).toMatchObject({ view: "retrying", attempt: 1 });
  });

  test("a letter that comes again, its acknowledgement lost, does not bury what was requeued meanwhile", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    world.dead.messages = world.queues.normal.messages.splice(0);
    const taken = world.dead.take(100);
    await world.until(bury(world.invocation().engine, taken.batch));
    taken.crash();
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 0 });
    const { engine } = world.invocation();
    expect(await world.until(requeue(engine, { id }, { actor: "ana" }))).toMatchObject({ kind: "requeued" });
    world.now += 60_000;
    expect((await world.deliverDead()).acked()).toBe(1);
    expect(await world.job(id)).toMatchObject({ state: "pending", generation: 2 });
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    await exact(world);
  });

  test("with D1 out of reach the letters are given back, not lost", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    world.dead.ask(id, 1, "probe.ok");
    world.fault = () => "before";
    const letters = await world.deliverDead();
    expect([letters.acked(), letters.retried()]).toEqual([0, 1]);
  });
});
