import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { MayHaveHappened, PermanentError, RetryLater } from "~/domain/errors";
import { defineKind, type JobContext } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { sql } from "~/store/store";
import { clean, World } from "~/testing/world";
import { consume } from "../consume";
import { requeue } from "../requeue";

beforeAll(() =>
  new World(registryOf()).sql("CREATE TABLE IF NOT EXISTS notes (job_id TEXT NOT NULL, text TEXT NOT NULL)"),
);
beforeEach(async () => {
  await clean();
  await new World(registryOf()).sql("DELETE FROM notes");
});

const worldOf = (run: (ctx: JobContext) => Promise<unknown>) =>
  new World(
    registryOf(
      defineKind({
        name: "probe",
        title: "probe",
        description: "probe",
        input: z.looseObject({}),
        usualMs: 10,
        timeoutMs: 30_000,
        retry: { jitter: 0 },
        run: (_input, ctx) => run(ctx),
      }),
    ),
  );

/** The outside: counts what happens there. */
function outside() {
  const keys: string[] = [];
  return { keys, act: async (key: string) => ({ receipt: keys.push(key) }) };
}

/** Lets attempt 1 run until `site`, where its worker is gone; then hands the job to the next attempt. */
async function loseWorkerAt(world: World, site: string): Promise<string> {
  const [id] = (await world.submit({ kind: "probe" })) as [string];
  const invocation = world.invocation();
  const gate = world.hold(site, invocation);
  const taken = world.queues.normal.take(1);
  void consume(invocation.engine, "normal", taken.batch);
  await gate.reached;
  invocation.kill();
  world.now += 31_000;
  await world.sweep();
  return id;
}

