import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { type Received, Receiver, type Reply } from "./receiver.ts";
import { Server } from "./server.ts";

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const KEY = Buffer.from(SECRET.slice(6), "base64");
const DATA = { name: "Zoë 😀", total: "12,50 €" };

type Delivery = { n: number; status: string; attempts: number; httpStatus: number | null; error: string | null };
type Fanout = { overall: string; counts: Record<string, number>; deliveries: Delivery[] };

let receiver: Receiver;
let server: Server;
let api: Api;
test.beforeAll(async () => {
  receiver = await Receiver.start();
  server = await Server.start({ env: { OUTBOUND_ALLOW: receiver.origin, WEBHOOK_SECRET: SECRET } });
  api = new Api(server.url);
});
test.afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => {});
const to = (path: string): Received[] => receiver.received.filter((request) => request.path === path);
const fanoutOf = async (id: string): Promise<Fanout> =>
  ((await (await api.call("GET", `/jobs/${id}`)).json()) as { fanout: Fanout }).fanout;

/** As the receiver itself would: over the bytes that came, and by the reference library. */
function expectSigned({ raw, headers }: Received): void {
  expect(Number(headers["content-length"])).toBe(raw.length);
  const { "webhook-id": id, "webhook-timestamp": at } = headers as Record<string, string>;
  const mac = createHmac("sha256", KEY).update(`${id}.${at}.`).update(raw).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
  expect(new Webhook(SECRET).verify(raw, headers as Record<string, string>)).toEqual({
    type: "order.paid",
    data: DATA,
  });
}

/** What each receiver does with its first, second … request; the last of a list goes on. */
const BEHAVIOURS: Record<string, (() => Reply | Promise<Reply>)[]> = {
  ok: [() => ({ body: "thanks" })],
  created: [() => ({ status: 201 })],
  "down-twice": [() => ({ status: 500, body: "busy" }), () => ({ status: 500 }), () => ({})],
  missing: [() => ({ status: 404, body: "no such hook" })],
  hangs: [() => never],
  "lost-reply": [() => Promise.reject(new Error("taken, and the answer is lost")), () => ({})],
  reset: [() => ({ reset: true }), () => ({})],
  "reset-in-body": [() => ({ body: cutOff() }), () => ({})],
  "slow-body": [() => ({ body: stalled() }), () => ({})],
  "drips-in-time": [() => ({ body: dripping() })],
  "later-seconds": [() => ({ status: 429, headers: { "Retry-After": "9" } }), () => ({})],
  "later-date": [
    () => ({ status: 503, headers: { "Retry-After": new Date(Date.now() + 10_000).toUTCString() } }),
    () => ({}),
  ],
  moved: [() => ({ status: 308, headers: { Location: `${receiver.origin}/elsewhere` } })],
  loop: [() => ({ status: 302, headers: { Location: `${receiver.origin}/loop` } })],
};
async function* cutOff() {
  yield "tha";
  await later(50);
  throw new Error("cut off here");
}
async function* stalled() {
  yield "tha";
  await never;
}
async function* dripping() {
  for (const letter of "thanks") {
    await later(50);
    yield letter;
  }
}

test("C072: each endpoint of an event gets what it is due, whatever the others do; C071, C073, C075, C077 as well", async ({
  page,
}) => {
  test.setTimeout(150_000);
  const paths = Object.keys(BEHAVIOURS);
  receiver.answer = ({ path }) => {
    const behaviours = BEHAVIOURS[path.slice(1)] ?? [];
    return (behaviours[Math.min(to(path).length, behaviours.length) - 1] ?? (() => ({})))();
  };
  const endpoints = paths.map((path) => ({ url: `${receiver.origin}/${path}` }));
  const payload = { type: "order.paid", data: DATA, endpoints, timeoutSeconds: 1 };
  const id = await api.submit({ kind: "webhook_fanout", payload, maxAttempts: 4 });
  await api.until(id, "done");
  await expect
    .poll(async () => (await fanoutOf(id)).overall, { timeout: 120_000, intervals: [500] })
    .toBe("partly failed");

  const counts = Object.fromEntries(paths.map((path) => [path, to(`/${path}`).length]));
  expect(counts).toEqual({
    ok: 1,
    created: 1,
    "down-twice": 3,
    missing: 1,
    hangs: 4,
    "lost-reply": 2,
    reset: 2,
    "reset-in-body": 2,
    "slow-body": 2,
    "drips-in-time": 1,
    "later-seconds": 2,
    "later-date": 2,
    moved: 1,
    loop: 1,
  });
  expect(to("/elsewhere")).toEqual([]);
  const { deliveries } = await fanoutOf(id);
  const failed = deliveries.filter(({ status }) => status === "failed").map(({ n }) => paths[n]);
  expect(failed).toEqual(["missing", "hangs", "moved", "loop"]);
  expect(deliveries.filter(({ status }) => status === "delivered")).toHaveLength(paths.length - 4);
  expect(deliveries.map(({ attempts }) => attempts)).toEqual(Object.values(counts));
  expect(deliveries[paths.indexOf("hangs")]?.error).toBe("no answer within 1 s");

  for (const request of receiver.received) expectSigned(request);
  for (const path of paths) expect(new Set(to(`/${path}`).map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(paths.length);

  const waited = (path: string) => (to(path)[1]?.begin ?? 0) - (to(path)[0]?.end ?? 0);
  for (const path of ["/later-seconds", "/later-date"]) expect(waited(path)).toBeGreaterThan(8_500);
  expect(waited("/reset")).toBeLessThan(8_000);

  await page.goto(`${server.url}/jobs/${id}`);
  const card = page.getByRole("region", { name: "Deliveries by endpoint" });
  await expect(card.getByRole("row")).toHaveCount(paths.length + 1);
  await expect(page.getByRole("main")).toContainText("Partly failed");
  await expect(card.getByRole("row", { name: `${paths.indexOf("moved") + 1}. ${receiver.origin}/…` })).toContainText(
    "answered 308",
  );
});

test("killed after 300 of 500 endpoints: nobody who answered is asked again, and all get it", async () => {
  test.setTimeout(240_000);
  const answered = new Map<string, number>();
  const again: string[] = [];
  let holding = true;
  receiver.answer = ({ path }) => {
    if (answered.has(path)) again.push(path);
    if (holding && answered.size >= 300) return never;
    answered.set(path, (answered.get(path) ?? 0) + 1);
    return {};
  };
  const endpoints = Array.from({ length: 500 }, (_, n) => ({ url: `${receiver.origin}/many/${n}` }));
  const id = await api.submit({
    kind: "webhook_fanout",
    payload: { type: "ping", data: {}, endpoints, timeoutSeconds: 25 },
  });
  await expect.poll(async () => (await fanoutOf(id)).counts.delivered, { timeout: 60_000 }).toBe(300);
  await server.kill();
  holding = false;
  await server.restart();
  const goOn = async () => {
    await server.tick();
    return (await fanoutOf(id)).overall;
  };
  await expect.poll(goOn, { timeout: 180_000, intervals: [5_000] }).toBe("delivered");
  expect(again).toEqual([]);
  expect(answered.size).toBe(500);
});
