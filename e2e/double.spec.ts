import type { Page } from "@playwright/test";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { badge, payloadField, shownJob, toast } from "./pages.ts";

const LATENCY_MS = 300;
const api = new Api(process.env.REDRIVE_URL as string);

test("C046: a double click, a reload and Back with the same form make one job", async ({ page }) => {
  const payload = '{"failTimes": 611}';
  await slowly(page);
  await page.goto("/submit?kind=demo&as=json");
  await payloadField(page).fill(payload);
  const posts = posted(page);
  await page.getByRole("button", { name: "Submit job" }).dblclick();
  const pending = page.getByRole("button", { name: "Submitting…" });
  await expect(pending).toHaveAttribute("aria-disabled", "true");
  const id = await shownJob(page);
  expect(posts).toHaveLength(1);
  expect(await labelled("fails 611×")).toEqual([id]);

  // The page is where a redirect led: the browser asks nothing, and sends nothing again.
  await page.reload();
  await expect(badge(page)).toBeVisible();
  expect(posts).toHaveLength(1);

  await page.goBack();
  await expect(payloadField(page)).toHaveValue(payload);
  await page.getByRole("button", { name: "Submit job" }).click();
  expect(await shownJob(page)).toBe(id);
  await expect(toast(page)).toContainText("This form was submitted before: here is its job. No second one was made.");
  expect(await labelled("fails 611×")).toEqual([id]);
});

test("C046: what was changed before it was sent again is another intention, and makes another job", async ({
  page,
  allow,
}) => {
  // The browser tells of every such answer.
  allow(/status of 409/);
  await page.goto("/submit?kind=demo&as=json");
  await payloadField(page).fill('{"failTimes": 612}');
  await page.getByRole("button", { name: "Submit job" }).click();
  const id = await shownJob(page);
  await page.goBack();
  await payloadField(page).fill('{"failTimes": 613}');
  await page.getByRole("button", { name: "Submit job" }).click();
  await expect(page.getByRole("alert")).toContainText("This form was submitted before, with other values");
  await expect(page.getByRole("alert").getByRole("link")).toHaveAttribute("href", `/jobs/${id}`);
  expect(await labelled("fails 613×")).toEqual([]);
  await page.getByRole("button", { name: "Submit job" }).click();
  const other = await shownJob(page);
  expect(await labelled("fails 613×")).toEqual([other]);
  expect(await labelled("fails 612×")).toEqual([id]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("C046: a double click, a reload and Back with the same form make one job", async ({ page }) => {
    const payload = '{"failTimes": 614}';
    await slowly(page);
    await page.goto("/submit?kind=demo&as=json");
    await payloadField(page).fill(payload);
    await page.getByRole("button", { name: "Submit job" }).dblclick();
    const id = await shownJob(page);
    expect(await labelled("fails 614×")).toEqual([id]);

    const posts = posted(page);
    await page.reload();
    await expect(badge(page)).toBeVisible();
    expect(posts).toEqual([]);

    await page.goBack();
    await expect(payloadField(page)).toHaveValue(payload);
    await page.getByRole("button", { name: "Submit job" }).click();
    expect(await shownJob(page)).toBe(id);
    await expect(toast(page)).toContainText("This form was submitted before");
    expect(await labelled("fails 614×")).toEqual([id]);
  });
});

async function slowly(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send("Network.emulateNetworkConditions", { ...unlimited, latency: LATENCY_MS });
}

/** Fills with what the page sends from here on. */
function posted(page: Page): string[] {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  return posts;
}

async function labelled(label: string): Promise<string[]> {
  return (await api.list({ kind: "demo" })).filter((job) => job.label === label).map(({ id }) => id);
}