describe("an effect", () => {
  test("is done once: later attempts get its recorded result, also after a requeue", async () => {
    const { keys, act } = outside();
    const results: unknown[] = [];
    const world = worldOf(async (ctx) => {
      results.push(await ctx.once("charge", act));
      if (ctx.attempt < 7) throw new Error("later trouble");
    });
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    await world.drain();
    expect((await world.job(id)).state).toBe("dead");
    await requeue(world.invocation().engine, { id }, { actor: "ana" });
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 7 });
    expect(keys).toEqual([`${id}/charge`]);
    expect(results).toEqual(Array(7).fill({ receipt: 1 }));
  });

  test("whose worker is gone between the act and the record is unknown: not done again, and the job says so", async () => {
    const { keys, act } = outside();
    const world = worldOf((ctx) => ctx.once("charge", act));
    const id = await loseWorkerAt(world, "effect: after charge");
    await world.drain();
    expect(keys).toHaveLength(1);
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 2 });
    expect((await world.job(id)).last_error).toContain("an earlier attempt started it and left no result");
    await requeue(world.invocation().engine, { id }, { actor: "ana" });
    await world.drain();
    expect([keys.length, (await world.job(id)).state]).toEqual([1, "dead"]);
  });

  test("a person who requeues it to be done again gets it done again", async () => {
    const { keys, act } = outside();
    const world = worldOf((ctx) => ctx.once("charge", act));
    const id = await loseWorkerAt(world, "effect: after charge");
    await world.drain();
    await requeue(world.invocation().engine, { id, repeatUnknown: true }, { actor: "ana" });
    await world.drain();
    expect([keys.length, (await world.job(id)).state]).toEqual([2, "done"]);
  });

  test("whose receiver honours keys is tried again with the same key, within the key's life and not after", async () => {
    for (const [forMs, times] of [
      [3_600_000, 2],
      [40_000, 1],
    ] as const) {
      await clean();
      const { keys, act } = outside();
      const world = worldOf((ctx) => ctx.once("charge", act, { keyed: { forMs } }));
      const id = await loseWorkerAt(world, "effect: after charge");
      await world.drain();
      expect(keys).toEqual(Array(times).fill(`${id}/charge`));
      expect((await world.job(id)).state).toBe(times === 2 ? "done" : "dead");
    }
  });

  test("that says nothing happened is simply tried again; one that is cut off is not", async () => {
    for (const [error, times] of [
      [new RetryLater(0, "busy"), 2],
      [new TypeError("connection reset"), 1],
    ] as const) {
      await clean();
      const { keys, act } = outside();
      const world = worldOf((ctx) =>
        ctx.once("charge", async (key) => {
          await act(key);
          if (keys.length === 1) throw error;
        }),
      );
      const [id] = (await world.submit({ kind: "probe" })) as [string];
      await world.drain();
      expect(keys).toHaveLength(times);
      expect((await world.job(id)).state).toBe(times === 2 ? "done" : "dead");
    }
  });

  test("that may have happened is tried again where its receiver honours keys; elsewhere it waits for a person, who is told why", async () => {
    for (const keyed of [true, undefined] as const) {
      await clean();
      const { keys, act } = outside();
      const world = worldOf((ctx) =>
        ctx.once(
          "charge",
          async (key) => {
            await act(key);
            if (keys.length === 1) throw new MayHaveHappened(120_000, "answered 503");
          },
          { keyed },
        ),
      );
      const [id] = (await world.submit({ kind: "probe" })) as [string];
      await world.deliver();
      const job = await world.job(id);
      if (keyed)
        expect(job).toMatchObject({ view: "retrying", run_at: world.now + 120_000, last_error: "answered 503" });
      else expect(job).toMatchObject({ state: "dead", attempt: 1 });
      if (!keyed) expect(job.last_error).toContain("answered 503");
      await world.drain();
      expect(keys).toHaveLength(keyed ? 2 : 1);
    }
  });

  test("that began long ago is not made young again by a later refusal", async () => {
    const { keys, act } = outside();
    const said = [new MayHaveHappened(50_000, "reply lost"), new RetryLater(50_000, "busy")];
    const world = worldOf((ctx) =>
      ctx.once(
        "charge",
        async (key) => {
          await act(key);
          throw said[keys.length - 1] ?? new Error("asked once too often");
        },
        { keyed: { forMs: 80_000 } },
      ),
    );
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    await world.drain();
    expect(keys).toHaveLength(2);
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 3 });
    expect((await world.job(id)).last_error).toContain("an earlier attempt started it and left no result");
  });

  test("whose start was committed and its reply lost is begun all the same: its own start is no earlier one", async () => {
    const { keys, act } = outside();
    const world = worldOf((ctx) => ctx.once("charge", act));
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    let calls = 0;
    world.fault = () => (++calls === 2 ? "after" : null);
    await world.deliver();
    expect([keys.length, (await world.job(id)).state]).toEqual([1, "done"]);
  });

  test("of an attempt that was lost before it is not done", async () => {
    const { keys, act } = outside();
    const gate = Promise.withResolvers<void>();
    let first = true;
    const world = worldOf(async (ctx) => {
      if (!first) throw new PermanentError("second");
      first = false;
      await gate.promise;
      await ctx.once("charge", act);
    });
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    const invocation = world.invocation();
    const started = world.hold("run: before probe", invocation);
    const work = consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
    await started.reached;
    invocation.frozen = true;
    world.now += 31_000;
    await world.sweep();
    started.open();
    gate.resolve();
    await world.until(work);
    expect(keys).toEqual([]);
    expect(await world.sql("SELECT * FROM effects")).toEqual([]);
    expect(await world.sql("SELECT job_id FROM refusals")).toEqual([{ job_id: id }]);
  });

  test("of an attempt that is lost meanwhile is recorded all the same, and the next attempt does not repeat it", async () => {
    const { keys, act } = outside();
    const world = worldOf((ctx) => ctx.once("charge", act));
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    const slow = world.invocation();
    const gate = world.hold("effect: after charge", slow);
    const work = consume(slow.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    slow.frozen = true;
    world.now += 31_000;
    await world.sweep();
    slow.frozen = false;
    gate.open();
    await world.until(work);
    await world.drain();
    expect(keys).toHaveLength(1);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2, result: '{"receipt":1}' });
    expect(await world.sql("SELECT number FROM refusals")).toEqual([{ number: 1 }]);
  });
});

