import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { attempts, badge, card, ready, toast } from "./pages.ts";
import { Receiver } from "./receiver.ts";
import { Server } from "./server.ts";

const PAYLOAD_BYTES = 262_144;
const LIST_BYTES = 300_000;
/** What keeps a page quick on any machine: how much of it there is. Times are taken by the benchmark. */
const ELEMENTS = 1_500;

let receiver: Receiver;
let server: Server;
let api: Api;
test.beforeAll(async () => {
  receiver = await Receiver.start();
  server = await Server.start({ env: { OUTBOUND_ALLOW: receiver.origin } });
  api = new Api(server.url);
});
test.afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

test("C053: lists stay light and jobs quick to open with payloads of the largest size, which come back byte for byte", async ({
  page,
}) => {
  const url = JSON.stringify(`${receiver.origin}/?${"😀".repeat(300)}`);
  const whole = (head: string, tail: string) =>
    head + "x".repeat(PAYLOAD_BYTES - Buffer.byteLength(head + tail)) + tail;
  const line = whole(`{"url":${url},"text":"`, '"}');
  const items = whole(`{"url":${url},"json":[${"1234,".repeat(50_000)}"`, '"]}');
  const lines = whole(`{\n"url": ${url},\n"json": [\n${'  "a line of a payload",\n'.repeat(5_000)}"`, '"\n]\n}');
  const texts = [line, items, lines, ...Array.from({ length: 22 }, () => line)];
  const ids = await api.submitText(
    `[${texts.map((text) => `{"kind":"http_request","delaySeconds":3600,"payload":${text}}`)}]`,
  );
  expect(ids).toHaveLength(25);

  const list = await opened(page, "/jobs");
  expect(list.elements).toBeLessThan(ELEMENTS);
  expect(list.bytes).toBeLessThan(LIST_BYTES);
  const feed = await page.waitForResponse(/\/api\/v1\/jobs\?/);
  expect((await feed.body()).length).toBeLessThan(LIST_BYTES);
  for (const name of await page.locator("tr[data-job] a").allTextContents()) {
    expect([...name].length).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^POST http.*😀…/u);
    expect(name.isWellFormed()).toBe(true);
  }
  for (const [index, id] of ids.entries()) {
    if (index > 2) continue;
    const detail = await opened(page, `/jobs/${id}`);
    expect(detail.elements).toBeLessThan(ELEMENTS);
    const text = texts[index] as string;
    await expect(card(page, "Payload")).toContainText("262.1 KB");
    await card(page, "Payload").getByRole("button", { name: "Show all" }).click();
    await expect(page.getByRole("region", { name: "Payload" })).toContainText(/x"/);
    const saved = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download payload" }).click();
    expect(await readFile(await (await saved).path(), "utf8")).toBe(text);
  }
});

test("C054: stored text is text wherever it is shown: nothing in it runs, and no element comes of it", async ({
  page,
  allow,
}) => {
  // What the form does not take is answered so.
  allow(/status of 400/);
  const image = "<img src=x onerror=alert(1)>";
  const script = "<script>alert(2)</script>";
  const svg = "<svg onload=alert(3)>";
  receiver.answer = ({ path }) => {
    if (path.includes("fine")) return { body: script };
    return { status: 302, headers: { Location: `/${svg}` }, body: svg };
  };
  const payload = (path: string) => ({
    url: `${receiver.origin}/${path}?${image}`,
    json: { a: image, "<b>k</b>": script },
  });
  const [fine = "", failed = ""] = await api.submitAll([
    { kind: "http_request", payload: payload("fine"), idempotencyKey: `key ${image}` },
    { kind: "http_request", payload: payload("failed") },
  ]);
  await api.until(fine, "done");
  const cause = (await api.until(failed, "dead")).cause ?? "";
  expect(cause).toContain(svg);

  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const look = async (path: string, texts: string[]) => {
    const response = await page.goto(server.url + path);
    await ready(page);
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy).toMatch(/script-src 'self' 'nonce-[^']+';/);
    for (const text of texts) await expect(page.getByRole("main")).toContainText(text);
    await nothingCameOf(page);
  };
  await look(`/jobs/${fine}`, [`POST ${receiver.origin}/fine?${image}`, `key ${image}`, "<b>k</b>", script]);
  await look(`/jobs/${failed}`, [svg, `answer: ${svg}`, "<b>k</b>"]);
  await page.getByRole("button", { name: "Requeue" }).click();
  await expect(toast(page)).toContainText("Requeued as generation 2.");
  await expect(attempts(page)).toHaveCount(2);
  await nothingCameOf(page);
  await look("/jobs", [image, svg]);
  await look("/dead", [image, svg]);
  await look("/", [svg]);
  await look(`/jobs?view=dead&cause=${encodeURIComponent(cause)}`, [cause, image]);
  await look(`/jobs?kind=${encodeURIComponent("<script>alert(4)</script>")}`, [
    "No jobs of the kind <script>alert(4)</script>",
  ]);
  await look(`/jobs?q=${encodeURIComponent("<script>alert(4)</script>")}`, ["<script>alert(4)</script>"]);
  const rule = { name: `rule ${image}`, condition: "cause", kind: "http_request" };
  const made = await api.call("POST", "/alert-rules", { ...rule, channels: { webhook: `${receiver.origin}/fine` } });
  expect(made.status).toBe(201);
  await server.tick();
  await look("/alerts", [rule.name, cause]);
  await page.goto(`${server.url}/submit?kind=demo&as=json`);
  await page.getByRole("textbox", { name: "Payload" }).fill(`{"${image}": "${script}"}`);
  await page.getByRole("button", { name: "Submit job" }).click();
  await expect(page.getByRole("main")).toContainText(`"${image}"`);
  await nothingCameOf(page);
  expect(dialogs).toEqual([]);
});

