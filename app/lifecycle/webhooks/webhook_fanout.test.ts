import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test } from "vitest";
import { registry } from "~/kinds/registry";
import { deleteEndpoint, disableEndpoint } from "~/store/webhooks/endpoints";
import { rotateSecret } from "~/store/webhooks/rotation";
import { fanOut, never, Receivers, rowsOf, SECRET, saveEndpoint } from "~/testing/receivers";
import { clean, World } from "~/testing/world";
import { pause } from "../engine";

beforeEach(clean);

const at = (path: string) => `https://receiver.example/${path}`;

function worldWith(answer?: Receivers["answer"]) {
  const world = new World(registry);
  const receivers = new Receivers(world);
  if (answer) receivers.answer = answer;
  return { world, receivers };
}

describe("an event", () => {
  test("C072: each endpoint has its own tries, by what it answers, and none sees another's", async () => {
    const { world, receivers } = worldWith(({ url }, nth) => {
      if (url === at("down-twice") && nth < 3) return new Response("busy", { status: 500 });
      if (url === at("missing")) return new Response("no such hook", { status: 404 });
      return url === at("hangs") ? never() : new Response("thanks");
    });
    const urls = ["a", "b", "down-twice", "missing", "hangs"].map(at);
    const id = await fanOut(
      world,
      urls.map((url) => ({ url })),
      {},
      4,
    );
    await world.drain();
    expect(receivers.counts(urls)).toEqual([1, 1, 3, 1, 4]);
    expect((await rowsOf(world, id)).map((row) => [row.status, row.attempts, row.http_status, row.error])).toEqual([
      ["delivered", 1, 200, null],
      ["delivered", 1, 200, null],
      ["delivered", 3, 200, null],
      ["failed", 1, 404, "answered 404"],
      ["failed", 4, null, "no answer within 15 s"],
    ]);
    for (const url of urls) {
      expect(new Set(receivers.to(url).map(({ headers }) => headers.get("webhook-id"))).size).toBe(1);
    }
    expect(new Set(receivers.received.map(({ headers }) => headers.get("webhook-id"))).size).toBe(5);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 1 });
    const states = await world.sql("SELECT state FROM jobs WHERE kind = 'webhook_delivery' ORDER BY state");
    expect(states).toEqual([{ state: "dead" }, { state: "done" }]);
  });

  test("C072: 120 endpoints, three of them slow: all get it, five at once, and nobody waits longer than the slow take", async () => {
    const { world, receivers } = worldWith(async ({ url }) => {
      if (/\/slow/.test(url)) await pause(world.invocation().engine, 8_000);
      return new Response();
    });
    const urls = Array.from({ length: 120 }, (_, n) => at(n % 50 === 7 ? `slow-${n}` : `fast-${n}`));
    const id = await fanOut(
      world,
      urls.map((url) => ({ url })),
    );
    const startedAt = world.now;
    await world.drain();
    expect(receivers.counts(urls)).toEqual(Array(120).fill(1));
    expect((await rowsOf(world, id)).map((row) => row.status)).toEqual(Array(120).fill("delivered"));
    expect(receivers.most).toBeLessThanOrEqual(5);
    expect(Math.max(...receivers.received.map((one) => one.at)) - startedAt).toBeLessThanOrEqual(16_000);
    expect(await world.sql("SELECT kind, count(*) AS n FROM jobs GROUP BY kind ORDER BY kind")).toEqual([
      { kind: "webhook_fanout", n: 1 },
      { kind: "webhook_part", n: 2 },
    ]);
  });

  test("C072: an endpoint that was removed, or disabled, between two tries gets nothing more; the others go on", async () => {
    const { world, receivers } = worldWith(() => new Response(null, { status: 500 }));
    const ids = [await saveEndpoint(world), await saveEndpoint(world), await saveEndpoint(world)];
    const id = await fanOut(
      world,
      ids.map((one) => ({ id: one })),
      {},
      3,
    );
    await world.deliver("long");
    const { engine } = world.invocation();
    const deed = () => ({ id: engine.newId(), actor: "ann", action: "endpoint.disable" as const });
    await deleteEndpoint(engine.store, engine.newToken(), ids[0] as string, deed());
    await disableEndpoint(engine.store, engine.newToken(), ids[1] as string, "too loud", deed());
    await world.drain();
    expect(receivers.counts(ids.map((one) => `https://saved.example/${one}`))).toEqual([1, 1, 3]);
    expect((await rowsOf(world, id)).map((row) => [row.status, row.attempts, row.error])).toEqual([
      ["skipped", 1, "the endpoint was removed"],
      ["skipped", 1, "the endpoint is disabled"],
      ["failed", 3, "answered 500"],
    ]);
  });

  test("with one try in all is tried once", async () => {
    const { world, receivers } = worldWith(() => new Response(null, { status: 503 }));
    const id = await fanOut(world, [{ url: at("a") }], {}, 1);
    await world.drain();
    expect(receivers.received).toHaveLength(1);
    expect(await rowsOf(world, id)).toMatchObject([{ status: "failed", attempts: 1, job_id: null }]);
  });
});

