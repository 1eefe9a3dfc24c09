import type { Browser, Page } from "@playwright/test";
import { Api, VIEWS } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { card, ready, row, shownIds } from "./pages.ts";
import { Receiver } from "./receiver.ts";
import { Server } from "./server.ts";

const DEMO = { kind: "demo", payload: {} };
const LATER = { ...DEMO, delaySeconds: 3_600 };

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

test("two browsers on one list: jobs run, finish, arrive and leave, and in each its selection, scroll and counts stay right", async ({
  browser,
}) => {
  const ends = Promise.withResolvers<void>();
  receiver.answer = async ({ path }) => {
    if (path === "/later") await ends.promise;
    return {};
  };
  const call = (path: string) => ({ kind: "http_request", payload: { url: receiver.origin + path } });
  await api.submitAll(times(20, DEMO));
  const waiting = (await api.submitAll(times(20, LATER))).toReversed();
  const running = await api.submitAll(times(3, call("/later")));
  for (const id of running) await api.until(id, "processing");

  const [a, b] = [await opened(browser, "/jobs"), await opened(browser, "/jobs")];
  const first = await shownIds(a);
  expect(first).toEqual([...running.toReversed(), ...first.slice(3)]);
  await tick(a, waiting[2], waiting[5]);
  await tick(b, waiting[3]);
  await box(b, waiting[7]).click({ modifiers: ["Shift"] });
  await leaves(b);
  await a.evaluate(() => window.scrollTo(0, 250));
  await b.evaluate(() => window.scrollTo(0, 120));
  await rests(a, waiting[2]);
  const [before, beside] = [await looks(a), await looks(b)];
  expect([before.scroll, before.selected, beside.scroll, beside.selected]).toEqual([
    250,
    "2 selected",
    120,
    "5 selected",
  ]);

  // Some finish, some arrive.
  ends.resolve();
  await api.submitAll(times(12, DEMO));
  for (const page of [a, b]) {
    await counted(page);
    for (const id of running) await expect(row(page, id)).toContainText("Done");
    await expect(page.getByRole("button", { name: "12 new" })).toBeVisible();
  }
  expect(await looks(a)).toEqual(before);
  expect(await looks(b)).toEqual(beside);

  // One takes the new ones in, the other goes on looking at what it has.
  await b.getByRole("button", { name: "12 new" }).click();
  await expect(row(b, first[0] as string)).toBeVisible();
  await expect.poll(() => shownIds(b)).toEqual([...(await newest(12)), ...first.slice(0, 13)]);
  await expect(bar(b)).toContainText("5 selected");
  expect(await looks(a)).toEqual(before);

  // What one does to the jobs, the other sees: in its place, and still ticked.
  await bar(a).getByRole("button", { name: "Cancel selected" }).click();
  await a.getByRole("dialog").getByRole("button", { name: "Cancel 2 jobs" }).click();
  for (const page of [a, b]) {
    for (const id of [waiting[2], waiting[5]]) await expect(row(page, id as string)).toContainText("Cancelled");
    await counted(page);
  }
  await expect(bar(a)).toContainText("None selected");
  await expect(box(b, waiting[5])).toBeChecked();
  await expect(bar(b)).toContainText("5 selected");
  // Whoever acts looks at the list anew, as soon as no row is pointed at.
  await leaves(a);
  await expect.poll(() => shownIds(a)).toEqual(await shownIds(b));

  // A list of one state: who leaves it leaves a row under a pointer alone, takes its tick along, and is counted no more.
  await bar(b).getByRole("button", { name: "Clear" }).click();
  for (const page of [a, b]) {
    await page.goto(`${server.url}/jobs?view=scheduled`);
    await ready(page);
    await tick(page, waiting[8], waiting[9], waiting[10]);
  }
  await rests(a, waiting[4]);
  await leaves(b);
  const listed = await shownIds(a);
  await api.call("POST", `/jobs/${waiting[9]}/cancel`);
  await expect.poll(() => shownIds(b)).toEqual(listed.filter((id) => id !== waiting[9]));
  for (const page of [a, b]) {
    await expect(bar(page)).toContainText("2 selected");
    await counted(page);
  }
  expect(await shownIds(a)).toEqual(listed);
  await leaves(a);
  await expect(row(a, waiting[9] as string)).toBeHidden();
  await Promise.all([a, b].map((page) => page.context().close()));
});

