import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { attempts, badge, payloadField, press, ready, row, shownJob, tabTo, toast } from "./pages.ts";
import { allPages } from "./routes.ts";

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
  pages = [...(await allPages(api.url)), ...jobs, ...others];
});

test("with the keyboard alone a job is submitted, seen to die, run again, and then again with others", async ({
  page,
}) => {
  await page.goto("/");
  await ready(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await press(page, page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Submit" }));
  await expect(page).toHaveURL(/\/submit/);
  await press(page, page.getByRole("link", { name: /^Demo/ }));
  await press(page, page.getByRole("link", { name: "Dies at once" }));
  await expect(page.getByLabel("permanent")).toHaveValue("true");
  await press(page, page.getByRole("button", { name: "JSON" }));
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

  const another = await api.submit({ kind: "demo", payload: { permanent: true } });
  await api.until(another, "dead");
  await press(
    page,
    page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Jobs", exact: true }),
  );
  await expect(page).toHaveURL(/\/jobs$/);
  await press(page, page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Dead" }));
  await expect(page).toHaveURL(/\/jobs\?view=dead$/);
  for (const one of [another, id]) {
    await tabTo(page, row(page, one).getByRole("checkbox"));
    await page.keyboard.press("Space");
  }
  const bar = page.getByRole("form", { name: "Selected jobs" });
  await expect(bar).toContainText("2 selected");
  await press(page, bar.getByRole("button", { name: "Requeue selected" }));
  await expect(page.getByRole("dialog").getByRole("button", { name: "Requeue 2 jobs" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast(page)).toContainText("2 requeued.");
  expect((await api.until(id, "dead")).generation).toBe(3);
  expect((await api.until(another, "dead")).generation).toBe(2);
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
