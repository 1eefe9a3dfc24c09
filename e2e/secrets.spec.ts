import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { card, ready } from "./pages.ts";
import { Receiver } from "./receiver.ts";
import { addresses } from "./routes.ts";
import { Server } from "./server.ts";

const SECRET = "hush-4f1c-and-more";
const MASK = "••••••••";

let receiver: Receiver;
let server: Server;
let api: Api;
test.beforeAll(async () => {
  receiver = await Receiver.start();
  receiver.answer = ({ path, headers }) => ({
    status: path.includes("fine") ? 200 : 400,
    body: `you sent ${JSON.stringify(headers)}`,
  });
  server = await Server.start({ env: { OUTBOUND_ALLOW: receiver.origin } });
  api = new Api(server.url);
});
test.afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

test("no page, feed or file has a secret in it, whatever became of its job; the receiver got it", async ({ page }) => {
  const payload = (path: string) =>
    `{"url":"${receiver.origin}/${path}","headers":{"AUTHORIZATION":"Bearer ${SECRET}"},"json":{"n":9007199254740993}}`;
  const [fine = "", failed = "", waiting = ""] = await api.submitText(
    `[${["fine", "failed"].map((path) => `{"kind":"http_request","payload":${payload(path)}}`)},
      {"kind":"http_request","delaySeconds":3600,"payload":${payload("later")}}]`,
  );
  await api.until(fine, "done");
  const { cause } = await api.until(failed, "dead");
  const schedule = await createSchedule({
    name: "hourly",
    everyMinutes: 60,
    kind: "http_request",
    payload: JSON.parse(payload("slot")),
  });
  expect(receiver.received.every(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true);
  expect(receiver.received.length).toBe(2);

  const ids = [fine, failed, waiting, schedule, encodeURIComponent(cause ?? "")];
  const paths = (await addresses()).flatMap((path) =>
    path.includes("*") || path.split(":").length > 2
      ? []
      : path.includes(":")
        ? ids.map((id) => path.replace(/:\w+/, id))
        : path,
  );
  let masked = 0;
  for (const path of paths) {
    const text = await (await fetch(server.url + path, { redirect: "manual" })).text();
    expect([path, text.includes(SECRET)]).toEqual([path, false]);
    masked += text.includes(MASK) ? 1 : 0;
  }
  expect(masked).toBeGreaterThan(4);
  const file = await fetch(`${server.url}/jobs/${waiting}/payload`);
  expect(await file.text()).toBe(payload("later").replace(`Bearer ${SECRET}`, MASK));

  await page.goto(`${server.url}/jobs/${failed}`);
  await ready(page);
  await expect(card(page, "Payload")).toContainText(`"AUTHORIZATION": "${MASK}"`);
  await expect(card(page, "Payload")).toContainText("9007199254740993");
  await expect(page.getByRole("main")).toContainText(`you sent`);
  expect(await page.content()).not.toContain(SECRET);
});

test("a schedule is changed without its secret being seen, and without losing it", async ({ page }) => {
  const id = await createSchedule({
    name: "daily",
    everyMinutes: 1_440,
    kind: "http_request",
    payload: { url: `${receiver.origin}/fine`, headers: { authorization: `Bearer ${SECRET}` }, json: 1 },
  });
  const before = receiver.received.length;
  await page.goto(`${server.url}/schedules/${id}/edit`);
  const field = page.getByRole("textbox", { name: "Payload" });
  await expect(field).toHaveValue(new RegExp(MASK));
  await field.fill((await field.inputValue()).replace(/"json": ?1/, '"json": 2'));
  await page.getByRole("button", { name: "Save schedule" }).click();
  await expect(page).toHaveURL(`${server.url}/schedules/${id}`);
  await page.getByRole("button", { name: /Run now/ }).click();
  await expect.poll(() => receiver.received.length).toBe(before + 1);
  expect(receiver.received.at(-1)).toMatchObject({ headers: { authorization: `Bearer ${SECRET}` }, body: "2" });
});

async function createSchedule(schedule: object): Promise<string> {
  const response = await api.call("POST", "/schedules", schedule);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}
