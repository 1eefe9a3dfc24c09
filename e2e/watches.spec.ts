import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

import { type Received, Receiver, type Reply } from "./receiver.ts";
import { Server } from "./server.ts";

type Check = {
  slotAt: string;
  outcome: string;
  value: string | null;
  previous: string | null;
  error: string | null;
  httpStatus: number | null;
  told: string[];
};
type Watch = { name: string; value: string | null; nextAt: string | null; checking: string | null; checks: Check[] };

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

const HTML = { "Content-Type": "text/html; charset=utf-8" };
const page200 = (text: string, headers: Record<string, string> = {}): Reply => ({
  headers: { ...HTML, ...headers },
  body: `<html><body><h1>Shop</h1><p class="price">${text}</p><script>noise(${Math.random()})</script></body></html>`,
});
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => {});
const to = (path: string): Received[] => receiver.received.filter((request) => request.path === path);
const gapOf = ([first, second]: Received[]): number => (second?.begin ?? 0) - (first?.begin ?? 0);

async function create(path: string, rest: object = {}): Promise<string> {
  const call = { name: path, url: `${receiver.origin}/${path}`, selector: ".price", cron: "0 8 * * *", ...rest };
  const response = await api.call("POST", "/watches", call);
  const body = (await response.json()) as { id: string };
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body.id;
}
const read = async (id: string): Promise<Watch> => (await (await api.call("GET", `/watches/${id}`)).json()) as Watch;
const checkNow = async (id: string) => expect((await api.call("POST", `/watches/${id}/check`)).status).toBe(202);
/** Asks for a check and waits until it has ended. */
async function check(id: string, timeout = 20_000): Promise<Check> {
  const { checks } = await read(id);
  await checkNow(id);
  await expect.poll(async () => (await read(id)).checks.length, { timeout }).toBe(checks.length + 1);
  return (await read(id)).checks[0] as Check;
}

/** What each page answers to its first, second … request; the last of a list goes on. */
const BEHAVIOURS: Record<string, (() => Reply | Promise<Reply>)[]> = {
  fine: [() => page200("12,50 &euro;")],
  "down-once": [() => ({ status: 500, body: "busy" }), () => page200("12")],
  "later-seconds": [() => ({ status: 429, headers: { "Retry-After": "15" } }), () => page200("12")],
  "later-date": [
    () => ({ status: 429, headers: { "Retry-After": new Date(Date.now() + 16_000).toUTCString() } }),
    () => page200("12"),
  ],
  "slow-body": [() => ({ headers: HTML, body: stalled() }), () => page200("12")],
  reset: [() => ({ reset: true }), () => page200("12")],
  "cut-off": [() => ({ headers: HTML, body: cutOff() }), () => page200("12")],
  moved: [() => ({ status: 301, headers: { Location: "/fine-too" } })],
  "fine-too": [() => page200("13")],
  loop: [() => ({ status: 302, headers: { Location: "/loop-b" } })],
  "loop-b": [() => ({ status: 302, headers: { Location: "/loop" } })],
  missing: [() => ({ status: 404, body: "gone" })],
  redone: [() => ({ headers: HTML, body: "<p>another layout</p>" })],
};
async function* stalled() {
  yield "<p class=price>1";
  await never;
}
async function* cutOff() {
  yield "<p class=price>1";
  await later(50);
  throw new Error("cut off here");
}

test("C077: a page is read in the end, or its check fails for good, by the table of answers; Retry-After counts in both forms", async () => {
  test.setTimeout(150_000);
  receiver.answer = ({ path }) => {
    const behaviours = BEHAVIOURS[path.slice(1)] ?? [];
    return (behaviours[Math.min(to(path).length, behaviours.length) - 1] ?? (() => ({ status: 418 })))();
  };
  const names = Object.keys(BEHAVIOURS).filter((name) => name !== "fine-too" && name !== "loop-b");
  const ids = await Promise.all(names.map((name) => create(name)));
  await Promise.all(ids.map(checkNow));
  const ended = async () => (await Promise.all(ids.map(read))).filter(({ checks }) => checks.length === 1).length;
  await expect.poll(ended, { timeout: 120_000, intervals: [500] }).toBe(names.length);

  const results = await Promise.all(ids.map(read));
  expect(Object.fromEntries(results.map(({ name, checks }) => [name, checks[0]?.error ?? checks[0]?.value]))).toEqual({
    fine: "12,50 €",
    "down-once": "12",
    "later-seconds": "12",
    "later-date": "12",
    "slow-body": "12",
    reset: "12",
    "cut-off": "12",
    moved: "13",
    loop: `redirects in a circle, back to ${receiver.origin}/loop`,
    missing: "answered 404",
    redone: "nothing on the page matches .price",
  });
  expect(Object.fromEntries(names.map((name) => [name, to(`/${name}`).length]))).toEqual({
    ...{ fine: 1, "down-once": 2, "later-seconds": 2, "later-date": 2, "slow-body": 2, reset: 2, "cut-off": 2 },
    ...{ moved: 1, loop: 1, missing: 1, redone: 1 },
  });
  expect(gapOf(to("/down-once"))).toBeGreaterThanOrEqual(8_000);
  expect(gapOf(to("/later-seconds"))).toBeGreaterThanOrEqual(15_000);
  // A date has whole seconds.
  expect(gapOf(to("/later-date"))).toBeGreaterThanOrEqual(15_000);
  expect(gapOf(to("/slow-body"))).toBeGreaterThanOrEqual(28_000);
  for (const { nextAt } of results) expect(nextAt).toMatch(/T08:00:00.000Z$/);
});

