import type { Page } from "@playwright/test";
import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { ready, shownIds } from "./pages.ts";
import { Server } from "./server.ts";

let server: Server;
let api: Api;
/** In the order of their submission. */
let dead: string[];
let done: string[];
test.beforeAll(async () => {
  server = await Server.start();
  api = new Api(server.url);
  dead = await api.submitAll([
    { kind: "demo", payload: { permanent: true }, priority: "high", idempotencyKey: "order:1" },
    { kind: "demo", payload: { permanent: true } },
  ]);
  for (const id of dead) await api.until(id, "dead");
  done = await api.submitAll([{ kind: "demo", payload: { steps: 2 } }]);
  for (const id of done) await api.until(id, "done");
});
test.afterAll(() => server.stop());

const box = (page: Page) => page.getByRole("combobox", { name: "Filter", exact: true });
const chip = (page: Page, of: string) => page.getByRole("link", { name: `Remove the filter ${of}` });
const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });

async function list(page: Page, path = "/jobs"): Promise<void> {
  await page.goto(server.url + path);
  await ready(page);
}

test("a filter is put together by keyboard alone from what the box suggests, and taken back", async ({ page }) => {
  await list(page);
  await page.keyboard.press("/");
  await expect(box(page)).toBeFocused();
  await page.keyboard.type("pri");
  await expect(option(page, /^priority:/)).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(box(page)).toHaveValue("priority:");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(option(page, "priority:high")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/jobs\?q=priority%3Ahigh$/);
  await expect(chip(page, "priority high")).toBeVisible();
  await expect(box(page)).toHaveValue("");
  await expect.poll(() => shownIds(page)).toEqual([dead[0]]);
  // What is not indexed is not counted: no tab tells a number that is another list's.
  await expect(page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Dead" })).toHaveText("Dead");

  await page.keyboard.type("-state:done told to fail");
  await page.keyboard.press("Enter");
  await expect(chip(page, "label or cause holds “told to fail”")).toBeVisible();
  await expect(chip(page, "not state done")).toBeVisible();
  await expect.poll(() => shownIds(page)).toEqual([dead[0]]);

  await page.keyboard.press("Backspace");
  await expect(chip(page, "label or cause holds “told to fail”")).toBeHidden();
  await page.keyboard.press("Backspace");
  await expect(chip(page, "not state done")).toBeHidden();
  await page.keyboard.press("Backspace");
  await expect(page).toHaveURL(/\/jobs$/);
  await expect.poll(() => shownIds(page)).toEqual([...done, ...dead.toReversed()]);
});

test("what cannot be understood is said at the box, and stays there to be put right", async ({ page }) => {
  await list(page);
  await box(page).fill("state:nonsense boom");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("There is no state “nonsense”: it is one of scheduled, pending");
  await expect(box(page)).toHaveValue("state:nonsense boom");
  await expect(box(page)).toHaveAccessibleDescription(/no state “nonsense”/);
  await expect(page).toHaveURL(/\/jobs$/);
  await box(page).fill("state:dead order:1");
  await expect(page.getByRole("alert")).toBeEmpty();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/jobs\?view=dead&q=order%3A1$/);
  await expect(page.getByRole("heading", { name: "No job matches" })).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/\/jobs$/);

  // An old or mistyped link still shows a list, and says what of it was left out.
  await list(page, "/jobs?q=state%3Anonsense+key%3Aorder%3A1");
  await expect(page.getByRole("alert")).toContainText("no state “nonsense”");
  expect(await shownIds(page)).toEqual([dead[0]]);
});

test("a list is sorted by end, shown with other columns, and taken along as a file", async ({ page }) => {
  await list(page, "/jobs?kind=demo");
  await page.getByText("Sort", { exact: true }).click();
  await page.getByRole("link", { name: "Oldest ended" }).click();
  await expect(page).toHaveURL(/\/jobs\?kind=demo&sort=finished&order=oldest$/);
  await expect.poll(async () => (await shownIds(page)).at(-1)).toBe(done[0]);
  await page.getByText("Columns", { exact: true }).click();
  await page.getByRole("link", { name: "Priority" }).click();
  await expect(page.getByRole("columnheader", { name: "Priority" })).toBeVisible();
  await page.getByText("Columns", { exact: true }).click();
  await page.getByRole("link", { name: "Tries" }).click();
  await expect(page.getByRole("columnheader", { name: "Tries" })).toBeHidden();
  await expect(page).toHaveURL(/columns=/);

  await page.getByText("Export", { exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "These jobs as NDJSON" }).click();
  const file = await (await download).createReadStream();
  const lines = (await file.setEncoding("utf8").toArray()).join("").trim().split("\n");
  expect(lines.map((text) => JSON.parse(text).id)).toEqual(await shownIds(page));
});

test("a list that is sorted by end takes what ends meanwhile as new", async ({ page }) => {
  await list(page, "/jobs?sort=finished");
  const first = (await shownIds(page))[0];
  const id = await api.submit({ kind: "demo", payload: {} });
  await api.until(id, "done");
  await page.getByRole("button", { name: "1 new" }).click();
  await expect.poll(async () => (await shownIds(page)).slice(0, 2)).toEqual([id, first]);
});

test("C047: what is typed is searched for as it stands, survives in the link, and comes back from there", async ({
  page,
}) => {
  await list(page);
  const all = await shownIds(page);
  expect(all).toEqual(expect.arrayContaining([...dead, ...done]));
  for (const text of ["%", "_", "a_b", "\\", "C:\\tmp", "'", "it's", "100%", "%25", "50 percent"]) {
    await list(page);
    await box(page).fill(text);
    await page.keyboard.press("Enter");
    const name = `label or cause holds “${text}”`;
    await expect(chip(page, name)).toBeVisible();
    expect(new URL(page.url()).searchParams.get("q")).toBe(text);
    await expect(page.getByRole("heading", { name: "No job matches" })).toBeVisible();
    const response = await page.goto(page.url());
    expect([text, response?.status()]).toEqual([text, 200]);
    await expect(chip(page, name)).toBeVisible();
  }
  for (const nothing of ["", "   "]) {
    await list(page, `/jobs?q=${encodeURIComponent(nothing)}`);
    await box(page).fill(nothing);
    await page.keyboard.press("Enter");
    await expect.poll(() => shownIds(page)).toEqual(all);
  }
});

test("axe finds nothing at the box, open, filled and wrong, nor at an open menu", async ({ page }) => {
  await list(page, "/jobs?view=dead&q=-kind%3Ahttp_request+told");
  await box(page).fill("k");
  await expect(option(page, /^kind:/)).toBeVisible();
  await clean(page, "suggestions");
  await box(page).fill("state:nonsense");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByText("Columns", { exact: true }).click();
  await clean(page, "menu and error");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("link", { name: "Priority" })).toBeHidden();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the box is a form that adds to what is filtered by already, and chips are links", async ({ page }) => {
    await page.goto(`${server.url}/jobs?kind=demo&q=priority%3Ahigh`);
    await box(page).fill("state:dead");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/q=state%3Adead$/);
    expect(await shownIds(page)).toEqual([dead[0]]);
    await chip(page, "priority high").click();
    await expect(page).toHaveURL(/\/jobs\?view=dead&kind=demo$/);
    expect(await shownIds(page)).toEqual(dead.toReversed());
    await page.getByText("Sort", { exact: true }).click();
    await page.getByRole("link", { name: "Oldest submitted" }).click();
    await expect(page).toHaveURL(/order=oldest$/);
    expect(await shownIds(page)).toEqual(dead);
  });
});
