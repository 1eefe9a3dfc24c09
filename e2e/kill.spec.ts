import { setTimeout as pause } from "node:timers/promises";
import { Api, type Counts } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { jobOf, overlaps, Receiver } from "./receiver.ts";
import { Server } from "./server.ts";

const SOON = 110;
const SLOW = 10;
const HIGH = 20;
const REFUSED = 10;
const SECONDS = 30;
const MINUTE = 20;
const ALL = SOON + SLOW + HIGH + REFUSED + SECONDS + MINUTE;

let receiver: Receiver;
let server: Server;
let api: Api;
test.beforeAll(async () => {
  receiver = await Receiver.start();
  server = await Server.start({ env: { OUTBOUND_ALLOW: receiver.origin } });
  api = new Api(server.url);
});
test.afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

test("all of 200 jobs end, one attempt of each at a time, though the server is killed twice while they run", async () => {
  test.setTimeout(300_000);
  receiver.answer = async (request, earlier) => {
    const { searchParams } = new URL(request.path, receiver.origin);
    await pause(Number(searchParams.get("ms")));
    const again = earlier.some((before) => jobOf(before) === jobOf(request));
    return { status: searchParams.has("refused") && !again ? 503 : 200 };
  };
  const ids = await api.submitAll(jobs());
  expect(ids).toHaveLength(ALL);

  await until(async () => {
    const { done, retrying } = await api.counts();
    return receiver.open().length >= 4 && done >= 20 && retrying > 0;
  });
  const first = await killAndRestart();
  for (const view of ["scheduled", "pending", "retrying", "processing", "done"] as const) {
    expect(first[view], view).toBeGreaterThan(0);
  }

  // Those whose worker was lost come back first, one by one: they lose it once more.
  const cut = new Set(receiver.received.filter(({ cutOff }) => cutOff).map(jobOf));
  await until(async () => {
    await server.tick();
    return receiver.open().some((execution) => cut.has(jobOf(execution)));
  });
  await killAndRestart();

  await until(async () => {
    await server.tick();
    const { scheduled, pending, retrying, processing } = await api.counts();
    return scheduled + pending + retrying + processing === 0;
  });
  expect(await api.counts()).toMatchObject({ done: ALL, dead: 0, cancelled: 0 });
  expect(await api.recount()).toEqual(await api.counts());

  const executions = receiver.byJob();
  expect([...executions.keys()].sort()).toEqual([...ids].sort());
  for (const id of ids) {
    const seen = executions.get(id) ?? [];
    const { attempts, attempt, state } = await api.job(id);
    expect([id, overlaps(seen)]).toEqual([id, []]);
    expect([id, state, attempts.map(({ number }) => number)]).toEqual([id, "done", downFrom(attempt)]);
    const { done, lost = [] } = Object.groupBy(attempts, ({ outcome }) => outcome);
    expect([id, done?.length]).toEqual([id, 1]);
    // Each execution has its row. A worker can also be lost before its job began, or after the answer had come.
    expect(attempts.length, id).toBeGreaterThanOrEqual(seen.length);
    expect(lost.length, id).toBeGreaterThanOrEqual(seen.filter(({ cutOff }) => cutOff).length);
    expect(lost.length, id).toBeGreaterThanOrEqual(attempts.length - seen.length);
  }
});

const until = (met: () => Promise<boolean>) => expect.poll(met, { timeout: 200_000, intervals: [100] }).toBe(true);

/** What the kill leaves: no message is left either, so nothing moves by itself, and the numbers must agree with the rows. */
async function killAndRestart(): Promise<Counts> {
  await server.kill();
  // The receiver sees the last connection go: nothing of the old server lives on beside the new one.
  await expect.poll(() => receiver.open()).toEqual([]);
  await server.restart();
  const found = await api.counts();
  expect(await api.recount()).toEqual(found);
  return found;
}

/** Some of each sort: ready, slow, urgent, turned away at first, due in seconds, due in a minute. */
function jobs(): object[] {
  const job = (ms: number, more: { query?: string; priority?: string; delaySeconds?: number } = {}) => {
    const { query = "", ...options } = more;
    return { kind: "http_request", payload: { url: `${receiver.origin}/?ms=${ms}${query}` }, ...options };
  };
  const some = (count: number, of: (index: number) => object) => Array.from({ length: count }, (_, index) => of(index));
  const short = (index: number) => 50 + ((index * 37) % 450);
  return [
    ...some(REFUSED, () => job(50, { query: "&refused" })),
    ...some(SLOW, () => job(3_000)),
    ...some(SOON, (index) => job(short(index))),
    ...some(HIGH, (index) => job(short(index), { priority: "high" })),
    ...some(SECONDS, (index) => job(short(index), { delaySeconds: 5 + (index % 15) })),
    ...some(MINUTE, (index) => job(short(index), { delaySeconds: 60 })),
  ];
}

const downFrom = (n: number): number[] => Array.from({ length: n }, (_, index) => n - index);
