import { beforeEach, describe, expect, test } from "vitest";
import type { KindLimits } from "~/domain/kind_limits";
import type { Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import type { Used } from "~/store/store";
import { probes } from "~/testing/probes";
import { clean, START, World } from "~/testing/world";
import { submit } from "./submit";

beforeEach(clean);

const ok = probes.get("probe.ok") as Kind;
const [FEW, MANY] = [50, 50_000];
/** On which row a look ends may cost that much more or less. */
const SLACK = 3;

/** A world in which so many due jobs are held: by the places of their kind, by its rate, or by one group each or all. */
async function heldWorld(n: number, by: "running" | "rate" | "group" | "groups"): Promise<World> {
  const limits: Record<typeof by, KindLimits> = {
    running: { running: 5 },
    rate: { rate: { jobs: 5, per: "day" } },
    group: { perGroup: 1 },
    groups: { perGroup: 1 },
  };
  const world = new World(registryOf(ok, { ...ok, name: "limited", limits: limits[by] }));
  const grouped = by === "group" || by === "groups";
  const insert = (from: number, to: number, state: string) =>
    world.sql(
      `WITH RECURSIVE i(n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM i WHERE n < ?2)
       INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, token, created_at, group_key, held_at, leased_at, lease_until)
       SELECT printf('00000000-0000-7000-8000-%012d', n), 'limited', 'normal', ?3, '{}', 5, ?3 = 'processing', ?4 - 1000, 't', ?4 - 1000,
         CASE ?5 WHEN 'group' THEN 'g' WHEN 'groups' THEN 'g' || n END, CASE WHEN ?6 AND ?3 = 'pending' THEN ?4 - 500 END,
         CASE WHEN ?3 = 'processing' THEN ?4 END, CASE WHEN ?3 = 'processing' THEN ?4 + 600000 END FROM i`,
      from,
      to,
      state,
      START,
      by,
      grouped ? 1 : 0,
    );
  await insert(1, n, "pending");
  await insert(n + 1, n + 5, "processing");
  await world.sql("INSERT INTO job_counts SELECT kind, view, count(*) FROM jobs GROUP BY kind, view");
  await world.sql(`INSERT INTO rate_buckets VALUES ('limited', 0, 86400000, ${START})`);
  await world.sweep();
  return world;
}

const BY = ["running", "rate", "group", "groups"] as const;

describe("jobs that are held cost nothing a minute, and nobody else anything", () => {
  test.each(BY)(
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

  test.each(BY)(
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

  test.each(BY)("50,000 of them, held by %s: a job that leaves its place costs what it costs beside 50", async (by) => {
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
      const sent = { running: 1, rate: 0, group: 1, groups: 0 }[by];
      expect(world.queues.normal.sent.filter(({ body }) => body.attempt === 1)).toHaveLength(sent);
    }
    expect(Math.abs((costs[1] as number) - (costs[0] as number)), String(costs)).toBeLessThanOrEqual(SLACK);
  });
});

describe("what is not limited pays nothing for it", () => {
  test("a job without group and limits writes as many rows as it did, one of a group pays its own", async () => {
    const rows: Record<string, number> = {};
    for (const [name, job] of Object.entries({
      plain: { kind: "probe.ok" },
      grouped: { kind: "probe.ok", groupKey: "g" },
      limited: { kind: "limited" },
    })) {
      await clean();
      const world = new World(registryOf(ok, { ...ok, name: "limited", limits: { running: 1_000 } }));
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
