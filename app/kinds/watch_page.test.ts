import { beforeEach, describe, expect, test } from "vitest";
import { consume } from "~/lifecycle/consume";
import { readJob } from "~/store/reads/job";
import { listJobs } from "~/store/reads/list";
import { seeing } from "~/testing/seeing";
import { html, PAGE, putWatch, WatchWorld } from "~/testing/watches";
import { clean } from "~/testing/world";

beforeEach(clean);

type Watching = Parameters<typeof putWatch>[2];
const START = "2026-08-04T08:00:00Z";
const ETAG = '"v1"';

async function watching(rest: Watching = {}, answer?: WatchWorld["answer"]) {
  const world = new WatchWorld(START);
  const id = await putWatch(world, world.now, { everyMinutes: 60, ...rest });
  if (answer) world.answer = answer;
  /** The check of the slot that is due, through all its tries. */
  const check = async () => {
    await world.sweep();
    for (let n = 0; n < 20 && world.queues.normal.messages.length > 0; n++) {
      world.now = Math.max(world.now, ...world.queues.normal.messages.map((message) => message.availableAt));
      await world.deliver();
    }
    world.now = Math.max(world.now, (await world.watch(id)).due_at);
    return (await world.checks(id)).at(-1) as Record<string, unknown>;
  };
  return { world, id, check };
}

describe("validators", () => {
  test("of the last answer are sent, and 304 means unchanged: nothing is read, compared or forgotten", async () => {
    const { world, id, check } = await watching({}, (_asked, nth) =>
      nth === 1
        ? html("<p>one</p>", { etag: ETAG, "last-modified": "Mon, 03 Aug 2026 10:00:00 GMT" })
        : new Response(null, { status: 304 }),
    );
    expect(await check()).toMatchObject({ outcome: "first", http_status: 200, value: "one" });
    expect(await check()).toMatchObject({ outcome: "unchanged", http_status: 304, value: null });
    expect(await check()).toMatchObject({ outcome: "unchanged", http_status: 304 });
    const sent = world.asked.map(({ headers }) => [headers.get("if-none-match"), headers.get("if-modified-since")]);
    expect(sent).toEqual([
      [null, null],
      [ETAG, "Mon, 03 Aug 2026 10:00:00 GMT"],
      [ETAG, "Mon, 03 Aug 2026 10:00:00 GMT"],
    ]);
    expect(await world.watch(id)).toMatchObject({ value: "one", etag: ETAG, seen: 3 });
  });

  test("an answer without any, or with ones that cannot be sent back, is asked for whole again", async () => {
    const { world, check } = await watching({}, (_asked, nth) =>
      nth === 1 ? html("<p>x</p>", { etag: "not quoted", "last-modified": "yesterday" }) : html("<p>x</p>"),
    );
    await check();
    expect(await check()).toMatchObject({ outcome: "unchanged", http_status: 200 });
    expect(world.asked.every(({ headers }) => !headers.has("if-none-match") && !headers.has("if-modified-since"))).toBe(
      true,
    );
  });

  test("a 304 that nobody asked for is a failure for good", async () => {
    const { check } = await watching({}, () => new Response(null, { status: 304 }));
    expect(await check()).toMatchObject({ outcome: "failed", error: "answered 304" });
  });
});

describe("what counts as a change", () => {
  const series = async (rest: Watching, ...bodies: string[]) => {
    const { check } = await watching(rest, (_asked, nth) => html(bodies[nth - 1] ?? ""));
    const seen: unknown[] = [];
    for (const _ of bodies) seen.push((await check()).outcome);
    return seen;
  };

  test("another text is one; white space, scripts and what is outside the selector are none", async () => {
    const page = (price: string, rest = "") => `<body><h1>Shop ${rest}</h1><p class="price">${price}</p></body>`;
    expect(
      await series(
        { selector: ".price" },
        page("12 &euro;"),
        page("12&nbsp;€ <script>track(1)</script>", "new <b>banner</b>"),
        page("\n  12 \u200b€  "),
        page("10 €"),
        page("10 €"),
        page("12 €"),
      ),
    ).toEqual(["first", "unchanged", "unchanged", "changed", "unchanged", "changed"]);
  });

  test("by number only another number is one", async () => {
    expect(await series({ compare: "number" }, "Now 1,299.00 USD", "just 1.299,00 €!", "1 299", "1,199.00")).toEqual([
      "first",
      "unchanged",
      "unchanged",
      "changed",
    ]);
  });

  test("by number a text without one is a failed check, not a change", async () => {
    expect(await series({ compare: "number" }, "12", "sold out", "12")).toEqual(["first", "failed", "unchanged"]);
  });

  test("the history holds what was and what is, and the watch remembers the new text", async () => {
    const { world, id, check } = await watching({}, (_asked, nth) => html(`<p>Price: ${nth * 10} EUR</p>`));
    await check();
    expect(await check()).toMatchObject({
      outcome: "changed",
      previous: "Price: 10 EUR",
      value: "Price: 20 EUR",
      number: 20,
      told: null,
    });
    expect(await world.watch(id)).toMatchObject({ value: "Price: 20 EUR", number: 20, seen: 2 });
  });

  test("a change far behind what is kept of a long page is one all the same", async () => {
    expect(await series({}, `${"x ".repeat(10_000)}a`, `${"x ".repeat(10_000)}b`)).toEqual(["first", "changed"]);
  });
});

