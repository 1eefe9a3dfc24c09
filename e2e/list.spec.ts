import type { Locator, Page } from "@playwright/test";
import { Api, type Counts, VIEWS } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { badge, ready, row, shownIds, toast, turn } from "./pages.ts";
import { Receiver } from "./receiver.ts";
import { Server } from "./server.ts";

const PAGE = 25;
const LATER = { status: 503, headers: { "Retry-After": "3600" } };

// Counted to the last job: nobody else may write here.
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

test("C050: every counter equals the list it stands for, in each view, of each kind, and after each change", async ({
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receiver.answer = async ({ path }) => {
    if (path === "/held") await released;
    return path === "/gone" ? { status: 410 } : path === "/ok" ? {} : LATER;
  };
  const call = (path: string) => ({ kind: "http_request", payload: { url: receiver.origin + path } });
  const demo = (payload: object, more = {}) => ({ kind: "demo", payload, ...more });
  const ids = await api.submitAll([
    ...times(7, demo({})),
    ...times(3, call("/ok")),
    ...times(2, demo({ permanent: true })),
    ...times(2, call("/gone")),
    ...times(3, call("/later")),
    ...times(6, demo({}, { delaySeconds: 3_600 })),
  ]);
  await api.call("POST", `/jobs/${ids.at(-1)}/cancel`);
  const counts = { scheduled: 5, pending: 0, retrying: 3, processing: 0, done: 10, dead: 4, cancelled: 1 };
  await expect.poll(() => api.counts()).toEqual(counts);
  const held = await api.submitAll(times(2, call("/held")));
  for (const id of held) await api.until(id, "processing");
  await compare(page, { ...counts, processing: 2 });
  await overview(page, { ...counts, processing: 2 });

  release();
  for (const id of held) await expect.poll(async () => (await api.job(id)).view).toBe("retrying");
  await compare(page, { ...counts, retrying: 5 });
  await compare(
    page,
    { scheduled: 0, pending: 0, retrying: 5, processing: 0, done: 3, dead: 2, cancelled: 0 },
    "http_request",
  );

  receiver.answer = () => ({});
  const dead = await api.list({ view: "dead", kind: "http_request" });
  for (const { id } of dead) {
    await api.call("POST", `/jobs/${id}/requeue`);
    await api.until(id, "done");
  }
  await compare(page, { ...counts, retrying: 5, done: 12, dead: 2 });
  await compare(
    page,
    { scheduled: 0, pending: 0, retrying: 5, processing: 0, done: 5, dead: 0, cancelled: 0 },
    "http_request",
  );
  await compare(page, { scheduled: 5, pending: 0, retrying: 0, processing: 0, done: 7, dead: 2, cancelled: 1 }, "demo");
  await overview(page, { ...counts, retrying: 5, done: 12, dead: 2 });
});

test("C049: walking the pages shows every job once, whatever comes and goes meanwhile, and back the same rows", async ({
  page,
}) => {
  // One call is one moment. Some have more than one attempt: a row is a job all the same.
  const all = await api.submitAll([
    ...times(10, { kind: "demo", payload: { failTimes: 2 } }),
    ...times(50, { kind: "demo", payload: {} }),
  ]);
  for (const id of all) await api.until(id, "done");
  const before = (await api.list({ kind: "demo", view: "done" })).map(({ id }) => id);
  expect(before.length).toBeGreaterThanOrEqual(60);

  await page.goto(`${server.url}/jobs?view=done&kind=demo`);
  await ready(page);
  const pages = [await shownIds(page)];
  const more = await api.submitAll(times(10, { kind: "demo", payload: {} }));
  for (const id of more) await api.until(id, "done");
  while (await turn(page, "Older")) pages.push(await shownIds(page));
  expect(pages.map(({ length }) => length)).toEqual(
    [...times(Math.floor(before.length / PAGE), PAGE), before.length % PAGE].filter(Boolean),
  );
  expect(pages.flat()).toEqual(before);

  // Back again: the same rows page by page, and the new ones above them.
  for (const same of pages.toReversed().slice(1)) {
    await turn(page, "Newer");
    expect(await shownIds(page)).toEqual(same);
  }
  await turn(page, "Newer");
  expect((await shownIds(page)).slice(0, more.length)).toEqual(more.toReversed());
  expect(await turn(page, "Newer")).toBe(false);

  // One of the first page leaves while the second is read: nobody else moves.
  const scheduled = await api.submitAll(
    times(60, { kind: "http_request", payload: { url: receiver.origin }, delaySeconds: 3_600 }),
  );
  await page.goto(`${server.url}/jobs?view=scheduled&kind=http_request`);
  const walked = await shownIds(page);
  expect(walked).toHaveLength(PAGE);
  await api.call("POST", `/jobs/${walked[3]}/cancel`);
  while (await turn(page, "Older")) walked.push(...(await shownIds(page)));
  expect(walked).toEqual(scheduled.toReversed());
  await compare(page, { ...(await api.counts("http_request")), scheduled: 59 }, "http_request");
});

test("C051: the address holds the view: refreshes, an action, another tab and Back keep it", async ({
  page,
  context,
}) => {
  const ids = await api.submitAll(times(60, { kind: "demo", payload: { failTimes: 1 }, maxAttempts: 1 }));
  for (const id of ids) await api.until(id, "dead");
  await page.clock.install();
  await page.goto(`${server.url}/jobs`);
  await ready(page);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Dead" }).click();
  await expect(page).toHaveURL(/\/jobs\?view=dead$/);
  await page.getByLabel("Kind").selectOption("demo");
  await expect(page).toHaveURL(/view=dead&kind=demo$/);
  await turn(page, "Older");
  const address = page.url();
  const rows = await shownIds(page);
  await page.evaluate(() => window.scrollTo(0, 200));
  for (let i = 0; i < 3; i++) {
    const refreshed = page.waitForResponse(/\/api\/v1\/jobs\?/);
    await page.clock.runFor(20_000);
    await refreshed;
  }
  expect([page.url(), await shownIds(page), await page.evaluate(() => window.scrollY)]).toEqual([address, rows, 200]);
  await expect(page.getByLabel("Kind")).toHaveValue("demo");

  const other = await context.newPage();
  await other.goto(address);
  expect(await shownIds(other)).toEqual(rows);

  // An action on one of them, and back by the page's own way to the very same list, where it is no more.
  const [id = ""] = rows;
  await row(page, id).getByRole("link").click();
  await page.getByRole("button", { name: "Requeue" }).click();
  await expect(toast(page)).toContainText("Requeued");
  await api.until(id, "done");
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").click();
  await expect(page).toHaveURL(address);
  await expect.poll(async () => (await shownIds(page)).slice(0, PAGE - 1)).toEqual(rows.slice(1));

  await page.goBack();
  await expect(badge(page)).toHaveText("Done");
  await page.goBack();
  await expect(page).toHaveURL(address);
  await page.goBack();
  await expect(page).toHaveURL(/\/jobs\?view=dead&kind=demo$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/jobs\?view=dead$/);
  await expect(page.getByLabel("Kind")).toHaveValue("");
});

test("what is chosen adds to what was chosen before, also while that is still on its way", async ({ page }) => {
  await api.submit({ kind: "demo", payload: {} });
  await page.goto(`${server.url}/jobs`);
  await ready(page);
  // Who sees that something is on its way acts then; before that only a machine does.
  const onItsWay = async (link: Locator, asks: RegExp) => {
    await page.route(asks, () => {});
    await link.click();
    await expect(page.locator(".loading-bar")).toBeAttached();
  };
  const views = page.getByRole("navigation", { name: "Views" });
  await onItsWay(views.getByRole("link", { name: "Dead" }), /\/jobs\.data\?view=dead$/);
  await page.getByLabel("Kind").selectOption("demo");
  await expect(page).toHaveURL(/\/jobs\?view=dead&kind=demo$/);
  await expect(page.getByLabel("Kind")).toHaveValue("demo");

  await onItsWay(views.getByRole("link", { name: "Done" }), /\/jobs\.data\?view=done&kind=demo$/);
  await page.getByRole("combobox", { name: "Filter" }).fill("attempts:1");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/jobs\?view=done&kind=demo&q=attempts%3A1$/);
  await expect(views.locator("[aria-current=page]")).toContainText("Done");

  // What is on its way to another page is no filter: the choice is of the list on screen.
  await onItsWay(page.getByRole("link", { name: "Operations" }), /\/operations\.data/);
  await page.getByLabel("Kind").selectOption("");
  await expect(page).toHaveURL(/\/jobs\?view=done&q=attempts%3A1$/);
});

