import type { Page } from "@playwright/test";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { badge, payloadField, shownJob, toast } from "./pages.ts";
import { Server } from "./server.ts";
import { furnishedPages } from "./site.ts";
import { stock } from "./stock.ts";

const LATENCY_MS = 300;
const api = new Api(process.env.REDRIVE_URL as string);

test("C046: a double click, a reload and Back with the same form make one job", async ({ page }) => {
  const payload = '{"failTimes": 611}';
  await slowly(page);
  await page.goto("/submit?kind=demo&as=json");
  await payloadField(page).fill(payload);
  const posts = posted(page);
  await page.getByRole("button", { name: "Submit job" }).dblclick();
  const pending = page.getByRole("button", { name: "Submitting…" });
  await expect(pending).toHaveAttribute("aria-disabled", "true");
  const id = await shownJob(page);
  expect(posts).toHaveLength(1);
  expect(await labelled("fails 611×")).toEqual([id]);

  // The page is where a redirect led: the browser asks nothing, and sends nothing again.
  await page.reload();
  await expect(badge(page)).toBeVisible();
  expect(posts).toHaveLength(1);

  await page.goBack();
  await expect(payloadField(page)).toHaveValue(payload);
  await page.getByRole("button", { name: "Submit job" }).click();
  expect(await shownJob(page)).toBe(id);
  await expect(toast(page)).toContainText("This form was submitted before: here is its job. No second one was made.");
  expect(await labelled("fails 611×")).toEqual([id]);
});

test("C046: what was changed before it was sent again is another intention, and makes another job", async ({
  page,
  allow,
}) => {
  // The browser tells of every such answer.
  allow(/status of 409/);
  await page.goto("/submit?kind=demo&as=json");
  await payloadField(page).fill('{"failTimes": 612}');
  await page.getByRole("button", { name: "Submit job" }).click();
  const id = await shownJob(page);
  await page.goBack();
  await payloadField(page).fill('{"failTimes": 613}');
  await page.getByRole("button", { name: "Submit job" }).click();
  await expect(page.getByRole("alert")).toContainText("This form was submitted before, with other values");
  await expect(page.getByRole("alert").getByRole("link")).toHaveAttribute("href", `/jobs/${id}`);
  expect(await labelled("fails 613×")).toEqual([]);
  await page.getByRole("button", { name: "Submit job" }).click();
  const other = await shownJob(page);
  expect(await labelled("fails 613×")).toEqual([other]);
  expect(await labelled("fails 612×")).toEqual([id]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("C046: a double click, a reload and Back with the same form make one job", async ({ page }) => {
    const payload = '{"failTimes": 614}';
    await slowly(page);
    await page.goto("/submit?kind=demo&as=json");
    await payloadField(page).fill(payload);
    await page.getByRole("button", { name: "Submit job" }).dblclick();
    const id = await shownJob(page);
    expect(await labelled("fails 614×")).toEqual([id]);

    const posts = posted(page);
    await page.reload();
    await expect(badge(page)).toBeVisible();
    expect(posts).toEqual([]);

    await page.goBack();
    await expect(payloadField(page)).toHaveValue(payload);
    await page.getByRole("button", { name: "Submit job" }).click();
    expect(await shownJob(page)).toBe(id);
    await expect(toast(page)).toContainText("This form was submitted before");
    expect(await labelled("fails 614×")).toEqual([id]);
  });
});

test.describe("on every page", () => {
  let server: Server;
  let pages: Record<string, string>;
  test.beforeAll(async () => {
    server = await Server.start();
    server.database((db) => stock(db, { jobs: 1_000 }));
    pages = await furnishedPages(new Api(server.url));
  });
  test.afterAll(() => server.stop());

  test("a form is sent once, however soon the second click comes", async ({ page, allow }) => {
    // Of the page that is not there.
    allow(/status of 404/);
    test.setTimeout(300_000);
    const sent = new Map<string, number>();
    await page.route("**", (route) => (route.request().method() === "POST" ? undefined : route.continue()));
    const posts = posted(page);
    for (const path of Object.values(pages)) {
      await open(page, path);
      let fresh = true;
      for (const [index, action] of (await formsOf(page)).entries()) {
        const form = action.replace(/[\da-f-]{36}|(?<=^.kinds.)\w+/, ":id");
        if (sent.has(form)) continue;
        // What was sent has no answer yet.
        if (!fresh) await open(page, path);
        fresh = false;
        posts.length = 0;
        await clickTwice(page, index);
        sent.set(form, posts.length);
      }
    }
    expect(sent.size).toBeGreaterThan(30);
    expect([...sent].filter(([, times]) => times !== 1)).toEqual([]);
  });

  test("and once more when it is pressed after its answer came", async ({ page }) => {
    await page.goto(`${server.url}/settings`);
    const posts = posted(page);
    for (const times of [1, 2]) {
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await page.getByRole("button", { name: "Keep so long" }).click();
      await answered;
      await expect(page.getByRole("button", { name: "Keep so long" })).not.toHaveAttribute("aria-disabled", "true");
      expect(posts).toHaveLength(times);
    }
  });

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(server.url + path);
    if ((await page.locator(FORMS).count()) > 0)
      await expect(page.getByRole("button", { name: "Keyboard", exact: true })).toBeVisible();
  }
});

/** Those that can be sent as they stand, without a file. */
const FORMS = "main form[method=post]:not([enctype]):has([type=submit]:not([aria-disabled=true]))";

/** Where the forms of the page go to. */
const formsOf = (page: Page): Promise<string[]> =>
  page.locator(FORMS).evaluateAll((forms) => forms.map((form) => form.getAttribute("action") ?? location.pathname));

/** Answers when what the clicks send is under way. */
async function clickTwice(page: Page, index: number): Promise<void> {
  const asked = page.waitForRequest(/twice=asked/);
  await page
    .locator(FORMS)
    .nth(index)
    .evaluate(async (form: HTMLFormElement) => {
      // Not about what is filled in: what is sent is what counts.
      form.noValidate = true;
      const button = form.querySelector<HTMLButtonElement>("[type=submit]") as HTMLButtonElement;
      // The second click comes as soon as the first has sent something: no page has been drawn since.
      const { fetch: own } = window;
      await new Promise<void>((resolve) => {
        window.fetch = (...request) => {
          const answer = own(...request);
          if (request[1]?.method === "POST") {
            window.fetch = own;
            button.click();
            resolve();
          }
          return answer;
        };
        button.click();
      });
      requestIdleCallback(() => void fetch("/?twice=asked"));
    });
  await asked;
}

async function slowly(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const unlimited = { offline: false, downloadThroughput: -1, uploadThroughput: -1 };
  await session.send("Network.emulateNetworkConditions", { ...unlimited, latency: LATENCY_MS });
}

/** Fills with what the page sends from here on. */
function posted(page: Page): string[] {
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") posts.push(request.url());
  });
  return posts;
}

async function labelled(label: string): Promise<string[]> {
  return (await api.list({ kind: "demo" })).filter((job) => job.label === label).map(({ id }) => id);
}
