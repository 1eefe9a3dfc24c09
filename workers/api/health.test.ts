import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { World } from "~/testing/world";
import { health } from "./schemas";
import { clientOf } from "./testing";

let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(() => {
  world = new World(probes);
  client = clientOf(world);
});

test("health tells the last sweep's age and what waits in each queue", async () => {
  await client.post("/jobs", [
    { kind: "probe.ok", payload: {} },
    { kind: "probe.ok", payload: {}, priority: "high" },
  ]);
  await world.sweep();
  world.now += 1_500;
  const { status, body } = await client.get("/health");
  expect(status).toBe(200);
  expect(health.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    ok: true,
    problems: [],
    database: { ok: true },
    lastSweep: { at: "2026-12-01T10:00:00.000Z", ageMs: 1_500 },
    lanes: {
      normal: { messages: 1 },
      high: { messages: 1 },
      long: { messages: 0, oldestAt: null },
      dead: { messages: 0 },
    },
  });
});

test("health is red when no sweep has run for five minutes", async () => {
  world.now += 300_001;
  const { status, body } = await client.get("/health");
  expect(status).toBe(503);
  expect(body).toMatchObject({ ok: false, problems: ["the last sweep ended 5 minutes ago"], database: { ok: true } });
});

test("health is red when the database does not answer, and still tells of the queues", async () => {
  world.fault = () => "before";
  world.queues.long.metricsUnknown = true;
  const { status, body } = await client.get("/health");
  expect(status).toBe(503);
  expect(health.parse(body)).toEqual(body);
  expect(body).toMatchObject({
    ok: false,
    database: { ok: false },
    lastSweep: null,
    lanes: { normal: { messages: 0 }, long: { messages: null } },
  });
});

test("health says that a daily limit is reached, and until when: D1's, of reads or of writes, and that of Queues", async () => {
  const D1 = expect.stringMatching(/daily limit of D1 .*00:00 UTC/);
  world.lostText = "D1_ERROR: exceeded free tier daily row read limit";
  world.fault = () => "before";
  expect((await client.get("/health")).body).toMatchObject({ ok: false, problems: [D1], database: { ok: false } });
  world.fault = () => null;
  await world.sweep();
  world.now += 300_001;
  let calls = 0;
  world.fault = () => (++calls > 1 ? "before" : null);
  const writes = await client.get("/health");
  expect([writes.status, writes.body.problems]).toEqual([503, [D1, "the last sweep ended 5 minutes ago"]]);
  world.fault = () => null;
  await world.sweep();
  world.queues.normal.failSends = new Error("FreeTierLimitExceeded");
  await world.submit({ kind: "probe.ok" });
  expect((await client.get("/health")).body.problems).toEqual([expect.stringMatching(/of Queues .*00:00 UTC/)]);
});

test("on a day whose limit is reached calls are answered with 503, and when to come again", async () => {
  world.lostText = "D1_ERROR: exceeded free tier daily row write limit";
  world.fault = () => "before";
  const answer = await client.post("/jobs", { kind: "probe.ok", payload: {} });
  expect(answer).toMatchObject({ status: 503, body: { code: "daily-limit" } });
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBe(Math.ceil((86_400_000 - (world.now % 86_400_000)) / 1_000));
});
