import type { Page } from "@playwright/test";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { badge, changes, connection, ready, row, toast } from "./pages.ts";
import { Server } from "./server.ts";

const STATS = /\/api\/v1\/stats$/;
const LIST = /\/api\/v1\/jobs\?/;
const JOB = /\/api\/v1\/jobs\/[0-9a-f-]{36}$/;

// Nobody else writes here: what does not change can be seen not to change.
let server: Server;
let api: Api;
test.beforeAll(async () => {
  server = await Server.start();
  api = new Api(server.url);
});
test.afterAll(() => server.stop());

test("a poll of what has not changed is answered 304, and one of what has is not", async ({ page }) => {
  const id = await api.submit({ kind: "demo", payload: {}, delaySeconds: 3_600 });
  const statuses = await answered(page);
  await page.goto(`${server.url}/jobs`);
  // A new minute is news as well, so not each of them is.
  for (const feed of [STATS, LIST]) await expect.poll(() => statuses(feed)).toContain(304);
  await api.call("POST", `/jobs/${id}/cancel`);
  await expect(row(page, id)).toContainText("Cancelled");
  expect(statuses(LIST).lastIndexOf(200)).toBeGreaterThan(statuses(LIST).indexOf(304));
});

test("a job that has ended is asked for no more, one that goes on is", async ({ page }) => {
  const ended = await api.submit({ kind: "demo", payload: {} });
  const waiting = await api.submit({ kind: "demo", payload: {}, delaySeconds: 3_600 });
  await api.until(ended, "done");
  await page.clock.install();
  const asked = requested(page);
  await page.goto(`${server.url}/jobs/${waiting}`);
  await expect(badge(page)).toHaveText("Scheduled");
  await ready(page);
  await minutes(page);
  expect(asked(JOB)).toBeGreaterThan(3);

  await page.goto(`${server.url}/jobs/${ended}`);
  await expect(badge(page)).toHaveText("Done");
  await ready(page);
  const before = asked(JOB);
  await minutes(page);
  expect(asked(JOB)).toBe(before);
});

test("a hidden tab asks for nothing until it is looked at again, and nor does one that was told to stop", async ({
  page,
}) => {
  await page.clock.install();
  const asked = requested(page);
  await page.goto(`${server.url}/jobs`);
  await ready(page);
  await minutes(page);

  const all = () => asked(STATS) + asked(LIST);
  const before = all();
  await look(page, "hidden");
  for (let i = 0; i < 10; i++) await page.clock.runFor(20_000);
  expect(all()).toBe(before);
  const answer = page.waitForResponse(LIST);
  await look(page, "visible");
  await answer;

  const read = page.waitForResponse(/\/jobs\.data/);
  await page.getByLabel("Auto refresh").selectOption("off");
  await read;
  const inTwentySeconds = async () => {
    const earlier = all();
    await page.clock.runFor(20_000);
    return all() - earlier;
  };
  // One that was under way may still come.
  await expect.poll(inTwentySeconds).toBe(0);
  for (let i = 0; i < 10; i++) expect(await inTwentySeconds()).toBe(0);
  await look(page, "hidden");
  await look(page, "visible");
  expect(await inTwentySeconds()).toBe(0);
  const pressed = page.waitForResponse(STATS);
  await page.getByRole("button", { name: "Refresh now" }).click();
  await pressed;
});

test("while the server is down a page keeps its rows and says how old they are; then it goes on", async ({
  page,
  allow,
}) => {
  // The browser's own words, and those of the router, which asks for the routes of links that come into sight.
  allow(/net::ERR_|Failed to fetch manifest patches/);
  const id = await api.submit({ kind: "demo", payload: { permanent: true } });
  await api.until(id, "dead");
  await page.goto(`${server.url}/dead`);
  await expect(row(page, id)).toBeVisible();
  await server.kill();
  const banner = page.getByRole("status").filter({ hasText: /Showing data from \d\d:\d\d:\d\d UTC, retrying/ });
  await expect(banner).toContainText("The server does not answer.");
  await expect(row(page, id)).toBeVisible();
  // A button that is pressed then says so, and the page is still there to press it again.
  await row(page, id).getByRole("button", { name: "Requeue" }).click();
  await expect(toast(page)).toContainText("The server did not answer. It may have been done: look, or press again");
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(row(page, id)).toBeVisible();
  await server.restart();
  await expect(banner).toBeHidden();
  await row(page, id).getByRole("button", { name: "Requeue" }).click();
  await expect(toast(page)).toContainText("Requeued as generation 2.");
  await api.until(id, "dead");
  const next = await api.submit({ kind: "demo", payload: { permanent: true } });
  await api.until(next, "dead");
  await page.getByRole("button", { name: "1 new" }).click();
  await expect(row(page, next)).toBeVisible();
});