for (const [timezoneId, locale] of [
  ["America/Los_Angeles", "en-US"],
  ["Asia/Kolkata", "de-DE"],
  ["Pacific/Kiritimati", "en-US"],
] as const) {
  test.describe(`in ${timezoneId}, ${locale}`, () => {
    test.use({ timezoneId, locale });

    test("C056: times say their zone, and the server's and the browser's text of a page are the same", async ({
      page,
    }) => {
      const [ended = "", waiting = ""] = await api.submitAll([
        { kind: "demo", payload: { permanent: true } },
        { kind: "demo", payload: {}, delaySeconds: 90_000 },
      ]);
      await api.until(ended, "dead");
      const fields = {
        name: `nightly in ${timezoneId}`,
        cron: "0 3 * * *",
        timeZone: timezoneId,
        kind: "demo",
        payload: {},
      };
      const { id: schedule } = (await (await api.call("POST", "/schedules", fields)).json()) as { id: string };
      // A clock of its own, days away: ages are told by the server's.
      await page.clock.setFixedTime(Date.now() + 5 * 86_400_000);
      const jobs = ["/jobs", "/dead", `/jobs/${ended}`, `/jobs/${waiting}`, "/submit"];
      for (const path of ["/", ...jobs, "/schedules", `/schedules/${schedule}`]) {
        const response = await page.goto(server.url + path);
        const served = times((await response?.text()) ?? "");
        // What the page says at its first paint, before it knows the browser: a mismatch would be an error on the console.
        await page.waitForLoadState("networkidle");
        const shown = await page.locator("main time").evaluateAll((all) =>
          all.map((time) => ({
            at: (time as HTMLTimeElement).dateTime,
            title: (time as HTMLElement).title,
            text: time.textContent,
          })),
        );
        // By the browser's own clock, which the server does not know: they stand in a column that names the zone.
        const local = shown.filter(({ text }) => LOCAL.test(text ?? ""));
        expect(local.length > 0).toBe(path.startsWith("/schedules/"));
        if (local.length > 0) await expect(page.getByRole("main")).toContainText(timezoneId);
        expect(shown.filter((time) => !local.includes(time)).map(({ at }) => at)).toEqual(served);
        for (const { at, title, text } of shown) {
          expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
          expect(title).toContain(at);
          expect(text).toMatch(
            /^(now|this hour|in \d+ (d|h|min|s)|\d+ (s|min)( ago)?|\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d UTC)?)$/,
          );
        }
      }
    });
  });
}

test("C057: waiting and running are told for each attempt, as they were stored", async ({ page }) => {
  const id = await api.submit({ kind: "demo", payload: { failTimes: 1, durationMs: 4_000 }, delaySeconds: 2 });
  await page.goto(`${server.url}/jobs/${id}`);
  await expect(badge(page)).toHaveText("Scheduled");
  await expect(page.getByRole("main")).not.toContainText(/waited|ran /);
  const running = page.getByRole("listitem").filter({ hasText: /^Attempt 1 running/ });
  const seconds = async () => Number(/for (\d) s/.exec((await running.textContent()) ?? "")?.[1]);
  const first = await seconds();
  await expect.poll(seconds, { intervals: [100] }).toBeGreaterThan(first);
  await expect(badge(page)).toHaveText("Done", { timeout: 20_000 });

  const { attempts: rows, createdAt, finishedAt } = await api.job(id);
  expect(rows).toHaveLength(2);
  for (const [index, { waitedMs, ranMs }] of rows.entries()) {
    expect([waitedMs, ranMs].every((ms) => ms >= 0)).toBe(true);
    expect(ranMs).toBeGreaterThanOrEqual(4_000);
    await expect(attempts(page).nth(index)).toContainText(`ran ${(Math.floor(ranMs / 100) / 10).toFixed(1)} s`);
  }
  const total = (Date.parse(finishedAt ?? "") - Date.parse(createdAt)) / 1_000;
  expect(total).toBeGreaterThan(10);
  await expect(card(page, "Properties")).toContainText(
    `From submit to end${(Math.floor(total * 10) / 10).toFixed(1)} s`,
  );
});

