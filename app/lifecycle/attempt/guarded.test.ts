import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineKind, type JobContext } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { sql } from "~/store/store";
import { clean, World } from "~/testing/world";
import { consume } from "../consume";
import { pause } from "../engine";

const empty = new World(registryOf());
beforeAll(() => empty.sql("CREATE TABLE IF NOT EXISTS scraps (text TEXT NOT NULL PRIMARY KEY)"));
beforeEach(async () => {
  await clean();
  await empty.sql("DELETE FROM scraps");
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
const scrap = (text: string) => sql("INSERT INTO scraps SELECT ?1 WHERE {held} ON CONFLICT DO NOTHING", text);
const scraps = async () =>
  (await empty.sql<{ text: string }>("SELECT text FROM scraps ORDER BY text")).map((row) => row.text);

describe("a guarded write", () => {
  test("lands at once, whatever becomes of the attempt, and moves the revision", async () => {
    const world = worldOf(async (ctx) => {
      const before = await world.revision();
      await ctx.guarded(scrap("a"), scrap("b"));
      expect([await scraps(), (await world.revision()) - before]).toEqual([["a", "b"], 1]);
      throw new Error("later trouble");
    });
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    await world.deliver();
    expect((await world.job(id)).last_error).toBe("later trouble");
    expect(await scraps()).toEqual(["a", "b"]);
  });

  test("of an attempt that was taken over changes nothing, and stops its handler", async () => {
    let went = false;
    const world = worldOf(async (ctx) => {
      if (ctx.attempt === 2) return;
      await ctx.guarded(scrap("late"));
      went = true;
    });
    await world.submit({ kind: "probe" });
    const slow = world.invocation();
    const gate = world.hold("guarded: before write", slow);
    const work = consume(slow.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    slow.frozen = true;
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    slow.frozen = false;
    gate.open();
    await world.until(work);
    expect([await scraps(), went]).toEqual([[], false]);
    expect(await world.sql("SELECT number FROM refusals")).toEqual([{ number: 1 }]);
  });

  test("that does not ask whether the attempt is held is refused", async () => {
    const world = worldOf((ctx) => ctx.guarded(sql("DELETE FROM jobs")));
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    await world.deliver();
    expect((await world.job(id)).last_error).toContain("must ask {held}");
  });
});

describe("a request's time limit", () => {
  test("counts from when a connection is free, not from when it was asked for", async () => {
    const world = worldOf(async (ctx) => {
      const asked = Array.from({ length: 12 }, (_, n) => ctx.fetch(`https://example.com/${n}`, { timeoutMs: 5_000 }));
      return (await Promise.all(asked.map((one) => one.then((response) => response.text())))).length;
    });
    world.fetch = async () => {
      await pause(world.invocation().engine, 4_000);
      return new Response("ok");
    };
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    const startedAt = world.now;
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", result: "12" });
    expect(world.now - startedAt).toBeGreaterThanOrEqual(12_000);
  });

  test("ends at the end of the body, and a request that came in time is not cut off later", async () => {
    const world = worldOf(async (ctx) => {
      const late = await ctx.fetch("https://example.com/late", { timeoutMs: 5_000 });
      const [text] = await Promise.allSettled([late.text()]);
      expect(text).toMatchObject({ status: "rejected", reason: { message: "no answer within 5 s" } });
      const whole = await ctx.fetch("https://example.com/whole", { timeoutMs: 5_000 });
      await whole.text();
      await ctx.sleep(6_000);
      return "went on";
    });
    world.fetch = async (url) =>
      String(url).endsWith("whole")
        ? new Response("ok")
        : new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const [id] = (await world.submit({ kind: "probe" })) as [string];
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "done", result: '"went on"' });
  });
});
