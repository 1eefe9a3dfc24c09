import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineKind, type JobContext } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { askForGroups, letGroupsGo } from "~/store/kind_limits";
import { clean, type Invocation, World } from "~/testing/world";
import { limitKind } from "./limit_kind";

beforeEach(clean);

/** Groups are let go when their limit is another one, whatever fails on the way. */
const ann = { actor: "ann" };
const seen = { now: 0, most: 0 };
beforeEach(() => Object.assign(seen, { now: 0, most: 0 }));
const grouped = (perGroup: number) =>
  registryOf(
    defineKind({
      name: "g",
      title: "g",
      description: "g",
      input: z.looseObject({}),
      usualMs: 10,
      timeoutMs: 30_000,
      limits: { perGroup },
      async run(_: unknown, ctx: JobContext) {
        seen.most = Math.max(seen.most, ++seen.now);
        await ctx.sleep(1_000);
        seen.now--;
      },
    } as never),
  );
const held = async (world: World) =>
  (await world.sql<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE held_at IS NOT NULL"))[0]?.n;
const asked = (world: World) => world.sql("SELECT kind FROM groups_to_free");

/** Fifty jobs of one group of which one may run at once: most of the others are held. */
async function full(): Promise<World> {
  const world = new World(grouped(1));
  await world.submit(...Array.from({ length: 50 }, () => ({ kind: "g", groupKey: "a" })));
  await world.deliver();
  await world.sweep();
  expect(await held(world)).toBeGreaterThan(30);
  return world;
}

test("a limit that is raised while D1 goes away is kept by the next sweep", async () => {
  const world = await full();
  let calls = 0;
  world.fault = () => (++calls > 1 ? "before" : null);
  await expect(world.until(limitKind(world.invocation().engine, "g", { perGroup: 40 }, ann))).rejects.toThrow();
  world.fault = () => null;
  expect(await held(world)).not.toBe(0);
  expect(await asked(world)).toEqual([{ kind: "g" }]);
  world.now += 60_000;
  expect(await world.sweep()).toMatchObject({ error: null });
  expect([await held(world), await asked(world)]).toEqual([0, []]);
  seen.most = 0;
  await world.drain();
  expect(seen.most).toBeGreaterThan(1);
});

test("where nothing fails it is done at once, and no sweep comes back to it", async () => {
  const world = await full();
  await world.until(limitKind(world.invocation().engine, "g", { perGroup: 40 }, ann));
  expect([await held(world), await asked(world)]).toEqual([0, []]);
});

/** The next release, whose definition has another limit. */
function released(world: World, perGroup: number): Invocation {
  const next = world.invocation();
  Object.assign(next.engine, { kinds: grouped(perGroup), settings: { ...next.engine.settings, appVersion: "next" } });
  return next;
}
const known = async (world: World) =>
  (await world.sql<{ l: string }>("SELECT group_limits AS l FROM leases WHERE key = 'sweep'"))[0]?.l;

test.each([
  ["to write down that groups are to be let go", /INSERT INTO groups_to_free/, 1],
  ["to let them go", /SET held_at = NULL WHERE id IN/, 40],
])("a release that fails %s does it a minute later", async (_, statement, stored) => {
  const world = await full();
  const first = released(world, 40);
  const { store } = first.engine;
  const batch = store.batch.bind(store);
  store.batch = async (statements) => {
    if (statements.some(({ sql }) => statement.test(sql))) throw new Error("D1_ERROR: Network connection lost.");
    return batch(statements);
  };
  world.now += 60_000;
  expect((await world.sweep(first))?.error).toContain("Network connection lost");
  expect([(await held(world)) === 0, await known(world)]).toEqual([false, `{"g":${stored}}`]);
  world.now += 60_000;
  expect(await world.sweep(released(world, 40))).toMatchObject({ error: null });
  expect([await held(world), await asked(world), await known(world)]).toEqual([0, [], '{"g":40}']);
});

test("however many they are, each sweep goes on where the last one stopped; what is held since is not let go", async () => {
  const world = new World(grouped(1));
  await world.sql(
    `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 12000)
     INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, token, created_at, group_key, held_at)
     SELECT printf('job-%05d', n), 'g', 'normal', 'pending', '{}', 9, ?1, 't', 0, 'a', ?2 FROM i`,
    world.now + 9e9,
    world.now,
  );
  await world.sql("INSERT INTO job_counts (kind, view, n) VALUES ('g', 'pending', 12000)");
  const { store } = world.invocation().engine;
  expect(await askForGroups(store, null)).toEqual(["g"]);
  await world.sql("UPDATE jobs SET held_at = ?1 + 5 WHERE id = 'job-00001'", world.now);
  const left: unknown[] = [];
  for (const freed of [5_000, 5_000, 1_999, 0]) {
    expect(await letGroupsGo(store, "g", 5_000)).toBe(freed);
    left.push((await asked(world)).length);
  }
  expect([left, await held(world)]).toEqual([[1, 1, 0, 0], 1]);
});

test("two releases that sweep in turn, as while one is rolled out, let nobody go who would only be held again", async () => {
  const world = new World(grouped(1));
  await world.submit(...Array.from({ length: 30 }, () => ({ kind: "g", groupKey: "a" })));
  const worker = world.invocation();
  const gate = world.hold("run: before g", worker);
  const working = world.deliver("normal", 1, worker);
  await gate.reached;
  await world.deliver();
  expect(await held(world)).toBe(29);
  const sent: number[] = [];
  for (let sweep = 0; sweep < 6; sweep++) {
    world.now += 2_000;
    const before = world.queues.normal.sent.length;
    await world.sweep(sweep % 2 === 0 ? released(world, 1) : world.invocation());
    await world.deliver();
    sent.push(world.queues.normal.sent.length - before);
  }
  expect([sent, await held(world)]).toEqual([[0, 0, 0, 0, 0, 0], 29]);
  gate.open();
  await working;
  await world.drain();
  expect(seen.most).toBe(1);
});