describe("what is read of a page", () => {
  const read = async (rest: Watching, body: BodyInit, headers: Record<string, string> = {}) => {
    await clean();
    const { check } = await watching(
      rest,
      () => new Response(body, { headers: { "content-type": "text/html", ...headers } }),
    );
    const { outcome, value, error } = await check();
    return outcome === "failed" ? error : value;
  };

  test("the text of all that the selector finds, line by line, without what no reader sees", async () => {
    const page = `<html><head><title>T</title><style>p{}</style></head><body><ul><li>a <b>b</b>c<li>d</ul><noscript>n</noscript><li>e<template><li>f</li></template></body></html>`;
    expect(await read({ selector: "li" }, page)).toBe("a bc\nd\ne");
    expect(await read({}, page)).toBe("a bc\nd\ne");
    expect(await read({ selector: "title" }, page)).toBe("T");
    expect(await read({ selector: "h1" }, page)).toBe("nothing on the page matches h1");
    const data = `<script>var x;</script><script type="application/ld+json">{"price": 12}</script>`;
    expect(await read({ selector: "script[type='application/ld+json']" }, data)).toBe('{"price": 12}');
  });

  test("a page of more pieces than any real one has is given up, before it uses up the time of the jobs beside it", async () => {
    expect(await read({}, "<".repeat(400_000))).toBe("the page has over 250000 elements and pieces of text");
    expect(await read({}, `<br>${"x".repeat(1_000_000)}`)).toContain("cut");
  });

  test("one attribute of it, where the watch says so", async () => {
    const page = `<meta property="price" content="12.50 &euro;"><meta property="price"><a href="/x">link</a>`;
    expect(await read({ selector: "meta[property=price]", attribute: "content" }, page)).toBe("12.50 €");
    expect(await read({ selector: "a", attribute: "title" }, page)).toBe("nothing on the page matches a with title");
  });

  test("a page without a body, a text, JSON", async () => {
    expect(await read({}, "just text")).toBe("just text");
    expect(await read({}, "plain\r\ntext", { "content-type": "text/plain" })).toBe("plain\ntext");
    expect(await read({ compare: "number" }, '{"price": 12.5}', { "content-type": "application/json" })).toBe(
      '{"price": 12.5}',
    );
    expect(
      await read({ selector: "price" }, "<rss><price>7</price></rss>", { "content-type": "application/rss+xml" }),
    ).toBe("7");
  });

  test("a page in another encoding, as its answer or it itself says", async () => {
    const latin = Uint8Array.from([0x3c, 0x70, 0x3e, 0x63, 0x61, 0x66, 0xe9]);
    expect(await read({}, latin, { "content-type": "text/html; charset=ISO-8859-1" })).toBe("café");
    const meta = new Uint8Array([...new TextEncoder().encode('<meta charset="windows-1252">'), ...latin]);
    expect(await read({}, meta)).toBe("café");
    expect(await read({}, "<p>café", { "content-type": "text/html; charset=none-such" })).toBe("café");
  });

  test("what is no text, or too much of it, is a failure for good, and says why", async () => {
    expect(await read({}, "GIF", { "content-type": "image/gif" })).toBe("the page is image/gif, which is no text");
    expect(await read({ selector: "p" }, "{}", { "content-type": "application/json" })).toBe(
      "the page is application/json: a selector looks into HTML only",
    );
    expect(await read({}, "x".repeat(5_000_001))).toBe("the page is over 5000000 bytes");
  });
});

