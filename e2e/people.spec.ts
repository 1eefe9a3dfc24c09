import type { Page } from "@playwright/test";
import { Api, type JobRow } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { attempts, badge, card, ready, row, shownIds } from "./pages.ts";
import { Server } from "./server.ts";
import { stock } from "./stock.ts";

const RELEASE = "0123456789ab";
const JOBS = 6_000;

// A past that no calls could bring about in time; nobody works on it, so that what is told stays the same.
let server: Server;
let api: Api;
let dead: JobRow;
test.beforeAll(async () => {
  server = await Server.start({ env: { ENVIRONMENT: "production" } });
  api = new Api(server.url);
  server.database((db) => stock(db, { jobs: JOBS, deadEvery: 40, days: 3 }));
  [dead] = (await api.list({ view: "dead", kind: "http_request" })) as [JobRow];
});
test.afterAll(() => server.stop());

async function open(page: Page, path: string): Promise<void> {
  await page.goto(server.url + path);
  await ready(page);
}

const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const charts = (page: Page) => card(page, "Attempts and times");
const releases = (page: Page) => charts(page).locator(`[title="release ${RELEASE}"]`);

test.describe("in a zone with quarter hours", () => {
  test.use({ timezoneId: "Asia/Kathmandu" });

  test("charts go by the range, the zone and the day that are asked for, mark releases, and say the same as their table", async ({
    page,
  }) => {
    await open(page, "/");
    const whole = charts(page).getByRole("img").first();
    const first = page.locator("figure").first();
    await expect(first).toContainText("Attempts an hour");
    await expect(releases(page).first()).toBeVisible();
    await expect(charts(page).getByText(`release ${RELEASE}`)).toContainText("14 h ago");
    await charts(page).getByText("As a table").click();
    const table = charts(page).getByRole("table");
    const column = async (nth: number) =>
      (await table.locator(`tbody tr td:nth-of-type(${nth})`).allTextContents())
        .map((text) => Number(text.replaceAll(",", "")))
        .reduce((sum, n) => sum + n, 0);
    const told = (await first.locator("figcaption").textContent()) ?? "";
    for (const [nth, word] of [
      [1, "done"],
      [2, "failed"],
      [4, "died"],
    ] as const) {
      const [, n = ""] = new RegExp(`([\\d,]+) ${word}`).exec(told) ?? [];
      expect([word, await column(nth)]).toEqual([word, Number(n.replaceAll(",", ""))]);
    }

    // What is pointed at is told, in all charts at once.
    const place = await whole.boundingBox();
    if (!place) throw new Error("there is no chart");
    await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
    await expect(first.locator("figcaption")).toContainText(/\d{4}-\d\d-\d\d \d\d:00 to \d\d:00/);
    await page.mouse.move(0, 0);
    await expect(first.locator("figcaption")).not.toContainText(" to ");

    for (const [range, search, title] of [
      ["1 h", "?range=1h", "Attempts a minute"],
      ["7 d", "?range=7d", "Attempts an hour"],
      ["30 d", "?range=30d", "Attempts a day"],
    ] as const) {
      await charts(page).getByRole("link", { name: range, exact: true }).click();
      await expect(page).toHaveURL(`${server.url}/${search}`);
      await expect(first).toContainText(title);
      await expect(charts(page).getByRole("link", { name: range, exact: true })).toHaveAttribute(
        "aria-current",
        "true",
      );
    }
    // The day before today leads to its hours.
    await table.getByRole("link").nth(1).click();
    await expect(page).toHaveURL(/\?range=30d&day=\d{4}-\d\d-\d\d$/);
    await expect(table.locator("tbody tr")).toHaveCount(24);
    await expect(table.locator("tbody tr").last()).toContainText("00:00 to 01:00");
  });

  test("times are told by the browser's clock where that is chosen, charts too, and again in UTC", async ({ page }) => {
    await open(page, "/");
    await expect(page.getByRole("main").locator("#zone")).toHaveValue("UTC");
    const told = page.getByText(/^(As of )?\d\d:\d\d:\d\d (UTC|\+05:45)$/);
    await expect(told).toContainText("UTC");
    await page.getByRole("button", { name: "Local" }).click();
    await expect(told).toContainText("+05:45");
    await expect(page.locator("#zone")).toHaveValue("Asia/Katmandu");
    await page.locator("#zone").selectOption("UTC");
    await expect(page).toHaveURL(/zone=UTC$/);
    await expect(page.locator("#zone")).toHaveValue("UTC");

    await open(page, `/jobs/${dead.id}`);
    await expect(card(page, "Properties")).toContainText(/Ended\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+05:45/);
    await expect(page.locator("main time").first()).toHaveAttribute("title", / \+05:45 \(\S+Z\)$/);
    await page.getByRole("button", { name: "UTC", exact: true }).click();
    await expect(card(page, "Properties")).toContainText(/Ended\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  });
});

test("by letters one jumps anywhere and presses anything; switched off, only the one with Ctrl remains", async ({
  page,
}) => {
  await open(page, "/");
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("dead send");
  await expect(dialog(page, "Jump to").getByRole("option")).toHaveText([
    /^Dead jobs of send_email/,
    /^Search jobs for/,
  ]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/jobs\?view=dead&kind=send_email$/);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type(dead.id);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${server.url}/jobs/${dead.id}`);
  await expect(badge(page)).toHaveText("Dead");

  // What can be done on this page, and what cannot is not among it.
  await page.keyboard.press(".");
  const actions = dialog(page, "Actions").getByRole("option");
  await expect(actions.filter({ hasText: "Edit and run" })).toBeVisible();
  await expect(actions.filter({ hasText: "Requeue" })).toHaveCount(1);
  await expect(actions.filter({ hasText: "Cancel" })).toHaveCount(0);
  await page.keyboard.type("edit");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/submit\?.*from=/);

  // Of a list that of the row with the focus comes first.
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await expect(page).toHaveURL(/\/dead$/);
  await expect(page.getByRole("heading", { level: 1, name: "Dead jobs" })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press(".");
  await expect(actions.first()).toContainText(/^Requeue all \d+ of the cause/);
  await page.keyboard.press("Escape");

  // Reports are pages without the frame and its script: by a key, by the palette and by the menu the browser goes there.
  const byKey = () => page.keyboard.press("g").then(() => page.keyboard.press("r"));
  const byPalette = async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("reports");
    await expect(dialog(page, "Jump to").getByRole("option").first()).toHaveText(/^Reports/);
    await page.keyboard.press("Enter");
  };
  const main = page.getByRole("navigation", { name: "Main", exact: true });
  for (const go of [byKey, byPalette, () => main.getByRole("link", { name: "Reports" }).click()]) {
    await go();
    await expect(page.getByRole("heading", { level: 1, name: "Daily reports" })).toBeVisible();
    await page.getByRole("link", { name: "Overview" }).click();
    await ready(page);
  }
  await page.goto(`${server.url}/dead`);
  await ready(page);

  await page.keyboard.press("?");
  await expect(dialog(page, "Keyboard")).toContainText("What can be done here");
  const kept = page.waitForResponse(/\/preferences$/);
  await dialog(page, "Keyboard").getByRole("button", { name: "Single letters on" }).click();
  await kept;
  await expect(dialog(page, "Keyboard").getByRole("button", { name: "Single letters off" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page, "Keyboard")).toBeHidden();
  await page.reload();
  await ready(page);
  for (const key of ["?", ".", "/", "g", "j"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL(/\/dead$/);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog")).toHaveAccessibleName("Jump to");
});

test("the name of the deployment stands on every page in its colour, and colours are those that were chosen", async ({
  page,
  browser,
}) => {
  await open(page, "/jobs");
  const frame = page.locator("body > div").first();
  const name = page.getByRole("complementary").getByTitle("The name of this deployment");
  await expect(name).toHaveText("production");
  await expect(frame).toHaveCSS("border-top-width", "3px");
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-mode", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-mode", "dark");
  await page.getByRole("button", { name: "As the system" }).click();
  await expect(page.locator("html")).not.toHaveAttribute("data-mode");

  const other = await (await browser.newContext()).newPage();
  await other.goto(`${process.env.REDRIVE_URL}/jobs`);
  await expect(other.getByRole("complementary").getByTitle("Open to this machine")).toHaveText("local");
  await expect(other.getByTitle("The name of this deployment")).toHaveCount(0);
  await other.context().close();
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test.describe(`for whoever has asked for ${reducedMotion === "reduce" ? "less motion" : "nothing"}`, () => {
    test.use({ contextOptions: { reducedMotion } });
    test(`what runs ${reducedMotion === "reduce" ? "stands still" : "is seen to"}`, async ({ page }) => {
      await open(page, "/jobs?view=processing");
      const dot = page.locator("tr[data-job] .pulse-dot, nav .pulse-dot").first();
      await expect(dot).toHaveCSS("animation-iteration-count", reducedMotion === "reduce" ? "1" : "infinite");
    });
  });
}

test("each number of the matrix is the list behind it, and a cause tells since when, where, and what can be done", async ({
  page,
}) => {
  await open(page, "/dead");
  const matrix = page.getByRole("region", { name: "Dead jobs by cause and age" });
  const cell = matrix.locator("tbody tr").first().locator("td:nth-child(n+3) a").last();
  const n = Number.parseInt((await cell.textContent()) ?? "", 10);
  expect(n).toBeGreaterThan(0);
  await cell.click();
  await expect(page).toHaveURL(/\/jobs\?view=dead&cause=.*&q=finished/);
  await expect.poll(async () => (await shownIds(page)).length).toBe(n);

  await open(page, `/causes/${encodeURIComponent(dead.cause as string)}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(dead.cause as string);
  const known = card(page, "What is known of it");
  await expect(known).toContainText(/First seen.*Last seen/);
  await expect(known.getByRole("link", { name: "http_request", exact: true })).toBeVisible();
  await expect(known).toContainText(RELEASE);
  await expect(card(page, "The newest of them")).toContainText(/at run \(app\/kinds\/http_request\.ts/);
  await expect(card(page, "Dead by the hour").getByRole("img")).toHaveAccessibleName(/dead, \d+ at most in an hour/);
  const advice =
    /The trouble is on the other side|longer than it may|key or token|does not take it|No address|No connection|certificate|Nothing is at/;
  await expect(page.getByRole("main")).toContainText(advice);
  await card(page, "The newest of them").getByRole("link").click();
  await expect(page.getByRole("region", { name: "How it stands" })).toContainText(advice);
});

test("a search that finds nothing says how far it looked, and goes on to the end", async ({ page }) => {
  await open(page, "/jobs?view=done&q=nobody-has-this-label");
  await expect(page.getByRole("heading", { name: "None among those looked at" })).toBeVisible();
  await expect(
    page.getByText("5,000 jobs were looked at, and none of them matches. There are older ones."),
  ).toBeVisible();
  // What matches further on can be meant as a whole from here: it is counted to the end.
  const bar = page.getByRole("form", { name: "Selected jobs" });
  await bar.getByRole("button", { name: "Select all matching" }).click();
  await expect(bar).toContainText("Select all matching: nothing matches.");
  await page.getByRole("link", { name: "Go on looking" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(page.getByRole("heading", { name: "Nothing on this page any more" })).toBeVisible();
  await page.getByRole("link", { name: "Back to the newest" }).click();

  // One that finds something too: how many of how many, and up to when.
  await open(page, "/jobs?q=anna90");
  await expect(page.getByRole("note")).toContainText(
    /5,000 jobs were looked at, back to the one submitted at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC; \d+ match/,
  );
  const found = await shownIds(page);
  await page.getByRole("link", { name: "Go on looking at older ones" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect.poll(async () => (await shownIds(page)).some((id) => found.includes(id))).toBe(false);
});

test("what is shown is taken along as CSV, row for row", async ({ page }) => {
  await open(page, "/jobs?view=dead&kind=send_email");
  await page.getByText("Export", { exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "These jobs as CSV" }).click();
  const text = (await (await (await download).createReadStream()).setEncoding("utf8").toArray()).join("");
  const [head = "", ...rows] = text.trim().split(/\r?\n/);
  expect(head.split(",").slice(0, 1)).toEqual(["id"]);
  expect(rows).toHaveLength((await api.counts("send_email")).dead);
  expect(rows.slice(0, 25).map((line) => line.slice(0, 36))).toEqual(await shownIds(page));
});

test("a job of three hundred attempts opens as one of a few, and each of them is found", async ({ page }) => {
  const [job] = (await api.list({ view: "dead", kind: "demo" })) as [JobRow];
  server.database((db) =>
    db.exec(`
      INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, error, stack, cause, log, token, app_version)
      SELECT job_id, value, generation, trigger, started_at, finished_at, waited_ms, outcome, error, stack, cause, log, 'many ' || value, app_version
      FROM attempts CROSS JOIN (WITH RECURSIVE i(value) AS (SELECT 6 UNION ALL SELECT value + 1 FROM i WHERE value < 300) SELECT value FROM i)
      WHERE job_id = '${job.id}' AND number = 5;
      UPDATE jobs SET attempt = 300, max_attempts = 300 WHERE id = '${job.id}';
      UPDATE site_state SET revision = revision + 1;`),
  );
  await open(page, `/jobs/${job.id}`);
  await expect(card(page, "Attempts")).toContainText("300 attempts");
  await expect(attempts(page)).toHaveCount(5);
  expect(await page.locator("main *").count()).toBeLessThan(700);
  await page.getByRole("link", { name: "Show 15 older attempts" }).click();
  await expect(attempts(page)).toHaveCount(20);
  await page.getByRole("link", { name: "280 older attempts" }).click();
  await expect(page).toHaveURL(/attempt=280/);
  await expect(attempts(page).first()).toContainText("Attempt 280");
  await open(page, `/jobs/${job.id}?attempt=17#attempt-17`);
  await expect(page.locator("#attempt-17")).toBeInViewport();
  await page.getByRole("link", { name: "283 newer attempts" }).click();
  await expect(attempts(page).first()).toContainText("Attempt 300");
});

test.describe("copying", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });
  test("an id is copied, also where the browser has no clipboard", async ({ page }) => {
    await open(page, `/jobs/${dead.id}`);
    const copy = page.getByRole("button", { name: "Copy job id" });
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await copy.click();
    await expect(page.getByRole("button", { name: "Copied job id" })).toBeVisible();
    expect(await copied()).toBe(dead.id);
    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error("only over https"));
    });
    await expect(copy).toBeVisible();
    await copy.click();
    await expect.poll(copied).toBe(dead.id);
  });
});

