import { beforeEach, expect, test } from "vitest";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { handleApi } from "../api";

beforeEach(clean);

async function call(world: World, method: string, path: string, body?: unknown) {
  const request = new Request(`https://jobs.example/api/v1${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const { engine } = world.invocation();
  const response = await world.until(
    handleApi(request, {
      engine,
      identity: { name: "ana", how: "session", ...ALL_RIGHTS },
      local: false,
      adminToken: true,
      nonce: "n",
    }),
  );
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Record<string, unknown>,
  };
}
const job = { kind: "probe.ok", payload: {} };

test("a limit is set, shown, holds with 429 and when it ends, and is lifted", async () => {
  const world = new World(probes);
  expect((await call(world, "POST", "/jobs", job)).status).toBe(202);
  expect((await call(world, "POST", "/submitters/ana", { dailyLimit: 2 })).status).toBe(200);
  expect((await call(world, "GET", "/submitters")).json).toEqual({
    submitters: [{ name: "ana", dailyLimit: 2, today: 1 }],
    endsAt: "2026-12-02T00:00:00.000Z",
  });
  const full = await call(world, "POST", "/jobs", [job, job]);
  expect(full).toMatchObject({
    status: 429,
    json: { code: "day-is-full", resetsAt: "2026-12-02T00:00:00.000Z", errors: [{ limit: 2 }] },
  });
  expect(Number(full.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await world.sql("SELECT count(*) AS n FROM jobs")).toEqual([{ n: 1 }]);
  await call(world, "POST", "/submitters/ana", { dailyLimit: null });
  expect((await call(world, "POST", "/jobs", [job, job])).status).toBe(202);
  expect(await world.sql("SELECT actor, action, after FROM audit ORDER BY id")).toEqual([
    { actor: "ana", action: "daily limit", after: '{"submitter":"ana","dailyLimit":2}' },
    { actor: "ana", action: "daily limit", after: '{"submitter":"ana","dailyLimit":null}' },
  ]);
});

test("at 50,000 of 50,000 a call is 429 with when the day ends, and the last number before that is given", async () => {
  const world = new World(probes);
  await call(world, "POST", "/submitters/ana", { dailyLimit: 50_000 });
  await world.sql(
    "INSERT INTO daily_numbers (submitter, day, first, last) VALUES ('ana', ?, 49999, 49999)",
    Math.floor(world.now / 86_400_000),
  );
  expect((await call(world, "POST", "/jobs", job)).status).toBe(202);
  const full = await call(world, "POST", "/jobs", job);
  expect(full).toMatchObject({ status: 429, json: { code: "day-is-full", resetsAt: "2026-12-02T00:00:00.000Z" } });
  expect(await world.sql("SELECT daily_number AS n FROM jobs")).toEqual([{ n: 50_000 }]);
});

test("a limit that is none is refused and nothing changes", async () => {
  const world = new World(probes);
  for (const body of [{ dailyLimit: -1 }, { dailyLimit: 1.5 }, { dailyLimit: "5" }, {}, { dailyLimit: 5, x: 1 }]) {
    expect((await call(world, "POST", "/submitters/ana", body)).status).toBe(400);
  }
  for (const name of ["%20", "a%0Ab", "x".repeat(257)]) {
    expect((await call(world, "POST", `/submitters/${name}`, { dailyLimit: 1 })).status).toBe(400);
  }
  expect(await world.sql("SELECT * FROM submitters")).toEqual([]);
});
