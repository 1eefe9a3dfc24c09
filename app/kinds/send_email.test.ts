import { beforeEach, describe, expect, test } from "vitest";
import { consume } from "~/lifecycle/consume";
import { requeue } from "~/lifecycle/requeue";
import { MAIL_VARS, mailWorld, refusal } from "~/testing/mail_provider";
import { clean, type World } from "~/testing/world";
import { servicesOf } from "./services";

beforeEach(clean);

const mail = { to: "ana@example.com", subject: "Hello", text: "Hello Ana" };
const HOUR = 3_600_000;

async function submitted(world: World, payload: object = mail): Promise<string> {
  const [id] = await world.submit({ kind: "send_email", payload });
  return id as string;
}

async function delivered(world: World, payload: object = mail) {
  const id = await submitted(world, payload);
  await world.deliver();
  return { id, job: await world.job(id) };
}

/** Lets attempt 1 run until `site`, where its worker is gone for good. */
async function loseWorkerAt(world: World, site: string): Promise<string> {
  const id = await submitted(world);
  const invocation = world.invocation();
  const gate = world.hold(site, invocation);
  void consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
  await gate.reached;
  invocation.kill();
  world.now += 31_000;
  await world.sweep();
  return id;
}

describe("a mail through the HTTP provider", () => {
  test("is asked for with the configured sender, the secret and a key of its job", async () => {
    const { world, provider } = mailWorld();
    const { id, job } = await delivered(world, {
      ...mail,
      cc: [{ email: "ben@example.com", name: "Ben, of Sales" }],
      replyTo: "help@example.com",
      html: "<p>Hello</p>",
      headers: { "X-Campaign": "spring" },
    });
    expect(job).toMatchObject({ state: "done", result: '{"provider":"resend","id":"mail 1"}' });
    expect(provider.asked).toEqual([
      {
        url: "https://api.resend.com/emails",
        key: `${id}/mail:resend`,
        authorization: "Bearer re_key",
        agent: "redrive",
        body: JSON.stringify({
          from: "Shop <shop@example.com>",
          to: ["ana@example.com"],
          cc: ['"Ben, of Sales" <ben@example.com>'],
          reply_to: "help@example.com",
          subject: "Hello",
          text: "Hello Ana",
          html: "<p>Hello</p>",
          headers: { "X-Campaign": "spring" },
        }),
      },
    ]);
    expect(`${id}/mail:resend`.length).toBeLessThanOrEqual(256);
  });

  test("C081: whose reply is lost after it was accepted is asked for again, with the same key and bytes: one mail, the first id", async () => {
    const { world, provider } = mailWorld();
    provider.answer = (asked, before) => {
      const accepted = provider.accept(asked);
      if (before.length === 0) throw new TypeError("Network connection lost");
      return accepted;
    };
    const id = await submitted(world);
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ view: "retrying" });
    // What the configuration says meanwhile must not make another mail of it.
    world.services = servicesOf({ ...MAIL_VARS, MAIL_FROM: "Other <other@example.com>" });
    await world.drain();
    expect(await world.job(id)).toMatchObject({
      state: "done",
      attempt: 2,
      result: '{"provider":"resend","id":"mail 1"}',
    });
    expect(provider.mails.size).toBe(1);
    expect(provider.asked.map(({ key }) => key)).toEqual([`${id}/mail:resend`, `${id}/mail:resend`]);
    expect(provider.asked[1]?.body).toBe(provider.asked[0]?.body);
  });

  test("C081: that is said to be under way already is asked for again", async () => {
    const { world, provider } = mailWorld();
    provider.answer = (asked, before) =>
      before.length === 0 ? refusal(409, "concurrent_idempotent_requests") : provider.accept(asked);
    const { id, job } = await delivered(world);
    expect(job).toMatchObject({ view: "retrying" });
    expect(job.last_error).toContain("409 concurrent_idempotent_requests");
    expect(await world.sql("SELECT name FROM effects WHERE finished_at IS NULL")).toEqual([{ name: "mail:resend" }]);
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
    expect(provider.mails.size).toBe(1);
  });

  test("C081: whose key stands for another body is dead at once, and says so", async () => {
    const { world, provider } = mailWorld();
    provider.answer = () => refusal(409, "invalid_idempotent_request");
    const { job } = await delivered(world);
    expect(job).toMatchObject({ state: "dead", attempt: 1 });
    expect(job.last_error).toContain("409 invalid_idempotent_request");
    expect(provider.asked).toHaveLength(1);
  });

  test("C081: may have gone out, and the provider has forgotten its key since: not sent blindly, a person decides", async () => {
    const { world, provider } = mailWorld();
    provider.answer = (asked, before) => {
      if (before.length > 0) return provider.accept(asked);
      provider.accept(asked);
      return refusal(503, "service_unavailable", { "retry-after": "86400" });
    };
    const { id, job } = await delivered(world);
    expect(job).toMatchObject({ view: "retrying", run_at: world.now + 24 * HOUR });
    world.now += 24 * HOUR;
    await world.sweep();
    await world.drain();
    expect(provider.asked).toHaveLength(1);
    expect(await world.job(id)).toMatchObject({ state: "dead", attempt: 2 });
    expect((await world.job(id)).last_error).toContain('nobody knows whether "mail:resend" was done');
    await requeue(world.invocation().engine, { id }, { actor: "ana" });
    await world.drain();
    expect([provider.asked.length, (await world.job(id)).state]).toEqual([1, "dead"]);
    await requeue(world.invocation().engine, { id, repeatUnknown: true }, { actor: "ana" });
    await world.drain();
    expect([provider.asked.length, (await world.job(id)).state]).toEqual([2, "done"]);
  });

  test("C081: may have gone out, and the provider still knows its key: sent again, also after refusals in between", async () => {
    const { world, provider } = mailWorld();
    provider.answer = (asked, before) => {
      if (before.length === 1) return refusal(429, "rate_limit_exceeded", { "retry-after": String(11 * 3_600) });
      if (before.length > 1) return provider.accept(asked);
      provider.accept(asked);
      return refusal(500, "internal_server_error", { "retry-after": String(11 * 3_600) });
    };
    const id = await submitted(world);
    for (let hours = 0; hours <= 22; hours += 11) {
      await world.deliver();
      world.now += 11 * HOUR;
      await world.sweep();
    }
    expect(provider.mails.size).toBe(1);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 3 });
  });

  test("C081: of two jobs with the same content is two mails", async () => {
    const { world, provider } = mailWorld();
    const ids = [await submitted(world), await submitted(world)];
    await world.drain();
    expect(provider.asked.map(({ key }) => key).sort()).toEqual(ids.map((id) => `${id}/mail:resend`).sort());
    expect(provider.mails.size).toBe(2);
  });

  test("C075: Retry-After moves the next attempt in both its forms, never below the own backoff", async () => {
    for (const [value, ms] of [
      ["120", 120_000],
      ["date", 120_000],
      ["past", 10_000],
      ["0", 10_000],
      ["soon", 10_000],
      ["86400", 24 * HOUR],
      ["604800", 24 * HOUR],
    ] as const) {
      for (const status of [429, 503]) {
        await clean();
        const { world, provider } = mailWorld();
        const date = (at: number) => new Date(at).toUTCString();
        const sent = { date: date(world.now + 120_000), past: date(world.now - 1_000_000) }[value as string] ?? value;
        provider.answer = () => refusal(status, "busy", { "retry-after": sent });
        const { job } = await delivered(world);
        expect([value, status, job.view, job.run_at - world.now]).toEqual([value, status, "retrying", ms]);
        expect(job.last_error).toContain(`${status} busy`);
      }
    }
  });

  test("C077: answers are told apart by the table", async () => {
    const table: [Response | Error, string, string?][] = [
      ...[400, 401, 403, 404, 405, 410, 413, 422, 451].map((status): [Response, string] => [
        refusal(status, "validation_error"),
        "dead",
      ]),
      [new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } }), "dead"],
      ...[408, 425, 429, 500, 502, 503, 504].map((status): [Response, string] => [refusal(status, "busy"), "pending"]),
      [new TypeError("connection refused"), "pending"],
      [new Response("<html>welcome to the hotel"), "pending"],
      [Response.json({ id: "" }), "pending"],
    ];
    for (const [answer, state] of table) {
      await clean();
      const { world, provider } = mailWorld();
      provider.answer = () => {
        if (answer instanceof Error) throw answer;
        return answer;
      };
      const { job } = await delivered(world);
      expect([answer instanceof Error ? answer.message : answer.status, job.state]).toEqual([
        answer instanceof Error ? answer.message : answer.status,
        state,
      ]);
      expect(provider.asked).toHaveLength(1);
    }
  });

  test("a quota that is used up is asked for again in an hour at the earliest", async () => {
    const { world, provider } = mailWorld();
    provider.answer = () => refusal(429, "daily_quota_exceeded");
    const { job } = await delivered(world);
    expect(job.run_at).toBe(world.now + HOUR);
  });

  test("an answer that never ends is given up after 20 s, and asked for again", async () => {
    const { world, provider } = mailWorld();
    provider.answer = (asked, before) =>
      before.length === 0
        ? new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
        : provider.accept(asked);
    const { id, job } = await delivered(world);
    expect(job.last_error).toBe("no answer within 20 s");
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
  });

  test("an address of this machine or of plain HTTP is not called outside local mode", async () => {
    for (const MAIL_API_URL of ["http://127.0.0.1:9999", "http://mail.example.com"]) {
      await clean();
      const { world, provider } = mailWorld({ ...MAIL_VARS, MAIL_API_URL });
      const { job } = await delivered(world);
      expect(job.state).toBe("dead");
      expect(job.last_error).toContain("must be a public https address");
      expect(provider.asked).toEqual([]);
    }
  });

  test("without a sender, or with one that is no address, nothing is sent and the job says what to set", async () => {
    for (const MAIL_FROM of ["", "shop", "A <a@example.com>, b@example.com"]) {
      await clean();
      const { world, provider } = mailWorld({ ...MAIL_VARS, MAIL_FROM });
      const { id, job } = await delivered(world);
      expect([job.state, provider.asked.length]).toEqual(["dead", 0]);
      expect(job.last_error).toContain("MAIL_FROM");
      world.services = servicesOf(MAIL_VARS);
      await requeue(world.invocation().engine, { id }, { actor: "ana" });
      await world.drain();
      expect((await world.job(id)).state).toBe("done");
      expect((await delivered(world, { ...mail, from: "own@example.com" })).job.state).toBe("done");
    }
  });
});

