import { type BrowserContextOptions, devices, type Page } from "@playwright/test";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { ready } from "./pages.ts";
import { Server } from "./server.ts";
import { type Shift, watchShifts } from "./shifts.ts";
import { furnishedPages, pagesWithout } from "./site.ts";
import { stock } from "./stock.ts";

/** Of the screen. A number at a right edge that grows by a digit moves a hundredth of this. */
const STILL = 0.001;
const STATS = /\/api\/v1\/stats$/;
const PHONE = { ...devices["Pixel 7"], viewport: { width: 390, height: 844 } };
const { defaultBrowserType: _, ...phone } = PHONE;
// A zone whose name and hours are not the server's.
const timezoneId = "America/New_York";
const LOOKS: Record<string, BrowserContextOptions> = {
  "in light colours": { colorScheme: "light", timezoneId },
  "in dark colours": { colorScheme: "dark", timezoneId },
  "on a phone, in light colours": { ...phone, colorScheme: "light", timezoneId },
  "on a phone, in dark colours": { ...phone, colorScheme: "dark", timezoneId },
};

let server: Server;
let api: Api;
let pages: Record<string, string>;
test.beforeAll(async () => {
  server = await Server.start();
  api = new Api(server.url);
  server.database((db) => stock(db, { jobs: 1_000 }));
  pages = await furnishedPages(api);
});
test.afterAll(() => server.stop());

test("no page is left out here", async () => {
  expect(await pagesWithout(pages, server.url)).toEqual([]);
  const { watchEdit: _, jobs: __, ...fewer } = pages;
  expect(await pagesWithout(fewer, server.url)).toEqual(["/watches/:id/edit"]);
});

test("no page asks D1 more than four times or in more than twelve statements, whatever it shows", async () => {
  const asked: [name: string, calls: number, statements: number][] = [];
  for (const [name, path] of Object.entries(pages)) {
    const told = (await fetch(server.url + path)).headers.get("server-timing") ?? "";
    const [, calls, statements] = /calls=(\d+) statements=(\d+)/.exec(told) ?? [];
    asked.push([name, Number(calls), Number(statements)]);
  }
  expect(asked.filter(([, calls, statements]) => !(calls <= 4 && statements <= 12))).toEqual([]);
});

test("nothing on any page moves by itself, while it loads or when there is news, and no page says a word", async ({
  browser,
  allow,
}) => {
  test.setTimeout(600_000);
  allow(/status of 404/);
  // Side by side, so that one piece of news is news for all of them.
  const eyes = await Promise.all(
    Object.entries(LOOKS).map(async ([look, how]) => eyeOn(look, await (await browser.newContext(how)).newPage())),
  );
  for (const [name, path] of Object.entries(pages)) {
    const live = await Promise.all(eyes.map(({ page }) => opened(page, path)));
    // A public report is a page without a script.
    const polling = eyes.filter((_, i) => live[i]);
    // The page asks twice; before the second time something has happened.
    for (const news of polling.length > 0 ? [false, true] : []) {
      if (news) await api.until(await api.submit({ kind: "demo", payload: { permanent: true } }), "dead");
      await Promise.all(polling.map(({ page }) => polls(page)));
    }
    await Promise.all(
      eyes.map(async ({ look, atRest, shifts }) => {
        await atRest();
        expect.soft(sumOf(await shifts()), `${name} ${look} ${JSON.stringify(await shifts())}`).toBeLessThan(STILL);
      }),
    );
  }
  await Promise.all(eyes.map(({ page }) => page.context().close()));
});

test("what moves is seen", async ({ page }) => {
  const { atRest, shifts } = await eyeOn("as it is", page);
  await opened(page, server.url);
  await polls(page);
  await page.locator("main h1").evaluate((heading) => {
    heading.style.marginTop = "40px";
  });
  await atRest();
  expect(sumOf(await shifts())).toBeGreaterThan(STILL);
});

type Eye = { look: string; page: Page; shifts: () => Promise<Shift[]>; atRest: () => Promise<void> };

/** A page whose clock is ours and whose movements are taken down. `atRest`: all that it asked for is answered and drawn. */
async function eyeOn(look: string, page: Page): Promise<Eye> {
  const asked = new Set<unknown>();
  page.on("request", (request) => asked.add(request));
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  await page.clock.install();
  const shifts = await watchShifts(page);
  async function atRest() {
    do {
      await expect.poll(() => asked.size, { intervals: [20] }).toBe(0);
      // What an answer leads to begins with the frame that draws it.
      await shifts();
    } while (asked.size > 0);
  }
  return { look, page, shifts, atRest };
}

/** Whether the page that is open now asks for news. */
async function opened(page: Page, path: string): Promise<boolean> {
  await page.goto(new URL(path, server.url).href);
  await expect(page.locator("main h1")).toBeVisible();
  if ((await page.locator("script[type=module]").count()) === 0) return false;
  if ((await page.getByRole("button", { name: "Refresh now" }).count()) > 0) await ready(page);
  return true;
}

async function polls(page: Page): Promise<void> {
  const answer = page.waitForResponse(STATS, { timeout: 30_000 });
  await page.clock.runFor(16_000);
  await answer;
}

const sumOf = (seen: Shift[]): number => seen.reduce((all, { value }) => all + value, 0);
