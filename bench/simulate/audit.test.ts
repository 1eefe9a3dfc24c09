import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { wrongs } from "./audit";

beforeEach(clean);

const { DB } = env as unknown as { DB: D1Database };

test.each([
  ["job_counts", "UPDATE job_counts SET n = n + 1 WHERE view = 'dead'"],
  ["dead_counts", "UPDATE dead_counts SET hour = hour - 3600000"],
  ["dead_causes", "UPDATE dead_causes SET n = 0"],
  ["dead_days", "UPDATE dead_days SET hours = json_set(hours, '$.\"11\"', 1)"],
  ["dead_days", "DELETE FROM dead_days"],
  ["dead_days", "INSERT INTO dead_days VALUES ('nobody', 0, '{}')"],
  [
    "jobs of operation",
    "INSERT INTO bulk_operations (id, action, view, cutoff, expected, state, actor, created_at, done) VALUES ('o', 'requeue', 'dead', 0, 0, 'running', 'a', 0, 1)",
  ],
])("a sum of %s that is off is told, and none that is right: %s", async (table, break_) => {
  const world = new World(probes);
  await world.submit({ kind: "probe.permanent" });
  await world.deliver();
  const told = async () => (await Promise.all(wrongs(false).map((sql) => world.sql<{ what: string }>(sql)))).flat();
  expect(await told()).toEqual([]);
  await DB.prepare(break_).run();
  expect((await told()).some(({ what }) => what.startsWith(table))).toBe(true);
});
