import { beforeEach, describe, expect, test } from "vitest";
import { mailWorld } from "~/testing/mail_provider";
import { clean, type World } from "~/testing/world";
import { signUp } from "./sign_up";

beforeEach(clean);

const sign = (world: World, email: string, name = "") =>
  world.until(signUp(world.invocation().engine, { email, name }));
const mails = (world: World) =>
  world.sql<{ recipients: string; subject: string }>("SELECT recipients, subject FROM outbox_mail ORDER BY id");

describe("a sign-up", () => {
  test("is a row, a job that carries the row's id only, and one mail", async () => {
    const { world } = mailWorld({});
    const { jobId, replayed } = await sign(world, "Ana@Example.com", "Ana");
    expect(replayed).toBe(false);
    const [row] = await world.sql<{ id: string }>("SELECT id, email, same_email FROM signups");
    expect(row).toMatchObject({ email: "Ana@Example.com", same_email: "ana@example.com" });
    expect(await world.job(jobId)).toMatchObject({
      kind: "welcome_email",
      payload: JSON.stringify({ signupId: row?.id }),
      idempotency_key: "welcome-email:ana@example.com",
    });
    await world.drain();
    expect(await world.job(jobId)).toMatchObject({ state: "done" });
    const [mail, ...others] = await mails(world);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("Welcome, Ana");
    expect(JSON.parse(mail?.recipients ?? "").to).toEqual([{ email: "Ana@Example.com", name: "Ana" }]);
  });

  test("of the same address in any spelling, before and after the mail, is the same job and no second mail", async () => {
    const { world } = mailWorld({});
    const first = await sign(world, "ana@example.com", "Ana");
    const again = await sign(world, "ANA@example.COM", "Somebody else");
    await world.drain();
    const late = await sign(world, "ana@example.com");
    await world.drain();
    expect([again, late]).toEqual(Array(2).fill({ jobId: first.jobId, replayed: true }));
    expect(await mails(world)).toHaveLength(1);
    expect((await world.sql("SELECT id FROM signups")).length).toBe(1);
  });

  test("of another address is another mail", async () => {
    const { world } = mailWorld({});
    await sign(world, "ana@example.com");
    await sign(world, "ana+2@example.com");
    await world.drain();
    expect(await mails(world)).toHaveLength(2);
  });

  test("at the same moment from two Workers is one row and one mail", async () => {
    const { world } = mailWorld({});
    const both = await world.until(
      Promise.all([1, 2].map(() => signUp(world.invocation().engine, { email: "ana@example.com", name: "" }))),
    );
    await world.drain();
    expect(both[0]?.jobId).toBe(both[1]?.jobId);
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(await mails(world)).toHaveLength(1);
  });

  test("whose row is deleted before its mail is sent gets none: the job is dead, and not tried again", async () => {
    const { world } = mailWorld({});
    const { jobId } = await sign(world, "ana@example.com");
    await world.sql("DELETE FROM signups");
    await world.drain();
    expect(await world.job(jobId)).toMatchObject({ state: "dead", attempt: 1 });
    expect((await world.job(jobId)).last_error).toContain("was deleted: nobody is left to greet");
    expect(await mails(world)).toEqual([]);
  });

  test("that was deleted and comes again is greeted for what it is now", async () => {
    const { world } = mailWorld({});
    const first = await sign(world, "ana@example.com");
    await world.sql("DELETE FROM signups");
    await world.drain();
    const second = await sign(world, "ana@example.com");
    const third = await sign(world, "ana@example.com");
    await world.drain();
    expect(second.jobId).not.toBe(first.jobId);
    expect(third).toEqual({ jobId: second.jobId, replayed: true });
    expect(await mails(world)).toHaveLength(1);
  });

  test("whose Worker dies between row and job is completed by sending the form again", async () => {
    const { world } = mailWorld({});
    const invocation = world.invocation();
    const gate = world.hold("sign up: between row and job", invocation);
    void signUp(invocation.engine, { email: "ana@example.com", name: "" });
    await gate.reached;
    invocation.kill();
    expect([
      (await world.sql("SELECT id FROM signups")).length,
      (await world.sql("SELECT id FROM jobs")).length,
    ]).toEqual([1, 0]);
    const { replayed } = await sign(world, "ana@example.com");
    expect(replayed).toBe(false);
    await world.drain();
    expect(await mails(world)).toHaveLength(1);
  });

  test("whose replies are lost is stored once all the same", async () => {
    const { world } = mailWorld({});
    let calls = 0;
    world.fault = () => (++calls % 2 === 1 ? "after" : null);
    await sign(world, "ana@example.com");
    world.fault = () => null;
    await world.drain();
    expect((await world.sql("SELECT id FROM signups")).length).toBe(1);
    expect(await mails(world)).toHaveLength(1);
  });
});