test("a page says itself that it is the same; a change is told once, and its page shows what changed", async ({
  page,
}) => {
  let price = "12 EUR";
  receiver.answer = ({ path, headers }) => {
    if (path !== "/lamp") return {};
    const etag = `"${price.length}-${price.slice(0, 2)}"`;
    if (headers["if-none-match"] === etag) return { status: 304 };
    return page200(price, { ETag: etag, "Last-Modified": "Tue, 01 Dec 2026 10:00:00 GMT" });
  };
  const id = await create("lamp", { channels: { webhook: `${receiver.origin}/hook`, email: "ana@example.com" } });
  expect(await check(id)).toMatchObject({ outcome: "first", httpStatus: 200, value: "12 EUR" });
  expect(await check(id)).toMatchObject({ outcome: "unchanged", httpStatus: 304 });
  expect(to("/lamp")[1]?.headers).toMatchObject({
    "if-none-match": '"6-12"',
    "if-modified-since": "Tue, 01 Dec 2026 10:00:00 GMT",
  });
  price = "10 EUR";
  const changed = await check(id);
  expect(changed).toMatchObject({ outcome: "changed", previous: "12 EUR", value: "10 EUR" });
  for (const job of changed.told) await api.until(job, "done");
  expect(await check(id)).toMatchObject({ outcome: "unchanged", httpStatus: 304 });

  expect(to("/hook")).toHaveLength(1);
  expect(JSON.parse(to("/hook")[0]?.body ?? "")).toMatchObject({
    type: "watch.changed",
    data: {
      title: "lamp changed",
      before: { value: "12 EUR", number: 12 },
      after: { value: "10 EUR", number: 10 },
      links: [{ url: `${receiver.origin}/lamp` }, { url: `${server.url}/watches/${id}` }],
    },
  });
  await page.goto(`${server.url}/watches/${id}`);
  const row = page.getByRole("row").filter({ hasText: "Changed" });
  await expect(row.locator("del:visible")).toHaveText("12");
  await expect(row.locator("ins:visible")).toHaveText("10");
  await clean(page, "a watch");
  await page.goto(`${server.url}/mail`);
  await expect(page.getByRole("main")).toContainText("lamp changed");
});

test("its slots come by the schedule, and the sweep that finds them", async () => {
  receiver.answer = () => page200("7");
  const id = await create("by-minute", { cron: undefined, everyMinutes: 1 });
  const { nextAt } = await read(id);
  await server.tick();
  expect((await read(id)).checks).toEqual([]);
  await expect.poll(() => Date.now() - Date.parse(nextAt ?? ""), { timeout: 65_000 }).toBeGreaterThan(0);
  await server.tick();
  await expect.poll(async () => (await read(id)).checks.length).toBe(1);
  const after = await read(id);
  expect(after.checks).toMatchObject([{ outcome: "first", value: "7", slotAt: nextAt }]);
  expect(Date.parse(after.nextAt ?? "")).toBe(Date.parse(nextAt ?? "") + 60_000);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with a script" : "without a script", () => {
    test.use({ javaScriptEnabled });

    test("a watch is made, checked, paused, changed and deleted in the browser", async ({ page, allow }) => {
      allow(/status of 400/);
      receiver.answer = () => page200("99");
      await page.goto(`${server.url}/watches`);
      await page.getByRole("link", { name: "New watch" }).click();
      await page.getByLabel("Name").fill("Desk");
      await page.getByLabel("Page", { exact: true }).fill("http://10.0.0.1/");
      await page.getByLabel("Selector").fill("p:has(b)");
      await page.getByRole("button", { name: "Create watch" }).click();
      await expect(page.getByLabel("Page", { exact: true })).toHaveAccessibleDescription(
        /must be a public https address/,
      );
      await expect(page.getByLabel("Selector")).toHaveAccessibleDescription(/no selector that is understood/);
      await expect(page.getByLabel("Name")).toHaveValue("Desk");
      await page.getByLabel("Page", { exact: true }).fill(`${receiver.origin}/desk`);
      await page.getByLabel("Selector").fill(".price");
      await page.getByRole("button", { name: "Create watch" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Desk");
      const address = page.url();
      const { name } = await read(address.slice(-36));
      expect(name).toBe("Desk");

      await page.getByRole("button", { name: "Check now" }).click();
      await expect.poll(async () => (await read(address.slice(-36))).checks.length).toBe(1);
      await page.goto(address);
      await expect(page.getByRole("main")).toContainText("First look");
      await expect(page.getByRole("main")).toContainText("99");

      await page.getByRole("button", { name: "Pause" }).click();
      await expect(page.getByText("Paused: no slot is checked")).toBeVisible();
      await page.getByRole("button", { name: "Resume" }).click();
      await expect(page.getByText("Paused: no slot is checked")).toBeHidden();

      await page.getByRole("link", { name: "Edit" }).click();
      await expect(page.getByLabel("Selector")).toHaveValue(".price");
      await page.getByLabel("Name").fill("Desk, changed");
      await page.getByRole("button", { name: "Save watch" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Desk, changed");

      await page.getByRole("link", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete watch" }).click();
      await expect(page).toHaveURL(`${server.url}/watches`);
      await expect(page.getByRole("link", { name: "Desk, changed" })).toHaveCount(0);
    });
  });
}

test("the pages of watches fit a phone, and axe finds nothing on them", async ({ page }) => {
  receiver.answer = () => page200(`${"a very long price ".repeat(30)} 5`);
  const id = await create(`phone-${"x".repeat(90)}`);
  await check(id);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/watches", "/watches/new", `/watches/${id}`, `/watches/${id}/edit`, `/watches/${id}/delete`]) {
    await page.goto(server.url + path);
    await clean(page, path);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect([path, over]).toEqual([path, 0]);
  }
});
