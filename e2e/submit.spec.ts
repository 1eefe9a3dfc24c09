import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { badge, card, payloadField, press, ready, shownJob, tabTo, toast } from "./pages.ts";
import { Receiver } from "./receiver.ts";
import { Server } from "./server.ts";

const SECRET = "Bearer hush-4f1c-and-more";
const MASK = "••••••••";

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
const payloadOf = async (id: string) => JSON.parse((await api.job(id)).payloadText);

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with scripts" : "without scripts", () => {
    test.use({ javaScriptEnabled });

    test("the form is drawn from the kind's schema: lists grow and shrink, what is wrong is told where it is, and JSON goes over and back", async ({
      page,
      allow,
    }) => {
      allow(/status of 400/);
      await page.goto(`${server.url}/submit?kind=webhook_fanout`);
      await page.getByLabel("type", { exact: true }).first().fill("order.paid");
      await page.getByLabel("data").fill('{"big": 9007199254740993}');
      await page.getByRole("button", { name: "Add to endpoints" }).click();
      await expect(page.getByRole("group", { name: /^endpoints 2/ })).toBeVisible();
      const second = page.getByRole("group", { name: /^endpoints 2/ });
      await second.getByLabel("url").fill("https://10.0.0.1/");
      await second.getByLabel("type").selectOption("standard");
      await page.getByLabel("timeoutSeconds").fill("99");
      await page.getByRole("button", { name: "Submit job" }).click();

      await expect(page.getByLabel("timeoutSeconds")).toHaveAttribute("aria-invalid", "true");
      await expect(page.getByLabel("data")).toHaveValue(/9007199254740993/);
      await page.getByLabel("timeoutSeconds").fill("9");
      await page.getByRole("button", { name: "Submit job" }).click();
      await expect(second.getByLabel("url")).toHaveAccessibleDescription(/10\.0\.0\.1 is an IP address/);

      await page.getByRole("button", { name: "Remove endpoints 1" }).click();
      await expect(second).toBeHidden();
      await page.getByRole("button", { name: "JSON" }).click();
      await expect(payloadField(page)).toHaveValue(/"url": "https:\/\/10\.0\.0\.1\/"/);
      await expect(payloadField(page)).toHaveValue(/"big": 9007199254740993/);
      await payloadField(page).fill(
        (await payloadField(page).inputValue()).replace("https://10.0.0.1/", `${receiver.origin}/hook`),
      );
      await page.getByRole("button", { name: "Form" }).click();
      await expect(page.getByRole("group", { name: /^endpoints 1/ }).getByLabel("url")).toHaveValue(
        `${receiver.origin}/hook`,
      );
      await page.getByRole("button", { name: "Submit job" }).click();
      const id = await shownJob(page);
      expect((await api.job(id)).payloadText).toContain("9007199254740993");
      expect(await payloadOf(id)).toMatchObject({
        type: "order.paid",
        endpoints: [{ type: "standard", url: `${receiver.origin}/hook` }],
        timeoutSeconds: 9,
      });
    });

    test("a payload that is not JSON stays as it was typed, and where it stops being JSON is shown", async ({
      page,
      allow,
    }) => {
      allow(/status of 400/);
      const typed = '{\n  "steps": 1,\n  "stepMs": tru\n}';
      await page.goto(`${server.url}/submit?kind=demo&as=json`);
      await payloadField(page).fill(typed);
      await page.getByRole("button", { name: "Submit job" }).click();
      await expect(payloadField(page)).toHaveAccessibleDescription(
        /line 3, column 13, at "stepMs": ▸tru: expected a value/,
      );
      await expect(payloadField(page)).toHaveValue(typed);
    });

    test("a payload that the form has no field for stays JSON, and says so", async ({ page }) => {
      await page.goto(`${server.url}/submit?kind=demo&as=json`);
      await payloadField(page).fill('{"other": 1}');
      await page.getByRole("button", { name: "Form" }).click();
      await expect(payloadField(page)).toHaveAccessibleDescription(/no field for/);
      await expect(payloadField(page)).toHaveValue('{"other": 1}');
    });

    test("a job is edited and run as another one, linked both ways; its secret goes along unseen, and nowhere else", async ({
      page,
      allow,
    }) => {
      allow(/status of 400/);
      const id = await api.submit({
        kind: "http_request",
        payload: { url: `${receiver.origin}/one`, headers: { authorization: SECRET }, json: { n: 1 } },
      });
      await api.until(id, "done");
      await page.goto(`${server.url}/jobs/${id}`);
      await page.getByRole("link", { name: "Edit and run" }).click();
      await expect(page.getByRole("region", { name: "Changes" })).toContainText("it runs one like this");
      await expect(page.getByLabel("headers 1, value")).toHaveValue(MASK);
      await page.getByLabel("json").fill('{"n": 2}');
      if (javaScriptEnabled) {
        await expect(page.getByRole("region", { name: "Changes" }).locator("del")).toContainText("1");
        await expect(page.getByRole("region", { name: "Changes" }).locator("ins")).toContainText("2");
      }
      await page.getByLabel("url").fill(`${receiver.origin.replace("127.0.0.1", "localhost")}/elsewhere`);
      await page.getByRole("button", { name: /^Run / }).click();
      await expect(page.getByRole("group", { name: /^headers/ })).toContainText("give it anew");

      await page.getByLabel("url").fill(`${receiver.origin}/one`);
      await page.getByRole("button", { name: /^Run / }).click();
      await expect(page).toHaveURL(/\/jobs\/[0-9a-f-]{36}$/);
      const other = await shownJob(page);
      expect(other).not.toBe(id);
      await api.until(other, "done");
      expect(receiver.received.at(-1)?.headers).toMatchObject({ authorization: SECRET });
      expect(JSON.parse(receiver.received.at(-1)?.body ?? "")).toEqual({ n: 2 });
      await expect(card(page, "Lineage").getByRole("link")).toHaveAttribute("href", `/jobs/${id}`);
      await page.goto(`${server.url}/jobs/${id}`);
      await expect(card(page, "Lineage").getByRole("link")).toHaveAttribute("href", `/jobs/${other}`);
      await expect(card(page, "Who did what")).toContainText("local made another job of it");
      expect(await page.content()).not.toContain(SECRET);
    });
  });
}