test("a page is not reached until the very feed answers that did not, whatever others say meanwhile", async ({
  page,
  allow,
}) => {
  allow(/net::ERR_FAILED/);
  await page.goto(`${server.url}/jobs?view=dead`);
  await ready(page);
  const refresh = page.getByRole("button", { name: "Refresh now" });
  await expect(connection(page)).toHaveText("Live");
  for (const [silent, other] of [
    [LIST, STATS],
    [STATS, LIST],
  ] as const) {
    await page.route(silent, (route) => route.abort());
    await refresh.click();
    await expect(connection(page)).toHaveText("Not reached");
    const words = await changes(connection(page));
    for (let i = 0; i < 2; i++) {
      const answers = [
        page.waitForResponse(other),
        page.waitForEvent("requestfailed", (request) => silent.test(request.url())),
      ];
      await refresh.click();
      await Promise.all(answers);
    }
    expect(new Set(await words())).toEqual(new Set(["Not reached"]));
    await page.unroute(silent);
    await refresh.click();
    await expect(connection(page)).toHaveText("Live");
  }
});

test("what is new is shown to whoever asks for it, also where a button went away under the pointer", async ({
  page,
}) => {
  const id = await api.submit({ kind: "demo", payload: { permanent: true } });
  await api.until(id, "dead");
  await page.goto(`${server.url}/dead`);
  await ready(page);
  const requeue = row(page, id).getByRole("button", { name: "Requeue" });
  await requeue.hover();
  await requeue.focus();
  // The row leaves the list and comes back: the button is another one, and the old one never said that it was left.
  await api.call("POST", `/jobs/${id}/requeue`);
  await api.until(id, "dead");
  const next = await api.submit({ kind: "demo", payload: { permanent: true } });
  await api.until(next, "dead");
  const news = page.getByRole("button", { name: /^\d+ new$/ });
  await expect(news).toBeVisible();
  // Until somebody asks, nothing moves.
  await expect(row(page, next)).toBeHidden();
  // Without a pointer on its way there.
  await news.dispatchEvent("click");
  await expect(row(page, next)).toBeVisible();
});

/** Statuses as they came over the wire, where the page itself sees the browser's cache. */
async function answered(page: Page): Promise<(feed: RegExp) => number[]> {
  const addresses = new Map<string, string>();
  const answers: { url: string; status: number }[] = [];
  const session = await page.context().newCDPSession(page);
  session.on("Network.requestWillBeSent", ({ requestId, request }) => addresses.set(requestId, request.url));
  session.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) =>
    answers.push({ url: addresses.get(requestId) ?? "", status: statusCode }),
  );
  await session.send("Network.enable");
  return (feed) => answers.filter(({ url }) => feed.test(url)).map(({ status }) => status);
}

/** How often the page has asked for a feed so far. */
function requested(page: Page): (feed: RegExp) => number {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  return (feed) => addresses.filter((url) => feed.test(url)).length;
}

/** Minutes pass for the page. The frame's numbers are asked for all the time, so the page can be seen to be alive. */
async function minutes(page: Page): Promise<void> {
  for (let i = 0; i < 10; i++) {
    const answer = page.waitForResponse(STATS);
    await page.clock.runFor(20_000);
    await answer;
  }
}

/** Another tab comes to the front, or goes: the browser under test has only one to show. */
async function look(page: Page, state: "hidden" | "visible"): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value });
    Object.defineProperty(document, "hidden", { configurable: true, value: value === "hidden" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}
