import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { type Received, Receiver, type Reply } from "./receiver.ts";
import { Server } from "./server.ts";

type Body = { to: string[]; from: string; subject: string };

/** A mail provider on this machine that honours keys, and is in trouble as its scripts say. */
class Provider {
  readonly mails = new Map<string, { id: string; body: string }>();
  readonly scripts = new Map<string, (nth: number, accept: () => string) => Reply | Promise<Reply>>();
  readonly receiver: Receiver;

  constructor(receiver: Receiver) {
    this.receiver = receiver;
    receiver.answer = (request) => {
      const to = toOf(request);
      const script = this.scripts.get(to) ?? (() => ({ body: this.accept(request) }));
      return script(this.requests(to).length, () => this.accept(request));
    };
  }

  requests = (to: string): Received[] => this.receiver.received.filter((request) => toOf(request) === to);

  private accept({ headers, body }: Received): string {
    const key = String(headers["idempotency-key"]);
    const mail = this.mails.get(key) ?? { id: `mail-${this.mails.size + 1}`, body };
    this.mails.set(key, mail);
    return JSON.stringify({ id: mail.id });
  }
}

const toOf = ({ body }: Received): string => (JSON.parse(body) as Body).to[0] ?? "";
const mail = (to: string) => ({ kind: "send_email", payload: { to, subject: "Hello 🎉", text: "Hello" } });

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new Promise<never>(() => {});

async function* slowly(text: string): AsyncGenerator<string> {
  for (const part of [text.slice(0, 3), text.slice(3, 6), text.slice(6)]) {
    await later(1_000);
    yield part;
  }
}
async function* cutOff(text: string): AsyncGenerator<string> {
  yield text.slice(0, 3);
  await later(50);
  throw new Error("cut off here");
}
async function* hanging(): AsyncGenerator<string> {
  yield "{";
  await never;
}

const refusal = (status: number, name: string, headers = {}): Reply => ({
  status,
  headers,
  body: JSON.stringify({ statusCode: status, name, message: "told so by a test" }),
});