/** Goes through all tabs: the number on each is that of the rows behind it, paged to the end. */
async function compare(page: Page, counts: Counts, kind?: string): Promise<void> {
  await page.goto(`${server.url}/jobs${kind ? `?kind=${kind}` : ""}`);
  await ready(page);
  const tabs = page.getByRole("navigation", { name: "Views" });
  const seen: string[] = [];
  for (const view of VIEWS) {
    const label = capital(view);
    const tab = tabs.getByRole("link", { name: label });
    await expect(tab).toHaveText(`${label}${counts[view]}`);
    await tab.click();
    await expect(tab).toHaveAttribute("aria-current", "page");
    const ids = await toTheEnd(page);
    expect([view, ids.length]).toEqual([view, counts[view]]);
    seen.push(...ids);
  }
  const all = tabs.getByRole("link", { name: "All" });
  await all.click();
  await expect(all).toHaveAttribute("aria-current", "page");
  await expect(all).toHaveText(`All${seen.length}`);
  expect((await toTheEnd(page)).sort()).toEqual(seen.sort());
}

async function toTheEnd(page: Page): Promise<string[]> {
  const ids = await shownIds(page);
  while (await turn(page, "Older")) ids.push(...(await shownIds(page)));
  return ids;
}

/** The overview's numbers, in all and by kind. */
async function overview(page: Page, counts: Counts): Promise<void> {
  await page.goto(server.url);
  const tiles = page.getByRole("navigation", { name: "Jobs by state" }).getByRole("link");
  const total = Object.values(counts).reduce((sum, n) => sum + n);
  await expect(tiles).toHaveText([`All${total}`, ...VIEWS.map((view) => `${capital(view)}${counts[view]}`)]);
  const table = page.getByRole("region", { name: "Jobs by kind and state" });
  for (const kind of ["demo", "http_request"]) {
    const of = await api.counts(kind);
    await expect(
      table
        .getByRole("row")
        .filter({ has: page.getByRole("link", { name: kind }) })
        .getByRole("cell"),
    ).toHaveText([kind, ...VIEWS.map((view) => String(of[view]))]);
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const times = <T>(n: number, one: T): T[] => Array.from({ length: n }, () => one);
