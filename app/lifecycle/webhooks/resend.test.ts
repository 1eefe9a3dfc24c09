import { beforeEach, expect, test } from "vitest";
import { registry } from "~/kinds/registry";
import { fanOut, Receivers, rowsOf } from "~/testing/receivers";
import { clean, World } from "~/testing/world";
import { resend } from "./resend";

beforeEach(clean);

const ann = { actor: "ann" };

/** A delivery that has failed for good; from then on its receiver answers. */
async function failed() {
  const world = new World(registry);
  const receivers = new Receivers(world);
  receivers.answer = () => new Response(null, { status: 404 });
  const id = await fanOut(world, [{ url: "https://receiver.example/a" }]);
  await world.drain();
  receivers.answer = () => new Response();
  return { world, receivers, id };
}
const told = (world: World) =>
  world.sql<{ job_id: string; after: string }>(
    "SELECT actor, job_id, before, after FROM audit WHERE action = 'resend'",
  );
const entry = (id: string, jobId: string) => ({
  actor: "ann",
  job_id: id,
  before: JSON.stringify({ n: 0, status: "failed" }),
  after: JSON.stringify({ n: 0, status: "retrying", jobs: [jobId] }),
});

test("who sent a delivery again is kept, also where it has arrived before that is recorded", async () => {
  const { world, receivers, id } = await failed();
  world.seam = async (site) => {
    if (site === "resend: between submit and record") await world.drain();
  };
  const sent = await world.until(resend(world.invocation().engine, id, 0, ann));
  expect(receivers.received).toHaveLength(2);
  const { jobId } = sent as { jobId: string };
  expect(await rowsOf(world, id)).toMatchObject([{ status: "delivered", attempts: 2, job_id: jobId }]);
  expect(await told(world)).toEqual([entry(id, jobId)]);
});

test("and where whoever asked is gone between the job and that; pressed again, it is the same job and one entry", async () => {
  const { world, receivers, id } = await failed();
  const gone = world.invocation();
  const gate = world.hold("submit: between insert and send", gone);
  void resend(gone.engine, id, 0, ann);
  await world.until(gate.reached);
  gone.kill();
  expect(await rowsOf(world, id)).toMatchObject([{ status: "failed" }]);
  const [job] = await world.sql<{ id: string }>("SELECT id FROM jobs WHERE kind = 'webhook_delivery'");
  expect(await told(world)).toEqual([entry(id, job?.id as string)]);
  expect(await world.until(resend(world.invocation().engine, id, 0, { actor: "ben" }))).toEqual({
    kind: "resent",
    jobId: job?.id,
  });
  expect(await rowsOf(world, id)).toMatchObject([{ status: "retrying", job_id: job?.id }]);
  expect(await told(world)).toHaveLength(1);
  for (let minute = 0; minute < 3; minute++) {
    world.now += 60_000;
    await world.sweep();
    await world.drain();
  }
  expect(receivers.received).toHaveLength(2);
});