test("what is typed stands in the address and in the call, and comes back from there; a secret in neither", async ({
  page,
}) => {
  await page.goto(`${server.url}/submit?kind=http_request`);
  await page.getByLabel("url").fill("https://example.com/a?b=c&d");
  await page.getByRole("button", { name: "Add to headers" }).click();
  await expect(page.getByLabel("headers 1, name")).toBeFocused();
  await page.keyboard.type("Authorization");
  await page.getByLabel("headers 1, value").fill(SECRET);
  await page.getByLabel("Delay in seconds").fill("3600");
  await page.getByLabel("Priority").selectOption("high");
  const call = page.getByRole("region", { name: "The same by a call" });
  await expect(call).toContainText('"delaySeconds": 3600');
  await expect(call).toContainText(`"Authorization": "${MASK}"`);
  await expect(call).not.toContainText("hush");
  expect(decodeURIComponent(page.url())).not.toContain("hush");

  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(other.getByLabel("url")).toHaveValue("https://example.com/a?b=c&d");
  await expect(other.getByLabel("headers 1, value")).toHaveValue(MASK);
  await expect(other.getByLabel("Priority")).toHaveValue("high");

  // The other one knows the secret: it goes out as it was typed.
  await page.getByRole("button", { name: "Submit job" }).click();
  const id = await shownJob(page);
  expect(await api.job(id)).toMatchObject({ view: "scheduled" });
  await page.goBack();
  await expect(page.getByLabel("url")).toHaveValue("https://example.com/a?b=c&d");
  expect(await page.content()).not.toContain("hush");
});

test("it tells when the answer is a job that was there already", async ({ page }) => {
  const key = "one-of-its-kind";
  const before = await api.submit({ kind: "demo", payload: {}, idempotencyKey: key });
  await page.goto(`${server.url}/submit?kind=demo`);
  await page.getByLabel("Idempotency key").fill(key);
  await page.getByRole("button", { name: "Submit job" }).click();
  expect(await shownJob(page)).toBe(before);
  await expect(toast(page)).toContainText(/key/);
  await expect(card(page, "Properties")).toContainText(key);

  // The key of a form is nobody's choice.
  await page.goto(`${server.url}/submit?kind=demo`);
  await page.getByRole("button", { name: "Submit job" }).click();
  expect(await api.job(await shownJob(page))).toHaveProperty("idempotencyKey", expect.stringMatching(/^form:/));
  await expect(card(page, "Properties")).toContainText("Submitted");
  await expect(card(page, "Properties")).not.toContainText(/form:|key/i);
});

test("with the keyboard alone: fields, an item more, Enter to submit", async ({ page }) => {
  await page.goto(`${server.url}/submit?kind=http_request`);
  await tabTo(page, page.getByLabel("url"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(`${receiver.origin}/typed`);
  await press(page, page.getByRole("button", { name: "Add to headers" }));
  await expect(page.getByLabel("headers 1, name")).toBeFocused();
  await page.keyboard.type("X-Typed");
  await page.keyboard.press("Tab");
  await page.keyboard.type("yes");
  await page.keyboard.press("Enter");
  const id = await shownJob(page);
  await expect(badge(page)).toHaveText("Done");
  expect(receiver.received.at(-1)).toMatchObject({ path: "/typed", headers: { "x-typed": "yes" } });
  await ready(page);
  await press(page, page.getByRole("link", { name: "Edit and run" }));
  await press(page, page.getByRole("button", { name: "Run one like this" }));
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(badge(page)).toHaveText("Done");
});

test("axe finds nothing on any kind's form, where one is refused, and where a job is edited", async ({
  page,
  allow,
}) => {
  allow(/status of 400/);
  const id = await api.submit({ kind: "demo", payload: { failTimes: 0 }, delaySeconds: 3_600 });
  for (const kind of ["demo", "http_request", "process_file", "send_email", "webhook_fanout&example=1"]) {
    await page.goto(`${server.url}/submit?kind=${kind}`);
    await clean(page, kind);
  }
  await page.getByLabel("timeoutSeconds").fill("soon");
  await page.getByRole("button", { name: "Submit job" }).click();
  await expect(page.getByLabel("timeoutSeconds")).toHaveAttribute("aria-invalid", "true");
  await clean(page, "a form that was refused");
  await page.goto(`${server.url}/submit?from=${id}`);
  await page.getByLabel("failTimes").fill("2");
  await clean(page, "edit and run");
  await page.goto(`${server.url}/jobs/${id}`);
  await clean(page, "a job with runs and lineage");
});
