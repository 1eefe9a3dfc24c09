import type { Locator, Page } from "@playwright/test";
import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { changes, press, ready, row, shownIds, tabTo, toast, turn } from "./pages.ts";
import { Receiver } from "./receiver.ts";
import { Server } from "./server.ts";

const PAGE = 25;
/** Dies at its first try; after a requeue it works. */
const DIES_ONCE = { kind: "demo", payload: { failTimes: 1 }, maxAttempts: 1 };
const DIES_ALWAYS = { kind: "demo", payload: { permanent: true } };
const LATER = { kind: "demo", payload: {}, delaySeconds: 3_600 };

type Operation = {
  id: string;
  state: string;
  expected: number;
  changed: number;
  skipped: number;
  matching: number | null;
};

// Each test counts to the last job, on a server of its own: they may run beside each other.
test.describe.configure({ mode: "parallel" });
let receiver: Receiver;
let server: Server;
let api: Api;
test.beforeEach(async () => {
  receiver = await Receiver.start();
  receiver.answer = () => ({ status: 410 });
  server = await Server.start({ env: { OUTBOUND_ALLOW: receiver.origin } });
  api = new Api(server.url);
});
test.afterEach(async ({ context }) => {
  // A page that still asks would say on its console that nobody answers.
  for (const page of context.pages()) await page.close();
  await server.stop();
  await receiver.stop();
});

const times = (n: number, job: object): object[] => Array.from({ length: n }, () => job);
async function dead(n: number, job: object = DIES_ONCE): Promise<string[]> {
  const before = (await api.counts()).dead;
  const ids = await api.submitAll(times(n, job));
  await expect.poll(async () => (await api.counts()).dead, { timeout: 30_000 }).toBe(before + n);
  return ids;
}
const read = async <T>(path: string): Promise<T> => (await (await api.call("GET", path)).json()) as T;
const generations = async (ids: string[]) =>
  (await Promise.all(ids.map((id) => api.job(id)))).map((job) => job.generation);

const bar = (page: Page): Locator => page.getByRole("form", { name: "Selected jobs" });
const pageBox = (page: Page): Locator => bar(page).getByRole("checkbox");
const box = (page: Page, id: string): Locator => row(page, id).getByRole("checkbox");
const act = (page: Page, action: string): Locator => bar(page).getByRole("button", { name: `${action} selected` });
const all = (page: Page): Locator => bar(page).getByRole("button", { name: /^Select all .*matching$/ });
const dialog = (page: Page): Locator => page.getByRole("dialog");
const sure = (page: Page, name: string): Locator => dialog(page).getByRole("button", { name });

async function list(page: Page, path: string): Promise<void> {
  await page.goto(server.url + path);
  await ready(page);
}

/** The operation that the notice leads to, once it has ended. */
async function ended(page: Page): Promise<Operation> {
  const href = await toast(page).getByRole("link", { name: "Open operation" }).first().getAttribute("href");
  await expect.poll(async () => (await read<Operation>(href as string)).state, { timeout: 30_000 }).toBe("done");
  return read<Operation>(href as string);
}

test("C060: the user sees how many jobs an action will touch, and exactly those are touched", async ({ page }) => {
  const a = await dead(120);
  const b = await dead(30, { kind: "http_request", payload: { url: receiver.origin } });
  await list(page, "/jobs?view=dead");
  await page.getByLabel("Kind").selectOption("demo");
  await expect(page).toHaveURL(/view=dead&kind=demo$/);
  // The address is there before the list: those of the other kind were its first rows until now.
  await expect(row(page, b.at(-1) as string)).toBeHidden();

  await pageBox(page).check();
  await expect(bar(page)).toContainText("25 selected");
  const first = await shownIds(page);
  expect(first).toHaveLength(PAGE);
  await act(page, "Requeue").click();
  await expect(dialog(page)).toContainText("Requeue 25 jobs?");
  await sure(page, "Requeue 25 jobs").click();
  await expect(toast(page)).toContainText("25 requeued.");
  await expect(bar(page)).toContainText("None selected");
  for (const id of first) await api.until(id, "done");
  expect((await api.counts("demo")).dead).toBe(95);

  await all(page).click();
  await expect(bar(page)).toContainText("All 95 dead jobs of the kind demo selected");
  await act(page, "Requeue").click();
  await expect(dialog(page)).toContainText("Requeue 95 jobs?");
  await expect(dialog(page)).toContainText("All dead jobs of the kind demo, as they are at the moment of pressing.");
  const newcomers = await dead(5, DIES_ALWAYS);
  await sure(page, "Requeue 95 jobs").click();
  await expect(toast(page)).toContainText("Requeueing 100 jobs.");
  await expect(toast(page)).toContainText("100 requeued.");
  expect(await ended(page)).toMatchObject({ expected: 100, changed: 100, skipped: 0 });

  expect(new Set(await generations(a))).toEqual(new Set([2]));
  expect(new Set(await generations(newcomers))).toEqual(new Set([2]));
  expect(new Set(await generations(b))).toEqual(new Set([1]));
  expect((await api.counts("http_request")).dead).toBe(30);
  await expect.poll(() => api.counts("demo")).toMatchObject({ done: 120, dead: 5 });
});

