import { beforeEach, describe, expect, test } from "vitest";
import { mailWorld } from "~/testing/mail_provider";
import { clean } from "~/testing/world";
import { clientOf } from "./testing";

beforeEach(clean);

describe("POST /examples/signup", () => {
  test("answers 202 with the job's id and address before any mail is sent; then the mail is in the mailbox", async () => {
    const { world } = mailWorld({});
    const api = clientOf(world);
    const answer = await api.post("/examples/signup", { email: " ana@example.com ", name: "Ana" });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("location")).toBe(`/api/v1/jobs/${answer.body.id}`);
    expect((await api.get("/mail")).body.mails).toEqual([]);
    expect((await api.get(`/jobs/${answer.body.id}`)).body).toMatchObject({ kind: "welcome_email", state: "pending" });
    await world.drain();
    const { mails, next } = (await api.get("/mail")).body;
    expect(next).toBeNull();
    expect(mails).toMatchObject([
      { id: 1, jobId: answer.body.id, to: [{ email: "ana@example.com", name: "Ana" }], subject: "Welcome, Ana" },
    ]);
  });

  test("answers the same address with the same job", async () => {
    const { world } = mailWorld({});
    const api = clientOf(world);
    const first = await api.post("/examples/signup", { email: "ana@example.com" });
    const again = await api.post("/examples/signup", { email: "ANA@EXAMPLE.com" });
    expect([again.status, again.body]).toEqual([202, { id: first.body.id, replayed: true }]);
  });

  test("answers other methods with 405 and what is allowed", async () => {
    const { world } = mailWorld({});
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
      const answer = await clientOf(world).call(method, "/examples/signup", null);
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  });

  test("refuses what is no sign-up, and stores nothing", async () => {
    const { world } = mailWorld({});
    const api = clientOf(world);
    for (const [body, path] of [
      [{}, "email"],
      [{ email: "ana" }, "email"],
      [{ email: "ana@example.com\nBcc: b@evil.example" }, "email"],
      [{ email: "ana@example.com", name: "A\r\nX: 1" }, "name"],
      [{ email: "ana@example.com", name: "<b@evil.example>" }, "name"],
      [{ email: `${"a".repeat(64)}@${"b.".repeat(90)}example` }, "email"],
      [{ email: "ana@example.com", admin: true }, "admin"],
      [["ana@example.com"], ""],
    ] as const) {
      const answer = await api.post("/examples/signup", body);
      expect([body, answer.status, answer.body.errors[0].path]).toEqual([body, 400, path]);
    }
    expect(
      (await api.postText("/examples/signup", "email=ana@example.com", { "Content-Type": "text/plain" })).status,
    ).toBe(415);
    expect(await world.sql("SELECT id FROM signups")).toEqual([]);
    expect(await world.sql("SELECT id FROM jobs")).toEqual([]);
  });

  test("says 503 when the database does not answer, and sending it again then is one mail", async () => {
    const { world } = mailWorld({});
    const api = clientOf(world);
    world.fault = () => "after";
    const lost = await api.post("/examples/signup", { email: "ana@example.com" });
    expect([lost.status, lost.body.code]).toEqual([503, "database-unreachable"]);
    world.fault = () => null;
    expect((await api.post("/examples/signup", { email: "ana@example.com" })).status).toBe(202);
    await world.drain();
    expect((await api.get("/mail")).body.mails).toHaveLength(1);
  });
});

describe("GET /mail", () => {
  test("goes from page to page, each mail once, the newest first", async () => {
    const { world } = mailWorld({});
    const api = clientOf(world);
    for (let n = 1; n <= 5; n++) await api.post("/examples/signup", { email: `a${n}@example.com` });
    await world.drain();
    const seen: number[] = [];
    for (let before = ""; ; ) {
      const { body } = await api.get(`/mail?limit=2${before}`);
      seen.push(...body.mails.map(({ id }: { id: number }) => id));
      if (body.next === null) break;
      before = `&before=${body.next}`;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  test("costs one row where nothing has changed", async () => {
    const { world } = mailWorld({});
    const api = clientOf(world);
    const etag = (await api.get("/mail")).headers.get("etag") as string;
    const again = await api.get("/mail", { "If-None-Match": etag });
    expect([again.status, again.used.rowsRead]).toEqual([304, 1]);
  });

  test("refuses what is no place in it", async () => {
    const { world } = mailWorld({});
    for (const query of ["before=0", "before=x", "limit=101", "to=ana"]) {
      expect((await clientOf(world).get(`/mail?${query}`)).status).toBe(400);
    }
  });
});
