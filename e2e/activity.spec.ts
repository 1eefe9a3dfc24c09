import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { card, ready, tabTo } from "./pages.ts";
import { Server } from "./server.ts";

let server: Server;
let api: Api;
test.beforeAll(async () => {
  server = await Server.start();
  api = new Api(server.url);
});
test.afterAll(() => server.stop());

const later = () => api.submit({ kind: "demo", payload: {}, delaySeconds: 86_400 });
const did = async (path: string, body: object = {}) => {
  const response = await api.call("POST", path, body);
  expect(response.status, path).toBeLessThan(300);
};

test("what was done is told with its reason, leads to what it was done to, and unfolds what changed", async ({
  page,
}) => {
  const job = await later();
  await did(`/jobs/${job}/cancel`, { reason: "not needed any more" });
  await did("/kinds/demo/limits", { limits: { running: 3 } });
  await did("/kinds/demo/limits", { limits: { running: 5 } });
  await page.goto(`${server.url}/activity`);
  const rows = page.locator("tr[data-deed]");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(2)).toContainText("cancelled the job");
  await expect(rows.nth(2)).toContainText("“not needed any more”");
  const limits = rows.nth(0);
  await expect(limits).toContainText("set limits of the kind demo");
  await expect(limits.locator("dl")).toBeHidden();
  await ready(page);
  await tabTo(page, limits.locator("summary"));
  await page.keyboard.press("Enter");
  await expect(limits.locator("dl")).toHaveText("limits3 at once, now 5 at once");

  await rows.nth(2).getByRole("link", { name: "the job" }).click();
  await expect(page).toHaveURL(`${server.url}/jobs/${job}`);
  await card(page, "Who did what").getByRole("link", { name: "All that was done here" }).click();
  await expect(page).toHaveURL(`${server.url}/activity?object=${job}`);
  await expect(rows).toHaveCount(1);
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(rows).toHaveCount(3);
});

test("who, what and when are asked in the address, and what is not understood is said", async ({ page }) => {
  await did(`/jobs/${await later()}/cancel`, { reason: "found by what" });
  await page.goto(`${server.url}/activity`);
  await ready(page);
  await page.getByLabel("What", { exact: true }).selectOption("cancelled a job");
  await expect(page).toHaveURL(`${server.url}/activity?action=cancel`);
  await expect(page.locator("tr[data-deed]").first()).toContainText("“found by what”");
  await page.getByLabel("When").fill("noon");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${server.url}/activity?action=cancel&at=noon`);
  await expect(page.getByLabel("When")).toBeFocused();
  await expect(page.getByLabel("When")).toHaveValue("noon");
  await expect(page.getByRole("alert").filter({ hasText: "When: is no stretch of time" })).toBeVisible();
  await page.getByLabel("When").fill("<2020-01-01");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("heading", { name: "Nobody did that" })).toBeVisible();
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page.getByLabel("When")).toHaveValue("");
  await expect(page.getByLabel("What", { exact: true })).toHaveValue("");
});

test("what is typed while a choice is on its way stays", async ({ page }) => {
  await page.goto(`${server.url}/activity`);
  await ready(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/activity\.data\?action=cancel$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByLabel("What", { exact: true }).selectOption("cancelled a job");
  await page.getByLabel("When").fill("1h");
  release();
  await expect(page.getByRole("link", { name: "Show all" })).toBeVisible();
  await expect(page.getByLabel("When")).toHaveValue("1h");
  await expect(page.getByLabel("What", { exact: true })).toHaveValue("cancel");
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page.getByLabel("What", { exact: true })).toHaveValue("");
  await expect(page.getByLabel("When")).toHaveValue("");
});

test("what is done meanwhile waits behind a button, and moves nothing", async ({ page }) => {
  await did(`/jobs/${await later()}/cancel`);
  await page.goto(`${server.url}/activity`);
  await ready(page);
  const first = page.locator("tr[data-deed]").first();
  const id = await first.getAttribute("data-deed");
  for (let n = 0; n < 3; n++) await did(`/jobs/${await later()}/cancel`, { reason: `meanwhile ${n}` });
  await expect(page.getByRole("button", { name: "3 new" })).toBeVisible();
  expect(await first.getAttribute("data-deed")).toBe(id);
  await page.getByRole("button", { name: "3 new" }).click();
  await expect(first).toContainText("“meanwhile 2”");
  await expect(page.getByRole("button", { name: "3 new" })).toBeHidden();
});

test("a hundred jobs of an operation are one line, and a phone shows it without scrolling sideways", async ({
  page,
}) => {
  await api.submitAll(Array.from({ length: 100 }, () => ({ kind: "demo", payload: {}, delaySeconds: 86_400 })));
  await did("/bulk", { action: "cancel", filter: { view: "scheduled", kind: "demo" }, reason: "all of them" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${server.url}/activity`);
  const row = page.locator("tr[data-deed]").first();
  await expect(row).toContainText("cancelled 100 jobs: scheduled jobs of the kind demo");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect(
    await page.getByRole("region", { name: "Activity" }).evaluate((one) => one.scrollWidth - one.clientWidth),
  ).toBe(0);
  await row.getByRole("link", { name: "100 jobs" }).click();
  await page.getByRole("link", { name: "All that was done here" }).click();
  await expect(page.locator("tr[data-deed]")).toHaveCount(1);
});