describe("an answer", () => {
  test("C071: a redirect is no delivery: one request, its status and where it pointed are shown, nothing goes there", async () => {
    const statuses = [301, 302, 303, 307, 308];
    const { world, receivers } = worldWith(({ url }) =>
      url.startsWith(at("r"))
        ? new Response(null, { status: Number(url.slice(-3)), headers: { location: "https://elsewhere.example/in" } })
        : new Response(),
    );
    const urls = [...statuses.map((status) => at(`r/${status}`)), at("r/loop/302")];
    const saved = await saveEndpoint(world, { headers: { Authorization: "Bearer abc" }, address: at("r/308") });
    const id = await fanOut(world, [...urls.map((url) => ({ url })), { id: saved }]);
    await world.drain();
    expect(receivers.received.map(({ url }) => url).sort()).toEqual([...urls, at("r/308")].sort());
    const rows = await rowsOf(world, id);
    expect(rows.map((row) => [row.status, row.http_status])).toEqual([...statuses, 302, 308].map((s) => ["failed", s]));
    expect(rows[0]?.error).toBe("answered 301 to https://elsewhere.example/in (redirects are not followed)");
  });

  test("that tells a secret header is kept without any part of it, also where it is cut", async () => {
    const token = "abcdefghijklmnopqrstuvwxyz0123456789";
    const { world } = worldWith(() => new Response(`${token}:`.padEnd(2_048 - 30, "x") + token));
    const saved = await saveEndpoint(world, { headers: { Authorization: token }, address: at("echo") });
    const id = await fanOut(world, [{ id: saved }]);
    await world.drain();
    expect((await rowsOf(world, id))[0]?.answer).toMatch(/^•{8}:x{1981}… \[cut at 2048 bytes\]$/);
  });

  test("C077: decides by the table: done, for good, or again", async () => {
    const table = {
      delivered: [200, 201, 202, 204],
      failed: [400, 401, 403, 404, 405, 410, 413, 422],
      retrying: [408, 425, 429, 500, 502, 503, 504],
    };
    const cases = Object.entries(table).flatMap(([word, statuses]) =>
      statuses.map((status) => [status, word] as const),
    );
    const { world, receivers } = worldWith(({ url }) => new Response(null, { status: Number(url.slice(-3)) }));
    const id = await fanOut(
      world,
      cases.map(([status]) => ({ url: at(`${status}`) })),
    );
    await world.deliver("long");
    expect((await rowsOf(world, id)).map((row) => [row.http_status, row.status])).toEqual(cases);
    expect(receivers.received).toHaveLength(cases.length);
    const retried = await world.sql(
      "SELECT json_extract(payload, '$.n') AS n FROM jobs WHERE kind = 'webhook_delivery'",
    );
    expect(retried).toHaveLength(table.retrying.length);
  });

  test("C077: none at all, one that breaks off, and one that does not come in time are tried again", async () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(new TypeError("Network connection lost."));
          },
        }),
      );
    const slow = () => new Response(new ReadableStream({ pull: never }));
    const { world } = worldWith(({ url }) => {
      if (url === at("refused")) throw new TypeError("connection refused");
      return url === at("reset") ? broken() : url === at("slow-body") ? slow() : never();
    });
    const id = await fanOut(
      world,
      ["refused", "reset", "slow-body", "never"].map((path) => ({ url: at(path) })),
      { timeoutSeconds: 3 },
    );
    await world.deliver("long");
    expect((await rowsOf(world, id)).map((row) => [row.status, row.error])).toEqual([
      ["retrying", "connection refused"],
      ["retrying", "Network connection lost."],
      ["retrying", "no answer within 3 s"],
      ["retrying", "no answer within 3 s"],
    ]);
  });

  test("C077: 410 disables the endpoint, now and for the events after it, on the first try and on a later one", async () => {
    const { world, receivers } = worldWith((_request, nth) => new Response(null, { status: nth === 1 ? 503 : 410 }));
    const [first, later] = [await saveEndpoint(world), await saveEndpoint(world)] as [string, string];
    const url = (id: string) => `https://saved.example/${id}`;
    receivers.received.push({ url: url(first), headers: new Headers(), body: "", at: 0 });
    await fanOut(world, [{ id: first }, { id: later }]);
    await world.deliver("long");
    const disabled = () =>
      world.sql("SELECT id, disabled_reason FROM endpoints WHERE disabled_at IS NOT NULL ORDER BY id");
    expect(await disabled()).toEqual([{ id: first, disabled_reason: "it answered 410 Gone" }]);
    await world.drain();
    expect(await disabled()).toMatchObject([{ id: first }, { id: later }]);
    const before = receivers.received.length;
    const id = await fanOut(world, [{ id: first }, { id: later }]);
    await world.drain();
    expect(receivers.received).toHaveLength(before);
    expect((await rowsOf(world, id)).map((row) => [row.status, row.attempts])).toEqual([
      ["skipped", 0],
      ["skipped", 0],
    ]);
  });

  test("C075: Retry-After moves the next try, never below the own backoff, and no further than a day", async () => {
    const cases: [string | null, number][] = [
      ["120", 120],
      ["Wed, 21 Oct 2026 07:30:00 GMT", 120],
      ["Wed, 21 Oct 2026 07:00:00 GMT", 10],
      ["0", 10],
      ["soon", 10],
      [null, 10],
      ["86400", 86_400],
      ["604800", 86_400],
    ];
    for (const status of [429, 503]) {
      for (const [value, seconds] of cases) {
        await clean();
        const { world } = worldWith(
          () => new Response(null, { status, headers: value === null ? {} : { "retry-after": value } }),
        );
        world.now = Date.parse("2026-10-21T07:28:00Z");
        const id = await fanOut(world, [{ url: at("a") }]);
        await world.deliver("long");
        const [row] = await rowsOf(world, id);
        // The first wait of all is 5 s, within a fifth.
        const first = Math.max(seconds === 10 ? 4 : seconds, 4);
        expect([value, (await world.job(row?.job_id as string)).run_at - world.now]).toEqual([value, first * 1000]);
        world.now = (await world.job(row?.job_id as string)).run_at;
        if (value?.startsWith("Wed")) continue;
        world.queues.normal.ask(row?.job_id as string, 1, "webhook_delivery");
        await world.deliver();
        const job = await world.job(row?.job_id as string);
        expect([value, job.run_at - world.now]).toEqual([value, seconds * 1000]);
        expect(job.last_error).toBe(`answered ${status}${value === null ? "" : ` (Retry-After: ${value})`}`);
      }
    }
  });
});