describe("a kind's own statements", () => {
  const note = (ctx: JobContext, text: string, when: "landed" | "final") =>
    ctx.commit(sql(`INSERT INTO notes (job_id, text) SELECT ?1, ?2 WHERE {${when}}`, ctx.jobId, text));
  const notes = (world: World) =>
    world.sql<{ text: string }>("SELECT text FROM notes ORDER BY text").then((rows) => rows.map((row) => row.text));

  test("commit with the settle of their attempt; those for the end only with the one that ends the job", async () => {
    const world = worldOf(async (ctx) => {
      note(ctx, `attempt ${ctx.attempt}`, "landed");
      note(ctx, `the end, at ${ctx.attempt}`, "final");
      if (ctx.attempt < 3) throw new Error("not yet");
    });
    await world.submit({ kind: "probe" });
    await world.drain();
    expect(await notes(world)).toEqual(["attempt 1", "attempt 2", "attempt 3", "the end, at 3"]);
  });

  test("of a late attempt change nothing", async () => {
    const world = worldOf(async (ctx) => note(ctx, `attempt ${ctx.attempt}`, "landed"));
    await world.submit({ kind: "probe" });
    const slow = world.invocation();
    const gate = world.hold("run: between return and settle", slow);
    const work = consume(slow.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    slow.frozen = true;
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    slow.frozen = false;
    gate.open();
    await world.until(work);
    expect(await notes(world)).toEqual(["attempt 2"]);
  });

  test("are written once, however often the settle is sent", async () => {
    const world = worldOf(async (ctx) => note(ctx, "once", "landed"));
    await world.submit({ kind: "probe" });
    let calls = 0;
    world.fault = () => (++calls === 2 ? "after" : null);
    world.seam = (site) => {
      if (site === "settle: before write") world.twice = true;
    };
    await world.deliver();
    expect(await notes(world)).toEqual(["once"]);
  });

  test("that D1 refuses fail their own job alone, without them, and the others of the group settle", async () => {
    const world = worldOf(async (ctx) => {
      const bad = ctx.attempt === 1 && (await world.job(ctx.jobId)).label === "bad";
      ctx.commit(sql(`INSERT INTO notes (job_id, text) SELECT ?1, ?2 WHERE {landed}`, ctx.jobId, bad ? null : "good"));
    });
    const ids = (await world.submit({ kind: "probe" }, { kind: "probe" }, { kind: "probe" })) as string[];
    await world.sql("UPDATE jobs SET label = 'bad' WHERE id = ?", ids[1]);
    await world.deliver();
    expect(await notes(world)).toEqual(["good", "good"]);
    expect(await world.job(ids[1] as string)).toMatchObject({ view: "retrying" });
    expect((await world.job(ids[1] as string)).last_error).toContain("NOT NULL constraint failed");
  });

  test("that do not ask whether the settle landed are refused at once", async () => {
    const world = worldOf(async (ctx) => ctx.commit(sql("DELETE FROM jobs")));
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    await world.deliver();
    expect((await world.job(id)).last_error).toContain("must ask {landed}");
  });
});

describe("progress", () => {
  test("is written at most once a second while the job runs, and the last one stays", async () => {
    const world = worldOf(async (ctx) => {
      for (let done = 1; done <= 40; done++) {
        await ctx.sleep(100);
        ctx.progress({ done, total: 40 });
      }
    });
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    const before = await world.revision();
    await world.deliver();
    expect(JSON.parse((await world.job(id)).progress)).toEqual({ done: 40, total: 40 });
    expect((await world.revision()) - before).toBeLessThanOrEqual(2 + 5);
  });
});
