import { beforeEach, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { causeDetail, deadPage } from "./causes";
import { clientOf } from "./testing";

beforeEach(clean);

const CAUSE = "probe.permanent: no retry can help";

test("causes, and one of them, are what the document says", async () => {
  const world = new World(probes);
  await world.submit({ kind: "probe.permanent" }, { kind: "probe.permanent" });
  await world.deliver();
  const client = clientOf(world);
  const { body: page } = await client.get("/causes");
  expect(deadPage.parse(page)).toEqual(page);
  expect(page).toMatchObject({ causes: [{ cause: CAUSE, n: 2, ages: [2, 0, 0, 0, 0, 0] }], next: null });
  const { body } = await client.get(`/causes/${encodeURIComponent(CAUSE)}`);
  expect(causeDetail.parse(body)).toEqual(body);
  expect(body).toMatchObject({ n: 2, looked: 2, example: { kind: "probe.permanent", attempt: { outcome: "failed" } } });
});

test("a cause that nothing died of is not found, and a cursor that no list gave out is refused", async () => {
  const client = clientOf(new World(probes));
  expect((await client.get("/causes/nothing")).body).toMatchObject({ status: 404, code: "no-such-cause" });
  expect((await client.get("/causes?after=x")).status).toBe(400);
});
