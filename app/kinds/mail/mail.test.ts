import { beforeEach, describe, expect, test } from "vitest";
import type { MailContent } from "~/domain/mail/mail";
import { mimeOf } from "~/domain/mail/mime";
import { submit } from "~/lifecycle/submit";
import { readMail } from "~/store/reads/mailbox";
import { MAIL_VARS, mailWorld } from "~/testing/mail_provider";
import { clean, type World } from "~/testing/world";

beforeEach(clean);

const mail = { to: "x@example.com", subject: "Hi", text: "Hello" };

/** Where a submit of this mail is refused; nothing where it is taken. */
async function refusals(world: World, payload: object): Promise<string[]> {
  const done = await submit(world.invocation().engine, [
    { kind: "send_email", payload, payloadText: JSON.stringify(payload) },
  ]);
  if (done.kind !== "rejected") return [];
  expect(done.rejection.status).toBe(400);
  return done.rejection.problems.map(({ path, message }) => {
    expect(message).not.toMatch(/^Invalid/);
    return path;
  });
}

describe("C080: a mail whose field would add a header or a recipient", () => {
  test("C080: is refused with 400, naming the field, and nothing is stored", async () => {
    const { world } = mailWorld();
    for (const [field, path] of [
      [{ subject: "Hi\r\nBcc: a@evil.example" }, "payload.subject"],
      [{ subject: "Hi\u2028there" }, "payload.subject"],
      [{ to: "x@example.com\nBcc: a@evil.example" }, "payload.to"],
      [{ to: ["ok@example.com", "x@example.com, a@evil.example"] }, "payload.to.1"],
      [{ to: [{ email: "x@example.com", name: "A\r\nBcc: a@evil.example" }] }, "payload.to.0.name"],
      [{ to: { email: "x@example.com", name: 'A" <a@evil.example>' } }, "payload.to.name"],
      [{ cc: "x@example.com\r\nX: 1" }, "payload.cc"],
      [{ from: { email: "shop@example.com", name: "A\r\nX: 1" } }, "payload.from.name"],
      [{ replyTo: { email: "r@example.com\nBcc: a@evil.example" } }, "payload.replyTo.email"],
      [{ subject: `🎉\t${"a".repeat(997)}` }, "payload.subject"],
      [
        { headers: { "List-Unsubscribe": "<https://e.example>\r\nBcc: a@evil.example" } },
        "payload.headers.List-Unsubscribe",
      ],
      [{ headers: { Bcc: "a@evil.example" } }, "payload.headers.Bcc"],
      [{ headers: { "X-A\r\nBcc": "a@evil.example" } }, "payload.headers.X-A\r\nBcc"],
      [{ bcc: "a@evil.example" }, "payload.bcc"],
      [{ attachments: [{ key: "a", filename: 'a"\r\nX: 1' }] }, "payload.attachments.0.filename"],
      [{ attachments: [{ key: "a", contentType: "text/plain\r\nX: 1" }] }, "payload.attachments.0.contentType"],
    ] as const) {
      expect([field, await refusals(world, { ...mail, ...field })]).toEqual([field, [path]]);
    }
    expect(await world.sql("SELECT id FROM jobs")).toEqual([]);
  });

  test("C080: one without, with emoji, tab and names, goes to exactly its recipients, its subject unchanged", async () => {
    const subject = `🎉\t${"a".repeat(995)}`;
    expect(subject).toHaveLength(998);
    const payload = {
      ...mail,
      to: [{ email: "x@example.com", name: "b@evil.example, X" }, "y@example.com"],
      cc: "z@example.com",
      subject,
    };
    const { world, provider } = mailWorld();
    expect(await refusals(world, payload)).toEqual([]);
    await world.deliver();
    expect(JSON.parse(provider.asked[0]?.body ?? "")).toEqual({
      from: MAIL_VARS.MAIL_FROM,
      to: ['"b@evil.example, X" <x@example.com>', "y@example.com"],
      cc: ["z@example.com"],
      subject,
      text: "Hello",
    });
  });

  test("C080: reaches the local mailbox with these recipients and headers and no others", async () => {
    const { world } = mailWorld({});
    const headers = { "X-Campaign": "spring" };
    expect(
      await refusals(world, { ...mail, subject: "Größe 🎉", to: { email: "x@example.com", name: "Ä, B" }, headers }),
    ).toEqual([]);
    await world.deliver();
    const stored = (await readMail(world.invocation().engine.store, 1)) as MailContent;
    expect(stored).toMatchObject({
      from: { email: "redrive@example.invalid", name: "Redrive" },
      to: [{ email: "x@example.com", name: "Ä, B" }],
      cc: [],
      replyTo: null,
      subject: "Größe 🎉",
      headers,
      text: "Hello",
      html: null,
    });
    const source = mimeOf(stored);
    const head = source.slice(0, source.indexOf("\r\n\r\n")).split(/\r\n(?! )/);
    expect(head.map((line) => line.slice(0, line.indexOf(":")))).toEqual([
      "From",
      "To",
      "Subject",
      "Date",
      "Message-ID",
      "X-Campaign",
      "MIME-Version",
      "Content-Type",
      "Content-Transfer-Encoding",
    ]);
    expect(source.match(/[^\s<]+@[^\s>]+/g)).toEqual([
      "redrive@example.invalid",
      "x@example.com",
      expect.stringMatching(/^1\./),
    ]);
  });
});

describe("a mail", () => {
  test("takes 50 recipients in all and no more", async () => {
    const { world } = mailWorld();
    const some = (n: number) => Array.from({ length: n }, (_, index) => `a${index}@example.com`);
    expect(await refusals(world, { ...mail, to: some(30), cc: some(20) })).toEqual([]);
    expect(await refusals(world, { ...mail, to: some(30), cc: some(21) })).toEqual(["payload.to"]);
    expect(await refusals(world, { ...mail, to: some(51) })).toContain("payload.to");
    expect(await refusals(world, { ...mail, to: [] })).toEqual(["payload.to"]);
  });

  test("needs something to say, and says it in text that every store keeps", async () => {
    const { world } = mailWorld();
    expect(await refusals(world, { to: mail.to, subject: "Hi", html: "<p>Hi</p>" })).toEqual([]);
    expect(await refusals(world, { to: mail.to, subject: "Hi" })).toEqual(["payload.text"]);
    expect(await refusals(world, { ...mail, subject: "" })).toEqual(["payload.subject"]);
    expect(await refusals(world, { ...mail, text: "a\u0000b" })).toEqual(["payload.text"]);
    expect(await refusals(world, { ...mail, html: "\ud800" })).toEqual(["payload.html"]);
  });
});