test.describe("a mail through the HTTP provider", () => {
  let server: Server;
  let provider: Provider;
  let api: Api;
  const jobs = new Map<string, string>();
  const scripts: Record<string, (nth: number, accept: () => string) => Reply> = {
    "lost@example.com": (nth, accept) => {
      const body = accept();
      if (nth === 1) throw new Error("accepted, and the reply is lost");
      return { body };
    },
    "reset@example.com": (nth, accept) => (nth === 1 ? { reset: true } : { body: accept() }),
    "cut@example.com": (nth, accept) => (nth === 1 ? { body: cutOff(accept()) } : { body: accept() }),
    "500@example.com": (nth, accept) => (nth === 1 ? refusal(500, "internal_server_error") : { body: accept() }),
    "seconds@example.com": (nth, accept) =>
      nth === 1 ? refusal(429, "rate_limit_exceeded", { "Retry-After": "15" }) : { body: accept() },
    "date@example.com": (nth, accept) => {
      const at = new Date(Date.now() + 16_000).toUTCString();
      return nth === 1 ? refusal(429, "rate_limit_exceeded", { "Retry-After": at }) : { body: accept() };
    },
    "slow@example.com": (_nth, accept) => ({ body: slowly(accept()) }),
    "hanging@example.com": (nth, accept) => (nth === 1 ? { body: hanging() } : { body: accept() }),
    "moved@example.com": () => ({ status: 302, headers: { Location: "/emails" } }),
    "taken@example.com": () => refusal(409, "invalid_idempotent_request"),
  };

  // All at once: each waits for its next try by itself, and the tests only look how it went.
  test.beforeAll(async () => {
    const receiver = await Receiver.start();
    provider = new Provider(receiver);
    for (const [to, script] of Object.entries(scripts)) provider.scripts.set(to, script);
    server = await Server.start({
      env: {
        MAIL_API_KEY: "re_secret",
        MAIL_FROM: "Shop <shop@example.com>",
        MAIL_API_URL: receiver.origin,
        OUTBOUND_ALLOW: receiver.origin,
      },
    });
    api = new Api(server.url);
    const addresses = [...Object.keys(scripts), "plain@example.com"];
    const ids = await api.submitAll(addresses.map(mail));
    for (const [index, to] of addresses.entries()) jobs.set(to, ids[index] as string);
  });

  test.afterAll(async () => {
    await server.stop();
    await provider.receiver.stop();
  });

  const ended = (to: string, state: string) => api.until(jobs.get(to) as string, state, 55_000);

  /** That `to` got one mail after `times` requests, which were the same to the byte. */
  async function oneMail(to: string, times: number): Promise<Received[]> {
    const job = await ended(to, "done");
    const requests = provider.requests(to);
    expect(requests).toHaveLength(times);
    const key = `${job.id}/mail:resend`;
    expect(requests.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(times).fill(key));
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(job).toMatchObject({ attempt: times, result: { provider: "resend", id: provider.mails.get(key)?.id } });
    expect([...provider.mails.keys()].filter((one) => one === key)).toHaveLength(1);
    return requests;
  }

  test("is one request with the secret, a key and what was submitted", async () => {
    const [request] = await oneMail("plain@example.com", 1);
    expect(request).toMatchObject({ method: "POST", path: "/emails" });
    expect(request?.headers).toMatchObject({
      authorization: "Bearer re_secret",
      "content-type": "application/json",
      "user-agent": "redrive",
    });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      from: "Shop <shop@example.com>",
      to: ["plain@example.com"],
      subject: "Hello 🎉",
      text: "Hello",
    });
  });

  test("C081: whose reply is lost is asked for again with the same key: one mail", async () => {
    await oneMail("lost@example.com", 2);
  });

  test("whose connection is reset, or cut off within the answer, is asked for again", async () => {
    await oneMail("reset@example.com", 2);
    await oneMail("cut@example.com", 2);
  });

  test("after a 500 is asked for again", async () => {
    await oneMail("500@example.com", 2);
  });

  test("C075: after a 429 waits as long as it is told, in seconds and by a date", async () => {
    for (const to of ["seconds@example.com", "date@example.com"]) {
      const [first, second] = await oneMail(to, 2);
      expect((second?.begin ?? 0) - (first?.begin ?? 0)).toBeGreaterThanOrEqual(14_900);
    }
  });

  test("whose answer comes slowly is done with it; one that never ends is given up and asked for again", async () => {
    await oneMail("slow@example.com", 1);
    await oneMail("hanging@example.com", 2);
  });

  test("is dead at once where no retry can help: a redirect is not followed, a key of another mail is no key", async () => {
    for (const [to, error] of [
      ["moved@example.com", "302"],
      ["taken@example.com", "409 invalid_idempotent_request"],
    ] as const) {
      const job = await ended(to, "dead");
      expect(job.lastError).toContain(error);
      expect(provider.requests(to)).toHaveLength(1);
    }
  });

  test("leaves the mailbox empty, whose page says where mail goes", async ({ page }) => {
    await page.goto(`${server.url}/mail`);
    await expect(page.getByRole("main")).toContainText("Mail goes out through resend");
    await expect(page.getByRole("main")).toContainText("No mail yet");
  });
});

const api = new Api(process.env.REDRIVE_URL as string);

async function mailboxed(payload: object): Promise<string> {
  const job = await api.until(await api.submit({ kind: "send_email", payload }), "done");
  const { provider, id } = job.result as { provider: string; id: string };
  expect(provider).toBe("mailbox");
  return `/mail/${id}`;
}