test("what is not shown says why: never there, its time over, not allowed any more, a server in trouble", async ({
  page,
  allow,
}) => {
  allow(/status of (404|403|500)/);
  const never = `${(Date.now() - 60_000)
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`;
  await page.goto(`${server.url}/jobs/${never}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No such job");
  await page.goto(`${server.url}/jobs/01890000-0000-7000-8000-000000000000`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This job is stored no more");
  await expect(page.getByRole("alert")).toContainText(
    "it was submitted 2023-06-28 03:15:47 UTC. Done and cancelled jobs are kept 30 days after their end, dead ones 90 days",
  );

  for (const [status, title, why] of [
    [403, "Not allowed any more", "has changed what you may see"],
    [500, "Showing data from", "The server answered 500."],
  ] as const) {
    for (const path of ["/", "/jobs?view=dead", `/jobs/${dead.id}`]) {
      await open(page, path);
      await page.route("**/api/v1/**", (route) => route.fulfill({ status, body: "{}" }));
      await page.getByRole("button", { name: "Refresh now" }).click();
      const banner = page.getByRole("status").filter({ hasText: title });
      await expect(banner).toContainText(why);
      await expect(page.getByText("Not reached")).toBeVisible();
      if (path.startsWith("/jobs?")) await expect(row(page, dead.id)).toBeVisible();
      await page.unroute("**/api/v1/**");
      await page.getByRole("button", { name: "Refresh now" }).click();
      await expect(banner).toBeHidden();
    }
  }
});