describe("a request", () => {
  test("C073: carries a signature over the very bytes sent, on every try, with the time of that try", async () => {
    const { world, receivers } = worldWith((_request, nth) => new Response(null, { status: nth < 3 ? 503 : 200 }));
    world.now = Date.now();
    const saved = await saveEndpoint(world, { headers: { Authorization: "Bearer abc", "X-Team": "a, b" } });
    const id = await fanOut(world, [{ id: saved }], { type: "user.created", data: { name: "Zoë 😀" } });
    await world.drain();
    expect(receivers.received).toHaveLength(3);
    for (const { headers, body } of receivers.received) {
      expect(body).toBe('{"type":"user.created","data":{"name":"Zoë 😀"}}');
      const own = new Webhook(SECRET);
      const signedAt = new Date(Number(headers.get("webhook-timestamp")) * 1000);
      expect(headers.get("webhook-signature")).toBe(own.sign(`msg_${id}_0`, signedAt, body));
      expect(headers.get("webhook-id")).toBe(`msg_${id}_0`);
      expect([headers.get("authorization"), headers.get("x-team")]).toEqual(["Bearer abc", "a, b"]);
      expect(headers.get("content-type")).toBe("application/json");
    }
    const times = receivers.received.map(({ headers }) => headers.get("webhook-timestamp"));
    expect(new Set(times).size).toBe(3);
    expect(await rowsOf(world, id)).toMatchObject([{ signed: 1, status: "delivered", attempts: 3 }]);
  });

  test("holds the data as it was written, on the first try and on a later one: no number is rounded", async () => {
    const { world, receivers } = worldWith((_request, nth) => new Response(null, { status: nth < 2 ? 503 : 200 }));
    const data = '{ "id": 12345678901234567890, "price": 1.0 }';
    const text = `{"type": "order.paid", "data": ${data}, "endpoints": [{"url": "${at("a")}"}]}`;
    await world.submit({ kind: "webhook_fanout", payload: JSON.parse(text), payloadText: text });
    await world.drain();
    expect(receivers.received.map(({ body }) => body)).toEqual(Array(2).fill(`{"type":"order.paid","data":${data}}`));
  });

  test("while a key is rotated both sign, for 24 hours and no longer", async () => {
    const { world, receivers } = worldWith();
    const saved = await saveEndpoint(world);
    const { engine } = world.invocation();
    const next = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
    const deed = { id: engine.newId(), actor: "ann", action: "endpoint.disable" as const };
    await rotateSecret(engine.store, engine.newToken(), saved, next, 86_400_000, deed);
    const signers = async () => {
      await fanOut(world, [{ id: saved }]);
      await world.drain();
      const { headers, body } = receivers.received.at(-1) as Receivers["received"][0];
      const at = new Date(Number(headers.get("webhook-timestamp")) * 1000);
      return [next, SECRET].map((secret) =>
        headers
          .get("webhook-signature")
          ?.split(" ")
          .includes(new Webhook(secret).sign(headers.get("webhook-id") as string, at, body)),
      );
    };
    expect(await signers()).toEqual([true, true]);
    world.now += 86_399_000;
    expect(await signers()).toEqual([true, true]);
    world.now += 2_000;
    expect(await signers()).toEqual([true, false]);
  });

  test("to a receiver that is written out is signed with the deployment's secret, and told as unsigned without one", async () => {
    for (const secret of [undefined, SECRET, "no secret"]) {
      await clean();
      const { world, receivers } = worldWith();
      world.services = { ...world.services, secret: (name) => (name === "WEBHOOK_SECRET" ? secret : undefined) };
      const id = await fanOut(world, [{ url: at("a") }]);
      await world.drain();
      const [row] = await rowsOf(world, id);
      if (secret === "no secret") {
        expect(row).toMatchObject({
          status: "failed",
          error: expect.stringContaining("WEBHOOK_SECRET cannot be used"),
        });
        expect([receivers.received, row?.error?.includes(secret)]).toEqual([[], false]);
        continue;
      }
      expect(row).toMatchObject({ status: "delivered", signed: secret ? 1 : 0 });
      expect(receivers.received[0]?.headers.has("webhook-signature")).toBe(secret !== undefined);
    }
  });

  test("to Slack has Slack's shape, and one to a service goes through its binding", async () => {
    const { world, receivers } = worldWith();
    const asked: Request[] = [];
    const binding = {
      fetch: async (url: string, init: RequestInit) => {
        asked.push(new Request(url, init));
        return new Response("ok", { status: 202 });
      },
    };
    world.services = {
      ...world.services,
      service: (name) => (name === "BILLING" ? (binding as unknown as Fetcher) : undefined),
    };
    const id = await fanOut(
      world,
      [
        { type: "slack", url: "https://hooks.slack.com/services/T0/B0/x" },
        { type: "service", service: "BILLING", path: "/events" },
        { type: "service", service: "NOBODY" },
      ],
      { type: "disk.full", data: { host: "a" } },
    );
    await world.drain();
    expect(
      receivers.received.map(({ url, body, headers }) => [
        url,
        Object.keys(JSON.parse(body)),
        headers.has("webhook-id"),
      ]),
    ).toEqual([["https://hooks.slack.com/services/T0/B0/x", ["text"], false]]);
    expect(asked.map((one) => [one.method, new URL(one.url).pathname, one.headers.get("webhook-id")])).toEqual([
      ["POST", "/events", `msg_${id}_1`],
    ]);
    expect(await asked[0]?.text()).toBe('{"type":"disk.full","data":{"host":"a"}}');
    expect((await rowsOf(world, id)).map((row) => [row.status, row.target, row.error])).toEqual([
      ["delivered", "https://hooks.slack.com/…", null],
      ["delivered", "BILLING /events", null],
      ["failed", "NOBODY /", "no service binding is named NOBODY"],
    ]);
  });

  test("C069: to an address that is not public is refused at submit, by its place in the list", async () => {
    const { world } = worldWith();
    const submitted = fanOut(world, [{ url: at("a") }, { url: "http://169.254.169.254/latest" }]);
    await expect(submitted).rejects.toThrow(/payload\.endpoints\.1\.url.*public https address/);
    expect(await world.sql("SELECT id FROM jobs")).toEqual([]);
  });

  test("C069: is asked about again when the job runs: what is forbidden by then failed for good, and is not sent", async () => {
    const { world, receivers } = worldWith();
    const id = await fanOut(world, [{ url: at("a") }, { url: "https://other.example/" }]);
    world.ownHosts = ["receiver.example"];
    await world.drain();
    expect(receivers.received.map(({ url }) => url)).toEqual(["https://other.example/"]);
    expect(await rowsOf(world, id)).toMatchObject([
      { status: "failed", attempts: 1, http_status: null, error: expect.stringContaining("is this deployment") },
      { status: "delivered" },
    ]);
  });
});

