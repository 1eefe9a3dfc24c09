import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

const finished = "Done and cancelled jobs, in days";
const dead = "Dead jobs, in days";

test.describe("C086: how long jobs are kept", () => {
  test.afterEach(async ({ page }) => {
    await page.goto("/settings");
    await page.getByLabel(finished).fill("30");
    await page.getByLabel(dead).fill("90");
    await page.getByRole("button", { name: "Keep so long" }).click();
    await expect(page.getByText("kept 30 days after their end, dead ones 90 days after their end")).toBeVisible();
  });

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? "with a script" : "without a script", () => {
      test.use({ javaScriptEnabled });

      test("C086: is set; less than 0 is refused beside its field, with what was typed still there", async ({
        page,
        allow,
      }) => {
        allow(/status of 400/);
        await page.goto("/settings");
        await page.getByLabel(finished).fill("0");
        await page.getByLabel(dead).fill("1");
        await page.getByRole("button", { name: "Keep so long" }).click();
        await expect(page.getByText("kept for ever, dead ones 1 day after their end")).toBeVisible();
        await page.getByLabel(dead).fill("-1");
        await page.getByRole("button", { name: "Keep so long" }).click();
        await expect(page.getByLabel(dead)).toHaveAccessibleDescription(/is at least 0/);
        await expect(page.getByLabel(dead)).toHaveValue("-1");
        await expect(page.getByText("kept for ever, dead ones 1 day after their end")).toBeVisible();
        if (javaScriptEnabled) await clean(page, "settings with a refused number");
      });
    });
  }
});
