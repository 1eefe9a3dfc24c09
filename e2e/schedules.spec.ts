import type { Page } from "@playwright/test";
import { nextSlot } from "../app/domain/schedules/slots.ts";
import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { toast } from "./pages.ts";
import { Server } from "./server.ts";
import { Twins } from "./twins.ts";

let server: Server;
let api: Api;
test.beforeAll(async () => {
  server = await Server.start();
  api = new Api(server.url);
});
test.afterAll(() => server.stop());

const main = (page: Page) => page.getByRole("main");
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const preview = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Preview", exact: true }) });
const expression = (page: Page) => page.getByRole("textbox", { name: "Expression" });

type Listed = { jobs: { id: string; state: string }[] };
const jobs = async (): Promise<Listed["jobs"]> => ((await (await api.call("GET", "/jobs")).json()) as Listed).jobs;

test.describe("in a browser of another zone", () => {
  test.use({ timezoneId: "Asia/Kathmandu" });

  test("a schedule of every minute is created, fires, is paused, and run by hand", async ({ page, allow }) => {
    allow(/status of 400/);
    // A slot comes with the next minute.
    test.setTimeout(150_000);
    await page.goto(`${server.url}/schedules`);
    await expect(heading(page)).toHaveText("Schedules");
    await clean(page, page.url());
    await page.getByRole("link", { name: "New schedule" }).click();
    await page.getByLabel("Name").fill("every minute");

    await expression(page).fill("* * * *");
    await expect(preview(page)).toContainText("five are needed");
    await expression(page).fill("30 2 * * *");
    await page.getByLabel("Time zone").fill("Europe/Berln");
    await expect(preview(page)).toContainText("did you mean Europe/Berlin?");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await expect(preview(page)).toContainText("At 02:30 every day");
    await expect(preview(page).getByRole("row")).toHaveCount(11);
    await expect(preview(page)).toContainText(/Yours, Asia\/Kath?mandu/);
    await expect(preview(page)).toContainText("does not exist: what is due then runs once");
    await clean(page, page.url());
    await expression(page).fill("* * * * *");
    await expect(preview(page)).toContainText("Every minute");
    await page.getByLabel("Kind").selectOption("demo");
    await page.getByLabel("Payload").fill('{"n": 1}');
    await page.getByRole("button", { name: "Create schedule" }).click();
    await expect(page.getByRole("alert")).toContainText("Not saved");
    await expect(page.getByLabel("Payload")).toHaveAccessibleDescription(/"n" is not a field here/);
    await expect(expression(page)).toHaveValue("* * * * *");
    await page.getByLabel("Payload").fill("{}");
    await page.getByRole("button", { name: "Create schedule" }).click();
    await expect(heading(page)).toHaveText("every minute");
    await clean(page, page.url());

    await expect(async () => {
      await server.tick();
      await expect(main(page).getByRole("row", { name: /On time/ })).toBeVisible({ timeout: 3_000 });
    }).toPass({ timeout: 100_000 });
    const fired = main(page)
      .getByRole("row", { name: /On time/ })
      .first();
    await expect(fired).toContainText("Done");
    await fired.getByRole("link").click();
    await expect(main(page)).toContainText(/slot \d{4}-\d\d-\d\d \d\d:\d\d:00 UTC/);
    await main(page).getByRole("link", { name: "every minute" }).click();

    await page.getByRole("button", { name: "Pause" }).click();
    await expect(main(page)).toContainText("Paused: no slot fires");
    const before = (await jobs()).length;
    await page.getByRole("button", { name: "Run now" }).click();
    await expect(toast(page)).toContainText("Here is its job.");
    await toast(page).getByRole("link", { name: "Open job" }).click();
    await expect(main(page)).toContainText("run by hand");
    await expect.poll(async () => (await jobs()).length).toBe(before + 1);

    await page.goto(`${server.url}/schedules`);
    await expect(main(page).getByRole("row", { name: /every minute/ })).toContainText("Paused");
    await clean(page, page.url());
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(main(page).getByRole("row", { name: /every minute/ })).toContainText(/in \d+ s/);
  });
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });

  test("a schedule is previewed, created, changed, run, paused and deleted", async ({ page }) => {
    await page.goto(`${server.url}/schedules/new`);
    await page.getByLabel("Name").fill("plain");
    await expression(page).fill("*/45 * * * *");
    await page.getByLabel("Time zone").fill("Mars/Phobos");
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(preview(page)).toContainText('"Mars/Phobos" is no time zone');
    await page.getByLabel("Time zone").fill("America/New_York");
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(preview(page)).toContainText("At minutes 0 and 45 of every hour");
    await expect(page.getByLabel("Name")).toHaveValue("plain");
    await page.getByRole("button", { name: "Create schedule" }).click();
    await expect(heading(page)).toHaveText("plain");

    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Every so many minutes").check();
    await page.getByRole("textbox", { name: "Minutes" }).fill("90");
    await page.getByLabel("Overlap").selectOption("skip");
    await page.getByRole("button", { name: "Save schedule" }).click();
    await expect(main(page)).toContainText("Every 90 minutes, counted from");

    await page.getByRole("button", { name: "Run now" }).click();
    await expect(toast(page)).toContainText("Here is its job.");
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(main(page)).toContainText("Paused: no slot fires");
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(main(page)).not.toContainText("Paused");
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete schedule" }).click();
    await expect(page).toHaveURL(`${server.url}/schedules`);
    await expect(main(page)).not.toContainText("plain");
  });
});

