import type { BrowserContext, Page } from "@playwright/test";
import { actsOf, neededFor } from "../app/domain/people/needed.ts";
import { covers, type Rights } from "../app/domain/people/roles.ts";
import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { card } from "./pages.ts";
import { raw } from "./raw.ts";
import { Server } from "./server.ts";
import { furnishedPages } from "./site.ts";
import { stock } from "./stock.ts";

const ADMIN = "kX9mQ2vT7wR4yU1iO6pA3sD8fG5hJ0kL";
const VIEWER: Rights = { role: "viewer", payloads: false };

let server: Server;
let api: Api;
let pages: Record<string, string>;
test.beforeAll(async () => {
  server = await Server.start({ local: false, env: { ADMIN_TOKEN: ADMIN } });
  api = new Api(server.url, { Authorization: `Bearer ${ADMIN}` });
  server.database((db) => stock(db, { jobs: 1_000 }));
  pages = await furnishedPages(api);
});
test.afterAll(() => server.stop());
// The browser tells of whatever the door refuses.
test.beforeEach(({ allow }) => allow(/status of (401|403|404)/));

const asked = async (rights: Rights) => {
  const response = await api.call("POST", "/tokens", { name: `test ${Math.random()}`, ...rights });
  return (await response.json()) as { id: string; token: string };
};

async function sessionOf(token: string): Promise<string> {
  const { headers } = await raw(server.url, "POST", "/sign-in", [["Origin", server.url]], `token=${token}`);
  return String(headers["set-cookie"]).split(/[=;]/)[1] ?? "";
}

async function enter(context: BrowserContext, token: string): Promise<void> {
  await context.addCookies([{ name: "redrive", value: await sessionOf(token), url: server.url }]);
}

/** Where the page's forms send to and its links lead, whatever is folded. */
const ways = (page: Page): Promise<[method: string, path: string][]> =>
  page.evaluate(() => [
    ...[...document.forms].map((form): [string, string] => [
      form.method.toUpperCase(),
      new URL(form.getAttribute("action") || location.pathname, location.href).pathname,
    ]),
    ...[...document.querySelectorAll<HTMLAnchorElement>("a[href^='/']")].map((a): [string, string] => [
      "GET",
      a.pathname,
    ]),
  ]);

const refusedOf = async (page: Page, rights: Rights): Promise<string[]> =>
  (await ways(page))
    .filter(([method, path]) => path !== "/sign-out" && !covers(rights, neededFor(method, path)))
    .map((way) => way.join(" "));

test("C065: a viewer's pages have no button, link or menu that the door would refuse; an admin's have", async ({
  page,
  context,
}) => {
  test.setTimeout(300_000);
  await enter(context, (await asked(VIEWER)).token);
  const open = Object.values(pages).filter((path) => covers(VIEWER, neededFor("GET", path.split("?")[0] as string)));
  expect(open.length).toBeGreaterThan(15);
  const wrong: unknown[] = [];
  for (const path of open) {
    await page.goto(server.url + path);
    if (path !== pages.reports && path !== pages.report) {
      await expect(page.locator("aside").getByText("viewer, payloads hidden")).toBeVisible();
    }
    const buttons = await page.getByRole("main").getByRole("button").allTextContents();
    const acting = buttons.filter((name) => /requeue|cancel|delete|pause|resume|run now|save|submit/i.test(name));
    wrong.push(...[...(await refusedOf(page, VIEWER)), ...acting].map((one) => `${path}: ${one}`));
  }
  expect(wrong).toEqual([]);
  await context.clearCookies();
  await enter(context, ADMIN);
  await page.goto(`${server.url}${pages.dead}`);
  await expect(page.getByText("viewer, payloads hidden")).toHaveCount(0);
  const more = (await refusedOf(page, VIEWER)).join(" ");
  expect(more).toContain("GET /submit");
  expect(more).toMatch(/POST \/jobs\/[0-9a-f-]+\/requeue/);
});

