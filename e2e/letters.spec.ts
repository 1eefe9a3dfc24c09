import { expect, test } from "./fixtures.ts";
import { clean, toast } from "./pages.ts";

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
