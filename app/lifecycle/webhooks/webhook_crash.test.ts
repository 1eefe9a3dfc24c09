import { beforeEach, expect, test } from "vitest";
import { registry } from "~/kinds/registry";
import { fanOut, never, Receivers, rowsOf } from "~/testing/receivers";
import { clean, type Invocation, World } from "~/testing/world";
import { consume } from "../consume";
import { pause } from "../engine";

beforeEach(clean);

const urls = (n: number) => Array.from({ length: n }, (_, index) => `https://receiver.example/${index}`);

function worldWith(answer?: Receivers["answer"]) {
  const world = new World(registry);
  const receivers = new Receivers(world);
  if (answer) receivers.answer = answer;
  return { world, receivers };
}

/** Lets one message of the long lane be worked on until `site`, where its worker is gone; a sweep takes the job over. */
async function crashAt(world: World, site: string, invocation: Invocation = world.invocation()): Promise<void> {
  const gate = world.hold(site, invocation);
  void consume(invocation.engine, "long", world.queues.long.take(1).batch);
  await world.until(gate.reached);
  invocation.kill();
  world.now += 31_000;
  await world.sweep();
}

test("a crash after 300 of 500 endpoints: nobody who answered 2xx is asked a second time, and all 500 get it", async () => {
  const { world, receivers } = worldWith();
  const all = urls(500);
  const id = await fanOut(
    world,
    all.map((url) => ({ url })),
  );
  for (let job = 0; job < 5; job++) await world.deliver("long", 1);
  expect(receivers.received).toHaveLength(250);
  await crashAt(world, "guarded: after write");
  expect([receivers.received.length, (await rowsOf(world, id)).length]).toEqual([300, 300]);
  await world.drain();
  expect(receivers.counts(all)).toEqual(Array(500).fill(1));
  const rows = await rowsOf(world, id);
  expect(rows.map((row) => [row.n, row.status])).toEqual(all.map((_, n) => [n, "delivered"]));
  expect(new Set(rows.map((row) => row.webhook_id)).size).toBe(500);
  expect(await world.sql("SELECT count(*) AS n FROM attempts WHERE outcome = 'lost'")).toEqual([{ n: 1 }]);
});

test("a worker that is gone in the middle: what was recorded stands, what was not is asked again by the same id", async () => {
  let healthy = false;
  const { world, receivers } = worldWith(({ url }) =>
    healthy || Number(url.split("/").at(-1)) < 30 ? new Response() : never(),
  );
  const id = await fanOut(
    world,
    urls(50).map((url) => ({ url })),
    { timeoutSeconds: 25 },
  );
  // 30 have answered and five hang; the 30 are written once 5 s have passed.
  await crashAt(world, "guarded: after write");
  expect(await rowsOf(world, id)).toHaveLength(30);
  healthy = true;
  await world.drain();
  expect(receivers.counts(urls(50))).toEqual([...Array(30).fill(1), ...Array(5).fill(2), ...Array(15).fill(1)]);
  for (const url of urls(50)) {
    expect(new Set(receivers.to(url).map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
  }
  expect((await rowsOf(world, id)).every((row) => row.status === "delivered" && row.attempts === 1)).toBe(true);
});

test("a worker that is gone between the record and the jobs that go on: each that failed still gets one job, and no more", async () => {
  for (const site of ["guarded: after write", "submit: before insert", "submit: between insert and send"]) {
    await clean();
    const { world, receivers } = worldWith((_request, nth) => new Response(null, { status: nth === 1 ? 500 : 200 }));
    const id = await fanOut(
      world,
      urls(7).map((url) => ({ url })),
    );
    const invocation = world.invocation();
    // The first insert of a fan-out is that of its parts: this one has none.
    await crashAt(world, site, invocation);
    expect(await world.sql("SELECT count(*) AS n FROM deliveries WHERE job_id IS NOT NULL")).toEqual([{ n: 0 }]);
    await world.drain();
    expect(receivers.counts(urls(7))).toEqual(Array(7).fill(2));
    expect((await rowsOf(world, id)).every((row) => row.status === "delivered" && row.attempts === 2)).toBe(true);
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE kind = 'webhook_delivery'")).toEqual([{ n: 7 }]);
  }
});

test("a worker that hangs and wakes up after its job was taken over records nothing and sends nothing more", async () => {
  const { world, receivers } = worldWith();
  const id = await fanOut(
    world,
    urls(50).map((url) => ({ url })),
  );
  const slow = world.invocation();
  const gate = world.hold("guarded: before write", slow);
  const work = consume(slow.engine, "long", world.queues.long.take(1).batch);
  await world.until(gate.reached);
  slow.frozen = true;
  world.now += 31_000;
  await world.sweep();
  await world.drain();
  const [rows, sent] = [await rowsOf(world, id), receivers.received.length];
  slow.frozen = false;
  gate.open();
  await world.until(work);
  expect(await rowsOf(world, id)).toEqual(rows);
  expect(receivers.received).toHaveLength(sent);
  expect(await world.sql("SELECT number, outcome FROM refusals")).toEqual([{ number: 1, outcome: "failed" }]);
  expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
});

test("first tries are written 50 at a time, and after 5 s what there is: not one by one", async () => {
  const { world } = worldWith(async ({ url }) => {
    if (url.endsWith("/49")) await pause(world.invocation().engine, 12_000);
    return new Response();
  });
  let writes: number[] = [];
  world.seam = (site) => {
    if (site === "guarded: before write") writes.push(world.now);
  };
  await fanOut(
    world,
    urls(49).map((url) => ({ url })),
  );
  await world.deliver("long");
  expect(writes).toHaveLength(1);
  writes = [];
  const startedAt = world.now;
  await fanOut(
    world,
    urls(50).map((url) => ({ url })),
  );
  await world.deliver("long");
  expect(writes.map((at) => at - startedAt)).toEqual([5_000, 12_000]);
});

test("a write whose reply is lost, or that the network repeats, changes nothing more", async () => {
  const { world, receivers } = worldWith((_request, nth) => new Response(null, { status: nth === 1 ? 503 : 200 }));
  const id = await fanOut(
    world,
    urls(3).map((url) => ({ url })),
  );
  // A claim that is repeated finds its job claimed: that is another test's matter.
  world.seam = (site) => {
    if (site.startsWith("run: before")) world.twice = true;
    if (site === "run: between return and settle") world.twice = false;
  };
  let calls = 0;
  world.fault = () => (++calls % 3 === 0 ? "after" : null);
  await world.deliver("long");
  world.now += 60_000;
  await world.deliver();
  expect(calls).toBeGreaterThan(12);
  world.fault = () => null;
  await world.drain();
  expect(receivers.counts(urls(3))).toEqual([2, 2, 2]);
  expect((await rowsOf(world, id)).map((row) => [row.status, row.attempts])).toEqual(Array(3).fill(["delivered", 2]));
  const { kept, real } = await world.recount();
  expect(kept).toEqual(real);
});
