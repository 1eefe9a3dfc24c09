import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

import { type Received, Receiver } from "./receiver.ts";
import { Server } from "./server.ts";

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

type Alerts = {
  rules: { id: string; name: string; open: number }[];
  alerts: { notices: { view: string | null; tries: number | null }[] }[];
};
const to = (path: string): Received[] => receiver.received.filter((request) => request.path === path);
const read = async (): Promise<Alerts> => (await (await api.call("GET", "/alerts")).json()) as Alerts;

async function rule(path: string, rest: object = {}): Promise<string> {
  const call = {
    name: path,
    condition: "cause",
    kind: "demo",
    channels: { webhook: `${receiver.origin}/${path}` },
    ...rest,
  };
  const response = await api.call("POST", "/alert-rules", call);
  const body = (await response.json()) as { id: string };
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body.id;
}
const remove = (id: string) => api.call("POST", `/alert-rules/${id}/delete`);
async function die(): Promise<string> {
  const id = await api.submit({ kind: "demo", payload: { permanent: true } });
  await api.until(id, "dead");
  return id;
}

test("C089: jobs die, one alert arrives, once: not again by further sweeps, two at once, further deaths or a restart", async () => {
  receiver.answer = () => ({});
  const id = await rule("once");
  const first = await die();
  await server.tick();
  await expect.poll(() => to("/once").length).toBe(1);
  expect(JSON.parse(to("/once")[0]?.body ?? "")).toMatchObject({
    type: "alert.opened",
    data: {
      title: "jobs die: demo: this demo was told to fail for good",
      text: "1 dead job in the last 15 minutes: more than 0\nRule: once",
      count: 1,
      example: first,
      links: [
        { label: "The list", url: `${server.url}/jobs?view=dead&cause=demo%3A+this+demo+was+told+to+fail+for+good` },
        { label: "An example", url: `${server.url}/jobs/${first}` },
        { label: "Alerts", url: `${server.url}/alerts` },
      ],
    },
  });
  await die();
  await Promise.all([server.tick(), server.tick(), server.tick()]);
  await server.restart();
  await server.tick();
  await server.tick();
  expect((await read()).rules.find((one) => one.id === id)?.open).toBe(1);
  expect(to("/once")).toHaveLength(1);
  await remove(id);
});

test("C089: a channel in trouble is tried again, which the history shows, and its own deaths raise nothing", async ({
  page,
}) => {
  test.setTimeout(90_000);
  receiver.answer = ({ path }) =>
    path === "/gone" ? { status: 410 } : path === "/busy" && to(path).length === 1 ? { status: 503 } : {};
  const ids = [
    await rule("busy"),
    await rule("gone", { channels: { webhook: `${receiver.origin}/gone` }, kind: undefined }),
  ];
  await die();
  await server.tick();
  await expect.poll(() => to("/busy").length, { timeout: 30_000 }).toBe(2);
  await expect.poll(() => to("/gone").length).toBe(1);
  await server.tick();
  await server.tick();
  expect([to("/busy").length, to("/gone").length]).toEqual([2, 1]);
  expect(to("/busy").map(({ headers }) => headers["idempotency-key"])).toEqual(
    Array(2).fill(to("/busy")[0]?.headers["idempotency-key"]),
  );

  await page.goto(`${server.url}/alerts`);
  const history = page.getByRole("region", { name: "Alerts" });
  await expect(history.getByRole("row").filter({ hasText: "busy" }).first()).toContainText("2 tries");
  await expect(history.getByRole("row").filter({ hasText: "gone" }).first()).toContainText("answered 410");
  await clean(page, "alerts");
  for (const id of ids) await remove(id);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with a script" : "without a script", () => {
    test.use({ javaScriptEnabled });

    test("a rule is made, tested, disabled and deleted in the browser", async ({ page, allow }) => {
      allow(/status of 400/);
      receiver.received.length = 0;
      receiver.answer = () => ({});
      await page.goto(`${server.url}/alerts`);
      await page.getByRole("link", { name: "New rule" }).click();
      await page.getByLabel("Name").fill("Many");
      await page.getByLabel("More than").fill("lots");
      await page.getByLabel("Slack webhook").fill("http://10.0.0.1/");
      await page.getByRole("button", { name: "Create rule" }).click();
      await expect(page.getByLabel("More than")).toHaveAttribute("aria-invalid", "true");
      await page.getByLabel("More than").fill("10");
      await page.getByRole("button", { name: "Create rule" }).click();
      await expect(page.getByLabel("Slack webhook")).toHaveAccessibleDescription(/must be a public https address/);
      await page.getByLabel("Slack webhook").fill(`${receiver.origin}/slack-secret`);
      await page.getByRole("button", { name: "Create rule" }).click();
      await expect(page).toHaveURL(`${server.url}/alerts`);
      const row = page.locator("tr[data-rule]").filter({ hasText: "Many" });
      await expect(row).toContainText(
        "more than 10 dead jobs in 15 minutes, told again every 4 hours while it stays true",
      );
      await expect(page.locator("body")).not.toContainText("slack-secret");

      await row.getByRole("button", { name: "Test Many" }).click();
      await expect(page).toHaveURL(`${server.url}/alerts`);
      await expect.poll(() => to("/slack-secret").length).toBe(1);
      expect(JSON.parse(to("/slack-secret")[0]?.body ?? "")).toEqual({
        text: `*Test: jobs die*\nThis is what an alert of this rule looks like.\nRule: Many\n<${server.url}/dead|The list> · <${server.url}/alerts|Alerts>`,
      });
      await page.goto(`${server.url}/alerts`);
      await expect(page.locator("tr[data-alert]").first()).toContainText("A test");

      await page.getByRole("link", { name: "Many", exact: true }).click();
      await page.getByRole("button", { name: "Disable" }).click();
      await expect(page.getByText("It is off.")).toBeVisible();
      await page.getByRole("link", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete rule" }).click();
      await expect(page).toHaveURL(`${server.url}/alerts`);
      await expect(page.locator("tr[data-rule]").filter({ hasText: "Many" })).toHaveCount(0);
      await expect(page.locator("tr[data-rule]").filter({ hasText: "Jobs die" })).toContainText(
        "nobody: add a channel",
      );
    });
  });
}

test("the pages of alerts fit a phone, and axe finds nothing on them", async ({ page }) => {
  const id = await rule("phone", { name: "A rule with a name that is rather long ".repeat(2) });
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/alerts", "/alerts/new", `/alerts/${id}`, `/alerts/${id}/delete`]) {
    await page.goto(server.url + path);
    await clean(page, path);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect([path, over]).toEqual([path, 0]);
  }
  await remove(id);
});
