import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, START, World } from "~/testing/world";
import { submit } from "./submit";

beforeEach(clean);

const DAY = Math.floor(START / 86_400_000);
const one = (rest = {}) => ({ kind: "probe.ok", payload: {}, payloadText: "{}", ...rest });
const many = (n: number, rest = {}) => Array.from({ length: n }, () => one(rest));

async function asked(world: World, jobs: ReturnType<typeof one>[], submitter = "ana") {
  const { engine } = world.invocation();
  const answer = await world.until(submit(engine, jobs, submitter));
  return { answer, used: engine.store.used };
}
const numbers = async (world: World, submitter = "ana") =>
  (await world.sql<{ n: number }>("SELECT daily_number AS n FROM jobs WHERE submitter = ? ORDER BY id", submitter)).map(
    (row) => row.n,
  );
const limit = (world: World, n: number) => world.sql("INSERT INTO submitters (name, daily_limit) VALUES ('ana', ?)", n);

test("jobs are numbered densely per submitter and day, in the order of the call", async () => {
  const world = new World(probes);
  await asked(world, many(3));
  await asked(world, many(2), "bo");
  await asked(world, many(2));
  expect(await numbers(world)).toEqual([1, 2, 3, 4, 5]);
  expect(await numbers(world, "bo")).toEqual([1, 2]);
  world.now += 86_400_000;
  await asked(world, many(1));
  expect(await numbers(world)).toEqual([1, 2, 3, 4, 5, 1]);
});

test("a replay takes no number, alone or within a call, also after a lost reply", async () => {
  const world = new World(probes);
  await asked(world, [one({ idempotencyKey: "a" })]);
  await asked(world, [one({ idempotencyKey: "a" })]);
  await asked(world, [one(), one({ idempotencyKey: "a" }), one({ idempotencyKey: "b" }), one()]);
  expect(await numbers(world)).toEqual([1, 2, 3, 4]);
  let calls = 0;
  world.fault = () => (++calls === 1 ? "after" : null);
  await asked(world, many(2));
  expect(await numbers(world)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await world.sql("SELECT first, last FROM daily_numbers")).toEqual([{ first: 5, last: 6 }]);
});

test("a call of many parameters is numbered without a gap or a repeat", async () => {
  const world = new World(probes);
  const payload = { text: "x".repeat(150_000) };
  await asked(world, many(20, { payload, payloadText: JSON.stringify(payload) }));
  expect(await numbers(world)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

test("what is refused takes no number", async () => {
  const world = new World(probes);
  await asked(world, [one({ idempotencyKey: "a" })]);
  const { answer } = await asked(world, [one(), one({ idempotencyKey: "a", delaySeconds: 5 })]);
  expect(answer.kind).toBe("conflict");
  expect(await world.sql("SELECT last FROM daily_numbers")).toEqual([{ last: 1 }]);
});

test("a call is numbered whole or refused whole: what does not fit inserts nothing, what fits exactly is taken", async () => {
  const world = new World(probes);
  await limit(world, 5);
  await asked(world, many(3));
  const { answer } = await asked(world, many(3));
  expect(answer).toEqual({
    kind: "full",
    submitter: "ana",
    dailyLimit: 5,
    used: 3,
    wanted: 3,
    endsAt: Date.parse("2026-12-02T00:00:00Z"),
  });
  expect(await numbers(world)).toEqual([1, 2, 3]);
  expect((await asked(world, many(2))).answer.kind).toBe("accepted");
  expect((await asked(world, many(1))).answer.kind).toBe("full");
  expect((await asked(world, many(1), "bo")).answer.kind).toBe("accepted");
  const replay = [one({ idempotencyKey: "k" })];
  await world.sql("UPDATE submitters SET daily_limit = 6");
  await asked(world, replay);
  expect((await asked(world, replay)).answer).toMatchObject({ kind: "accepted", jobs: [{ replayed: true }] });
});

test("two calls at once for the last number: one gets it", async () => {
  const world = new World(probes);
  await limit(world, 1);
  const answers = await Promise.all([asked(world, many(1)), asked(world, many(1))]);
  expect(answers.map(({ answer }) => answer.kind).sort()).toEqual(["accepted", "full"]);
});

test("taking a number reads fewer than 20 rows at 49,999 existing ones; at 50,000 the call inserts nothing", async () => {
  const world = new World(probes);
  await limit(world, 50_000);
  for (let from = 0; from < 49_999; from += 10_000) {
    await world.sql(
      `WITH RECURSIVE i(n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM i WHERE n < min(?1 + 9999, 49999))
       INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, attempt, run_at, token, created_at, finished_at, submitter, daily_number)
       SELECT 'job-' || n, 'probe.ok', 'normal', 'done', '{}', 1, 1, 0, 't', 0, 0, 'ana', n FROM i`,
      from + 1,
    );
  }
  await world.sql("INSERT INTO daily_numbers (submitter, day, first, last) VALUES ('ana', ?, 49999, 49999)", DAY);
  const unnumbered = world.invocation();
  await submit(unnumbered.engine, many(1));
  const last = await asked(world, many(1));
  expect(last.answer.kind).toBe("accepted");
  expect(last.used.rowsRead - unnumbered.engine.store.used.rowsRead).toBeLessThan(20);
  expect(await world.sql("SELECT max(daily_number) AS n FROM jobs")).toEqual([{ n: 50_000 }]);
  const over = await asked(world, many(1));
  expect(over.answer.kind).toBe("full");
  expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE submitter = 'ana'")).toEqual([{ n: 50_000 }]);
}, 60_000);

test("what the system submits itself is neither numbered nor limited", async () => {
  const world = new World(probes);
  await world.submit({ kind: "probe.ok" });
  expect(await world.sql("SELECT submitter, daily_number FROM jobs")).toEqual([
    { submitter: null, daily_number: null },
  ]);
  expect(await world.sql("SELECT * FROM daily_numbers")).toEqual([]);
});