test("C065: what an admin's page sends is refused to a viewer who replays it, with a page that says what it takes", async ({
  page,
  context,
}) => {
  const { token } = await asked(VIEWER);
  const id = await api.submit({ kind: "demo", payload: {}, delaySeconds: 3_600 });
  await enter(context, ADMIN);
  await page.goto(`${server.url}/jobs/${id}`);
  await page.getByRole("button", { name: "Cancel" }).waitFor();
  // The page is still the admin's; the session is the viewer's by now.
  await context.clearCookies();
  await enter(context, token);
  const answered = page.waitForResponse(`${server.url}/jobs/${id}/cancel`);
  await page.getByRole("button", { name: "Cancel" }).click();
  expect((await answered).status()).toBe(403);
  await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
  expect((await api.job(id)).state).toBe("pending");

  for (const path of ["/submit", "/settings/tokens", "/endpoints/new"]) {
    const response = await page.goto(server.url + path);
    expect([path, response?.status()]).toEqual([path, 403]);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^You may not /);
    await clean(page, `refused: ${path}`);
  }
  await page.goto(server.url);
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("submit");
  await expect(page.getByRole("listbox", { name: "Found" }).getByRole("option")).toHaveText([/Search jobs/]);
});

test("payloads are hidden from whoever may not see them, and shown to whoever may", async ({ page, context }) => {
  const WORD = "of-one-patient";
  const mail = { to: "bob@example.com", subject: "Hello", text: WORD };
  const id = await api.submit({ kind: "send_email", payload: mail, delaySeconds: 3_600 });
  await enter(context, (await asked({ role: "operator", payloads: false })).token);
  await page.goto(`${server.url}/jobs/${id}`);
  await expect(card(page, "Payload")).toContainText("Hidden");
  await expect(page.getByRole("link", { name: "Edit and run" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
  expect(await page.content()).not.toContain(WORD);
  expect((await page.goto(`${server.url}/jobs/${id}/payload`))?.status()).toBe(403);
  expect((await page.goto(`${server.url}/submit?kind=send_email&from=${id}`))?.status()).toBe(403);

  await context.clearCookies();
  await enter(context, (await asked({ role: "viewer", payloads: true })).token);
  await page.goto(`${server.url}/jobs/${id}`);
  await expect(card(page, "Payload")).toContainText(WORD);
});

test("an admin makes a token, which is shown once; revoked, its session is over at once", async ({
  page,
  context,
  browser,
}) => {
  await enter(context, ADMIN);
  await page.goto(`${server.url}/settings`);
  await page.getByRole("link", { name: "API tokens" }).click();
  await page.getByLabel("Name").fill("night shift");
  await page.getByRole("radio", { name: /^operator/ }).check();
  await page.getByRole("button", { name: "Make token" }).click();
  const shown = page.getByRole("status").filter({ hasText: "it is not shown again" });
  const token = (await shown.locator("code").textContent()) ?? "";
  expect(token).toMatch(/^rd_/);
  const line = page.locator("tr[data-token]").filter({ hasText: "night shift" });
  await expect(line).toContainText("operator");
  await page.reload();
  expect(await page.content()).not.toContain(token);

  const other = await browser.newContext();
  const seen = await other.newPage();
  await seen.goto(`${server.url}/sign-in`);
  await seen.getByLabel("Token").fill(token);
  await seen.keyboard.press("Enter");
  await expect(seen.locator("aside").getByText("operator, payloads hidden")).toBeVisible();
  await line.getByRole("link", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  // Back at the list: the page that asks has none.
  await expect(page).toHaveURL(`${server.url}/settings/tokens`);
  await expect(line).toHaveCount(0);
  await seen.goto(`${server.url}/jobs`);
  await expect(seen).toHaveURL(/\/sign-in\?next=/);
  await other.close();
});

test("people: the page says that everybody is an admin until one is listed, and what others may do from then on", async ({
  page,
  context,
}) => {
  await enter(context, ADMIN);
  await page.goto(`${server.url}/settings/people`);
  await expect(page.getByText("Everybody who comes in through Access is an admin")).toBeVisible();
  await page.getByLabel("E-mail").fill("Ann@example.com");
  await page.getByRole("radio", { name: /^admin/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("row").filter({ hasText: "ann@example.com" })).toContainText("admin");
  await expect(page.getByText("Everybody who comes in through Access is an admin")).toHaveCount(0);
  const others = card(page, "Whoever is not listed");
  await expect(others.getByRole("radio", { name: /^viewer/ })).toBeChecked();
  await others.getByRole("radio", { name: /^operator/ }).check();
  await others.getByRole("button", { name: "Save for all others" }).click();
  await page.reload();
  await expect(others.getByRole("radio", { name: /^operator/ })).toBeChecked();
  await clean(page, "people who are listed");
  await page.getByRole("button", { name: "Remove ann@example.com" }).click();
  await expect(page.getByText("Nobody is listed.")).toBeVisible();
  expect(actsOf("POST", "/settings/people")).toEqual(["people"]);
});
