import { beforeEach, describe, expect, test } from "vitest";
import { consume } from "~/lifecycle/consume";
import { MAIL_VARS, mailWorld, refusal } from "~/testing/mail_provider";
import { clean } from "~/testing/world";

beforeEach(clean);

type Stored = { text: string; etag: string; type?: string };

/** A bucket whose files change when a test says so. */
function bucket(files: Record<string, Stored>) {
  let down = false;
  const found = (key: string) => {
    if (down) throw new Error("R2 is down");
    const file = files[key];
    return file && { size: file.text.length, etag: file.etag, httpMetadata: { contentType: file.type } };
  };
  return {
    files,
    down: (value: boolean) => {
      down = value;
    },
    FILES: {
      head: async (key: string) => found(key) ?? null,
      get: async (key: string, { onlyIf }: { onlyIf: { etagMatches: string } }) => {
        const file = found(key);
        if (!file) return null;
        if (onlyIf.etagMatches !== file.etag) return file;
        const bytes = new TextEncoder().encode(files[key]?.text);
        return { ...file, body: bytes, arrayBuffer: async () => bytes.buffer };
      },
    },
  };
}

const mail = { to: "ana@example.com", subject: "Invoice", text: "See there" };
const invoice = { text: "the invoice", etag: "e1", type: "application/pdf" };

describe("an attachment", () => {
  test("goes with the mail under the last part of its key, or as the mail says", async () => {
    const { FILES } = bucket({ "invoices/7.pdf": invoice, raw: { text: "abc", etag: "e2" } });
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES });
    const attachments = [{ key: "invoices/7.pdf" }, { key: "raw", filename: "Größe.txt", contentType: "text/plain" }];
    await world.submit({ kind: "send_email", payload: { ...mail, attachments } });
    await world.deliver();
    expect(JSON.parse(provider.asked[0]?.body ?? "").attachments).toEqual([
      { filename: "7.pdf", content_type: "application/pdf", content: btoa("the invoice") },
      { filename: "Größe.txt", content_type: "text/plain", content: btoa("abc") },
    ]);
  });

  test("is only named in the local mailbox", async () => {
    const { FILES } = bucket({ "invoices/7.pdf": invoice });
    const { world } = mailWorld({ FILES });
    await world.submit({ kind: "send_email", payload: { ...mail, attachments: [{ key: "invoices/7.pdf" }] } });
    await world.deliver();
    const [row] = await world.sql<{ attachments: string }>("SELECT attachments FROM outbox_mail");
    expect(JSON.parse(row?.attachments ?? "")).toMatchObject([
      { filename: "7.pdf", contentType: "application/pdf", size: 11, key: "invoices/7.pdf" },
    ]);
  });

  test("that has changed since the first attempt stops the mail: it would be another one", async () => {
    const { FILES, files } = bucket({ a: { ...invoice } });
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES });
    provider.answer = () => refusal(503, "busy");
    const [id] = await world.submit({ kind: "send_email", payload: { ...mail, attachments: [{ key: "a" }] } });
    await world.deliver();
    files.a = { ...invoice, text: "another invoice", etag: "e9" };
    await world.drain();
    expect(provider.asked).toHaveLength(1);
    expect((await world.job(id as string)).last_error).toBe("the attachment a has changed since the first attempt");
  });

  test("that is not there, or too much of it, is a mail that is not sent", async () => {
    const large = { text: "x".repeat(2_000_000), etag: "e" };
    const { FILES } = bucket({ a: large, b: large });
    for (const [bindings, keys, error] of [
      [{ ...MAIL_VARS, FILES }, ["gone"], "the attachment gone is not in R2"],
      [{ ...MAIL_VARS, FILES }, ["a", "b"], "the attachments are 4 MB, a mail takes 3.5 MB"],
      [MAIL_VARS, ["a"], "bind one as FILES"],
    ] as const) {
      await clean();
      const { world, provider } = mailWorld(bindings);
      const attachments = keys.map((key) => ({ key }));
      const [id] = await world.submit({ kind: "send_email", payload: { ...mail, attachments } });
      await world.deliver();
      expect([(await world.job(id as string)).state, provider.asked.length]).toEqual(["dead", 0]);
      expect((await world.job(id as string)).last_error).toContain(error);
    }
  });

  test("waits for a bucket that does not answer", async () => {
    const made = bucket({ a: invoice });
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES: made.FILES });
    made.down(true);
    const [id] = await world.submit({ kind: "send_email", payload: { ...mail, attachments: [{ key: "a" }] } });
    await world.deliver();
    expect(await world.job(id as string)).toMatchObject({ view: "retrying" });
    made.down(false);
    await world.drain();
    expect([(await world.job(id as string)).state, provider.asked.length]).toEqual(["done", 1]);
  });

  test("is not looked for again once the mail is out", async () => {
    const { FILES, files } = bucket({ a: invoice });
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES });
    const [id] = await world.submit({ kind: "send_email", payload: { ...mail, attachments: [{ key: "a" }] } });
    const invocation = world.invocation();
    const gate = world.hold("run: between return and settle", invocation);
    void consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    invocation.kill();
    delete files.a;
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    expect(await world.job(id as string)).toMatchObject({ state: "done", attempt: 2 });
    expect(provider.asked).toHaveLength(1);
  });
});
