import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { derivedKey, sourceKey } from "~/domain/files/files";
import { consume } from "~/lifecycle/consume";
import { MAIL_VARS, mailWorld, refusal } from "~/testing/mail_provider";
import { clean, type World } from "~/testing/world";

const { FILES } = env as unknown as { FILES: R2Bucket };

beforeEach(async () => {
  await clean();
  await FILES.delete(["invoices/7.pdf", "raw", "a", "b"]);
  await FILES.put("invoices/7.pdf", "the invoice", { httpMetadata: { contentType: "application/pdf" } });
  await FILES.put("raw", "abc");
});

/** Submits a mail with these attachments and answers its id. */
async function submitted(world: World, ...attachments: object[]): Promise<string> {
  const payload = { to: "ana@example.com", subject: "Invoice", text: "See there", attachments };
  const [id] = await world.submit({ kind: "send_email", payload });
  return id as string;
}

describe("an attachment", () => {
  test("is no file that was uploaded, whose content takes a right to be seen: refused at submit, and at an attempt", async () => {
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES });
    const keys = [sourceKey(world.newId()), derivedKey(world.newId(), world.newId())];
    for (const key of keys) await FILES.put(key, "of one patient");
    for (const key of keys) {
      await expect(submitted(world, { key: "raw" }, { key })).rejects.toThrow("must not be below files/");
    }
    const id = await submitted(world, { key: "raw" });
    await world.sql("UPDATE jobs SET payload = replace(payload, '\"raw\"', ?)", JSON.stringify(keys[0]));
    await world.deliver();
    expect([(await world.job(id)).state, provider.asked.length]).toEqual(["dead", 0]);
    expect((await world.job(id)).last_error).toContain("must not be below files/");
    await FILES.put("profiles/a", "mine");
    await submitted(world, { key: "profiles/a" });
    await world.deliver();
    expect(provider.asked).toHaveLength(1);
  });

  test("goes with the mail under the last part of its key, or as the mail says", async () => {
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES });
    await submitted(
      world,
      { key: "invoices/7.pdf" },
      { key: "raw", filename: "Größe.txt", contentType: "text/plain" },
      { key: "raw" },
    );
    await world.deliver();
    expect(JSON.parse(provider.asked[0]?.body ?? "").attachments).toEqual([
      { filename: "7.pdf", content_type: "application/pdf", content: btoa("the invoice") },
      { filename: "Größe.txt", content_type: "text/plain", content: btoa("abc") },
      { filename: "raw", content_type: "application/octet-stream", content: btoa("abc") },
    ]);
  });

  test("is only named in the local mailbox", async () => {
    const { world } = mailWorld({ FILES });
    await submitted(world, { key: "invoices/7.pdf" });
    await world.deliver();
    const [row] = await world.sql<{ attachments: string }>("SELECT attachments FROM outbox_mail");
    expect(JSON.parse(row?.attachments ?? "")).toMatchObject([
      { filename: "7.pdf", contentType: "application/pdf", size: 11, key: "invoices/7.pdf" },
    ]);
  });

  test("that has changed or gone since the first attempt stops the mail: it would be another one", async () => {
    for (const [change, error] of [
      [() => FILES.put("raw", "xyz"), "the attachment raw has changed since the first attempt"],
      [() => FILES.delete("raw"), "the attachment raw is in R2 no more"],
    ] as const) {
      await clean();
      await FILES.put("raw", "abc");
      const { world, provider } = mailWorld({ ...MAIL_VARS, FILES });
      provider.answer = () => refusal(503, "busy");
      const id = await submitted(world, { key: "raw" });
      await world.deliver();
      await change();
      await world.drain();
      expect(provider.asked).toHaveLength(1);
      expect((await world.job(id)).last_error).toBe(error);
    }
  });

  test("that is not there, or too much of it, is a mail that is not sent", async () => {
    for (const key of ["a", "b"]) await FILES.put(key, "x".repeat(2_000_000));
    for (const [bindings, keys, error] of [
      [{ ...MAIL_VARS, FILES }, ["gone"], "the attachment gone is not in R2"],
      [{ ...MAIL_VARS, FILES }, ["a", "b"], "the attachments are 4 MB, a mail takes 3.5 MB"],
      [MAIL_VARS, ["a"], "bind one as FILES"],
    ] as const) {
      await clean();
      const { world, provider } = mailWorld(bindings);
      const id = await submitted(world, ...keys.map((key) => ({ key })));
      await world.deliver();
      expect([(await world.job(id)).state, provider.asked.length]).toEqual(["dead", 0]);
      expect((await world.job(id)).last_error).toContain(error);
    }
  });

  test("waits for a bucket that does not answer", async () => {
    let down = true;
    const call = (name: "head" | "get") => (key: string, options?: R2GetOptions) => {
      if (down) throw new Error("R2 is down");
      return name === "head" ? FILES.head(key) : FILES.get(key, options);
    };
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES: { head: call("head"), get: call("get") } });
    const id = await submitted(world, { key: "raw" });
    await world.deliver();
    expect(await world.job(id)).toMatchObject({ view: "retrying" });
    down = false;
    await world.drain();
    expect([(await world.job(id)).state, provider.asked.length]).toEqual(["done", 1]);
  });

  test("is not looked for again once the mail is out", async () => {
    const { world, provider } = mailWorld({ ...MAIL_VARS, FILES });
    const id = await submitted(world, { key: "raw" });
    const invocation = world.invocation();
    const gate = world.hold("run: between return and settle", invocation);
    void consume(invocation.engine, "normal", world.queues.normal.take(1).batch);
    await gate.reached;
    invocation.kill();
    await FILES.delete("raw");
    world.now += 31_000;
    await world.sweep();
    await world.drain();
    expect(await world.job(id)).toMatchObject({ state: "done", attempt: 2 });
    expect(provider.asked).toHaveLength(1);
  });
});
