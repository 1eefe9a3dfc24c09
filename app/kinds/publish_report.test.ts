import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { clean, World } from "~/testing/world";
import { publishReport } from "./publish_report";
import { registryOf } from "./registry";

beforeEach(clean);

const run = async (world: World, payload: object) => {
  const [id] = (await world.submit({ kind: "publish_report", payload, payloadText: JSON.stringify(payload) })) as [
    string,
  ];
  await world.deliver();
  return world.job(id);
};
const items = (world: World) => world.sql("SELECT item, version, state FROM publications ORDER BY item");

test("a job that is told no day publishes the day before it was submitted; one more changes nothing", async () => {
  const world = new World(registryOf(publishReport));
  expect(JSON.parse((await run(world, {})).result)).toMatchObject({ kind: "published", version: 1 });
  expect(JSON.parse((await run(world, {})).result)).toMatchObject({ kind: "unchanged", version: 1 });
  expect(await items(world)).toEqual([{ item: "report:2026-11-30", version: 1, state: "published" }]);
  expect(await world.sql("SELECT publication_revision AS n FROM site_state")).toEqual([{ n: 1 }]);
});

test("a day that is not over is refused for good, and nothing is published", async () => {
  const world = new World(registryOf(publishReport));
  expect(await run(world, { day: "2026-12-01" })).toMatchObject({
    state: "dead",
    last_error: "2026-12-01 is not over yet",
  });
  expect(await items(world)).toEqual([]);
});

test("while somebody else holds the lease the job waits and tries again, and then finds it published", async () => {
  const world = new World(registryOf(publishReport));
  await world.sql(
    "INSERT INTO leases (key, owner, fence, expires_at) VALUES ('publish:report:2026-11-30', 'other', 1, ?)",
    world.now + 20_000,
  );
  expect(await run(world, {})).toMatchObject({ view: "retrying" });
  await world.drain();
  expect(await items(world)).toEqual([{ item: "report:2026-11-30", version: 1, state: "published" }]);
});

test("after three days without a sweep each of them gets its report, once; one more tick changes nothing", async () => {
  const { MIGRATIONS } = env as unknown as { MIGRATIONS: { name: string; queries: string[] }[] };
  const world = new World(registryOf(publishReport));
  for (const { queries } of MIGRATIONS.filter(({ name }) => /report_(schedules|catch_up)/.test(name)))
    for (const query of queries) await world.sql(query);
  await world.sql("UPDATE schedules SET due_at = ?", Date.parse("2026-11-28T00:10:00Z"));
  for (let tick = 0; tick < 2; tick++) {
    await world.sweep();
    await world.drain();
    expect((await items(world)).map(({ item, version }) => [item, version])).toEqual(
      ["27", "28", "29", "30"].map((day) => [`report:2026-11-${day}`, 1]),
    );
    expect(await world.sql("SELECT publication_revision AS n FROM site_state")).toEqual([{ n: 4 }]);
    world.now += 60_000;
  }
});

test("a report is withdrawn by a job that says so, and by one that says nothing else beside it", async () => {
  const world = new World(registryOf(publishReport));
  const both = { withdraw: true, update: true };
  await expect(
    world.submit({ kind: "publish_report", payload: both, payloadText: JSON.stringify(both) }),
  ).rejects.toThrow("goes with neither update nor indexable");
  await run(world, {});
  await run(world, { day: "2026-11-30", withdraw: true });
  expect(await items(world)).toEqual([{ item: "report:2026-11-30", version: 2, state: "withdrawn" }]);
});