test.describe("the local mailbox", () => {
  test("shows a mail's text, headers and source", async ({ page }) => {
    await page.goto("/");
    const subject = "Your order 🎉";
    const path = await mailboxed({
      to: [{ email: "ana@example.com", name: "Ana, of Sales" }],
      cc: "ben@example.com",
      subject,
      text: "Thank you.\nGröße 7.",
      headers: { "X-Campaign": "spring" },
    });
    await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Mail" }).click();
    await page.getByRole("link", { name: subject }).first().click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(subject);
    await expect(page.getByText("Thank you.\nGröße 7.")).toBeVisible();
    const views = page.getByRole("navigation", { name: "Views of the mail" });
    await views.getByRole("link", { name: "Headers" }).click();
    await expect(page.getByRole("row", { name: "X-Campaign" })).toContainText("spring");
    await expect(page.getByRole("row", { name: /^Cc / })).toContainText("ben@example.com");
    await views.getByRole("link", { name: "Source" }).click();
    await expect(page.getByRole("region", { name: "Source" })).toContainText('To: "Ana, of Sales" <ana@example.com>');
    await expect(page.getByRole("region", { name: "Source" })).toContainText("Gr=C3=B6=C3=9Fe 7.");
  });

  // What the browser says of each thing that it did not do.
  const BLOCKED = /^Blocked |^Refused to |violates the following Content Security Policy|^Unsafe attempt to/;

  test("shows the HTML of a stranger, but runs and loads nothing of it", async ({ page, allow }) => {
    allow(BLOCKED);
    const outside = await Receiver.start();
    const said: string[] = [];
    page.on("dialog", (dialog) => {
      said.push(dialog.message());
      void dialog.dismiss();
    });
    const spy = outside.origin;
    const run = (what: string) => `fetch('${spy}/${what}');parent.document.title='taken';alert('${what}')`;
    const path = await mailboxed({
      to: "ana@example.com",
      subject: "Hostile",
      html: `</title></iframe><base href="${spy}/"><meta http-equiv="refresh" content="0;url=${spy}/refresh">
        <style>@import "${spy}/style"; h1 { color: rgb(1, 2, 3); background: url(${spy}/background) }</style>
        <link rel="stylesheet" href="${spy}/link"><script>${run("script")}</script>
        <h1 id="greeting">You have won</h1><p style="color: rgb(4, 5, 6)">really</p>
        <img src="${spy}/picture" onerror="${run("error")}" alt=""><img src="/api/v1/stats" alt="">
        <svg onload="${run("svg")}"><script>${run("svg-script")}</script></svg>
        <body onload="${run("load")}"><iframe src="${spy}/frame"></iframe><iframe srcdoc="<script>${run("srcdoc")}</script>"></iframe>
        <object data="${spy}/object"></object><embed src="${spy}/embed"><video src="${spy}/video" autoplay></video>
        <form action="${spy}/form" id="form"><button>Claim</button></form>
        <a id="script-link" href="javascript:${run("link")}">Click</a> <a id="top" target="_top" href="${spy}/top">Top</a>`,
    });
    for (const address of [`${path}?view=html`, `${path}/html`]) {
      // Frames that are kept from loading may hold up the event that tells of it.
      await page.goto(address, { waitUntil: "domcontentloaded" });
      const framed = address !== `${path}/html`;
      const content = framed ? page.frameLocator("iframe[title='HTML of the mail']") : page;
      await expect(content.locator("#greeting")).toBeVisible();
      await expect(content.locator("#greeting")).toHaveCSS("color", "rgb(1, 2, 3)");
      await content.getByRole("button", { name: "Claim" }).click();
      await content.locator("#script-link").click();
      if (framed) await content.locator("#top").click();
      // What was going to happen has had its time: the page has been still for half a second.
      await page.waitForLoadState("networkidle");
      await expect(page).toHaveURL(address);
      expect(
        page
          .context()
          .pages()
          .every((one) => one === page || one.url() === "about:blank"),
      ).toBe(true);
    }
    await page.goto(`${path}?view=html`, { waitUntil: "domcontentloaded" });
    await expect(page).toHaveTitle("Hostile · Redrive");
    expect(said).toEqual([]);
    expect(outside.received.map(({ path: asked }) => asked)).toEqual([]);
    // It would have been heard: the same address, asked for by a page that may.
    await page.goto(`${spy}/heard`);
    expect(outside.received.map(({ path: asked }) => asked)).toContain("/heard");
    await outside.stop();
  });

  test("opens the links of a mail elsewhere", async ({ page, allow }) => {
    allow(BLOCKED);
    const path = await mailboxed({
      to: "ana@example.com",
      subject: "Link",
      html: `<a href="${process.env.REDRIVE_URL}/jobs">Confirm</a>`,
    });
    await page.goto(`${path}?view=html`);
    const opened = page.waitForEvent("popup");
    await page.frameLocator("iframe").getByRole("link", { name: "Confirm" }).click();
    await expect(await opened).toHaveURL("/jobs");
  });

  test("shows HTML to whoever signed in, too", async ({ page, allow }) => {
    allow(BLOCKED);
    const token = "kX9mQ2vT7wR4yU1iO6pA3sD8fG5hJ0kL";
    const server = await Server.start({ local: false, env: { ADMIN_TOKEN: token } });
    const program = new Api(server.url, { Authorization: `Bearer ${token}` });
    const payload = { to: "ana@example.com", subject: "Signed in", html: "<h1>Welcome inside</h1>" };
    await program.until(await program.submit({ kind: "send_email", payload }), "done");
    await page.goto(`${server.url}/mail/1`);
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveTitle("Signed in · Redrive");
    await expect(page.frameLocator("iframe").getByRole("heading")).toHaveText("Welcome inside");
    // A page that still asks would say on its console that nobody answers.
    await page.close();
    await server.stop();
  });

  test("has no mail of a number that nobody gave out", async ({ page, allow }) => {
    allow(/status of 404/);
    for (const path of ["/mail/999999", "/mail/0", "/mail/x", "/mail/999999/html"]) {
      expect([path, (await page.goto(path))?.status()]).toEqual([path, 404]);
    }
  });
});

