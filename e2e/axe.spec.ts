import type { Page } from "@playwright/test";
import { Api } from "./api.ts";
import { clean, violations } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { connection, payloadField, ready, row, shownIds, toast } from "./pages.ts";
import { allPages } from "./routes.ts";
import { Server } from "./server.ts";
import { furnishedPages, PLAIN } from "./site.ts";
import { stock } from "./stock.ts";

let server: Server;
let api: Api;
let pages: Record<string, string>;
let paths: string[];
const FEEDS = "**/api/v1/**";
test.beforeAll(async () => {
  server = await Server.start();
  api = new Api(server.url);
  server.database((db) => stock(db, { jobs: 1_000 }));
  pages = await furnishedPages(api);
  const odd = ["/activity?at=noon", "/jobs?view=cancelled&kind=none", "/jobs/01890000-0000-7000-8000-000000000000"];
  paths = [...new Set([...Object.values(pages), ...(await allPages(server.url)), ...odd])];
});
test.afterAll(() => server.stop());

test("axe finds nothing on any page, nor where its menus are open and its feeds fail", async ({ page, allow }) => {
  test.setTimeout(600_000);
  allow(/status of 404|net::ERR_FAILED/);
  for (const path of paths) {
    await page.unroute(FEEDS);
    await page.goto(server.url + path);
    await clean(page, path);
    // The same once more, with all that folds and every menu open, and where there are feeds, with none that answers.
    await page.route(FEEDS, (route) => route.abort());
    const refresh = page.getByRole("button", { name: "Refresh now" });
    if ((await refresh.count()) > 0) {
      await refresh.first().click();
      await expect(connection(page)).toHaveText("Not reached");
    }
    await page.locator("main details").evaluateAll((all) => {
      for (const one of all as HTMLDetailsElement[]) {
        one.removeAttribute("name");
        one.open = true;
      }
    });
    await clean(page, `${path}, open and with the server gone`);
  }
});

test("axe finds nothing in dialogs, menus and notices", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(`${server.url}/jobs?view=dead`);
  await ready(page);
  await page.keyboard.press("?");
  await open(page, "the sheet of keys");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("s");
  await open(page, "the palette");
  const bar = page.getByRole("form", { name: "Selected jobs" });
  await bar.getByRole("checkbox").check();
  await bar.getByRole("button", { name: "Delete selected" }).click();
  await open(page, "a question");
  await page
    .getByRole("button", { name: /^Requeue/ })
    .last()
    .click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Requeue/ })
    .click();
  await expect(toast(page)).toContainText("requeued");
  // One that is pointed at stays.
  await toast(page).getByText("requeued").hover();
  await clean(page, "a notice");
  await expect(toast(page)).toContainText("requeued");
  await page.goto(`${server.url}/jobs?view=dead`);
  await ready(page);
  const [id] = (await shownIds(page)) as [string];
  // It stays while somebody points at it, and cannot be ticked any more.
  await row(page, id).hover();
  expect((await api.call("POST", `/jobs/${id}/requeue`)).status).toBe(200);
  await expect(row(page, id).getByRole("checkbox")).toHaveCount(0);
  await clean(page, "a row that has left the list");

  for (const [name, button] of [
    ["dead", /^Requeue all/],
    ["cause", /^Requeue all/],
  ] as const) {
    await page.goto(server.url + pages[name]);
    await ready(page);
    await page.getByRole("button", { name: button }).first().click();
    await open(page, `a question on the page ${name}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByText("Menu").click();
  await clean(page, "the menu of a phone");
});

test("axe finds nothing where forms are refused", async ({ page, allow }) => {
  test.setTimeout(120_000);
  allow(/status of 400/);
  for (const [name, button] of [
    ["scheduleNew", "Create schedule"],
    ["watchNew", /Create watch/],
    ["endpointNew", /(Create|Save) endpoint/],
    ["alertNew", /Create/],
  ] as const) {
    await page.goto(server.url + PLAIN[name]);
    await page
      .locator("form[novalidate], main form")
      .first()
      .evaluate((form) => form.setAttribute("novalidate", ""));
    await page.getByLabel("Name").fill("");
    await page.getByRole("button", { name: button }).click();
    await expect(page.locator("[aria-invalid=true]").first()).toBeVisible();
    await clean(page, `${name}, refused`);
  }
  await page.goto(`${server.url}/submit?kind=demo&as=json`);
  await payloadField(page).fill('{"failTimes": 2,}');
  await page.getByLabel("Delay in seconds").fill("soon");
  await page.getByRole("button", { name: "Submit job" }).click();
  await expect(page.getByLabel("Delay in seconds")).toHaveAttribute("aria-invalid", "true");
  await clean(page, "submit, refused");
});

test("axe sees what is wrong in one of the colours only, also in a page that it has looked at before", async ({
  page,
}) => {
  await page.goto(`${server.url}/settings`);
  expect(await violations(page)).toEqual([]);
  await page.locator("main").evaluate((main) => {
    const pale = document.createElement("p");
    pale.textContent = "White on white by day, white on black by night.";
    pale.style.color = "#fff";
    main.appendChild(pale);
  });
  const found = async () => (await violations(page)).map(({ id }) => id);
  expect(await found()).toEqual(["color-contrast"]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await found()).toEqual([]);
  await page.locator("main").evaluate((main) => void main.appendChild(document.createElement("img")));
  expect(await found()).toEqual(["image-alt"]);
});

/** Axe looks at an open dialog, which is then closed. */
async function open(page: Page, what: string): Promise<void> {
  await expect(page.getByRole("dialog")).toBeVisible();
  await clean(page, what);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}
