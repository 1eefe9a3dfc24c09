import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import type { Used } from "~/store/store";
import { HELD_BY, HELD_KIND, type HeldBy, LIMITS_OF_HELD, storeHeld } from "~/testing/held";
import { probes } from "~/testing/probes";
import { clean, START, World } from "~/testing/world";
import { submit } from "../submit";

beforeEach(clean);

const ok = probes.get("probe.ok") as Kind;
const [FEW, MANY] = [50, 50_000];
/** On which row a look ends may cost that much more or less. */
const SLACK = 3;

/** A world in which so many due jobs are held. */
async function heldWorld(n: number, by: HeldBy): Promise<World> {
  const world = new World(registryOf(ok, { ...ok, name: HELD_KIND, limits: LIMITS_OF_HELD[by] }));
  await storeHeld((env as { DB: D1Database }).DB, n, by, START);
  await world.sweep();
  return world;
}

describe("jobs that are held cost nothing a minute, and nobody else anything", () => {
  test.each(HELD_BY)(
    "50,000 of them, held by %s: a sweep reads what it reads with 50, writes none of them and sends nothing",
    async (by) => {
      const reads: number[] = [];
      for (const n of [FEW, MANY]) {
        await clean();
        const world = await heldWorld(n, by);
        world.now += 60_000;
        const sweeper = world.invocation();
        expect(await world.sweep(sweeper)).toMatchObject({ sent: 0, resent: 0, more: false, error: null });
        const { calls, statements, rowsRead, rowsWritten } = sweeper.engine.store.used;
        expect([calls, statements <= 12, rowsRead <= 30, rowsWritten <= 4]).toEqual([2, true, true, true]);

        expect(world.queues.normal.sent).toEqual([]);
        reads.push(rowsRead);
      }
      expect(Math.abs((reads[1] as number) - (reads[0] as number)), String(reads)).toBeLessThanOrEqual(SLACK);
    },
  );

  test.each(HELD_BY)(
    "50,000 of them, held by %s: a hundred jobs of another kind cost what they cost beside 50",
    async (by) => {
      const costs: Used[] = [];
      for (const n of [FEW, MANY]) {
        await clean();
        const world = await heldWorld(n, by);
        await world.submit(...Array.from({ length: 100 }, () => ({ kind: "probe.ok" })));
        const consumer = world.invocation();
        await world.deliver("normal", 100, consumer);
        expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE kind = 'probe.ok' AND state = 'done'")).toEqual([
          { n: 100 },
        ]);
        costs.push({ ...consumer.engine.store.used });
      }
      const [few, many] = costs as [Used, Used];
      expect(many).toMatchObject({ calls: few.calls, statements: few.statements, rowsWritten: few.rowsWritten });
      expect(Math.abs(many.rowsRead - few.rowsRead)).toBeLessThanOrEqual(SLACK);
    },
  );

  test.each(HELD_BY)(
    "50,000 of them, held by %s: a job that leaves its place costs what it costs beside 50",
    async (by) => {
      const costs: number[] = [];
      for (const n of [FEW, MANY]) {
        await clean();
        const world = await heldWorld(n, by);
        const id = `00000000-0000-7000-8000-${String(n + 1).padStart(12, "0")}`;
        await world.sql("UPDATE jobs SET lease_until = ? WHERE id = ?", START, id);
        world.now += 1;
        const sweeper = world.invocation();
        expect(await world.sweep(sweeper)).toMatchObject({ lost: 1, error: null });
        costs.push(sweeper.engine.store.used.rowsRead);
        const sent = { pause: 0, running: 1, rate: 0, group: 1, groups: 0 }[by];
        expect(world.queues.normal.sent.filter(({ body }) => body.attempt === 1)).toHaveLength(sent);
      }
      expect(Math.abs((costs[1] as number) - (costs[0] as number)), String(costs)).toBeLessThanOrEqual(SLACK);
    },
  );
});

describe("what is not limited pays nothing for it", () => {
  test("a job without group and limits writes as many rows as it did, one of a group pays its own", async () => {
    const rows: Record<string, number> = {};
    for (const [name, job] of Object.entries({
      plain: { kind: "probe.ok" },
      grouped: { kind: "probe.ok", groupKey: "g" },
      limited: { kind: HELD_KIND },
    })) {
      await clean();
      const world = new World(registryOf(ok, { ...ok, name: HELD_KIND, limits: { running: 1_000 } }));
      const submitter = world.invocation();
      await world.until(
        submit(
          submitter.engine,
          Array.from({ length: 100 }, () => ({ payload: {}, payloadText: "{}", ...job })),
        ),
      );
      const consumer = world.invocation();
      await world.deliver("normal", 100, consumer);
      expect(await world.unfinished()).toBe(0);
      rows[name] = (submitter.engine.store.used.rowsWritten + consumer.engine.store.used.rowsWritten) / 100;
    }
    expect(rows.plain).toBeLessThanOrEqual(9.5);
    expect(rows.limited).toBeCloseTo(rows.plain as number, 1);
    expect((rows.grouped as number) - (rows.plain as number)).toBeLessThanOrEqual(3);
  });
});
