import { beforeEach, describe, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

beforeEach(clean);

async function withLetters() {
  const world = new World(probes);
  const api = clientOf(world);
  const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
  world.dead.messages = world.queues.normal.messages.splice(0);
  await world.deliverDead();
  world.now += 1_000;
  world.queues.normal.put({ v: 2, colour: "red" });
  await world.deliver();
  return { world, api, id };
}

describe("dead letters", () => {
  test("are listed newest first, with what became of each, and an unchanged poll costs one row", async () => {
    const { api, id } = await withLetters();
    const page = await api.get("/dead-letters");
    expect(page.body).toMatchObject({
      letters: [
        { fate: "unreadable", queue: "redrive-normal", job: null, body: '{"v":2,"colour":"red"}', replays: 0 },
        { fate: "buried", queue: "redrive-dead", job: { id, attempt: 1, state: "dead" }, spent: null },
      ],
      replayUntil: null,
      next: null,
    });
    const again = await api.get("/dead-letters", { "If-None-Match": page.headers.get("etag") as string });
    expect([again.status, again.used.rowsRead]).toEqual([304, 1]);
  });

  test("are paged, and a cursor that no page gave is refused", async () => {
    const { api } = await withLetters();
    const one = await api.get("/dead-letters?limit=1");
    expect(one.body.letters).toHaveLength(1);
    const two = await api.get(`/dead-letters?limit=1&before=${encodeURIComponent(one.body.next)}`);
    expect(two.body.letters).toMatchObject([{ fate: "buried" }]);
    expect(two.body.next).toBeNull();
    for (const bad of ["before=x", "limit=0", "limit=101"])
      expect((await api.get(`/dead-letters?${bad}`)).status).toBe(400);
  });

  test("one is sent again; what cannot be is refused with the reason, and nothing changes", async () => {
    const { world, api, id } = await withLetters();
    const [unread, buried] = (await api.get("/dead-letters")).body.letters;
    const key = ({ messageId, queue }: { messageId: string; queue: string }) => ({ messageId, queue });
    const before = await api.stored();
    const refused = await api.post("/dead-letters/replay", key(unread));
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining("version 2")]);
    expect((await api.post("/dead-letters/replay", { messageId: "none", queue: "redrive-dead" })).status).toBe(404);
    expect((await api.post("/dead-letters/replay", { messageId: "none" })).status).toBe(400);
    expect(await api.stored()).toEqual(before);
    const done = await api.post("/dead-letters/replay", { ...key(buried), reason: "mended" });
    expect([done.status, done.body]).toEqual([200, { jobId: id }]);
    expect(await world.job(id)).toMatchObject({ state: "pending", generation: 2 });
    expect(await world.sql("SELECT DISTINCT actor, reason FROM audit")).toEqual([{ actor: "ann", reason: "mended" }]);
  });

  test("replaying is turned on for a time, shown, and turned off", async () => {
    const { world, api } = await withLetters();
    const until = new Date(world.now + 3_600_000).toISOString();
    expect((await api.post("/dead-letters/replaying", { minutes: 60 })).body).toEqual({ replayUntil: until });
    expect((await api.get("/dead-letters")).body.replayUntil).toBe(until);
    for (const minutes of [-1, 1_441, 0.5, "60"])
      expect((await api.post("/dead-letters/replaying", { minutes })).status).toBe(400);
    expect((await api.post("/dead-letters/replaying", { minutes: 0 })).body).toEqual({ replayUntil: null });
  });
});