test("the page tells why a job does not run, what it did outside, where it comes from, and how its kind does", async ({
  page,
}) => {
  const stands = page.getByRole("region", { name: "How it stands" });
  const mail = await api.submit({ kind: "send_email", payload: { to: "ana@example.com", subject: "Hi", text: "x" } });
  await api.until(await api.submit({ kind: "demo", payload: {} }), "done");
  const dead = await api.submit({ kind: "demo", payload: { failTimes: 5 }, maxAttempts: 2 });
  const later = await api.submit({ kind: "demo", payload: {}, delaySeconds: 90_000 });
  await api.until(mail, "done");
  await api.until(dead, "dead");

  await page.goto(`${server.url}/jobs/${mail}`);
  await expect(stands).toContainText(/^Done: attempt 1 succeeded/);
  await expect(card(page, "Effects")).toContainText(/mail.*recorded after .*never done again/);
  await expect(card(page, "Lineage")).toContainText("Made bya submit");

  await page.goto(`${server.url}/jobs/${later}`);
  await expect(stands).toContainText(/^Attempt 1 is due in .*, as it was asked for\.$/);

  await page.goto(`${server.url}/jobs/${dead}`);
  await expect(stands).toContainText("all 2 tries are used up. It waits for a person");
  await expect(attempts(page).first()).toContainText(/backed off \d/);
  await expect(attempts(page).first().getByRole("list", { name: "Own frames" })).toContainText(
    /^at Object\.run \(\S+:\d+\)$/,
  );
  const runs = page.getByRole("list", { name: "Runs of demo, newest last" }).getByRole("link");
  await expect(runs.last()).toHaveAttribute("aria-current", "true");
  await expect(runs.last()).toHaveAccessibleName(/^dead, ran /);

  // One attempt has an address of its own, which shows it without a script too.
  await attempts(page).last().getByRole("link", { name: "Attempt 1" }).click();
  await expect(page).toHaveURL(`${server.url}/jobs/${dead}?attempt=1#attempt-1`);
  await expect(attempts(page)).toHaveCount(1);
  await page.getByRole("link", { name: "1 newer attempt" }).click();
  await expect(attempts(page)).toHaveCount(2);
});

test("a payload is searched in place, by keyboard, all of it, though only its beginning is shown", async ({ page }) => {
  const [id = ""] = await api.submitText(
    `[{"kind":"http_request","delaySeconds":3600,"payload":{"url":"${receiver.origin}/","json":[${"1234,".repeat(9_000)}9007199254740993,"Needle","needle"]}}]`,
  );
  await page.goto(`${server.url}/jobs/${id}`);
  const payload = page.getByRole("region", { name: "Payload" });
  const find = page.getByRole("searchbox", { name: "Find in payload" });
  await expect(payload).not.toContainText("eedle");
  await find.fill("needle");
  await expect(card(page, "Payload").getByRole("status")).toHaveText("1 of 2");
  await expect(payload.locator("mark").first()).toBeInViewport();
  await find.press("Enter");
  await expect(card(page, "Payload").getByRole("status")).toHaveText("2 of 2");
  await find.press("Enter");
  await expect(card(page, "Payload").getByRole("status")).toHaveText("1 of 2");
  await find.fill("9007199254740993");
  await expect(card(page, "Payload").getByRole("status")).toHaveText("1 of 1");
  await find.fill("nothing");
  await expect(card(page, "Payload").getByRole("status")).toHaveText("none");
});

/** Opens a page: how many elements it has once its scripts run, and what the document weighs. */
async function opened(page: Page, path: string): Promise<{ elements: number; bytes: number }> {
  const response = await page.goto(server.url + path, { waitUntil: "commit" });
  await ready(page);
  return { elements: await page.locator("*").count(), bytes: (await response?.body())?.length ?? 0 };
}

async function nothingCameOf(page: Page): Promise<void> {
  await expect(page.locator("img, b, svg[onload], script:not([nonce]), [onerror]")).toHaveCount(0);
  expect(await page.locator("script").allTextContents()).not.toContain("alert(2)");
}

const LOCAL = /^\d{4}-\d\d-\d\d \d\d:\d\d$/;
const times = (html: string): string[] => {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  return [...main.matchAll(/<time [^>]*dateTime="([^"]+)"/gi)].map(([, at]) => at as string);
};
