import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, START, World } from "~/testing/world";
import { requeue } from "./requeue";

beforeEach(clean);

const HOUR = 3_600_000;
const stats = (world: World, grain: number) =>
  world.sql("SELECT at, measure, bucket, n FROM site_stats WHERE grain = ? ORDER BY at, measure, bucket", grain);

test("each attempt is counted by outcome and by how long it ran and waited, in every grain", async () => {
  const world = new World(probes);
  await world.submit({ kind: "probe.ok" }, { kind: "probe.slow", payload: { ms: 5_000 } });
  world.now += 2_000;
  await world.deliver();
  await world.deliver("long");
  const minute = [
    { at: START, measure: "done", bucket: 0, n: 1 },
    // 5 s lie between 2^12 and 2^13 ms, the 2 s of waiting between 2^10 and 2^11.
    { at: START, measure: "done", bucket: 12, n: 1 },
    { at: START, measure: "waited", bucket: 10, n: 2 },
  ];
  for (const grain of [60_000, 900_000, HOUR]) expect(await stats(world, grain)).toEqual(minute);
});

test("a job that dies is counted as dead once, beside its failed attempt", async () => {
  const world = new World(probes);
  const [id] = (await world.submit({ kind: "probe.permanent" })) as [string];
  await world.deliver();
  expect(await stats(world, HOUR)).toEqual([
    { at: START, measure: "dead", bucket: -1, n: 1 },
    { at: START, measure: "failed", bucket: 0, n: 1 },
    { at: START, measure: "waited", bucket: 0, n: 1 },
  ]);
  const causes = () => world.sql("SELECT * FROM dead_causes");
  const cause = "probe.permanent: no retry can help";
  expect(await causes()).toEqual([{ cause, n: 1, first_hour: START, last_hour: START }]);

  // A requeue takes the dead job away, and not that it died.
  await requeue(world.invocation().engine, { id }, { actor: "ana" });
  expect(await causes()).toEqual([{ cause, n: 0, first_hour: START, last_hour: START }]);
  world.now += 2 * HOUR;
  await world.deliver();
  expect(await causes()).toEqual([{ cause, n: 1, first_hour: START, last_hour: START + 2 * HOUR }]);
});

test("the sweep marks when other code runs, also when it goes back, and not each time it comes", async () => {
  const world = new World(probes);
  const sweepOf = async (version: string) => {
    const invocation = world.invocation();
    invocation.engine.settings.appVersion = version;
    await world.sweep(invocation);
    world.now += 60_000;
  };
  for (const version of ["a", "a", "b", "b", "a"]) await sweepOf(version);
  expect(await world.sql("SELECT (at - ?) / 60000 AS minute, version FROM deploys ORDER BY at", START)).toEqual([
    { minute: 0, version: "a" },
    { minute: 2, version: "b" },
    { minute: 4, version: "a" },
  ]);
});

test("what the lanes hold is kept with each sweep, and the most of each hour after that", async () => {
  const world = new World(probes);
  const waiting = [0, 3, 1];
  for (let minute = 0; minute < 130; minute++) {
    const wanted = minute < 3 ? (waiting[minute] as number) : 0;
    const lane = world.queues.normal;
    lane.messages.length = 0;
    for (let n = 0; n < wanted; n++) lane.ask(`no job ${n}`, 1, "probe.ok");
    await world.sweep();
    world.now += 60_000;
  }
  const [second] = await world.sql<{ lanes: string }>("SELECT lanes FROM sweeps WHERE fence = 2");
  expect(JSON.parse(second?.lanes as string)).toMatchObject({ normal: [3, START + 60_000], high: [0, null] });
  expect(await world.sql("SELECT (hour - ?) / 3600000 AS hour, messages FROM backlogs ORDER BY hour", START)).toEqual([
    { hour: 0, messages: 3 },
    { hour: 1, messages: 0 },
  ]);
});
