import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { Snooze } from "~/domain/errors";
import { defineKind, type JobContext } from "~/kinds/define";
import { httpRequest } from "~/kinds/http_request";
import { registryOf } from "~/kinds/registry";
import { clean, World } from "~/testing/world";
import { consume } from "./consume";
import { submit } from "./submit";

beforeEach(clean);

const kindOf = (run: (input: unknown, ctx: JobContext) => Promise<unknown>, rest = {}) =>
  defineKind({
    name: "probe",
    title: "probe",
    description: "probe",
    input: z.looseObject({}),
    usualMs: 10,
    timeoutMs: 30_000,
    retry: { jitter: 0 },
    ...rest,
    run,
  });

async function runOne(world: World, kind = "probe", payload: unknown = {}) {
  const [id] = (await world.submit({ kind, payload, payloadText: JSON.stringify(payload) })) as [string];
  await world.deliver();
  return { job: await world.job(id), attempts: await world.attempts(id) };
}

describe("what a handler gives back", () => {
  test("is kept as JSON up to 64 KB, its log up to 16 KB, its error up to 16 KB, cut between characters", async () => {
    const big = "😀".repeat(30_000);
    const world = new World(
      registryOf(
        kindOf(async (_input, ctx) => {
          for (let line = 0; line < 100; line++) ctx.log("é".repeat(1_000));
          if (ctx.attempt > 1) throw new Error(big);
          return big;
        }),
      ),
    );
    const { job, attempts } = await runOne(world);
    const bytes = (text: string) => new TextEncoder().encode(text).length;
    expect(bytes(job.result)).toBeLessThanOrEqual(65_536);
    expect(job.result).toContain("[cut: ");
    expect(job.result).not.toContain("�");
    expect(bytes(attempts[0]?.log)).toBeLessThanOrEqual(16_384);
    expect(bytes(attempts[0]?.log)).toBeGreaterThan(15_000);
  });

  test("a result that JSON cannot hold is noted, and the job is done: its work is", async () => {
    const world = new World(registryOf(kindOf(async () => ({ n: 1n }))));
    const { job, attempts } = await runOne(world);
    expect(job).toMatchObject({ state: "done", result: null });
    expect(attempts[0]?.log).toContain("not JSON");
  });

  test("a payload that this release does not take any more ends its job, and says in words what is wrong", async () => {
    let fits = true;
    const input = z.object({ steps: z.custom(() => fits, "must be at least 1") });
    const world = new World(registryOf(kindOf(async () => "ran", { input })));
    const payload = { steps: 0 };
    const [id] = (await world.submit({ kind: "probe", payload, payloadText: JSON.stringify(payload) })) as [string];
    fits = false;
    await world.deliver();
    const error = "the payload does not fit the kind: steps: must be at least 1";
    expect(await world.job(id)).toMatchObject({ state: "dead", last_error: error, attempt: 1 });
    fits = true;
    expect((await runOne(world, "probe", payload)).job).toMatchObject({ state: "done" });
  });

  test("anything may be thrown: a string, nothing, an error with a stack", async () => {
    for (const [thrown, error] of [
      ["plain", "plain"],
      [undefined, "undefined"],
      [new TypeError("bad"), "TypeError: bad"],
    ] as const) {
      await clean();
      const world = new World(
        registryOf(
          kindOf(async () => {
            throw thrown;
          }),
        ),
      );
      const { job, attempts } = await runOne(world);
      expect(job).toMatchObject({ view: "retrying", last_error: error });
      if (thrown instanceof Error) expect(attempts[0]?.stack).toContain("TypeError");
    }
  });

  test("a snooze puts the job off without using up a try, with a history row of its own", async () => {
    const world = new World(
      registryOf(
        kindOf(
          async (_input, ctx) => {
            if (ctx.attempt < 4) throw new Snooze(5_000);
          },
          { retry: { maxAttempts: 1 } },
        ),
      ),
    );
    const { job } = await runOne(world);
    expect(job).toMatchObject({ view: "pending", attempt: 1, forgiven: 1, run_at: world.now + 5_000 });
    await world.drain();
    expect(await world.job(job.id)).toMatchObject({ state: "done", attempt: 4, forgiven: 3 });
    expect((await world.attempts(job.id)).map((one) => [one.outcome, one.trigger])).toEqual([
      ["snoozed", "first"],
      ["snoozed", "snooze"],
      ["snoozed", "snooze"],
      ["done", "snooze"],
    ]);
  });

  test("a stored payload that no longer fits its kind is permanent, and the handler does not run", async () => {
    let ran = 0;
    const strict = kindOf(async () => void ran++, { input: z.strictObject({ n: z.number() }) });
    const loose = new World(registryOf(kindOf(async () => {})));
    const [id] = (await loose.submit({ kind: "probe" })) as [string];
    const world = new World(registryOf(strict));
    world.queues.normal.ask(id, 1, "probe");
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 1 });
    expect(ran).toBe(0);
  });

  test("a payload over 16 KB is read at start and is the submitted one, byte for byte", async () => {
    let seen: unknown;
    const world = new World(
      registryOf(
        kindOf(async (input) => {
          seen = input;
        }),
      ),
    );
    const payload = { text: 'ü😀\\"\n'.repeat(20_000) };
    const { job } = await runOne(world, "probe", payload);
    expect(job).toMatchObject({ state: "done", payload: JSON.stringify(payload) });
    expect(seen).toEqual(payload);
  });

  test("where D1 cannot give the large payload, the attempt uses up no try", async () => {
    const world = new World(registryOf(kindOf(async () => {})));
    const payload = { text: "x".repeat(20_000) };
    const [id] = (await world.submit({ kind: "probe", payload, payloadText: JSON.stringify(payload) })) as [string];
    let calls = 0;
    world.fault = () => (++calls >= 2 && calls <= 4 ? "before" : null);
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ state: "pending", attempt: 1, forgiven: 1 });
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done" });
  });
});

