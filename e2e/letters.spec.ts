import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { toast } from "./pages.ts";
import { Server } from "./server.ts";

test("replaying is turned on for a time and off again, and the page says so", async ({ page }) => {
  await page.goto("/dead");
  await page.getByRole("link", { name: "Dead letters" }).click();
  await expect(page).toHaveURL(/\/dead\/letters$/);
  await expect(page.getByRole("heading", { name: "Dead letters", exact: true })).toBeVisible();
  await page.getByLabel("For", { exact: true }).selectOption("6 hours");
  await page.getByRole("button", { name: "Send again instead" }).click();
  await expect(toast(page)).toContainText("Dead letters are sent again, and end no job");
  await expect(page.getByText(/are sent again, and end no job, until/)).toBeVisible();
  await clean(page, "dead letters while replaying is on");
  await page.getByRole("button", { name: "End jobs again" }).click();
  await expect(page.getByRole("button", { name: "Send again instead" })).toBeVisible();
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("it works all the same", async ({ page }) => {
    await page.goto("/dead/letters");
    await page.getByRole("button", { name: "Send again instead" }).click();
    await expect(page.getByText(/are sent again, and end no job, until/)).toBeVisible();
    await page.getByRole("button", { name: "End jobs again" }).click();
    await expect(page.getByRole("button", { name: "Send again instead" })).toBeVisible();
  });
});

test.describe("with letters", () => {
  let server: Server;
  let site: Api;
  test.beforeAll(async () => {
    server = await Server.start();
    site = new Api(server.url);
  });
  test.afterAll(() => server?.stop());

  test("each tells why it is here; one that ended its job is sent again, and one that nobody understands is not", async ({
    page,
  }) => {
    const id = await site.submit({ kind: "demo", payload: { permanent: true } });
    await site.until(id, "dead");
    const body = JSON.stringify({ v: 1, jobId: id, attempt: 1, kind: "demo" });
    server.database((db) => {
      // As if it had died of its message, not of itself.
      db.prepare("UPDATE jobs SET attempt = 0, forgiven = 0 WHERE id = ?").run(id);
      const put = db.prepare(
        "INSERT INTO dead_letters (message_id, queue, at, body, job_id, attempt, fate) VALUES (?, ?, ?, ?, ?, ?, ?)",
      );
      put.run("m-buried", "redrive-dead", 2, body, id, 1, "buried");
      put.run("m-unread", "redrive-normal", 1, `{"v":2,"text":"${"long ".repeat(300)}"}`, null, null, "unreadable");
    });
    await page.goto(`${server.url}/dead/letters`);
    const row = (message: string) => page.locator(`tr[data-letter="${message}"]`);
    await expect(row("m-unread")).toContainText("this release reads version 1 of messages, this one is of version 2");
    await expect(row("m-unread").getByRole("button", { name: "Send again" })).toHaveAttribute("aria-disabled", "true");
    await clean(page, "dead letters");
    await page.setViewportSize({ width: 390, height: 844 });
    await clean(page, "dead letters on a phone");
    await row("m-buried").getByRole("button", { name: "Send again" }).click();
    await expect(toast(page)).toContainText("Its message is sent again: here is its job.");
    await expect(row("m-buried")).toContainText("sent again 1 of at most 3 times");
  });
});
