import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { payloadField } from "./pages.ts";
import { Server } from "./server.ts";

let server: Server;
test.beforeAll(async () => {
  server = await Server.start();
});
test.afterAll(() => server.stop());

/** Opens a page whose scripts come only when the returned function lets them. */
async function withoutScriptsYet(page: Page, path: string): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const scripts = "**/assets/*.js";
  await page.route(scripts, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(server.url + path, { waitUntil: "commit" });
  await expect(page.getByRole("main")).toBeVisible();
  return async () => {
    release();
    await expect(page.getByRole("button", { name: "Keyboard", exact: true })).toBeVisible();
    await page.unroute(scripts);
  };
}

/** Puts something else into every field of the page that can be seen, as a person would; what they hold then. */
const change = (page: Page) =>
  page.getByRole("main").evaluate((main) => {
    for (const fold of main.querySelectorAll<HTMLDetailsElement>("details")) fold.open = true;
    for (const field of main.querySelectorAll<HTMLInputElement>(
      "input:not([type=hidden]):not([type=file]), textarea, select",
    )) {
      if (!field.checkVisibility({ visibilityProperty: true })) continue;
      if (field.matches("select")) field.value = (field.lastElementChild as HTMLOptionElement).value;
      else if (field.type === "checkbox" || field.type === "radio") field.click();
      else if (field.type === "datetime-local") field.value = "2027-01-02T03:04:05";
      else if (field.type === "date") field.value = "2027-01-02";
      else field.value = `${field.value}7`;
    }
  });
const held = (page: Page) =>
  page
    .getByRole("main")
    .evaluate((main) =>
      [...main.querySelectorAll<HTMLInputElement>("input:not([type=hidden]), textarea, select")].map((field) => [
        field.name,
        field.type === "checkbox" || field.type === "radio" ? field.checked : field.value,
      ]),
    );

for (const path of [
  "/submit?kind=demo",
  "/submit?kind=demo&as=json",
  "/submit?kind=webhook_fanout",
  "/submit?kind=send_email",
  "/schedules/new",
  "/endpoints/new",
  "/watches/new",
  "/alerts/new",
  "/settings",
  "/activity",
  "/kinds",
]) {
  test(`what was put into the fields of ${path} before its scripts came stays there`, async ({ page }) => {
    const scripts = await withoutScriptsYet(page, path);
    const before = await held(page);
    await change(page);
    const typed = await held(page);
    expect(typed).not.toEqual(before);
    await scripts();
    expect(await held(page)).toEqual(typed);
  });
}

test("where one was typing when the scripts came, one goes on", async ({ page }) => {
  const scripts = await withoutScriptsYet(page, "/submit?kind=demo&as=json");
  await payloadField(page).fill('{"steps": }');
  await page.keyboard.press("ArrowLeft");
  await scripts();
  await page.keyboard.type("2");
  await expect(payloadField(page)).toHaveValue('{"steps": 2}');
});

test("all that is marked when the scripts come is what one types over", async ({ page }) => {
  const scripts = await withoutScriptsYet(page, "/submit?kind=demo&as=json");
  await payloadField(page).selectText();
  await scripts();
  await page.keyboard.type("3");
  await expect(payloadField(page)).toHaveValue("3");
});

test("what is marked after a field was taken over, and before the page is, stays marked too", async ({ page }) => {
  await page.addInitScript(() => {
    const { prototype } = HTMLTextAreaElement;
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, "defaultValue") as Required<PropertyDescriptor>;
    Object.defineProperty(prototype, "defaultValue", {
      configurable: true,
      get,
      set(this: HTMLTextAreaElement, text: string) {
        set.call(this, text);
        // Once: what is set later takes nothing over.
        Object.defineProperty(prototype, "defaultValue", { get, set });
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => this.select();
        port2.postMessage(null);
        // Long enough for React to let others come before it goes on: first of all, who is in line by now.
        const start = performance.now();
        while (performance.now() - start < 50);
      },
    });
  });
  const scripts = await withoutScriptsYet(page, "/submit?kind=demo&as=json");
  await payloadField(page).focus();
  await scripts();
  await page.keyboard.type("3");
  await expect(payloadField(page)).toHaveValue("3");
});
