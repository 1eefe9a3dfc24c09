import type { Page } from "@playwright/test";
import { Api, type JobRow } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { furnish } from "./furnish.ts";
import { clean, payloadField, ready, toast } from "./pages.ts";
import { allPages } from "./routes.ts";
import { Server } from "./server.ts";
import { PLAIN, pagesOf } from "./site.ts";
import { stock } from "./stock.ts";

let server: Server;
let api: Api;
let pages: Record<string, string>;
let paths: string[];
let dead: JobRow;
test.beforeAll(async () => {
  server = await Server.start();
  api = new Api(server.url);
  server.database((db) => stock(db, { jobs: 1_000 }));
  const one = async (list: string) =>
    ((await (await api.call("GET", `/jobs?limit=1&${list}`)).json()) as { jobs: [JobRow] }).jobs[0];
  dead = await one("view=dead");
  const jobs = { dead: dead.id, done: (await one("view=done")).id, waiting: (await one("view=retrying")).id };
  pages = pagesOf(await furnish(api), jobs, dead.cause as string);
  const odd = ["/jobs?view=cancelled&kind=none", "/jobs/01890000-0000-7000-8000-000000000000"];
  paths = [...new Set([...Object.values(pages), ...(await allPages(server.url)), ...odd])];
});
test.afterAll(() => server.stop());

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`of 1,000 jobs, in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("axe finds nothing on any page", async ({ page, allow }) => {
      // Half a minute where the machine does nothing else.
      test.setTimeout(300_000);
      allow(/status of 404/);
      for (const path of paths) {
        await page.goto(server.url + path);
        await clean(page, path);
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
      await clean(page, "a notice");

      await page.goto(`${server.url}/kinds`);
      await ready(page);
      await page.getByText("Pause…").first().click();
      await clean(page, "a kind about to be paused");
      await page.goto(`${server.url}/jobs/${dead.id}`);
      await ready(page);
      for (const summary of await page.locator("main summary").all()) await summary.click();
      await clean(page, "a job with all that folds open");
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByText("Menu").click();
      await clean(page, "the menu of a phone");
    });

    test("axe finds nothing where forms are refused, and where the server is gone", async ({ page, allow }) => {
      test.setTimeout(120_000);
      allow(/status of 4\d\d|net::ERR_FAILED|Failed to fetch/);
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

      await page.route("**/api/v1/**", (route) => route.abort());
      for (const name of ["overview", "jobs", "jobDead", "dead", "schedules", "watch"]) {
        await page.goto(server.url + pages[name]);
        await page.getByRole("button", { name: "Refresh now" }).first().click();
        await expect(page.getByText("Not reached").first()).toBeVisible();
        await clean(page, `${name}, with the server gone`);
      }
    });
  });
}

/** Axe looks at an open dialog, which is then closed. */
async function open(page: Page, what: string): Promise<void> {
  await expect(page.getByRole("dialog")).toBeVisible();
  await clean(page, what);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}