test("C060: of a list by any filter all that match are counted when asked for, and those alone are touched", async ({
  page,
}) => {
  const before = await dead(2, { ...DIES_ONCE, priority: "high" });
  const meant = await dead(30, { ...DIES_ONCE, priority: "high", groupKey: "customer-7" });
  const others = await dead(3);
  const filter = "group:customer-7 priority:high finished:1h told to fail";
  await list(page, `/jobs?view=dead&q=${encodeURIComponent(filter)}`);
  await all(page).click();
  await expect(bar(page)).toContainText("All 30 dead jobs, group customer-7, priority high, finished after ");
  // What comes to match while somebody thinks is counted again, and said.
  const later = await dead(1, { ...DIES_ALWAYS, priority: "high", groupKey: "customer-7" });
  await act(page, "Delete").click();
  await dialog(page).getByLabel("Type 30 to confirm").fill("30");
  await sure(page, "Delete 30 jobs").click();
  await expect(dialog(page).getByRole("alert")).toHaveText("Not done: 31 match by now. Type that number.");
  await sure(page, "Back").click();
  await act(page, "Requeue").click();
  await sure(page, "Requeue 30 jobs").click();
  const operation = await ended(page);
  expect(operation).toMatchObject({ expected: 31, changed: 31, skipped: 0, matching: null });
  for (const id of meant) await api.until(id, "done");
  expect(new Set(await generations([...meant, ...later]))).toEqual(new Set([2]));
  expect(new Set(await generations([...before, ...others]))).toEqual(new Set([1]));

  // The one that died again is what is left: counted on the way.
  await page.goto(`${server.url}/operations/${operation.id}`);
  await page.getByRole("link", { name: "Count, and run again on what is left" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Requeue 1 job?");
  await page.getByRole("button", { name: "Requeue 1 job" }).click();
  await expect(page).toHaveURL(/operations\/.+/);
  await expect.poll(() => generations(later)).toEqual([3]);

  // Somebody else was quicker: nothing is begun for nothing.
  await list(page, `/jobs?view=dead&q=${encodeURIComponent("-group:customer-7")}`);
  await all(page).click();
  await act(page, "Requeue").click();
  await expect(dialog(page)).toContainText("Requeue 5 jobs?");
  expect((await api.call("POST", "/bulk", { action: "requeue", filter: { view: "dead", kind: "demo" } })).status).toBe(
    202,
  );
  for (const id of [...before, ...others]) await api.until(id, "done");
  await sure(page, "Requeue 5 jobs").click();
  await expect(toast(page)).toContainText("Nothing matches any more, nothing changed.");
  await expect(dialog(page)).toBeHidden();
});

test("with the keyboard alone jobs are selected, also as a range, and requeued", async ({ page }) => {
  const ids = (await dead(6)).toReversed();
  await list(page, "/jobs?view=dead");
  await tabTo(page, box(page, ids[1] as string));
  await page.keyboard.press("Space");
  await expect(bar(page)).toContainText("1 selected");
  await tabTo(page, box(page, ids[4] as string));
  await page.keyboard.press("Shift+Space");
  await expect(bar(page)).toContainText("4 selected");
  await page.keyboard.press("Space");
  await expect(bar(page)).toContainText("3 selected");
  // The same by letters: to the row before, off and on again.
  await page.keyboard.press("k");
  await page.keyboard.press("x");
  await expect(bar(page)).toContainText("2 selected");
  await page.keyboard.press("x");
  await expect(bar(page)).toContainText("3 selected");

  await press(page, act(page, "Requeue"));
  await expect(dialog(page)).toContainText("Requeue 3 jobs?");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(act(page, "Requeue")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(sure(page, "Requeue 3 jobs")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast(page)).toContainText("3 requeued.");
  await expect.poll(async () => (await api.counts()).done).toBe(3);
  expect(await generations(ids)).toEqual([1, 2, 2, 2, 1, 1]);
  expect((await api.job(ids[2] as string)).audit).toMatchObject([{ actor: "local", action: "requeue" }]);
});

test("C051: ticks outlive refreshes, pages, filters and reloads; a job that leaves the list loses its own, and is left alone", async ({
  page,
}) => {
  const [elsewhere = ""] = await dead(1, { kind: "http_request", payload: { url: receiver.origin } });
  const ids = (await dead(60)).toReversed();
  await list(page, "/jobs?view=dead");
  await turn(page, "Older");
  const chosen = ids.slice(PAGE + 1, PAGE + 4);
  for (const id of chosen) await box(page, id).check();
  const refreshed = () => page.waitForResponse(/\/api\/v1\/jobs\?/);
  for (let i = 0; i < 3; i++) await refreshed();
  await expect(bar(page)).toContainText("3 selected");
  await turn(page, "Newer");
  await expect(bar(page)).toContainText("3 selected, 3 not on this page");
  await box(page, ids[0] as string).check();
  await page.getByLabel("Kind").selectOption("http_request");
  await expect(row(page, elsewhere)).toBeVisible();
  await expect(bar(page)).toContainText("4 selected, 4 not on this page");
  await page.reload();
  await ready(page);
  await expect(bar(page)).toContainText("4 selected, 4 not on this page");
  await row(page, elsewhere).getByRole("link").first().click();
  await page.goBack();
  await page.getByLabel("Kind").selectOption("");
  await expect(page).toHaveURL(/\/jobs\?view=dead$/);
  await expect(row(page, ids[0] as string)).toBeVisible();
  await turn(page, "Older");
  for (const id of chosen) await expect(box(page, id)).toBeChecked();

  // Rows stay put under the pointer, and this is about one that leaves.
  await page.mouse.move(0, 0);
  // Somebody else requeues one that is on screen, and one that is not.
  const [left = "", ...rest] = chosen;
  await api.call("POST", `/jobs/${left}/requeue`);
  await api.until(left, "done");
  await expect(box(page, left)).toBeHidden();
  await expect(bar(page)).toContainText("3 selected, 1 not on this page");
  await api.call("POST", `/jobs/${ids[0]}/requeue`);
  await api.until(ids[0] as string, "done");
  await act(page, "Delete").click();
  await dialog(page).getByLabel("Type 3 to confirm").fill("3");
  await sure(page, "Delete 3 jobs").click();
  await expect(toast(page)).toContainText("2 deleted, 1 skipped: is done now.");
  for (const id of [left, ids[0] as string]) expect((await api.job(id)).state).toBe("done");
  for (const id of rest) expect((await api.call("GET", `/jobs/${id}`)).status).toBe(404);
});

test("a keyboard is still at the bar once all are selected or cleared; what was not understood of a filter is not meant as a whole", async ({
  page,
}) => {
  await dead(2);
  await list(page, "/jobs?view=dead");
  await all(page).press("Enter");
  await expect(bar(page)).toContainText("All 2 dead jobs selected");
  await expect(bar(page).getByRole("button", { name: "Clear the selection" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(bar(page)).toContainText("None selected");
  await expect(pageBox(page)).toBeFocused();

  await list(page, "/jobs?view=dead&q=finished:%3E02:00");
  await expect(all(page)).toHaveAttribute("aria-disabled", "true");
  await all(page).click({ force: true });
  await expect(bar(page)).toContainText("Select all matching: part of the filter was not understood.");
  await expect(bar(page)).toContainText("None selected");
  await list(page, "/jobs?view=dead&q=finished:1h");
  await all(page).click();
  await expect(bar(page)).toContainText("All 2 dead jobs");
});

test("while something else stands in the filter box, nothing is done with the list as it was filtered before; operations are suggested there", async ({
  page,
}) => {
  const ids = await dead(3, DIES_ALWAYS);
  await list(page, "/jobs?view=dead");
  const typing = page.getByRole("combobox", { name: "Filter", exact: true });
  await box(page, ids[0] as string).check();
  await expect(act(page, "Requeue")).not.toHaveAttribute("aria-disabled", "true");
  await typing.fill("priority:high");
  await expect(bar(page)).toContainText("1 selected · the filter in the box is not applied yet");
  for (const action of ["Requeue", "Delete"])
    await expect(act(page, action)).toHaveAccessibleDescription("the filter in the box is not applied yet");
  await act(page, "Requeue").click({ force: true });
  await expect(bar(page)).toContainText("Requeue: the filter in the box is not applied yet.");
  await expect(all(page)).toHaveAttribute("aria-disabled", "true");
  await all(page).click({ force: true });
  await expect(bar(page)).toContainText("Select all matching: the filter in the box is not applied yet.");
  await expect(dialog(page)).toBeHidden();
  // Taken out again, or applied, the list is what is meant.
  await typing.fill("");
  await typing.press("Escape");
  await all(page).click();
  await expect(bar(page)).toContainText("All 3 dead jobs selected");
  await act(page, "Requeue").click();
  await sure(page, "Requeue 3 jobs").click();
  const { id } = await ended(page);
  await expect.poll(async () => (await api.counts()).dead).toBe(3);
  await typing.fill("operation:");
  const suggested = page.getByRole("option", { name: new RegExp(`^operation:${id} 3 requeued · .* UTC$`) });
  await suggested.click();
  await expect(page.getByRole("link", { name: /^Remove the filter operation …/ })).toBeVisible();
  await expect(bar(page)).not.toContainText("not applied");
  await all(page).click();
  await expect(bar(page)).toContainText(/All 3 dead jobs, operation …[0-9a-f]{8} selected/);
});

test("what cannot be done says why, and what can is asked for the more it touches", async ({ page }) => {
  const [gone = ""] = await dead(1);
  const waiting = await api.submitAll(times(2, LATER));
  await list(page, "/jobs");
  for (const action of ["Requeue", "Cancel", "Delete"]) {
    await expect(act(page, action)).toHaveAttribute("aria-disabled", "true");
    await expect(act(page, action)).toHaveAccessibleDescription("select jobs first");
  }
  await all(page).click({ force: true });
  await expect(bar(page)).toContainText("Select all matching: choose one state first");
  await box(page, waiting[0] as string).check();
  await expect(act(page, "Requeue")).toHaveAccessibleDescription("only dead and cancelled jobs are requeued");
  await act(page, "Delete").click({ force: true });
  await expect(bar(page)).toContainText("Delete: only jobs that have ended are deleted.");
  // One alone is not asked for; of several that do not all fit, those that do.
  await act(page, "Cancel").click();
  await expect(toast(page)).toContainText("1 cancelled.");
  await box(page, waiting[1] as string).check();
  await box(page, gone).check();
  await act(page, "Delete").click();
  await expect(dialog(page)).toContainText("1 more selected is left alone: only jobs that have ended are deleted.");
  const confirm = sure(page, "Delete 1 job");
  await expect(confirm).toHaveAttribute("aria-disabled", "true");
  await dialog(page).getByLabel("Type 1 to confirm").fill("2");
  await confirm.click({ force: true });
  await expect(dialog(page)).toBeVisible();
  await dialog(page).getByLabel("Type 1 to confirm").fill("1");
  await confirm.click();
  await expect(toast(page)).toContainText("1 deleted.");
  expect((await api.call("GET", `/jobs/${gone}`)).status).toBe(404);
  expect((await api.job(waiting[1] as string)).state).toBe("pending");
});

test("to delete all that match the count is typed; where it is another one by then, nothing is deleted", async ({
  page,
}) => {
  await dead(60);
  await list(page, "/jobs?view=dead");
  await all(page).click();
  await act(page, "Delete").click();
  await expect(dialog(page).getByRole("list", { name: "What they are" })).toHaveText("60 demo");
  await dead(2);
  await dialog(page).getByLabel("Type 60 to confirm").fill("60");
  await sure(page, "Delete 60 jobs").click();
  await expect(dialog(page).getByRole("alert")).toHaveText("Not done: 62 match by now. Type that number.");
  expect((await api.counts()).dead).toBe(62);
  await dialog(page).getByLabel("Type 62 to confirm").fill("62");
  await sure(page, "Delete 62 jobs").click();
  expect(await ended(page)).toMatchObject({ expected: 62, changed: 62 });
  expect(await api.counts("demo")).toMatchObject({ dead: 0, done: 0 });
});

test("an operation is paced, watched, aborted, and run again on what is left", async ({ page }) => {
  await dead(40);
  await list(page, "/dead");
  await page.getByRole("button", { name: "Requeue all 40", exact: true }).click();
  await dialog(page).getByLabel("Pace").fill("60");
  await dialog(page).getByLabel("Reason").fill("the receiver is back");
  await sure(page, "Requeue 40 jobs").click();
  await expect(toast(page)).toContainText("Requeueing 40 jobs.");
  await toast(page).getByRole("link", { name: "Open operation" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Requeue dead jobs");
  await expect(figure(page, "Changed")).toHaveText("10");
  await expect(figure(page, "To come")).toHaveText("30");
  await expect(page.getByText("the receiver is back")).toBeVisible();
  await page.getByRole("button", { name: "Abort" }).click();
  await expect(toast(page)).toContainText("Aborted: no further jobs are touched.");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Aborted");
  await expect(figure(page, "Not reached")).toHaveText("30");
  expect((await api.counts()).dead).toBe(30);

  await page.getByRole("button", { name: "Run again on what is left" }).click();
  await dialog(page).getByLabel("Pace").fill("");
  await expect(dialog(page).getByLabel("Reason")).toHaveValue(/^What operation .* has left$/);
  await sure(page, "Requeue 30 jobs").click();
  expect(await ended(page)).toMatchObject({ expected: 30, changed: 30 });
  await page.getByRole("link", { name: "All operations" }).click();
  const rows = page.locator("tr[data-operation]");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(/Done.*30 of 30/s);
  await expect(rows.last()).toContainText(/Aborted.*10 of 40 · 60 a minute/s);
});

test("an operation whose job was cancelled says that it has stopped and by what, and goes on once that job is requeued", async ({
  page,
}) => {
  await dead(40);
  const asked = { action: "requeue", filter: { view: "dead" }, pace: 60 };
  const started = await (await api.call("POST", "/bulk", asked)).json();
  const { id } = (started as { operation: { id: string } }).operation;
  const standing = () => read<Operation & { job: { id: string } }>(`/operations/${id}`);
  await expect.poll(async () => (await standing()).changed).toBe(10);
  const job = (await standing()).job.id;
  await list(page, "/operations");
  const shown = page.locator(`tr[data-operation="${id}"]`);
  await expect(shown).toContainText("Running");
  expect((await api.call("POST", `/jobs/${job}/cancel`)).status).toBe(200);
  await expect(shown).toContainText(/Stopped.*It has stopped: its job was cancelled\..*10 of 40/s);

  await shown.getByRole("link").first().click();
  await expect(page.getByRole("status").filter({ hasText: "It has stopped: its job was cancelled" })).toBeVisible();
  await expect(figure(page, "Changed")).toHaveText("10");
  await expect(figure(page, "Not reached")).toHaveText("30");
  await expect(page.getByRole("button", { name: "Run again on what is left" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Abort" })).toBeVisible();
  await list(page, "/");
  await page.getByRole("link", { name: "Requeue dead jobs has stopped at 10 of 40: its job was cancelled." }).click();
  await page.getByRole("link", { name: "Requeue that job" }).click();
  await page.getByRole("button", { name: /^Requeue/ }).click();
  await expect.poll(() => generations([job])).toEqual([2]);
  await page.goBack();
  await expect(page.getByText("It has stopped")).toHaveCount(0);
  await expect.poll(async () => (await standing()).state, { timeout: 60_000 }).toBe("done");
  expect(await standing()).toMatchObject({ changed: 40, skipped: 0 });
});

test("of an operation it is told what became of its jobs: each number has its list, those that died again are requeued, what waits is taken back", async ({
  page,
}) => {
  await dead(6);
  const again = await dead(3, DIES_ALWAYS);
  const requeueAll = { action: "requeue", filter: { view: "dead" } };
  const begin = async () =>
    ((await (await api.call("POST", "/bulk", requeueAll)).json()) as { operation: Operation }).operation.id;
  const first = await begin();
  await list(page, `/operations/${first}`);
  await expect(page.getByText("6 of 9 done, 3 died again")).toBeVisible();
  const causes = page.getByRole("list", { name: "What they died of" });
  await expect(causes).toHaveText("3demo: this demo was told to fail for good");
  await page.getByRole("link", { name: "6 done" }).click();
  await expect(page.getByRole("link", { name: /^Remove the filter operation …/ })).toBeVisible();
  await expect.poll(async () => (await shownIds(page)).length).toBe(6);
  await page.goBack();
  await page.getByRole("link", { name: "3 died again" }).click();
  await expect.poll(async () => new Set(await shownIds(page))).toEqual(new Set(again));
  await page.goBack();
  const others = await dead(2, DIES_ALWAYS);
  await page.getByRole("button", { name: "Requeue all 3 died again" }).click();
  await expect(dialog(page)).toContainText("Requeue 3 jobs?");
  await expect(dialog(page)).toContainText(/All dead jobs, operation …[0-9a-f]{8}, as they are/);
  await sure(page, "Requeue 3 jobs").click();
  await expect(page.getByText("6 of 9 done, 3 changed since, or removed")).toBeVisible();
  expect(await ended(page)).toMatchObject({ expected: 3, changed: 3 });
  expect([await generations(again), await generations(others)]).toEqual([
    [3, 3, 3],
    [1, 1],
  ]);

  await api.call("POST", "/kinds/demo/pause");
  await expect.poll(async () => (await api.counts()).dead).toBe(5);
  const own = await api.submit({ kind: "demo", payload: {} });
  const second = await begin();
  await list(page, `/operations/${second}`);
  await expect(page.getByText("0 of 5 done, 5 wait or run")).toBeVisible();
  await page.getByRole("button", { name: "Cancel all 5 pending" }).click();
  await sure(page, "Cancel 5 jobs").click();
  await expect(page.getByText("0 of 5 done, 5 changed since, or removed")).toBeVisible();
  expect(await api.counts()).toMatchObject({ pending: 1, cancelled: 5 });
  expect((await api.job(own)).state).toBe("pending");
});

test("20,000 dead jobs of one cause are requeued from one click: counted, watched, and later ones left alone", async ({
  page,
}) => {
  test.setTimeout(300_000);
  for (let n = 0; n < 20; n++) await api.submitAll(times(1_000, DIES_ONCE));
  await expect.poll(async () => (await api.counts()).dead, { timeout: 120_000 }).toBe(20_000);
  await list(page, "/dead");
  await page.getByRole("button", { name: /^Requeue all 20,000 of the cause/ }).click();
  await expect(dialog(page)).toContainText("Requeue 20,000 jobs?");
  // So many at once that it can be seen on its way.
  await dialog(page).getByLabel("Pace").fill("60000");
  await sure(page, "Requeue 20,000 jobs").click();
  await toast(page).getByRole("link", { name: "Open operation" }).click();
  const seen = await changes(figure(page, "Changed"));
  const later = await api.submitAll(times(7, DIES_ONCE));
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Done", { timeout: 120_000 });
  await expect(figure(page, "Matched")).toHaveText("20,000");
  await expect(figure(page, "Changed")).toHaveText("20,000");
  await expect(figure(page, "Skipped")).toHaveText("0");
  const numbers = (await seen()).map((text) => Number(text.replaceAll(",", "")));
  expect(numbers).toContain(10_000);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));

  await expect
    .poll(() => api.counts("demo"), { timeout: 120_000 })
    .toMatchObject({ done: 20_000, dead: 7, pending: 0 });
  expect(await generations(later)).toEqual(times(7, {}).map(() => 1));
});

test("where a button counts fewer jobs than its list it says why, and what of a requeue will wait is said before it", async ({
  page,
}) => {
  await dead(2, DIES_ALWAYS);
  const nothing = { action: "requeue", filter: { view: "dead", kind: "http_request" } };
  const { operation } = (await (await api.call("POST", "/bulk", nothing)).json()) as { operation: Operation };
  await expect.poll(async () => (await read<Operation>(`/operations/${operation.id}`)).state).toBe("done");
  await expect.poll(async () => (await api.counts("bulk")).done).toBe(1);
  await list(page, "/dead");
  await expect(page.getByText("2 jobs used up all tries, or failed in a way that no retry can help.")).toBeVisible();
  await expect(page.getByText("own job is left alone")).toHaveCount(0);
  // As if it had died at its work.
  server.database((db) =>
    db.exec(`UPDATE jobs SET state = 'dead', cause = 'bulk: it broke', last_error = 'it broke' WHERE kind = 'bulk';
      UPDATE job_counts SET view = 'dead' WHERE kind = 'bulk' AND n > 0;
      INSERT INTO dead_counts SELECT cause, finished_at / 3600000 * 3600000, 1 FROM jobs WHERE kind = 'bulk';
      UPDATE site_state SET revision = revision + 1`),
  );
  const left = "1 operation's own job is left alone";
  await expect(
    page.getByText(new RegExp(`^3 jobs used up all tries.* Requeued as a whole, ${left}\\.$`)),
  ).toBeVisible();
  await api.call("POST", "/kinds/demo/pause", { reason: "the provider is down" });
  await api.submitAll(times(2, { kind: "demo", payload: {} }));
  await page.getByRole("button", { name: "Requeue all 2", exact: true }).click();
  await expect(dialog(page)).toContainText(`${left}.`);
  await expect(dialog(page)).toContainText(
    "demo is paused by local: 2 jobs of it held already, and what is requeued of it waits until it is resumed.",
  );
  await clean(page, "a question that says what will wait");
  await page.keyboard.press("Escape");
  await list(page, "/jobs?view=dead");
  await expect(all(page)).toHaveText("Select all 2 matching");
  await expect(bar(page)).toContainText(left);
  await list(page, "/jobs?view=dead&kind=demo");
  await expect(all(page)).toHaveText("Select all 2 matching");
  await expect(bar(page)).not.toContainText("left alone");
});

test("on a phone operations of one cause are told apart by count, cause and time", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const cause = "demo: this demo was told to fail for good";
  const begin = async (n: number) => {
    await dead(n, DIES_ALWAYS);
    const asked = { action: "requeue", filter: { view: "dead", cause } };
    const { operation } = (await (await api.call("POST", "/bulk", asked)).json()) as { operation: Operation };
    await expect.poll(async () => (await read<Operation>(`/operations/${operation.id}`)).state).toBe("done");
    return read<Operation & { createdAt: string }>(`/operations/${operation.id}`);
  };
  const first = await begin(2);
  await expect.poll(async () => (await api.counts()).dead).toBe(2);
  const second = await begin(1);
  await list(page, "/operations");
  for (const { id, expected, createdAt } of [first, second]) {
    const shown = page.locator(`tr[data-operation="${id}"]`);
    await expect(shown).toContainText(`Requeue dead jobs of the cause “${cause}”`);
    await expect(shown.getByText(new RegExp(`^${expected} of ${expected}$`)).filter({ visible: true })).toBeVisible();
    const at = `${createdAt.slice(0, 10)} ${createdAt.slice(11, 19)} UTC`;
    await expect(shown.getByText(at)).toBeVisible();
  }
});

test("a paused kind holds its jobs, says so everywhere, and starts them within seconds when it resumes", async ({
  page,
}) => {
  await list(page, "/kinds");
  const demo = page.locator('[data-kind="demo"]');
  await demo.getByText("Pause…").click();
  await expect(demo).toContainText("No job waits now: those that come will wait.");
  await demo.getByLabel("Reason").fill("the provider is down");
  await demo.getByRole("button", { name: "Pause demo" }).click();
  await expect(toast(page)).toContainText("Paused: none of its jobs starts");
  await expect(demo).toContainText("Paused by local");
  await expect(demo).toContainText("the provider is down");
  await expect(demo).not.toContainText("held");
  const ids = await api.submitAll(times(3, { kind: "demo", payload: {} }));
  const other = await api.submit({ kind: "http_request", payload: { url: receiver.origin } });
  await api.until(other, "dead");
  await expect(demo.getByRole("link", { name: "3" })).toBeVisible();

  await list(page, "/jobs?view=pending");
  await expect(row(page, ids[0] as string)).toContainText("held by pause");
  await page.goto(`${server.url}/jobs/${ids[0]}`);
  await expect(page.getByRole("region", { name: "How it stands" })).toContainText("Held: the kind demo is paused");
  await page.goto(server.url);
  await expect(page.getByText(/demo is paused by local.*the provider is down.*3 jobs held/)).toBeVisible();

  await list(page, "/kinds");
  await expect(demo).toContainText(/Paused by local .*, 3 jobs held/);
  await demo.getByRole("button", { name: "Resume demo" }).click();
  await expect(toast(page)).toContainText("Resumed: its held jobs start within seconds.");
  for (const id of ids) await api.until(id, "done", 10_000);
  await expect(demo).not.toContainText("Paused by");
  await expect(demo.getByRole("link", { name: "3" })).toBeVisible();
});

test("axe finds nothing in the bar, the dialogs and the pages of operations", async ({ page }) => {
  await dead(60);
  await list(page, "/jobs?view=dead");
  await pageBox(page).check();
  await clean(page, "ticked rows");
  await act(page, "Requeue").click();
  await expect(dialog(page)).toBeVisible();
  await clean(page, "a plain question");
  await page.keyboard.press("Escape");
  await all(page).click();
  await act(page, "Delete").click();
  await expect(dialog(page)).toBeVisible();
  await clean(page, "a question before a deletion");
  await page.keyboard.press("Escape");
  await act(page, "Requeue").click();
  await sure(page, "Requeue 60 jobs").click();
  const { id } = await ended(page);
  for (const path of [`/operations/${id}`, "/operations", "/kinds", "/bulk?action=delete&view=done"]) {
    await page.goto(server.url + path);
    await clean(page, path);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("ticked jobs are requeued, deleted and cancelled, and a cause is requeued as a whole", async ({
    page,
    allow,
  }) => {
    allow(/status of 400/);
    const ids = await dead(8);
    await page.goto(`${server.url}/jobs?view=dead`);
    await bar(page).getByRole("button", { name: "Requeue selected" }).click();
    await expect(toast(page)).toContainText("No jobs were selected, nothing changed.");
    await expect(page).toHaveURL(/\/jobs\?view=dead$/);

    // One alone: at once.
    await box(page, ids[0] as string).check();
    await act(page, "Requeue").click();
    await expect(page).toHaveURL(/\/jobs\?view=dead$/);
    await expect(toast(page)).toContainText("1 requeued.");

    for (const id of ids.slice(1, 4)) await box(page, id).check();
    await act(page, "Requeue").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Requeue 3 jobs?");
    await page.getByLabel("Reason").fill("fixed");
    await page.getByRole("button", { name: "Requeue 3 jobs" }).click();
    await expect(page).toHaveURL(/\/jobs\?view=dead$/);
    await expect(toast(page)).toContainText("3 requeued.");
    await expect.poll(async () => (await api.counts()).done).toBe(4);

    await box(page, ids[4] as string).check();
    await act(page, "Delete").click();
    await page.getByLabel("Type 1 to confirm").fill("2");
    await page.getByRole("button", { name: "Delete 1 job" }).click();
    await expect(page.getByRole("alert")).toContainText("Not done: type 1");
    await page.getByLabel("Type 1 to confirm").fill("1");
    await page.getByRole("button", { name: "Delete 1 job" }).click();
    await expect(toast(page)).toContainText("1 deleted.");

    await page.goto(`${server.url}/dead`);
    await page.getByRole("link", { name: /^Requeue all 3 of the cause/ }).click();
    await page.getByRole("button", { name: "Requeue 3 jobs" }).click();
    await expect(page).toHaveURL(/\/operations\/[0-9a-f-]{36}$/);
    await expect(toast(page)).toContainText("Requeueing 3 jobs.");
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("heading", { level: 1 })).toContainText("Done", { timeout: 500 });
    }).toPass({ timeout: 20_000 });
    await expect(figure(page, "Changed")).toHaveText("3");
    await expect.poll(() => api.counts("demo")).toMatchObject({ dead: 0, done: 7 });
  });

  test("a kind is paused and resumed", async ({ page }) => {
    await page.goto(`${server.url}/kinds`);
    const demo = page.locator('[data-kind="demo"]');
    await demo.getByText("Pause…").click();
    await demo.getByLabel("Reason").fill("later");
    await demo.getByRole("button", { name: "Pause demo" }).click();
    await expect(toast(page)).toContainText("Paused");
    await demo.getByRole("button", { name: "Resume demo" }).click();
    await expect(toast(page)).toContainText("Resumed");
    await expect(demo).not.toContainText("later");
  });
});

const figure = (page: Page, name: string): Locator =>
  page
    .locator("dl > div")
    .filter({ has: page.locator("dt", { hasText: name }) })
    .locator("dd")
    .first();
