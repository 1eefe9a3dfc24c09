import type { Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { Receiver } from "./receiver.ts";
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

const main = (page: Page) => page.getByRole("main");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Saves an endpoint in the browser and gives its address and its secret, which is on screen this one time. */
async function save(page: Page, name: string, path: string): Promise<{ url: string; secret: string }> {
  await page.goto(`${server.url}/endpoints`);
  await page.getByRole("link", { name: "New endpoint" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("URL").fill(`${receiver.origin}${path}`);
  await page.getByLabel("Headers").fill("Authorization: Bearer hidden-value\nX-Team: shop");
  await press(page, "Save endpoint");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Endpoint saved");
  const secret = (await main(page).locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole("link", { name: "To the endpoint" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  return { url: page.url(), secret };
}

const verified = (secret: string, nth: number): unknown => {
  const { raw, headers } = receiver.received[nth] as Receiver["received"][0];
  return new Webhook(secret).verify(raw, headers as Record<string, string>);
};

test("an endpoint is saved, tested, rotated, disabled, enabled and deleted; its secret is seen once", async ({
  page,
  allow,
}) => {
  allow(/status of 404/);
  receiver.received.length = 0;
  receiver.answer = () => ({ body: "thanks" });
  const { url, secret } = await save(page, "Shop", "/shop");
  await clean(page, page.url());
  await expect(page.locator("body")).not.toContainText(secret);
  await expect(page.locator("body")).not.toContainText("hidden-value");
  await expect(main(page)).toContainText("Authorization, X-Team");

  await press(page, "Send a test event");
  await expect(page).toHaveURL(/\/jobs\//);
  await expect(main(page)).toContainText("1 delivered");
  expect(verified(secret, 0)).toEqual({ type: "ping", data: {} });
  expect(receiver.received[0]?.headers).toMatchObject({ authorization: "Bearer hidden-value", "x-team": "shop" });
  await clean(page, page.url());

  await page.goto(`${url}/rotate`);
  await press(page, "Rotate secret");
  await expect(main(page)).toContainText("Rotated. This is the new secret");
  const next = (await main(page).locator("code").textContent()) ?? "";
  await clean(page, page.url());
  await page.getByRole("link", { name: "Back to the endpoint" }).click();
  await expect(main(page)).toContainText("the secret before signs as well");
  await press(page, "Send a test event");
  await expect(main(page)).toContainText("1 delivered");
  for (const one of [secret, next]) expect(verified(one, 1)).toEqual({ type: "ping", data: {} });

  await page.goto(url);
  await press(page, "Disable");
  await expect(main(page)).toContainText("Disabled: it gets nothing");
  const id = await api.submit({
    kind: "webhook_fanout",
    payload: { type: "ping", data: {}, endpoints: [{ id: url.split("/").at(-1) }] },
  });
  await api.until(id, "done");
  expect(receiver.received).toHaveLength(2);
  await page.goto(url);
  await expect(main(page).getByRole("row", { name: /Skipped/ })).toContainText("the endpoint is disabled");
  await press(page, "Enable");
  await main(page)
    .getByRole("row", { name: /Skipped/ })
    .getByRole("button", { name: "Resend" })
    .click();
  await expect(page).toHaveURL(/\/jobs\//);
  await expect(page.getByText("This job sends it again.")).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(3);

  await page.goto(url);
  await page.getByRole("link", { name: "Delete" }).click();
  await press(page, "Delete endpoint");
  await expect(page).toHaveURL(`${server.url}/endpoints`);
  await expect(main(page)).toContainText("No endpoint is saved");
  await clean(page, page.url());
  expect((await page.goto(url))?.status()).toBe(404);
});

test("a rotation, and a new endpoint, whose answer is lost are sent again: one each, and the same secret is shown", async ({
  page,
}) => {
  const twice = async (path: string, form: Record<string, string>): Promise<string[]> => {
    await page.goto(server.url + path);
    for (const input of await main(page).locator('input[type="hidden"]').all())
      form[(await input.getAttribute("name")) ?? ""] = await input.inputValue();
    const texts: string[] = [];
    for (let sent = 0; sent < 2; sent++) {
      const response = await fetch(server.url + path, {
        method: "POST",
        body: new URLSearchParams(form),
        headers: { Origin: server.url },
      });
      expect(response.status).toBe(200);
      texts.push(/<code[^>]*>(whsec_[^<]+)</.exec(await response.text())?.[1] ?? "");
    }
    return texts;
  };
  const made = await twice("/endpoints/new", { name: "Twice", type: "standard", url: `${receiver.origin}/twice` });
  expect(made[0]).toMatch(/^whsec_/);
  expect(made[1]).toBe(made[0]);
  const listed = (await (await api.call("GET", "/endpoints")).json()) as { endpoints: { id: string; name: string }[] };
  const [saved, ...more] = listed.endpoints.filter(({ name }) => name === "Twice");
  expect(more).toEqual([]);
  const rotated = await twice(`/endpoints/${saved?.id}/rotate`, {});
  expect(rotated[1]).toBe(rotated[0]);

  receiver.received.length = 0;
  receiver.answer = () => ({});
  await page.goto(`${server.url}/endpoints/${saved?.id}`);
  await press(page, "Send a test event");
  await expect.poll(() => receiver.received.length).toBe(1);
  // The receiver still has the first one, and both sign.
  for (const secret of [made[0], rotated[0]] as string[])
    expect(verified(secret, 0)).toEqual({ type: "ping", data: {} });
});

test("C077: an endpoint that answered 410 is shown as disabled, and why", async ({ page }) => {
  receiver.answer = () => ({ status: 410, body: "moved away" });
  const { url } = await save(page, "Gone", "/gone");
  await press(page, "Send a test event");
  await expect(main(page)).toContainText("1 failed");
  await page.goto(`${server.url}/endpoints`);
  await expect(main(page).getByRole("row", { name: /Gone/ })).toContainText("it answered 410 Gone");
  await page.goto(url);
  await expect(main(page)).toContainText("answered 410");
  await expect(main(page)).toContainText("moved away");
});

test("C079: a form with what cannot be saved says where, keeps what was typed, and stores nothing", async ({
  page,
  allow,
}) => {
  allow(/status of 400/);
  await page.goto(`${server.url}/endpoints/new`);
  await page.getByLabel("Name").fill("Bad");
  await page.getByLabel("URL").fill("http://169.254.169.254/latest");
  await page.getByLabel("Headers").fill("X Bad: 1\nHost: a\nX-Name: café\nno header");
  await press(page, "Save endpoint");
  await expect(page.getByRole("alert")).toContainText("Not saved");
  await expect(page.getByLabel("URL")).toHaveAccessibleDescription(/must be a public https address/);
  await expect(page.getByLabel("Headers")).toHaveAccessibleDescription(/line 4 is not like/);
  await page.getByLabel("Headers").fill("X Bad: 1\nHost: a\nX-Name: café\nX-A: 1\nx-a: 2");
  await press(page, "Save endpoint");
  await expect(page.getByLabel("Headers")).toHaveAccessibleDescription(/X Bad: is no header name/);
  await expect(page.getByLabel("Headers")).toHaveAccessibleDescription(/Host: is set by the product/);
  await expect(page.getByLabel("Headers")).toHaveAccessibleDescription(/X-Name: takes printable ASCII only/);
  await expect(page.getByLabel("Headers")).toHaveAccessibleDescription(/x-a: is given twice/);
  await expect(page.getByLabel("Name")).toHaveValue("Bad");
  await clean(page, page.url());
  const { endpoints } = (await (await api.call("GET", "/endpoints")).json()) as { endpoints: { name: string }[] };
  expect(endpoints.map(({ name }) => name)).not.toContain("Bad");
});

test.describe("without a script", () => {
  test.use({ javaScriptEnabled: false });
  test("an endpoint is saved and tested as well", async ({ page }) => {
    receiver.received.length = 0;
    receiver.answer = () => ({});
    const { secret } = await save(page, "Plain", "/plain");
    await press(page, "Send a test event");
    await expect(page).toHaveURL(/\/jobs\//);
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(verified(secret, 0)).toEqual({ type: "ping", data: {} });
  });
});
