import { beforeEach, expect, test } from "vitest";
import { mailWorld } from "~/testing/mail_provider";
import { clean } from "~/testing/world";

beforeEach(clean);

const mail = { to: "ana@example.com", subject: "Hello", text: "Hello Ana" };

/** Sends one mail through a binding that answers so. */
async function sentBy(send: (message: unknown) => Promise<{ messageId: string }>, payload: object = mail) {
  const sent: unknown[] = [];
  const EMAIL = {
    send: async (message: unknown) => {
      sent.push(message);
      return send(message);
    },
  };
  const { world } = mailWorld({ EMAIL, MAIL_FROM: "Shop <shop@example.com>" });
  const [id] = await world.submit({ kind: "send_email", payload });
  await world.deliver();
  return { world, sent, id: id as string, job: await world.job(id as string) };
}

const failing = (code: string | undefined) => async () => {
  throw Object.assign(new Error("told so by a test"), { code });
};

test("a mail goes to the binding with its own fields and no others", async () => {
  const { sent, job } = await sentBy(async () => ({ messageId: "m1" }), {
    ...mail,
    to: [{ email: "ana@example.com", name: "Ana, of Sales" }, "ben@example.com"],
    replyTo: "help@example.com",
  });
  expect(job.result).toBe('{"provider":"cloudflare","id":"m1"}');
  expect(sent).toEqual([
    {
      from: { email: "shop@example.com", name: "Shop" },
      to: [{ email: "ana@example.com", name: "Ana, of Sales" }, "ben@example.com"],
      replyTo: "help@example.com",
      subject: "Hello",
      text: "Hello Ana",
    },
  ]);
});

test("C077: the binding's errors are told apart by the table: refused, too early, or nobody knows", async () => {
  const codes: [string | undefined, string][] = [
    ["E_VALIDATION_ERROR", "dead"],
    ["E_FIELD_MISSING", "dead"],
    ["E_TOO_MANY_RECIPIENTS", "dead"],
    ["E_SENDER_NOT_VERIFIED", "dead"],
    ["E_SENDER_DOMAIN_NOT_AVAILABLE", "dead"],
    ["E_RECIPIENT_NOT_ALLOWED", "dead"],
    ["E_RECIPIENT_SUPPRESSED", "dead"],
    ["E_CONTENT_TOO_LARGE", "dead"],
    ["E_HEADER_NOT_ALLOWED", "dead"],
    ["E_HEADERS_TOO_MANY", "dead"],
    ["E_RATE_LIMIT_EXCEEDED", "retrying"],
    ["E_DAILY_LIMIT_EXCEEDED", "retrying"],
    ["E_DELIVERY_FAILED", "unknown"],
    ["E_INTERNAL_SERVER_ERROR", "unknown"],
    ["E_SOMETHING_NEW", "unknown"],
    [undefined, "unknown"],
  ];
  for (const [code, expected] of codes) {
    await clean();
    const { world, job } = await sentBy(failing(code));
    const begun = await world.sql("SELECT name FROM effects WHERE name = 'mail:cloudflare'");
    const view = begun.length > 0 && job.view === "dead" ? "unknown" : job.view;
    expect([code, view]).toEqual([code, expected]);
    expect(job.last_error).toContain("told so by a test");
  }
});

test("a mail that may have gone out is not sent again by itself, and its job says why at once", async () => {
  const { world, sent, id, job } = await sentBy(failing("E_INTERNAL_SERVER_ERROR"));
  expect(job).toMatchObject({ state: "dead", attempt: 1 });
  expect(job.last_error).toBe(
    'nobody knows whether "mail:cloudflare" was done (the e-mail binding said E_INTERNAL_SERVER_ERROR: told so by a test): check the other side, then requeue',
  );
  await world.drain();
  expect([sent.length, (await world.job(id)).attempt]).toEqual([1, 1]);
});

test("a daily limit is waited for by the hour", async () => {
  const { world, job } = await sentBy(failing("E_DAILY_LIMIT_EXCEEDED"));
  expect(job.run_at).toBe(world.now + 3_600_000);
});
