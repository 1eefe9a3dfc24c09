import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { attempts, badge, clean, payloadField, press, ready, shownJob, tabTo, toast } from "./pages.ts";
import { addresses } from "./routes.ts";

const api = new Api(process.env.REDRIVE_URL as string);
const NO_JOB = "/jobs/01890000-0000-7000-8000-000000000000";

let pages: string[];
test.beforeAll(async () => {
  const [done = "", dead = "", again = "", waiting = "", long = ""] = await api.submitAll([
    { kind: "demo", payload: { steps: 3 } },
    { kind: "demo", payload: { permanent: true }, idempotencyKey: `a key that is long: ${"key".repeat(70)}` },
    { kind: "demo", payload: { failTimes: 1 }, maxAttempts: 1 },
    { kind: "demo", payload: {}, delaySeconds: 3_600 },
    { kind: "http_request", payload: { url: `https://example.com/${"long".repeat(400)}` }, delaySeconds: 3_600 },
  ]);
  await api.until(done, "done");
  await api.until(dead, "dead");
  await api.until(again, "dead");
  await api.call("POST", `/jobs/${again}/requeue`, { reason: "the cause is gone" });
  await api.until(again, "done");
  const jobs = [done, dead, again, waiting, long].map((id) => `/jobs/${id}`);
  const others = ["/jobs?view=cancelled&kind=none", "/submit?kind=http_request", "/nowhere", NO_JOB];
  pages = [...(await allPages()), ...jobs, ...others];
});

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("axe finds nothing on any page", async ({ page, allow }) => {
      test.setTimeout(120_000);
      allow(/status of 404/);
      for (const path of pages) {
        await page.goto(path);
        await clean(page, path);
      }
    });

    test("axe finds nothing where a form is refused, where a notice is shown, and where the server is gone", async ({
      page,
      allow,
    }) => {
      allow(/status of 400|net::ERR_FAILED|Failed to fetch/);
      await page.goto("/submit?kind=demo");
      await payloadField(page).fill('{"failTimes": 2,}');
      await page.getByLabel("Delay in seconds").fill("soon");
      await page.getByRole("button", { name: "Submit job" }).click();
      await expect(payloadField(page)).toHaveAccessibleDescription(/JSON.*line 1/s);
      await expect(page.getByLabel("Delay in seconds")).toHaveAttribute("aria-invalid", "true");
      await clean(page, "a form that was refused");

      await payloadField(page).fill('{"permanent": true}');
      await page.getByLabel("Delay in seconds").fill("");
      await page.getByRole("button", { name: "Submit job" }).click();
      await expect(badge(page)).toHaveText("Dead");
      await page.getByRole("button", { name: "Requeue" }).click();
      await expect(toast(page)).toContainText("Requeued as generation 2.");
      await clean(page, "a notice");

      await page.goto("/dead");
      await page.route("**/api/v1/**", (route) => route.abort());
      await expect(page.getByText("The server does not answer.")).toBeVisible();
      await clean(page, "a banner");
    });
  });
}

test("with the keyboard alone a job is submitted, seen to die and run again", async ({ page }) => {
  await page.goto("/");
  await ready(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await press(page, page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Submit" }));
  await expect(page).toHaveURL(/\/submit/);
  await press(page, page.getByRole("link", { name: /^Demo/ }));
  await press(page, page.getByRole("link", { name: "Dies at once" }));
  await expect(payloadField(page)).toHaveValue(/"permanent": true/);
  await tabTo(page, payloadField(page));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type('{"permanent": true}');
  await press(page, page.getByRole("button", { name: "Submit job" }));
  const id = await shownJob(page);
  await expect(badge(page)).toHaveText("Dead");
  await press(page, page.getByRole("button", { name: "Requeue" }));
  await expect(toast(page)).toContainText("Requeued as generation 2.");
  await expect(attempts(page)).toHaveCount(2);
  expect(await api.until(id, "dead")).toMatchObject({ generation: 2, attempt: 2 });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("no page is wider than the screen", async ({ page, allow }) => {
    allow(/status of 404/);
    for (const path of pages) {
      await page.goto(path);
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect([path, wide, screen]).toEqual([path, 390, 390]);
    }
    await page.getByText("Menu").click();
    await page.getByRole("navigation", { name: "Main, menu" }).getByRole("link", { name: "Submit" }).click();
    await expect(page).toHaveURL(/\/submit/);
  });
});

/** Every address without a parameter that shows a page, also those that are added later. */
async function allPages(): Promise<string[]> {
  const plain = (await addresses()).filter((address) => !/[:*]/.test(address));
  const answers = await Promise.all(plain.map((address) => fetch(api.url + address)));
  return plain.filter((_, index) => {
    const { ok, redirected, headers } = answers[index] as Response;
    return ok && !redirected && headers.get("content-type")?.startsWith("text/html");
  });
}
