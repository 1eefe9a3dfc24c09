/**
 * `npm run screens`: a picture of every page in light and dark colours and on a phone, of a site that is empty, of one
 * that is full, and of one where everything fails, in `screens/`. `-- overview jobs` for these pages only. With `--keep`
 * the pictures of the README are taken anew as well.
 */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, devices, type Page, chromium as playwright } from "@playwright/test";
import { Api } from "./api.ts";
import { chromium, unpackChromium } from "./chromium.ts";
import { Server } from "./server.ts";
import { furnishedPages, PLAIN } from "./site.ts";
import { stock } from "./stock.ts";

const FOLDER = resolve(import.meta.dirname, "../screens");
const KEPT = join(import.meta.dirname, "pictures");
/** Pictures of the README, and which page, look and state they show. */
const KEEP: [picture: string, page: string, look: string, state: string][] = [
  ["overview", "overview", "light", "full"],
  ["dead", "dead", "light", "full"],
  ["job", "jobDead", "dark", "full"],
];

const WIDE = { viewport: { width: 1_280, height: 860 } };
const LOOKS = {
  light: { ...WIDE, colorScheme: "light" },
  dark: { ...WIDE, colorScheme: "dark" },
  phone: { ...devices["Pixel 7"], viewport: { width: 390, height: 844 }, deviceScaleFactor: 1 },
} as const;
const STATES = ["empty", "full", "failing"] as const;

const only = process.argv.slice(2).filter((word) => !word.startsWith("--"));
await unpackChromium();
const browser = await playwright.launch(chromium);
for (const state of STATES) await picture(browser, state);
await pictureDoor(browser);
await browser.close();

async function picture(browser: Browser, state: (typeof STATES)[number]): Promise<void> {
  const server = await Server.start();
  try {
    const pages = state === "empty" ? PLAIN : await filled(server, state === "failing");
    for (const [look, how] of Object.entries(LOOKS)) {
      const context = await browser.newContext({ ...how, baseURL: server.url, reducedMotion: "reduce" });
      const page = await context.newPage();
      for (const [name, path] of Object.entries(pages)) {
        if (only.length > 0 && !only.includes(name)) continue;
        await show(page, path, state === "failing");
        await save(page, join(FOLDER, `${name}.${look}.${state}.png`), true);
        const kept = KEEP.find((one) => one.slice(1).join() === [name, look, state].join());
        if (kept && process.argv.includes("--keep")) await save(page, join(KEPT, `${kept[0]}.png`), false);
      }
      await context.close();
    }
  } finally {
    await server.stop();
  }
}

/** What stands in front: of a deployment that nobody can sign in to yet, and of one that asks for its token. */
async function pictureDoor(browser: Browser): Promise<void> {
  const [closed, asking] = [
    await Server.start({ local: false }),
    await Server.start({ local: false, env: { ADMIN_TOKEN: "a token long enough to be one" } }),
  ];
  for (const [look, how] of Object.entries(LOOKS)) {
    const context = await browser.newContext(how);
    const page = await context.newPage();
    for (const [name, url] of [
      ["howTo", closed.url],
      ["signIn", `${asking.url}/sign-in`],
    ] as const) {
      if (only.length > 0 && !only.includes(name)) continue;
      await page.goto(url);
      await save(page, join(FOLDER, `${name}.${look}.empty.png`), true);
      if (name === "howTo") continue;
      await page.getByLabel("Token").fill("another one");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      await save(page, join(FOLDER, `${name}.${look}.failing.png`), true);
    }
    await context.close();
  }
  await closed.stop();
  await asking.stop();
}

/** A site at work. Where it fails, its jobs die, its sweeper has stopped, and what can be broken or paused is. */
async function filled(server: Server, failing: boolean): Promise<Record<string, string>> {
  const api = new Api(server.url);
  server.database((db) => stock(db, { jobs: 4_000, deadEvery: failing ? 4 : 40, days: 3 }));
  const pages = await furnishedPages(api, "view=dead&kind=http_request");
  if (failing) {
    await api.call("POST", "/kinds/demo/pause", { reason: "the warehouse is down" });
    await api.submitAll(Array.from({ length: 4 }, () => ({ kind: "demo", payload: {} })));
    server.database((db) =>
      db.exec(`UPDATE sweeps SET started_at = started_at - 1200000, finished_at = finished_at - 1200000;
        UPDATE schedules SET error = 'the kind "import_stock" is not known to this release', error_at = due_at - 86400000 WHERE name = 'Stock levels';
        UPDATE schedules SET due_at = due_at - 700000000 WHERE name = 'Weekly digest';
        UPDATE watches SET failures = 7, checked_at = due_at - 86400000, last_error = 'answered 503' WHERE name LIKE 'Price%';
        UPDATE site_state SET revision = revision + 1;`),
    );
  }
  return pages;
}

/** Opens a page, and waits until it stands still; where all fails, until it has heard that no feed answers. */
async function show(page: Page, path: string, failing: boolean): Promise<void> {
  await page.unroute("**/api/v1/**");
  await page.goto(path, { waitUntil: "networkidle" });
  if (!failing) return;
  await page.route("**/api/v1/**", (route) => route.abort());
  const refresh = page.getByRole("button", { name: "Refresh now" }).first();
  if ((await refresh.count()) === 0) return;
  await refresh.click();
  await page.getByText("Not reached").first().waitFor();
}

async function save(page: Page, path: string, whole: boolean): Promise<void> {
  mkdirSync(resolve(path, ".."), { recursive: true });
  await page.screenshot({ path, fullPage: whole, animations: "disabled" });
}
