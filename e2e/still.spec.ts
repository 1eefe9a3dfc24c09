import { devices, type Page } from "@playwright/test";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { inHalves } from "./halves.ts";
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
/** Colours take no place: one of the two for each width. */
const LOOKS = {
  "on a desktop, in light colours": { colorScheme: "light", timezoneId },
  "on a phone, in dark colours": { ...phone, colorScheme: "dark", timezoneId },
} as const;

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

for (const [look, how] of Object.entries(LOOKS)) {
  test.describe(look, () => {
    test.use(how);

    test("nothing on any page moves by itself, while it loads or when there is news, and no page says a word", async ({
      page,
      allow,
    }) => {
      test.setTimeout(600_000);
      allow(/status of 404/);
      const shifts = await watchShifts(page);
      await page.clock.install();
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(server.url + path);
        await expect(page.locator("main h1")).toBeVisible();
        // A public report is a page without a script.
        if ((await page.locator("script[type=module]").count()) > 0) await polls(page);
        const seen = await shifts();
        expect.soft(sumOf(seen), told(name, seen)).toBeLessThan(STILL);
      }
    });
  });
}

test("what moves is seen", async ({ page }) => {
  const shifts = await watchShifts(page);
  await page.clock.install();
  await page.goto(server.url);
  await polls(page);
  const before = await shifts();
  expect(sumOf(before), told("overview", before)).toBeLessThan(STILL);
  await page.locator("main h1").evaluate((heading) => {
    heading.style.marginTop = "40px";
  });
  expect(sumOf(await shifts())).toBeGreaterThan(STILL);
});

for (const [when, change, early] of [
  ["when all has come", (html: string) => html, false],
  ["half, where it is not told to wait", (html: string) => html.replace(/<link rel="expect"[^>]*>/, ""), true],
] as const) {
  test(`a document that comes slowly is painted ${when}`, async ({ page }) => {
    const halves = await inHalves(server.url, change);
    try {
      await page.goto(halves.url, { waitUntil: "commit" });
      await page.waitForFunction(() => document.querySelector("main h1") && document.styleSheets.length > 0, null, {
        polling: 50,
      });
      if (early) await page.waitForFunction(painted, null, { polling: 50 });
      else expect(await page.evaluate(painted)).toBe(false);
      halves.rest();
      await page.waitForLoadState();
      await page.waitForFunction(painted, null, { polling: 50 });
      const paintedFirst = await page.evaluate(() => {
        const [first] = performance.getEntriesByName("first-paint");
        const [document] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
        return (first?.startTime ?? Number.NaN) < (document?.responseEnd ?? Number.NaN);
      });
      expect(paintedFirst).toBe(early);
    } finally {
      await halves.close();
    }
  });
}

const painted = () => performance.getEntriesByName("first-paint").length > 0;

const sumOf = (seen: Shift[]): number => seen.reduce((all, { value }) => all + value, 0);

const told = (name: string, seen: Shift[]): string => `${name} ${JSON.stringify(seen)}`;

/** The page asks twice; before the second time something has happened. */
async function polls(page: Page): Promise<void> {
  if ((await page.getByRole("button", { name: "Refresh now" }).count()) > 0) await ready(page);
  for (const news of [false, true]) {
    if (news) await api.until(await api.submit({ kind: "demo", payload: { permanent: true } }), "dead");
    const answer = page.waitForResponse(STATS, { timeout: 30_000 });
    await page.clock.runFor(16_000);
    await answer;
  }
  await page.waitForLoadState("networkidle");
}
