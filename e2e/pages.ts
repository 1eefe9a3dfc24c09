import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** What several specs look at, or do, on the dashboard's pages. */

/** The word beside a job's name: how it stands. */
export const badge = (page: Page): Locator => page.locator("main h1 + *");

/** The attempts on a job's page, newest first. */
export const attempts = (page: Page): Locator => page.locator("li[id^=attempt-]");

/** The row of a job in any list. */
export const row = (page: Page, id: string): Locator => page.locator(`tr[data-job="${id}"]`);

export const card = (page: Page, title: string): Locator =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });

export const toast = (page: Page): Locator => page.locator("[role=status][aria-live]");

export const payloadField = (page: Page): Locator => page.getByRole("textbox", { name: "Payload" });

/** Fills in the form for a `demo` and sends it. Gives the id of the job whose page follows. */
export async function submitDemo(page: Page, payload: object, options: Record<string, string> = {}): Promise<string> {
  await page.goto("/submit?kind=demo&as=json");
  await payloadField(page).fill(JSON.stringify(payload));
  for (const [label, value] of Object.entries(options)) await page.getByLabel(label).fill(value);
  await page.getByRole("button", { name: "Submit job" }).click();
  return shownJob(page);
}

/** The id of the job whose page is open. */
export async function shownJob(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}

/** Whether what is on screen keeps itself up to date, in a word. */
export const connection = (page: Page): Locator => page.locator("main [role=status][title]");

/** Whether the page's scripts run by now. */
export const ready = (page: Page): Promise<void> =>
  expect(page.getByRole("button", { name: "Refresh now" }).first()).toBeVisible();

/** The jobs that a page of a list shows, in its order. */
export const shownIds = (page: Page): Promise<string[]> =>
  page.locator("tr[data-job]").evaluateAll((rows) => rows.map((one) => (one as HTMLElement).dataset.job as string));

/** Goes to the next page of a list, or back; false where there is none. */
export async function turn(page: Page, way: "Older" | "Newer"): Promise<boolean> {
  const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: way });
  if (!(await link.isVisible())) return false;
  const first = (await shownIds(page))[0];
  await link.click();
  await expect.poll(async () => (await shownIds(page))[0]).not.toBe(first);
  return true;
}

/** Every text that was shown there from now on. */
export async function changes(where: Locator): Promise<() => Promise<string[]>> {
  await where.evaluate((element) => {
    const seen = [element.textContent ?? ""];
    Object.assign(window, { seen });
    new MutationObserver(() => seen.push(element.textContent ?? "")).observe(element, {
      subtree: true,
      characterData: true,
      childList: true,
    });
  });
  return () => where.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

/** Goes to it by Tab alone, and presses it. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** By Tab alone, and it can be seen where one is. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let i = 0; i < 80; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      expect(await target.evaluate(marked), (await target.textContent()) ?? "").toBe(true);
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never came to ${target}.`);
}

function marked(element: Element): boolean {
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
}