test("a row keeps its height: an error that goes leaves its line, one that comes takes none", async ({ page }) => {
  const fails = await api.submit({ ...DEMO, payload: { failTimes: 1 }, maxAttempts: 1 });
  await api.until(fails, "dead");
  await api.call("POST", "/kinds/demo/pause", { reason: "until the page stands" });
  const dies = await api.submit({ ...DEMO, payload: { permanent: true } });
  await page.goto(`${server.url}/jobs?kind=demo`);
  await ready(page);
  await expect(row(page, fails)).toContainText("Dead");
  await expect(row(page, dies)).toContainText("held by pause");
  const before = await looks(page);

  await api.call("POST", `/jobs/${fails}/requeue`);
  await api.call("POST", "/kinds/demo/resume");
  await expect(row(page, fails)).toContainText("Done");
  await expect(row(page, dies)).toContainText("told to fail");
  expect(await looks(page)).toEqual(before);
});

test("with the sweeper stopped, an open overview says by itself that it is late, and on time again after a sweep", async ({
  page,
}) => {
  await server.tick();
  // Two minutes are spent without waiting: half of what the sweeper may be late before it is told.
  age(125_000);
  await page.goto(server.url);
  await ready(page);
  await page.evaluate(() => Object.assign(window, { loaded: "once" }));
  await expect(sweeper(page)).toContainText("on time");
  await expect(page.getByText("The sweeper is late")).toBeHidden();

  await expect(page.getByText("The sweeper is late")).toBeVisible({ timeout: 40_000 });
  await expect(sweeper(page)).toContainText("late");
  // Long before the sixth minute: it has ended a little over two and a half ago.
  expect(sinceSweep()).toBeLessThan(180_000);

  await server.tick();
  // A sweep that found nothing is told with whatever happens next, or a minute later.
  await api.submit(DEMO);
  await expect(sweeper(page)).toContainText("on time");
  await expect(page.getByText("The sweeper is late")).toBeHidden();
  expect(await page.evaluate(() => "loaded" in window)).toBe(true);
});

const times = (n: number, job: object): object[] => Array.from({ length: n }, () => job);
const bar = (page: Page) => page.getByRole("form", { name: "Selected jobs" });
const box = (page: Page, id = "") => row(page, id).getByRole("checkbox");
const sweeper = (page: Page) => card(page, "Sweeper");

/** In a browser of its own, so that none of its storage is another's. */
async function opened(browser: Browser, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(server.url + path);
  await ready(page);
  return page;
}

async function tick(page: Page, ...ids: (string | undefined)[]): Promise<void> {
  for (const id of ids) await box(page, id).check();
}

/** The pointer comes to rest on the row of a job. */
async function rests(page: Page, id = ""): Promise<void> {
  const place = await row(page, id).boundingBox();
  if (!place) throw new Error("the row is not on screen");
  await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
}

/** Neither pointer nor focus stays in the list. */
const leaves = (page: Page): Promise<void> => page.getByRole("heading", { level: 1 }).click();

/** Which rows there are, where, which are ticked, and how far the page is scrolled. */
async function looks(page: Page) {
  const rows = page.locator("tr[data-job]");
  return {
    rows: await rows.evaluateAll((all) =>
      all.map((one) => [
        (one as HTMLElement).dataset.job,
        Math.round(one.getBoundingClientRect().top),
        (one.querySelector("input[type=checkbox]") as HTMLInputElement).checked,
      ]),
    ),
    scroll: await page.evaluate(() => window.scrollY),
    selected: (await bar(page).getByRole("status").first().textContent())?.trim(),
  };
}

/** Every tab tells what the API counts at this moment. */
async function counted(page: Page): Promise<void> {
  const tabs = page.getByRole("navigation", { name: "Views" });
  await expect(async () => {
    const counts = await api.counts();
    const all = Object.values(counts).reduce((sum, n) => sum + n);
    const told = VIEWS.map((view) => `${view.charAt(0).toUpperCase()}${view.slice(1)}${counts[view]}`);
    await expect(tabs.getByRole("link")).toHaveText([`All${all}`, ...told], { timeout: 500 });
  }).toPass({ timeout: 15_000 });
}

const newest = async (n: number): Promise<string[]> => (await api.list()).slice(0, n).map(({ id }) => id);

/** As if the last sweep had ended so many ms earlier. */
function age(ms: number): void {
  server.database((db) =>
    db.prepare("UPDATE sweeps SET started_at = started_at - ?1, finished_at = finished_at - ?1").run(ms),
  );
}

function sinceSweep(): number {
  const { at } = server.database((db) => db.prepare("SELECT max(finished_at) AS at FROM sweeps").get()) as {
    at: number;
  };
  return Date.now() - at;
}