test.describe("the sign-up example", () => {
  const inbox = async (to: string) => {
    const { mails } = (await (await api.call("GET", "/mail?limit=100")).json()) as {
      mails: { to: { email: string }[] }[];
    };
    return mails.filter((one) => one.to.some(({ email }) => email === to)).length;
  };

  test("answers at once, sends one welcome mail, and none when the same address comes again", async ({ page }) => {
    const email = `ana-${Date.now()}@example.com`;
    await page.goto("/examples/signup");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Name").fill("Ana");
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByText("Signed up: the mail is on its way")).toBeVisible();
    const id = (await page.getByRole("link", { name: "Its job" }).getAttribute("href"))?.split("/").at(-1) as string;
    expect(await api.until(id, "done")).toMatchObject({ kind: "welcome_email", attempt: 1 });
    expect(await inbox(email)).toBe(1);

    const again = await api.call("POST", "/examples/signup", { email: email.toUpperCase() });
    expect([again.status, await again.json()]).toEqual([202, { id, replayed: true }]);
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByText("no second mail is sent")).toBeVisible();
    expect(await inbox(email)).toBe(1);
  });

  test("says at the field what is wrong, also without a script", async ({ browser, allow }) => {
    allow(/status of 400/);
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.REDRIVE_URL });
    const page = await context.newPage();
    await page.goto("/examples/signup");
    await page.getByLabel("E-mail address").fill("ana at example");
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByText("must be one plain address such as ana@example.com")).toBeVisible();
    await expect(page.getByLabel("E-mail address")).toHaveValue("ana at example");
    await page.getByLabel("E-mail address").fill(`ben-${Date.now()}@example.com`);
    await page.getByRole("button", { name: "Sign up" }).click();
    await expect(page.getByText("Signed up: the mail is on its way")).toBeVisible();
    await context.close();
  });

  test("answers 405 to other methods, naming the one it takes", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await api.call(method, "/examples/signup");
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  });
});
