import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { overview } from "./overview";
import { clientOf } from "./testing";

beforeEach(clean);

test("the overview is what the document says, for each range and zone", async () => {
  const world = new World(probes);
  await world.submit({ kind: "probe.ok" }, { kind: "probe.permanent" });
  await world.deliver();
  await world.sweep();
  const client = clientOf(world);
  for (const query of ["", "?range=1h", "?range=30d&zone=Asia/Kolkata", "?day=2026-11-01&zone=America/New_York"]) {
    const { status, body } = await client.get(`/overview${query}`);
    expect([query, status]).toEqual([query, 200]);
    expect(overview.parse(body)).toEqual(body);
  }
  const { body } = await client.get("/overview?range=1h");
  expect(body).toMatchObject({ charts: { totals: { done: 1, failed: 1, dead: 1 } }, range: "1h", zone: "UTC" });
});

test.each(["range=2h", "zone=Mars/Phobos", "zone=", "day=2026-02-30", "week=1"])(
  "%s is refused by name",
  async (query) => {
    const { status, body } = await clientOf(new World(probes)).get(`/overview?${query}`);
    expect(status).toBe(400);
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path)).toEqual([query.split("=", 1)[0]]);
  },
);