describe("C077: the table of answers holds for pages", () => {
  const FINAL = [400, 401, 403, 404, 405, 410, 413, 422];
  const AGAIN = [408, 425, 429, 500, 502, 503, 504];
  test.each(FINAL)("C077: %i is a failure for good: one request", async (status) => {
    const { world, check } = await watching({}, () => html("no", {}, status));
    expect(await check()).toMatchObject({ outcome: "failed", error: `answered ${status}` });
    expect(world.asked).toHaveLength(1);
  });
  test.each(AGAIN)("C077: %i is tried again", async (status) => {
    const { world, check } = await watching({}, (_asked, nth) => (nth === 1 ? html("no", {}, status) : html("<p>yes")));
    expect(await check()).toMatchObject({ outcome: "first", value: "yes" });
    expect(world.asked).toHaveLength(2);
  });
  test("C077: no answer at all, and one that is cut off, are tried again", async () => {
    const { world, check } = await watching({}, (_asked, nth) => {
      if (nth === 1) throw new TypeError("connection refused");
      const cut = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode("<p>half"));
          controller.error(new TypeError("connection reset"));
        },
      });
      return nth === 2 ? new Response(cut) : html("<p>whole");
    });
    expect(await check()).toMatchObject({ outcome: "first", value: "whole" });
    expect(world.asked).toHaveLength(3);
  });

  test("C075: a valid Retry-After is honoured, an invalid one is not", async () => {
    for (const [value, delay] of [
      ["120", 120_000],
      ["Tue, 04 Aug 2026 08:02:00 GMT", 120_000],
      ["Tue, 04 Aug 2026 07:00:00 GMT", 10_000],
      ["soon", 10_000],
    ] as const) {
      await clean();
      const world = new WatchWorld(START);
      await putWatch(world, world.now);
      world.answer = () => html("", { "retry-after": value }, 429);
      world.random = 0.5;
      await world.sweep();
      await world.deliver();
      const [job] = await world.sql<{ run_at: number }>("SELECT run_at FROM jobs");
      expect([value, (job?.run_at as number) - world.now]).toEqual([value, delay]);
    }
  });
});

describe("redirects", () => {
  const to = (location: string, status = 302) => new Response(null, { status, headers: { location } });

  test("are followed, and the page at their end is read", async () => {
    const { world, check } = await watching({}, ({ url }) =>
      url === PAGE
        ? to("/moved", 301)
        : url.endsWith("/moved")
          ? to("https://www.shop.example/item#top", 307)
          : html("<p>here"),
    );
    expect(await check()).toMatchObject({ outcome: "first", value: "here" });
    expect(world.asked.map(({ url, method }) => `${method} ${url}`)).toEqual([
      `GET ${PAGE}`,
      "GET https://shop.example/moved",
      "GET https://www.shop.example/item",
    ]);
  });

  test("in a circle, too many, or without an address, are a failure for good", async () => {
    for (const [answer, error, requests] of [
      [({ url }) => to(url === PAGE ? "/b" : PAGE), `redirects in a circle, back to ${PAGE}`, 2],
      [(_asked, nth) => to(`/${nth}${"x".repeat(nth)}`), /^redirects in a circle/, 2],
      [({ url }) => to(`${url}x`), "redirects more than 5 times, last to https://shop.example/itemxxxxxx", 6],
      [() => new Response(null, { status: 302 }), "answered 302 without an address to go to", 1],
      [() => to("http://[bad"), "answered 302 without an address to go to", 1],
    ] as [WatchWorld["answer"], string | RegExp, number][]) {
      await clean();
      const { world, check } = await watching({}, answer);
      const { outcome, error: said } = await check();
      expect([outcome, world.asked.length]).toEqual(["failed", requests]);
      expect(said).toMatch(error);
    }
  });

  test("C069: each address on the way is held against the outbound rules: nothing is sent to a forbidden one", async () => {
    for (const location of [
      "http://127.0.0.1/",
      "http://169.254.169.254/latest",
      "https://localhost/",
      "file:///etc/passwd",
      "http://shop.example/",
    ]) {
      await clean();
      const { world, check } = await watching({}, ({ url }) => (url === PAGE ? to(location) : html("<p>secret")));
      expect(await check()).toMatchObject({
        outcome: "failed",
        error: expect.stringContaining("must be a public https address"),
      });
      expect(world.asked).toHaveLength(1);
    }
  });
});

