import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

/** Each of these fails the test whose page says it. */
const SAYS: Record<string, () => void> = {
  "an error on the console": () => console.error("an error"),
  "a warning on the console": () => console.warn("a warning"),
  "an error that nobody catches": () => void setTimeout(() => JSON.parse("{")),
  "a promise that nobody catches": () => void Promise.reject(new Error("nobody")),
};

for (const [what, says] of Object.entries(SAYS)) {
  test(`${what} fails a test`, async ({ page }) => {
    test.fail();
    await page.goto("/jobs");
    await say(page, says);
  });

  test(`${what} fails a test, also in a second browser`, async ({ browser }) => {
    test.fail();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(process.env.REDRIVE_URL as string);
    await say(page, says);
    await context.close();
  });
}

test("what a test allows does not", async ({ page, allow }) => {
  allow(/^an error$/);
  await page.goto("/jobs");
  const told = page.waitForEvent("console");
  await page.evaluate(() => console.error("an error"));
  expect((await told).text()).toBe("an error");
});

/** What is thrown later, or by a promise, is heard before this ends. */
async function say(page: Page, what: () => void): Promise<void> {
  await page.evaluate(what);
  await page.evaluate(() => new Promise((heard) => setTimeout(heard)));
}