describe("a worker that is gone between the provider's acceptance and our record", () => {
  const binding = () => {
    const sent: unknown[] = [];
    return { sent, EMAIL: { send: async (message: unknown) => ({ messageId: `m${sent.push(message)}` }) } };
  };

  test("leaves a mail of the provider without keys to a person: it is not called again, and the job says why", async () => {
    const { sent, EMAIL } = binding();
    const { world } = mailWorld({ EMAIL, MAIL_FROM: MAIL_VARS.MAIL_FROM });
    const id = await loseWorkerAt(world, "effect: after mail:cloudflare");
    await world.drain();
    expect(sent).toHaveLength(1);
    const job = await world.job(id);
    expect(job).toMatchObject({ state: "dead", attempt: 2 });
    expect(job.last_error).toBe(
      'nobody knows whether "mail:cloudflare" was done (an earlier attempt started it and left no result): check the other side, then requeue',
    );
    await requeue(world.invocation().engine, { id }, { actor: "ana" });
    await world.drain();
    expect([sent.length, (await world.job(id)).state]).toEqual([1, "dead"]);
  });

  test("is made good with a provider that knows the key: asked again, one mail", async () => {
    const { world, provider } = mailWorld();
    const id = await loseWorkerAt(world, "effect: after mail:resend");
    await world.drain();
    expect([provider.asked.length, provider.mails.size]).toEqual([2, 1]);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
  });

  test("is made good in the local mailbox: one mail", async () => {
    const { world } = mailWorld({});
    const id = await loseWorkerAt(world, "effect: after mail:mailbox");
    await world.drain();
    expect(await world.sql("SELECT key FROM outbox_mail")).toEqual([{ key: `${id}/mail:mailbox` }]);
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2, result: '{"provider":"mailbox","id":"1"}' });
  });

  test("is not made good by another provider, which would not know the key", async () => {
    const { world, provider } = mailWorld();
    const id = await loseWorkerAt(world, "effect: after mail:resend");
    const { sent, EMAIL } = binding();
    world.services = servicesOf({ EMAIL, MAIL_FROM: MAIL_VARS.MAIL_FROM });
    await world.drain();
    expect([provider.asked.length, sent.length]).toEqual([1, 0]);
    expect((await world.job(id)).last_error).toContain("mail goes out through cloudflare now");
  });

  test("that was only refused so far goes on with another provider", async () => {
    const { world, provider } = mailWorld();
    provider.answer = () => refusal(429, "rate_limit_exceeded");
    const { id } = await delivered(world);
    const { sent, EMAIL } = binding();
    world.services = servicesOf({ EMAIL, MAIL_FROM: MAIL_VARS.MAIL_FROM });
    await world.drain();
    expect([provider.asked.length, sent.length]).toEqual([1, 1]);
    expect((await world.job(id)).state).toBe("done");
  });
});
