import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { defineKind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { clean, World } from "~/testing/world";
import { cancel } from "../cancel";
import { consume } from "../consume";
import { pause } from "../engine";

beforeEach(clean);

describe("an attempt that was told to stop", () => {
  /** Six of them: five run at once, the sixth waits in line. Its first effect ends between the heartbeat that tells of a cancel and the settle. */
  function six() {
    const begun: string[] = [];
    const effects: string[] = [];
    const kind = defineKind({
      name: "probe.two",
      title: "two effects",
      description: "two effects",
      input: z.looseObject({}),
      usualMs: 10,
      timeoutMs: 29_000,
      run: async (_, ctx) => {
        begun.push(ctx.jobId);
        const effect = (name: string, ms: number) =>
          ctx.once(name, async (key) => {
            effects.push(key);
            await pause(world.invocation().engine, ms);
          });
        await effect("first", 10_050);
        await effect("second", 0);
      },
    });
    const world: World = new World(registryOf(kind));
    return { world, begun, effects };
  }

  async function cancelled(world: World, which: number[]) {
    const ids = await world.submit(...Array.from({ length: 6 }, () => ({ kind: "probe.two" })));
    const invocation = world.invocation();
    const gate = world.hold("run: before probe.two", invocation);
    const work = consume(invocation.engine, "normal", world.queues.normal.take(6).batch);
    await gate.reached;
    for (const n of which) await cancel(world.invocation().engine, { id: ids[n] as string }, { actor: "ana" });
    gate.open();
    await world.until(work);
    // What was left behind goes on until its own end.
    await world.until(pause(world.invocation().engine, 60_000));
    return ids as [string, string, string, string, string, string];
  }

  test("while it waited for its turn never begins, and one that runs begins no further effect", async () => {
    const { world, begun, effects } = six();
    const ids = await cancelled(world, [0, 5]);
    expect(begun.toSorted()).toEqual(ids.slice(0, 5).toSorted());
    expect(effects).not.toContain(`${ids[5]}/first`);
    expect(effects).toContain(`${ids[0]}/first`);
    expect(effects).not.toContain(`${ids[0]}/second`);
    for (const id of [ids[0], ids[5]]) {
      expect(await world.job(id)).toMatchObject({ state: "cancelled", attempt: 1 });
      expect(await world.attempts(id)).toMatchObject([{ outcome: "cancelled" }]);
    }
    const { kept, real } = await world.recount();
    expect(kept).toEqual(real);
  });

  test("by nobody does all of it", async () => {
    const { world, begun, effects } = six();
    const ids = await cancelled(world, []);
    expect(begun).toHaveLength(6);
    expect(effects.toSorted()).toEqual(ids.flatMap((id) => [`${id}/first`, `${id}/second`]).toSorted());
    for (const id of ids) expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
  });
});