test("a list that is no list of receivers is refused, and the error says where and why", async () => {
  const { world } = worldWith();
  const wrong: [object, RegExp][] = [
    [{}, /endpoints\.0\.url.*is missing/],
    [{ id: "x" }, /endpoints\.0\.id.*is the id of a saved endpoint/],
    [{ id: "0198c9a0-0000-7000-8000-000000000000", url: at("a") }, /endpoints\.0\.url.*does not go with id/],
    [{ type: "service", url: at("a") }, /endpoints\.0\.service.*is missing/],
    [{ type: "service", service: "A", path: "//elsewhere.example" }, /endpoints\.0\.path.*is a path/],
    [{ type: "slack", url: at("a"), path: "/" }, /endpoints\.0\.path.*does not go with url/],
    [{ url: at("a"), secret: SECRET }, /secret.*is not a field here/],
  ];
  for (const [endpoint, message] of wrong) await expect(fanOut(world, [endpoint])).rejects.toThrow(message);
  await expect(fanOut(world, [])).rejects.toThrow(/payload\.endpoints/);
  await expect(fanOut(world, Array(501).fill({ url: at("a") }))).rejects.toThrow(/payload\.endpoints/);
  await expect(fanOut(world, [{ url: at("a") }], { data: undefined })).rejects.toThrow(/payload\.data.*is missing/);
});
