import type { Page } from "@playwright/test";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { attempts, badge, card, payloadField, row, shownJob, submitDemo, toast } from "./pages.ts";

const api = new Api(process.env.REDRIVE_URL as string);

test("a job that fails twice is seen waiting, running, waiting again and done, without a reload", async ({ page }) => {
  await page.goto("/submit?kind=demo&as=json");
  await page.getByRole("link", { name: "Fails twice, then works" }).click();
  await expect(payloadField(page)).toHaveValue(/"failTimes": 2/);
  // Slow enough to be seen at work.
  await payloadField(page).fill('{"failTimes": 2, "durationMs": 3000}');
  await page.getByRole("button", { name: "Submit job" }).click();
  const id = await shownJob(page);
  await page.evaluate(() => Object.assign(window, { loaded: "once" }));

  await expect(toast(page)).toContainText("Submitted.");
  await expect(badge(page)).toHaveText(/Pending|Processing/);
  await expect(badge(page)).toHaveText("Processing");
  await expect(page.getByRole("listitem").filter({ hasText: /^Attempt 1 running for \d s$/ })).toBeVisible();
  await expect(async () => {
    // This wait is short: it is not left to chance whether a poll falls into it.
    await page.getByRole("button", { name: "Refresh now" }).click();
    await expect(badge(page)).toHaveText("Retrying", { timeout: 250 });
  }).toPass();
  await expect(attempts(page).first()).toContainText("Failed");
  await expect(badge(page)).toHaveText("Done", { timeout: 20_000 });

  await expect(attempts(page)).toHaveCount(3);
  for (const [index, [what, why]] of [
    ["Done", "automatic retry"],
    ["Failed", "automatic retry"],
    ["Failed", "first attempt"],
  ].entries()) {
    await expect(attempts(page).nth(index)).toContainText(`Attempt ${3 - index}${what}${why}`);
  }
  await expect(page.getByRole("region", { name: "Result" })).toHaveText(/"attempt": 3/);
  expect(await page.evaluate(() => "loaded" in window)).toBe(true);
  const { state, attempts: rows } = await api.job(id);
  expect([state, rows.map(({ outcome }) => outcome)]).toEqual(["done", ["done", "failed", "failed"]]);
});

test("a job that always fails dies, is told by its cause, and runs again when it is requeued from the list", async ({
  page,
}) => {
  // Others died of the same: what kills most is told first.
  await api.submitAll(Array.from({ length: 20 }, () => ({ kind: "demo", payload: { failTimes: 3 }, maxAttempts: 1 })));
  // Dies of its three tries; the fourth, after a requeue, succeeds.
  const id = await submitDemo(page, { failTimes: 3 });
  await expect(badge(page)).toHaveText("Dead", { timeout: 20_000 });
  await expect(attempts(page)).toHaveCount(3);
  await expect(page.getByLabel("How it stands")).toContainText("this demo was told to fail 3 times");
  await expect(page.getByText("Tries used").locator("..")).toContainText("3 of 3");

  const cause = "this demo was told to fail 3 times";
  await page
    .getByRole("link", { name: /^Overview/ })
    .first()
    .click();
  await card(page, "Problems").getByRole("link", { name: cause }).click();
  await expect(page).toHaveURL(/\/jobs\?view=dead&cause=/);
  await expect(row(page, id)).toBeVisible();

  await page.getByRole("link", { name: /^Dead/ }).first().click();
  await expect(
    page.getByLabel("Dead jobs by cause").getByRole("link", { name: `demo: ${cause}`, exact: true }),
  ).toBeVisible();
  await row(page, id).getByRole("button", { name: "Requeue" }).click();
  await expect(toast(page)).toContainText("Requeued as generation 2.");
  await toast(page).getByRole("link", { name: "Open job" }).last().click();
  await expect(badge(page)).toHaveText("Done");
  await secondGeneration(page);
  await expect(attempts(page)).toHaveCount(4);
  await page.goto("/dead");
  await expect(row(page, id)).toBeHidden();
});

test("a job that is scheduled can be cancelled, and says who did it", async ({ page }) => {
  const id = await submitDemo(page, {}, { "Delay in seconds": "3600" });
  await expect(badge(page)).toHaveText("Scheduled");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(toast(page)).toContainText("Cancelled.");
  await expect(badge(page)).toHaveText("Cancelled");
  await expect(card(page, "Who did what")).toContainText("local cancelled it");
  await expect(page.getByRole("button", { name: "Cancel" })).toHaveAttribute("aria-disabled", "true");
  expect(await api.job(id)).toMatchObject({ state: "cancelled", attempts: [] });
});

test("who requeues what somebody else has requeued meanwhile is told so, and changes nothing", async ({
  page,
  browser,
}) => {
  const id = await submitDemo(page, { permanent: true });
  await expect(badge(page)).toHaveText("Dead");
  const other = await (await browser.newContext({ baseURL: process.env.REDRIVE_URL })).newPage();
  await other.goto(`/jobs/${id}`);
  await other.getByRole("button", { name: "Requeue" }).click();
  await expect(toast(other)).toContainText("Requeued as generation 2.");
  await expect(attempts(other)).toHaveCount(2);
  await expect(badge(other)).toHaveText("Dead");
  const before = await api.job(id);

  // A page of a final job polls no more: it still shows the first generation.
  await expect(attempts(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Requeue" }).click();
  await expect(toast(page)).toContainText("Requeued by somebody else, now dead as generation 2, nothing changed.");
  await expect(attempts(page)).toHaveCount(2);
  expect(await api.job(id)).toMatchObject({ generation: 2, attempts: before.attempts, audit: before.audit });
  await other.context().close();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("jobs are submitted, seen to fail, die and run again, and cancelled", async ({ page }) => {
    const id = await submitDemo(page, { failTimes: 3 });
    await expect(toast(page)).toContainText("Submitted.");
    await expect(async () => {
      await page.reload();
      await expect(badge(page)).toHaveText("Dead", { timeout: 500 });
    }).toPass({ timeout: 20_000 });
    await expect(toast(page)).toBeEmpty();
    await expect(attempts(page)).toHaveCount(3);

    await page.getByRole("link", { name: /^Dead/ }).first().click();
    await row(page, id).getByRole("button", { name: "Requeue" }).click();
    await expect(page).toHaveURL("/dead");
    await expect(toast(page)).toContainText("Requeued as generation 2.");
    await toast(page).getByRole("link", { name: "Open job" }).last().click();
    await expect(async () => {
      await page.reload();
      await expect(badge(page)).toHaveText("Done", { timeout: 500 });
    }).toPass({ timeout: 20_000 });
    await secondGeneration(page);

    await submitDemo(page, {}, { "Delay in seconds": "3600" });
    await expect(badge(page)).toHaveText("Scheduled");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(toast(page)).toContainText("Cancelled.");
    await expect(badge(page)).toHaveText("Cancelled");
  });
});

/** The attempts of both generations stand, with who began the second. */
async function secondGeneration(page: Page): Promise<void> {
  const steps = page.getByRole("listitem").filter({ hasText: /^Attempt \d|^Generation/ });
  await expect(steps).toHaveText([
    /^Attempt 4Done/,
    /^Generation 2 · requeued by local/,
    /^Attempt 3Failed/,
    /^Attempt 2Failed/,
    /^Attempt 1Failed/,
  ]);
  await expect(steps.first()).toContainText("requeued by a person");
  await expect(card(page, "Who did what")).toContainText("local requeued it");
}
