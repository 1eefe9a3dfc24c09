import { readdirSync } from "node:fs";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { Server } from "./server.ts";

// As `npm start` starts one: migrations are looked for each time.
test("a server ticks by itself from its start, and keeps its jobs when it is killed and started again", async () => {
  const server = await Server.start({ env: { REDRIVE_CRON: "on", REDRIVE_MIGRATE: "on" } });
  const api = new Api(server.url);
  const health = async () => (await (await api.call("GET", "/health")).json()) as { lastSweep: { at: string } | null };
  await expect.poll(async () => (await health()).lastSweep).not.toBeNull();
  const first = (await health()).lastSweep?.at;

  const id = await api.submit({ kind: "demo", payload: {}, delaySeconds: 3_600 });
  await server.kill();
  await expect(fetch(server.url)).rejects.toThrow();
  await server.restart();
  // Each once, in the order of its name, as the deploy command applies them.
  const applied = server.database((db) => db.prepare("SELECT name FROM d1_migrations ORDER BY id").all());
  expect(applied.map(({ name }) => name)).toEqual(readdirSync("migrations").sort());
  expect(await api.job(id)).toMatchObject({ id, state: "pending", attempt: 0 });
  await expect.poll(async () => (await health()).lastSweep?.at).not.toBe(first);
  await server.stop();
});

test("another page on this machine cannot read what local mode answers", async ({ request }) => {
  const Origin = "http://localhost:3000";
  const response = await request.get("/api/v1/jobs", { headers: { Origin } });
  expect(response.headers()["access-control-allow-origin"]).toBeUndefined();
  const preflight = { method: "OPTIONS", headers: { Origin, "Access-Control-Request-Method": "POST" } };
  expect((await request.fetch("/api/v1/jobs", preflight)).headers()["access-control-allow-origin"]).toBeUndefined();
});