describe("a change is told", () => {
  const CHANNELS = {
    webhook: "https://ops.example/hook",
    slack: "https://hooks.slack.com/services/T0/B0/x",
    email: "ana@example.com",
  };
  const changing: WatchWorld["answer"] = ({ url }, nth) =>
    url === PAGE ? html(`<p>Price <b>${13 - nth}</b> &amp; up`) : new Response();

  test("by one job a channel, with what was and what is", async () => {
    const { world, id, check } = await watching({ channels: CHANNELS }, changing);
    await check();
    expect(world.asked).toHaveLength(1);
    const { told } = await check();
    expect(JSON.parse(told as string)).toHaveLength(3);
    await world.drain();
    const slot = Date.parse(START) + 3_600_000;
    const jobs = await world.sql(
      "SELECT id, kind, state, idempotency_key AS key FROM jobs WHERE kind <> 'watch_page' ORDER BY id",
    );
    expect(jobs).toEqual([
      { id: expect.any(String), kind: "watch_telling", state: "done", key: `watch/${id}/${slot}/webhook` },
      { id: expect.any(String), kind: "watch_telling", state: "done", key: `watch/${id}/${slot}/slack` },
      { id: expect.any(String), kind: "watch_telling", state: "done", key: `watch/${id}/${slot}/email` },
    ]);
    expect(jobs.map((job) => job.id)).toEqual(JSON.parse(told as string));
    const [hook] = world.to(CHANNELS.webhook);
    expect(JSON.parse(hook?.body as string)).toEqual({
      type: "watch.changed",
      timestamp: "2026-08-04T09:00:00.000Z",
      data: {
        title: "price changed",
        text: "12 → 11 (−8.3 %)\nBefore: Price 12 & up\nNow: Price 11 & up",
        links: [
          { label: "Page", url: PAGE },
          { label: "History", url: `https://redrive.example/watches/${id}` },
        ],
        watch: { id, name: "price", url: PAGE },
        before: { value: "Price 12 & up", number: 12 },
        after: { value: "Price 11 & up", number: 11 },
      },
    });
    const [slack] = world.to(CHANNELS.slack);
    expect(JSON.parse(slack?.body as string)).toEqual({
      text: `*price changed*\n12 → 11 (−8.3 %)\nBefore: Price 12 &amp; up\nNow: Price 11 &amp; up\n<${PAGE}|Page> · <https://redrive.example/watches/${id}|History>`,
    });
    const [mail] = await world.sql<{ subject: string; text: string; recipients: string }>("SELECT * FROM outbox_mail");
    expect(mail).toMatchObject({
      subject: "price changed",
      text: expect.stringContaining("Now: Price 11 & up\n\nPage: https"),
    });
    expect(JSON.parse(mail?.recipients as string).to).toEqual([{ email: "ana@example.com" }]);
  });

  test("no change, a first look and a failure tell nobody", async () => {
    const { world, check } = await watching({ channels: CHANNELS }, ({ url }, nth) =>
      url !== PAGE ? new Response() : nth === 2 ? html("", {}, 404) : html("<p>same"),
    );
    expect([(await check()).outcome, (await check()).outcome, (await check()).outcome]).toEqual([
      "first",
      "failed",
      "unchanged",
    ]);
    expect(await world.sql("SELECT id FROM jobs WHERE kind <> 'watch_page'")).toEqual([]);
  });

  test("once, also where the worker is gone after telling and the page has changed again meanwhile", async () => {
    const { world, id, check } = await watching({ channels: { webhook: CHANNELS.webhook } }, changing);
    await check();
    await world.sweep();
    const invocation = world.invocation();
    const gate = world.hold("run: between return and settle", invocation);
    void consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    invocation.kill();
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    expect(world.to(CHANNELS.webhook)).toHaveLength(1);
    expect(world.to(PAGE)).toHaveLength(2);
    expect((await world.checks(id)).at(-1)).toMatchObject({
      outcome: "changed",
      previous: "Price 12 & up",
      value: "Price 11 & up",
    });
    // What it has become since is the next check's.
    world.now = (await world.watch(id)).due_at;
    expect(await check()).toMatchObject({ outcome: "changed", previous: "Price 11 & up", value: "Price 10 & up" });
    expect(world.to(CHANNELS.webhook)).toHaveLength(2);
  });

  test("a channel that must not be used any more keeps neither the others nor the look from being kept", async () => {
    const { world, id, check } = await watching({ channels: CHANNELS }, changing);
    await check();
    world.ownHosts = ["ops.example"];
    expect(await check()).toMatchObject({ outcome: "changed", error: expect.stringContaining("webhook: ") });
    await world.drain();
    expect([world.to(CHANNELS.webhook).length, world.to(CHANNELS.slack).length]).toEqual([0, 1]);
    expect(await world.watch(id)).toMatchObject({ value: "Price 11 & up", failures: 0 });
  });

  test("where its channels lead by then: an attempt that takes over knows of those that were changed or taken away", async () => {
    const { world, id, check } = await watching({ channels: CHANNELS }, changing);
    await check();
    await world.sweep();
    const invocation = world.invocation();
    const gate = world.hold("submit: before insert", invocation);
    void consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    invocation.kill();
    const moved = "https://ops.example/moved";
    await world.sql("UPDATE watches SET channels = ? WHERE id = ?", JSON.stringify({ webhook: moved }), id);
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    expect([moved, CHANNELS.webhook, CHANNELS.slack].map((to) => world.to(to).length)).toEqual([1, 0, 0]);
    expect(await world.sql("SELECT id FROM outbox_mail")).toEqual([]);
    expect(world.to(PAGE)).toHaveLength(2);
  });
});

