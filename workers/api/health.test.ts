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