describe("a job's way out", () => {
  const world = (answer: (request: Request) => Response | Promise<Response>) => {
    const made = new World(registryOf(httpRequest));
    made.fetch = async (input, init) => answer(new Request(input as string, init));
    return made;
  };
  const payload = { url: "https://example.com/hook", json: { a: 1 } };

  test("http_request keeps status and body, and sends a key that is the same on every attempt", async () => {
    const keys: (string | null)[] = [];
    const made = world(async (request) => {
      keys.push(request.headers.get("idempotency-key"));
      expect(await request.json()).toEqual({ a: 1 });
      return keys.length === 1 ? new Response("busy", { status: 503 }) : new Response("thanks");
    });
    const { job } = await runOne(made, "http_request", payload);
    expect(job).toMatchObject({ view: "retrying", last_error: "answered 503" });
    await made.drain();
    expect(await made.job(job.id)).toMatchObject({ state: "done", result: '{"status":200,"body":"thanks"}' });
    expect(keys).toEqual([`${job.id}/request`, `${job.id}/request`]);
  });

  test("JSON is sent as it was written: no number is rounded, no space lost", async () => {
    const sent: string[] = [];
    const made = world(async (request) => {
      sent.push(await request.text());
      return new Response();
    });
    const json = '{ "id": 12345678901234567890, "price": 1.0 }';
    const text = `{"url": "https://example.com/hook", "json": ${json}}`;
    await made.submit({ kind: "http_request", payload: JSON.parse(text), payloadText: text });
    await made.deliver();
    expect(sent).toEqual([json]);
  });

  test("a header that the caller writes stands in place of ours, however it is spelt; the same one twice is refused", async () => {
    let sent: Headers | undefined;
    const made = world((request) => {
      sent = request.headers;
      return new Response();
    });
    const headers = { "Idempotency-Key": "order-42", "Content-Type": "application/cloudevents+json" };
    await runOne(made, "http_request", { ...payload, headers });
    expect([sent?.get("idempotency-key"), sent?.get("content-type")]).toEqual(Object.values(headers));
    const twice = { ...payload, headers: { "X-Team": "a", "x-team": "b" } };
    const call = { kind: "http_request", payload: twice, payloadText: JSON.stringify(twice) };
    expect(await submit(made.invocation().engine, [call])).toMatchObject({
      kind: "rejected",
      rejection: { status: 400, problems: [{ path: "payload.headers.x-team", message: "is given twice" }] },
    });
    const of = (n: number) => {
      const named = { ...payload, headers: Object.fromEntries(Array.from({ length: n }, (_, i) => [`x-${i}`, "a"])) };
      return submit(made.invocation().engine, [
        { kind: "http_request", payload: named, payloadText: JSON.stringify(named) },
      ]);
    };
    expect(await of(100)).toMatchObject({ kind: "accepted" });
    expect(await of(101)).toMatchObject({
      kind: "rejected",
      rejection: { status: 400, problems: [{ path: "payload.headers", message: "takes at most 100 headers" }] },
    });
  });

  test("C075: Retry-After moves the next attempt, shown with its reason", async () => {
    const made = world(() => new Response(null, { status: 429, headers: { "retry-after": "120" } }));
    const { job } = await runOne(made, "http_request", payload);
    expect(job).toMatchObject({ view: "retrying", run_at: made.now + 120_000, last_error: "answered 429" });
  });

  test("C077: a permanent answer is one request and dead; a network error is retried", async () => {
    const gone = world(() => new Response("no", { status: 404 }));
    expect((await runOne(gone, "http_request", payload)).job).toMatchObject({ state: "dead", attempt: 1 });
    await clean();
    const reset = world(() => {
      throw new TypeError("Network connection lost");
    });
    expect((await runOne(reset, "http_request", payload)).job).toMatchObject({ view: "retrying", attempt: 1 });
  });

  test("a redirect is not followed, and the error says where it pointed", async () => {
    const seen: string[] = [];
    const made = world((request) => {
      seen.push(request.url);
      return new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } });
    });
    const { job } = await runOne(made, "http_request", payload);
    expect(job.state).toBe("dead");
    expect(job.last_error).toContain("https://elsewhere.example/");
    expect(seen).toEqual(["https://example.com/hook"]);
  });

  test("a long body is cut at its cap and the rest is cancelled", async () => {
    let cancelled = false;
    const made = world(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new TextEncoder().encode("x".repeat(10_000))),
            cancel: () => {
              cancelled = true;
            },
          }),
        ),
    );
    const { job } = await runOne(made, "http_request", payload);
    expect(job.state).toBe("done");
    expect(JSON.parse(job.result).body).toHaveLength(32_768 + "… [cut at 32768 bytes]".length);
    expect(cancelled).toBe(true);
  });

  test.each([
    [1, "x"],
    [30, "x"],
    [36, "x••••••••"],
    [37, "x•••••••• "],
  ])(
    "a long body that tells a secret keeps no part of it, with %i characters of it before the cap",
    async (within, end) => {
      const token = "abcdefghijklmnopqrstuvwxyz0123456789";
      const made = world(() => new Response(`${"x".repeat(32_768 - within)}${token} and more`));
      const { job } = await runOne(made, "http_request", { ...payload, headers: { authorization: token } });
      expect(JSON.parse(job.result).body).toBe(`${"x".repeat(32_768 - within - 1)}${end}… [cut at 32768 bytes]`);
    },
  );

  test("a character that the cap cuts is left out", async () => {
    const made = world(() => new Response(`x${"é".repeat(20_000)}`));
    const { job } = await runOne(made, "http_request", payload);
    expect(JSON.parse(job.result).body).toBe(`x${"é".repeat(16_383)}… [cut at 32768 bytes]`);
  });

  test("C069: the rule is asked again when the job runs, and what it blocks is permanent and not sent", async () => {
    let sent = 0;
    const made = world(() => {
      sent++;
      return new Response();
    });
    const [id] = (await made.submit({ kind: "http_request", payload, payloadText: JSON.stringify(payload) })) as [
      string,
    ];
    made.ownHosts = ["example.com"];
    await made.deliver();
    expect(await made.job(id)).toMatchObject({ state: "dead", attempt: 1 });
    expect(sent).toBe(0);
  });

  test("C069: at submit a forbidden address is a 400 that names the rule, and nothing is stored", async () => {
    const made = world(() => new Response());
    const bad = { url: "http://169.254.169.254/latest" };
    const answer = await submit(made.invocation().engine, [
      { kind: "http_request", payload: bad, payloadText: JSON.stringify(bad) },
    ]);
    expect(answer).toMatchObject({
      kind: "rejected",
      rejection: {
        status: 400,
        problems: [{ path: "payload.url", message: expect.stringContaining("public https address") }],
      },
    });
    expect(await made.sql("SELECT * FROM jobs")).toEqual([]);
  });

  test("all handlers of an invocation together hold at most five connections, and an unread body gives its back", async () => {
    let open = 0;
    let most = 0;
    const greedy = kindOf(async (_input, ctx) => {
      const responses = await Promise.all([1, 2, 3].map((n) => ctx.fetch(`https://example.com/${n}`)));
      for (const response of responses.slice(1)) await response.text();
    });
    const made = new World(registryOf(greedy));
    made.fetch = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      return new Response(
        new ReadableStream(
          {
            pull(controller) {
              controller.enqueue(new Uint8Array(10));
              controller.close();
              open--;
            },
            cancel() {
              open--;
            },
          },
          { highWaterMark: 0 },
        ),
      );
    };
    const ids = await made.submit(...Array.from({ length: 8 }, () => ({ kind: "probe" })));
    const taken = made.queues.normal.take(100);
    await consume(made.invocation().engine, "normal", taken.batch);
    for (const id of ids) expect((await made.job(id)).state).toBe("done");
    expect(most).toBe(5);
  });
});