describe("who knows the address of a channel can write there", () => {
  /** Everything that is shown of each job. */
  async function shown(world: WatchWorld) {
    const { store } = world.invocation().engine;
    const { jobs } = await listJobs(store, {});
    const whole = await Promise.all(jobs.map(({ id }) => readJob(store, id, seeing(world.kinds))));
    return { labels: jobs.map(({ label }) => label), text: JSON.stringify([jobs, whole]) };
  }

  test.each([
    ["slack", "https://hooks.slack.com/services/T0/B0/verysecret"],
    ["slack", "https://discord.example/api/webhooks/1/verysecret/slack"],
    ["webhook", "https://ops.example/hook?key=verysecret"],
  ])("so no job shows that of a %s channel, %s, neither where it is told nor where it answers", async (type, to) => {
    const { world, check } = await watching({ channels: { [type]: to } }, ({ url }, nth) =>
      url === PAGE ? html(`<p>Price <b>${13 - nth}</b>`) : new Response(`no such hook: ${url}`, { status: 404 }),
    );
    await check();
    await check();
    await world.drain();
    expect(world.to(to)).toHaveLength(1);
    const { labels, text } = await shown(world);
    expect(labels).toContain(`${type}: price changed`);
    expect(text).toContain("no such hook: ••••••••");
    expect(text).not.toContain("verysecret");
  });

  test("a look that an earlier release recorded is told as that release would have, and shown without addresses", async () => {
    const to = "https://hooks.slack.com/services/T0/B0/verysecret";
    const { world, id, check } = await watching({ channels: { slack: to } }, ({ url }) =>
      url === PAGE ? html("<p>12") : new Response(),
    );
    await check();
    await world.sweep();
    const [job] = await world.sql<{ id: string }>("SELECT id FROM jobs WHERE kind = 'watch_page' ORDER BY id DESC");
    const look = { outcome: "changed", status: 200, hash: "h", value: "11", number: 11, previous: "12" };
    const key = `watch/${id}/${(await world.watch(id)).due_at}/slack`;
    const request = { url: to, method: "POST", json: { text: "*price changed*" } };
    const telling = [{ kind: "http_request", payload: request, idempotencyKey: key, channel: "slack" }];
    const compared = { version: (await world.watch(id)).version, seen: 1 };
    await world.sql(
      "INSERT INTO effects (job_id, name, started_at, token, finished_at, result) VALUES (?, 'look', 1, 't', 2, ?)",
      job?.id as string,
      JSON.stringify({ look: { ...look, etag: null, lastModified: null }, compared, telling }),
    );
    expect(await check()).toMatchObject({ outcome: "changed", value: "11" });
    expect(world.to(to).map(({ body }) => body)).toEqual(['{"text":"*price changed*"}']);
    const { text } = await shown(world);
    expect(text).toContain(key);
    expect(text).not.toContain("verysecret");
  });
});
