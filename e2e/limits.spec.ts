import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { ready, row, toast } from "./pages.ts";
import { Server } from "./server.ts";

let server: Server;
let api: Api;
test.beforeEach(async () => {
  server = await Server.start();
  api = new Api(server.url);
});
test.afterEach(async ({ context }) => {
  for (const page of context.pages()) await page.close();
  await server.stop();
});

const slow = (durationMs: number) => ({ kind: "demo", payload: { durationMs } });

test("a limit that is set on the page of kinds holds jobs, says so where they are shown, and a place that is left is filled", async ({
  page,
}) => {
  await page.goto(`${server.url}/kinds`);
  await ready(page);
  const demo = page.locator('[data-kind="demo"]');
  await expect(demo).toContainText("No limits");
  await demo.getByText("Limits…").click();
  await demo.getByLabel("At once", { exact: true }).fill("0");
  await demo
    .getByLabel("At once", { exact: true })
    .evaluate((field) => (field as HTMLInputElement).form?.setAttribute("novalidate", ""));
  await demo.getByRole("button", { name: "Set limits of demo" }).click();
  await expect(toast(page)).toContainText("A limit is a whole number from 1 to 100,000, or empty. Nothing changed.");
  await demo.getByLabel("At once", { exact: true }).fill("1");
  await demo.getByLabel("Why these limits").fill("the provider asked for it");
  await demo.getByRole("button", { name: "Set limits of demo" }).click();
  await expect(toast(page).last()).toContainText("Limits set");
  await expect(demo).toContainText("Limits: 1 at once");
  await expect(demo).toContainText("Set by local");
  await expect(demo).toContainText("the provider asked for it");
  await clean(page, "kinds with a limit");

  const ids = await api.submitAll([slow(15_000), slow(10), slow(10)]);
  const [first, second] = ids as [string, string];
  await api.until(first, "processing");
  await expect(demo).toContainText("full: 1 run");
  await expect.poll(async () => (await api.job(second)).held?.by).toBe("limit");
  await page.goto(`${server.url}/jobs/${second}`);
  const standing = page.getByRole("region", { name: "How it stands" });
  await expect(standing).toContainText("Held: of the kind demo no more than 1 run at once");
  await standing.getByRole("link", { name: "these run" }).click();
  await expect(row(page, first)).toBeVisible();
  await page.goto(`${server.url}/jobs?view=pending`);
  await expect(row(page, second)).toContainText("held by the limit of its kind");
  for (const id of ids) await api.until(id, "done", 30_000);

  await page.goto(`${server.url}/kinds`);
  await ready(page);
  await demo.getByText("Limits…").click();
  await demo.getByRole("button", { name: "As its definition says" }).click();
  await expect(demo).toContainText("No limits");
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("limits are set by the form alone, and a deadline in the past is refused by the page of submit", async ({
    page,
    allow,
  }) => {
    allow(/400 \(Bad Request\)/);
    await page.goto(`${server.url}/kinds`);
    const demo = page.locator('[data-kind="demo"]');
    await demo.getByText("Limits…").click();
    await demo.getByLabel("Starts", { exact: true }).fill("10");
    await demo.getByLabel("In a").selectOption("hour");
    await demo.getByRole("button", { name: "Set limits of demo" }).click();
    await expect(demo).toContainText("Limits: 10 an hour");
    await page.goto(`${server.url}/submit?kind=demo`);
    await page.getByLabel("Expires, UTC").fill("2020-01-01T10:00:00");
    await page.getByRole("button", { name: "Submit job" }).click();
    await expect(page.getByText(/2020-01-01T10:00:00\.000Z has passed/)).toBeVisible();
    await page.getByLabel("Expires, UTC").fill("2099-01-01T10:00:00");
    await page.getByLabel("Group").fill("customer-7");
    await page.getByRole("button", { name: "Submit job" }).click();
    await expect(page.getByRole("link", { name: "customer-7" })).toBeVisible();
    await expect(page.getByText("Expires", { exact: true })).toBeVisible();
  });
});