test("C030: the page of a schedule that is not there says so, and another one's name is not taken twice", async ({
  page,
  allow,
}) => {
  allow(/404|409/);
  expect((await page.goto(`${server.url}/schedules/gone`))?.status()).toBe(404);
  await expect(heading(page)).toHaveText("No such schedule");
  const body = { name: "taken", cron: "0 9 * * *", kind: "demo", payload: {} };
  expect((await api.call("POST", "/schedules", body)).status).toBe(201);
  await page.goto(`${server.url}/schedules/new`);
  await page.getByLabel("Name").fill("taken");
  await page.getByRole("button", { name: "Create schedule" }).click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription(/is the name of another schedule/);
});

test("C023: the zone of the process changes no slot", () => {
  const own = process.env.TZ;
  try {
    for (const zone of ["Australia/Sydney", "America/New_York", "Asia/Kathmandu"]) {
      process.env.TZ = zone;
      expect(new Date(2026, 0, 1).toString()).not.toContain("GMT+0000");
      const next = (cron: string, zone: string, after: string) =>
        new Date(nextSlot({ cron, zone }, Date.parse(after)) as number).toISOString();
      expect(next("0 * * * *", "UTC", "2025-10-05T02:00Z")).toBe("2025-10-05T03:00:00.000Z");
      expect(next("30 2 * * *", "America/New_York", "2026-03-07T08:00Z")).toBe("2026-03-08T07:00:00.000Z");
      expect(next("0 9 * * *", "Pacific/Kiritimati", "2026-12-01T00:00Z")).toBe("2026-12-01T19:00:00.000Z");
    }
  } finally {
    if (own === undefined) delete process.env.TZ;
    else process.env.TZ = own;
  }
});

test("C030: beside a schedule of a zone that does not exist three good ones fire, and the list shows what is wrong", async () => {
  const twins = await Twins.start();
  try {
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const zones = ["UTC", "Europe/Berlin", "Mars/Phobos", "Asia/Tokyo"];
    await twins.db
      .prepare(
        `INSERT INTO schedules (id, name, cron, time_zone, kind, priority, missed, missed_max, overlap, version, due_at, created_at, updated_at, payload)
         SELECT 'r' || value, 'of ' || value, '* * * * *', value, 'demo', 'normal', 'once', 100, 'allow', 1, ?2, 0, 0, '{}' FROM json_each(?1)`,
      )
      .bind(JSON.stringify(zones), minute)
      .run();
    await twins.tick();
    const { results } = await twins.db
      .prepare("SELECT DISTINCT schedule_id AS id FROM jobs WHERE schedule_id LIKE 'r%' ORDER BY 1")
      .all();
    expect(results).toEqual([{ id: "rAsia/Tokyo" }, { id: "rEurope/Berlin" }, { id: "rUTC" }]);
    const { status, html } = await twins.page("/schedules");
    expect(status).toBe(200);
    for (const zone of zones) expect(html).toContain(`of ${zone}`);
    expect(html).toContain("&quot;Mars/Phobos&quot; is no time zone");
    expect((await twins.page(`/schedules/${encodeURIComponent("rMars/Phobos")}`)).status).toBe(200);
  } finally {
    await twins.stop();
  }
});

test("C032: two deployments of one database, ticking at the same instant: each slot one job, twenty times", async () => {
  const twins = await Twins.start();
  try {
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    for (let round = 0; round < 20; round++) {
      const ids = Array.from({ length: 5 }, (_, n) => `r${round}-${n}`);
      await twins.db
        .prepare(
          `INSERT INTO schedules (id, name, every_minutes, anchor_at, time_zone, kind, priority, missed, missed_max, overlap, version, due_at, created_at, updated_at, payload)
           SELECT value, value, 525600, ?2, 'UTC', 'demo', 'normal', 'once', 100, 'allow', 1, ?2, 0, 0, '{}' FROM json_each(?1)`,
        )
        .bind(JSON.stringify(ids), minute)
        .run();
      await twins.tick();
    }
    const all = async (text: string) => (await twins.db.prepare(text).all()).results;
    const OURS = "schedule_id LIKE 'r%'";
    expect(
      await all(`SELECT count(*) AS jobs, count(DISTINCT schedule_id) AS schedules FROM jobs WHERE ${OURS}`),
    ).toEqual([{ jobs: 100, schedules: 100 }]);
    expect(await all(`SELECT fate, count(*) AS n FROM slots WHERE ${OURS} GROUP BY fate`)).toEqual([
      { fate: "fired", n: 100 },
    ]);
    expect(await all("SELECT count(*) AS due FROM schedules WHERE due_at <= unixepoch() * 1000")).toEqual([{ due: 0 }]);
    expect(await all("SELECT error FROM sweeps WHERE error IS NOT NULL")).toEqual([]);
    await twins.tick();
    await twins.tick();
    expect(await all(`SELECT count(*) AS jobs FROM jobs WHERE ${OURS}`)).toEqual([{ jobs: 100 }]);
  } finally {
    await twins.stop();
  }
});
