import { beforeEach, expect, test } from "vitest";
import { addToStats } from "~/store/stats";
import { probes } from "~/testing/probes";
import { clean, START, World } from "~/testing/world";
import { requeue } from "./requeue";

beforeEach(clean);

const HOUR = 3_600_000;
type Row = Record<string, number | string>;
/** What is counted, by grain and kind: [when, counts that are not 0]. */
async function stats(world: World): Promise<Record<string, [number, Row][]>> {
  const told: Record<string, [number, Row][]> = {};
  for (const { kind, grain, at, ...counts } of await world.sql<Row>("SELECT * FROM stats ORDER BY kind, grain, at")) {
    const some = Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0));
    const name = `${kind || "all"} ${grain}`;
    told[name] = [...(told[name] ?? []), [at as number, some]];
  }
  return told;
}

test("each attempt is counted by outcome and by how long it ran and waited, in every grain, of its kind and of all", async () => {
  const world = new World(probes);
  await world.submit({ kind: "probe.ok" }, { kind: "probe.slow", payload: { ms: 5_000 } });
  world.now += 2_000;
  await world.deliver();
  await world.deliver("long");
  const ok = { done: 1, run_0: 1, wait_10: 1 };
  // 5 s lie between 2^12 and 2^13 ms, the 2 s of waiting between 2^10 and 2^11.
  const slow = { done: 1, ran_ms: 5_000, run_12: 1, wait_10: 1 };
  const all = { done: 2, ran_ms: 5_000, run_0: 1, run_12: 1, wait_10: 2 };
  expect(await stats(world)).toEqual({
    "all 60000": [[START, all]],
    "all 900000": [[START, all]],
    [`all ${HOUR}`]: [[START, all]],
    "probe.ok 60000": [[START, ok]],
    "probe.ok 900000": [[START, ok]],
    "probe.slow 60000": [[START, slow]],
    "probe.slow 900000": [[START, slow]],
  });
});

test("attempts of another minute have a row of their own, and share those of the quarter and the hour", async () => {
  const world = new World(probes);
  for (let minute = 0; minute < 2; minute++, world.now += 60_000) {
    await world.submit({ kind: "probe.ok" });
    await world.deliver();
  }
  const one = { done: 1, run_0: 1, wait_0: 1 };
  const told = await stats(world);
  expect(told["all 60000"]).toEqual([
    [START, one],
    [START + 60_000, one],
  ]);
  for (const grain of [900_000, HOUR])
    expect(told[`all ${grain}`]).toEqual([[START, { done: 2, run_0: 2, wait_0: 2 }]]);
});

test("of what was lost nobody knows how long it ran; what took longer than the longest is in the last bucket", async () => {
  const add = (outcome: string, ran: number, waited: number) =>
    addToStats(`SELECT 'k' AS kind, ${START} AS at, '${outcome}' AS outcome, ${ran} AS ran, ${waited} AS waited`);
  const world = new World(probes);
  await world.invocation().engine.store.batch([add("lost", 5_000, 2 ** 40), add("timed_out", 2 ** 40, 2 ** 31 - 1)]);
  const counted = { lost: 1, timed_out: 1, ran_ms: 2 ** 40, run_20: 1, wait_30: 1, wait_31: 1 };
  expect((await stats(world))["k 60000"]).toEqual([[START, counted]]);
});

test("a job that dies is counted as dead once, beside its failed attempt", async () => {
  const world = new World(probes);
  const [id] = (await world.submit({ kind: "probe.permanent" })) as [string];
  await world.deliver();
  const died = [[START, { failed: 1, dead: 1, run_0: 1, wait_0: 1 }]];
  expect(await stats(world)).toMatchObject({ [`all ${HOUR}`]: died, "probe.permanent 60000": died });
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
