import { Api } from "./api.ts";
import { clean } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

import { raw } from "./raw.ts";
import { Receiver } from "./receiver.ts";
import { addresses } from "./routes.ts";
import { Server } from "./server.ts";

const TOKEN = "kX9mQ2vT7wR4yU1iO6pA3sD8fG5hJ0kL";
const SECRET = "a payload that nobody else may see";
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

let server: Server;
let id: string;
test.beforeAll(async () => {
  server = await Server.start({ local: false, env: { ADMIN_TOKEN: TOKEN } });
  const api = new Api(server.url, { Authorization: `Bearer ${TOKEN}` });
  id = await api.submit({ kind: "demo", payload: { permanent: true }, idempotencyKey: SECRET });
  await api.until(id, "dead");
});
test.afterAll(() => server.stop());
// The browser tells of every visitor who is turned away.
test.beforeEach(({ allow }) => allow(/status of (401|403|503)|blocked by CORS policy|net::ERR_FAILED/));

test("a person signs in with the token, works, and signs out", async ({ page }) => {
  await page.goto(`${server.url}/jobs`);
  await expect(page).toHaveURL(`${server.url}/sign-in?next=%2Fjobs`);
  await page.getByLabel("Token").fill("a guess");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("This deployment knows no such token.");
  await expect(page.getByLabel("Token")).toHaveAccessibleDescription(/no such token/);
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${server.url}/jobs`);
  await expect(page.locator(`a[href*="${id}"]`).first()).toBeVisible();

  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: "redrive", httpOnly: true, sameSite: "Lax" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(`${server.url}/sign-in`);
  await page.goto(`${server.url}/jobs`);
  await expect(page).toHaveURL(`${server.url}/sign-in?next=%2Fjobs`);
});

test("a session that ends while a page is open leads to the sign-in page and back", async ({ page, context }) => {
  await context.addCookies([{ name: "redrive", value: await session(), url: server.url }]);
  await page.goto(`${server.url}/jobs`);
  await expect(page.locator(`a[href*="${id}"]`).first()).toBeVisible();
  await context.clearCookies();
  await page.getByRole("link", { name: "Dead" }).first().click();
  await expect(page.getByRole("heading", { name: "Signed out" })).toBeVisible();
  await page.getByRole("link", { name: "Sign in again" }).click();
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${server.url}/dead`);
});

test("a button that is pressed after the session has ended leads to the sign-in page and back", async ({
  page,
  context,
}) => {
  await context.addCookies([{ name: "redrive", value: await session(), url: server.url }]);
  await page.goto(`${server.url}/jobs/${id}`);
  await page.getByRole("button", { name: "Refresh now" }).waitFor();
  await context.clearCookies();
  await page.getByRole("button", { name: "Requeue" }).click();
  await page.getByLabel("Token").fill(TOKEN);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${server.url}/jobs/${id}`);
});

test("C066: reading changes nothing, also at the addresses of actions", async () => {
  const before = await counts();
  const headers: [string, string][] = [["Cookie", `redrive=${await session()}`]];
  for (const path of [
    `/jobs/${id}/requeue`,
    `/jobs/${id}/cancel`,
    `/api/v1/jobs/${id}/requeue`,
    "/sign-out",
    "/submit",
  ]) {
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      const { headers: answered } = await raw(server.url, method, path, headers);
      expect(answered["set-cookie"]).toBeUndefined();
    }
  }
  expect(await counts()).toEqual(before);
});

test("C063: no address of the built app gives a visitor anything", async () => {
  // Some five thousand requests.
  test.setTimeout(600_000);
  const document = await new Api(server.url, { Authorization: `Bearer ${TOKEN}` }).call("GET", "/openapi.json");
  const { paths } = (await document.json()) as { paths: Record<string, object> };
  const all = [...(await addresses()), ...Object.keys(paths)].map((path) => path.replace(/\{\w+\}|:\w+\??/g, id));
  expect(all).toContain(`/api/v1/jobs/${id}`);
  for (const path of [...all, "/__manifest", "/cdn-cgi/access/get-identity"]) {
    for (const spelling of [path, `${path}/`, `/${path}`, path.toUpperCase(), `${path}.data?_routes=root`]) {
      const origin: [string, string][] = [["Origin", server.url]];
      const answers = await Promise.all(METHODS.map((method) => raw(server.url, method, spelling, origin)));
      for (const [index, { status, headers, body }] of answers.entries()) {
        const login = [303, 302].includes(status) && String(headers.location).startsWith("/sign-in");
        const method = METHODS[index];
        expect([method, spelling, status < 400 && !login ? status : "closed"]).toEqual([method, spelling, "closed"]);
        expect(body).not.toContain(SECRET);
        expect(body).not.toContain('"demo"');
      }
    }
  }
});

test("C068: a wrong token is answered the same however it is wrong", async () => {
  const wrong: [string, string][][] = [
    [],
    [["Authorization", "Bearer"]],
    [["Authorization", `Bearer ${TOKEN.slice(0, -1)}`]],
    [["Authorization", `Bearer ${TOKEN}x`]],
    [["Authorization", `Bearer ${"x".repeat(TOKEN.length)}`]],
    [["Authorization", Buffer.from(`Bearer ${"€".repeat(TOKEN.length)}`).toString("latin1")]],
    [["Authorization", `Bearer ${"x".repeat(10_000)}`]],
    [
      ["Authorization", "Bearer wrong"],
      ["Authorization", `Bearer ${TOKEN}`],
    ],
  ];
  const answers = new Set<string>();
  for (const headers of wrong) {
    const { status, body } = await raw(server.url, "GET", "/api/v1/jobs", headers);
    answers.add(`${status} ${body}`);
  }
  const { status, body } = await raw(server.url, "GET", `/api/v1/jobs?token=${TOKEN}`);
  answers.add(`${status} ${body}`);
  expect([...answers]).toEqual([expect.stringMatching(/^401 \{/)]);
  expect((await raw(server.url, "GET", "/api/v1/jobs", [["Authorization", `bearer ${TOKEN}`]])).status).toBe(200);
});

test("C066: a page of another site cannot write with the visitor's session", async ({ page, context }) => {
  await context.addCookies([{ name: "redrive", value: await session(), url: server.url }]);
  const before = await counts();
  // Another port is another origin but the same site, so the browser sends the cookie along: the hardest case there is.
  const elsewhere = await Receiver.start();
  const forms = ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"];
  const paths = ["/api/v1/jobs", `/api/v1/jobs/${id}/requeue`, `/jobs/${id}/requeue`, "/sign-out"];
  for (const path of paths) {
    for (const enctype of forms) {
      const form = `<form method="post" action="${server.url}${path}" enctype="${enctype}">`;
      const field = `<input name='{"kind":"demo","payload":{},"x":"' value='"}'><button>Go</button></form>`;
      elsewhere.answer = () => ({ headers: { "Content-Type": "text/html" }, body: form + field });
      await page.goto(elsewhere.origin.replace("127.0.0.1", "localhost"));
      const answered = page.waitForResponse(server.url + path);
      await page.getByRole("button", { name: "Go" }).click();
      expect([path, enctype, (await answered).status()]).toEqual([path, enctype, 403]);
    }
    await page.goto(elsewhere.origin.replace("127.0.0.1", "localhost"));
    const fetched = page.evaluate(
      (url) => fetch(url, { method: "POST", credentials: "include", headers: { "Content-Type": "application/json" } }),
      server.url + path,
    );
    await expect(fetched).rejects.toThrow();
  }
  await elsewhere.stop();
  await page.goto(server.url);
  await expect(page).toHaveURL(`${server.url}/`);
  expect(await counts()).toEqual(before);
});

test("C068: with no sign-in set up, there is a page that says how, and nothing else", async ({ page }) => {
  const unset: Record<string, string>[] = [{}, { ADMIN_TOKEN: "" }];
  for (const env of unset) {
    const closed = await Server.start({ local: false, env });
    await page.goto(closed.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nobody can sign in yet");
    for (const path of ["/jobs", "/sign-in", "/api/v1/jobs", "/api/v1/health"]) {
      const { status } = await raw(closed.url, "GET", path, [["Authorization", "Bearer "]]);
      expect([path, status]).toEqual([path, 503]);
    }
    await closed.stop();
  }
});

test("the door's own pages are free of what keeps people out, in light and dark", async ({ page }) => {
  const closed = await Server.start({ local: false });
  await page.goto(closed.url);
  await clean(page, "how to set up");
  await page.goto(`${server.url}/sign-in`);
  await clean(page, "sign in");
  await page.getByLabel("Token").fill("a guess");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await clean(page, "a wrong token");
  await closed.stop();
});

test("in local mode a name that was made to point here is not let in", async () => {
  const url = process.env.REDRIVE_URL as string;
  expect((await raw(url, "GET", "/api/v1/jobs")).status).toBe(200);
  for (const host of ["evil.example", "evil.example:8787", "192.168.0.1"]) {
    expect((await raw(url, "GET", "/api/v1/jobs", [["Host", host]])).status).toBeGreaterThanOrEqual(400);
  }
});

async function session(): Promise<string> {
  const form: [string, string][] = [["Origin", server.url]];
  const { headers } = await raw(server.url, "POST", "/sign-in", form, `token=${TOKEN}`);
  return String(headers["set-cookie"]).split(/[=;]/)[1] ?? "";
}

async function counts(): Promise<unknown> {
  const api = new Api(server.url, { Authorization: `Bearer ${TOKEN}` });
  const { jobs } = (await (await api.call("GET", "/jobs")).json()) as { jobs: unknown };
  return jobs;
}
