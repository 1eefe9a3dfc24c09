import { beforeEach, describe, expect, test } from "vitest";
import type { Kind } from "~/kinds/define";
import { registryOf } from "~/kinds/registry";
import { probes } from "~/testing/probes";
import { putSchedule } from "~/testing/schedules";
import { clean, World } from "~/testing/world";
import { jobDetail } from "./job_schemas";
import {
  deletedSchedule,
  pausedSchedule,
  ranNow,
  savedSchedule,
  scheduleDetail,
  schedulePage,
} from "./schedule_schemas";
import { clientOf } from "./testing";

const TWELVE = Date.parse("2026-12-01T12:00:00Z");
const MINUTE = 60_000;
const BASE = { name: "nightly", cron: "* * * * *", kind: "probe.ok", payload: { n: 1 } };
const OK = probes.get("probe.ok") as Kind;
let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  world = new World(registryOf(...probes.values(), { ...OK, name: "probe.inside", internal: true }));
  world.now = TWELVE - 20_000;
  client = clientOf(world);
});

const create = async (fields: object = {}): Promise<string> => {
  const answer = await client.post("/schedules", { ...BASE, ...fields });
  expect(answer.body).toEqual(savedSchedule.parse(answer.body));
  expect(answer.headers.get("location")).toBe(`/api/v1/schedules/${answer.body.id}`);
  return answer.body.id;
};
const stored = async () => [
  await world.sql("SELECT * FROM schedules"),
  await world.sql("SELECT id FROM audit"),
  await world.revision(),
];
async function unchanged(status: number, act: () => ReturnType<typeof client.call>) {
  const before = await stored();
  const answer = await act();
  expect(answer.status).toBe(status);
  expect(await stored()).toEqual(before);
  return answer.body;
}

describe("create and change", () => {
  test("a schedule is created, shown, changed and listed", async () => {
    const id = await create({ timeZone: "Europe/Berlin", cron: "30 2 * * *" });
    const { body } = await client.get(`/schedules/${id}`);
    expect(scheduleDetail.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      name: "nightly",
      text: "At 02:30 every day",
      timeZone: "Europe/Berlin",
      nextAt: "2026-12-02T01:30:00.000Z",
      payload: { n: 1 },
      missed: "once",
      overlap: "allow",
      version: 1,
      paused: null,
      error: null,
      recent: [],
      audit: [{ actor: "ann", action: "schedule.create" }],
    });
    expect(body.preview.firings).toHaveLength(10);
    expect(body.preview.firings[0]).toEqual({ at: "2026-12-02T01:30:00.000Z", wall: "2026-12-02 02:30", note: null });

    const changed = {
      ...BASE,
      name: "every ten",
      cron: undefined,
      everyMinutes: 10,
      anchor: "2026-12-01T12:05:00Z",
      version: 1,
    };
    expect(await client.put(`/schedules/${id}`, changed)).toMatchObject({ status: 200, body: { id, version: 2 } });
    const list = (await client.get("/schedules")).body;
    expect(schedulePage.parse(list)).toEqual(list);
    expect(list.schedules).toMatchObject([
      {
        id,
        name: "every ten",
        everyMinutes: 10,
        anchor: "2026-12-01T12:05:00.000Z",
        nextAt: "2026-12-01T12:05:00.000Z",
      },
    ]);
  });

  test.each(["America/New_Yrok", "Mars/Phobos", "UTC+3", "GMT+3", ""])(
    "C030: the zone %j is refused by name, on create and on update",
    async (timeZone) => {
      const id = await create({ name: "good" });
      for (const act of [
        () => client.post("/schedules", { ...BASE, timeZone }),
        () => client.put(`/schedules/${id}`, { ...BASE, timeZone }),
      ]) {
        const problem = await unchanged(400, act);
        expect(problem.errors).toMatchObject([{ path: "timeZone" }]);
        expect(problem.detail).toContain(`"${timeZone}"`);
      }
    },
  );

  test.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "1--100000000 * * * *",
    "5/15 * * * *",
    "0 0 30 2 *",
    "@daily",
  ])("C027: the expression %j is refused by name, on create and on update", async (cron) => {
    const id = await create({ name: "good" });
    for (const act of [
      () => client.post("/schedules", { ...BASE, cron }),
      () => client.put(`/schedules/${id}`, { ...BASE, cron }),
    ]) {
      const problem = await unchanged(400, act);
      expect(problem.errors).toMatchObject([{ path: "cron" }]);
    }
  });

  test("what a submit would refuse is refused, and where it is wrong is told", async () => {
    for (const [fields, status, path] of [
      [{ kind: "gone" }, 400, "kind"],
      [{ kind: "probe.inside" }, 400, "kind"],
      [{ payload: [] }, 400, "payload"],
      [{ payload: undefined }, 400, "payload"],
      [{ maxAttempts: 0 }, 400, "maxAttempts"],
      [{ priority: "low" }, 400, "priority"],
      [{ everyMinutes: 5 }, 400, "cron"],
      [{ missed: "sometimes" }, 400, "missed"],
      [{ missedMax: 101 }, 400, "missedMax"],
      [{ version: 1 }, 400, "version"],
      [{ payload: { x: "x".repeat(20_000) } }, 413, "payload"],
    ] as const) {
      const problem = await unchanged(status, () => client.post("/schedules", { ...BASE, ...fields }));
      expect([fields, problem.errors[0].path]).toEqual([fields, path]);
    }
    for (const text of ["", "[]", "{", '{"name":"a","name":"b"}']) {
      await unchanged(400, () => client.postText("/schedules", text));
    }
    await unchanged(415, () => client.postText("/schedules", JSON.stringify(BASE), { "Content-Type": "text/plain" }));
  });

  test("a name that is taken and a change in between are conflicts that say who has it and what it is now", async () => {
    const id = await create();
    expect(await unchanged(409, () => client.post("/schedules", BASE))).toMatchObject({
      code: "name-taken",
      scheduleId: id,
    });
    const other = await create({ name: "other" });
    const taken = await unchanged(409, () => client.put(`/schedules/${other}`, BASE));
    expect(taken).toMatchObject({ code: "name-taken", scheduleId: id });
    await client.put(`/schedules/${id}`, { ...BASE, payload: {} });
    const stale = await unchanged(409, () => client.put(`/schedules/${id}`, { ...BASE, version: 1 }));
    expect(stale).toMatchObject({ code: "changed-meanwhile", version: 2 });
  });
});

describe("pause, resume, run, delete", () => {
  test("each does what it says, and says who did it", async () => {
    const id = await create();
    const paused = await client.post(`/schedules/${id}/pause`, { reason: "maintenance" });
    expect(pausedSchedule.parse(paused.body)).toEqual({ id, paused: true, changed: true });
    expect((await client.post(`/schedules/${id}/pause`)).body).toEqual({ id, paused: true, changed: false });
    expect((await client.get(`/schedules/${id}`)).body).toMatchObject({ nextAt: null, paused: { by: "ann" } });
    world.now = TWELVE + 5 * MINUTE + 1;
    expect((await client.post(`/schedules/${id}/resume`)).body).toEqual({ id, paused: false, changed: true });
    expect((await client.get(`/schedules/${id}`)).body).toMatchObject({
      nextAt: "2026-12-01T12:06:00.000Z",
      paused: null,
    });

    const ran = await client.post(`/schedules/${id}/run`, { idempotencyKey: "k" });
    expect(ran.status).toBe(202);
    expect(ranNow.parse(ran.body)).toEqual({ id, jobId: ran.body.jobId, replayed: false });
    expect((await client.post(`/schedules/${id}/run`, { idempotencyKey: "k" })).body).toEqual({
      ...ran.body,
      replayed: true,
    });
    const job = (await client.get(`/jobs/${ran.body.jobId}`)).body;
    expect(jobDetail.parse(job)).toEqual(job);
    expect(job.schedule).toEqual({ id, name: "nightly", slotAt: null });

    const gone = await client.post(`/schedules/${id}/delete`, { reason: "not needed" });
    expect(deletedSchedule.parse(gone.body)).toEqual({ id, deleted: true });
    expect((await client.get(`/schedules/${id}`)).status).toBe(404);
    expect((await client.get(`/jobs/${ran.body.jobId}`)).body.schedule).toEqual({ id, name: null, slotAt: null });
    expect(await world.sql("SELECT action, actor, reason FROM audit WHERE schedule_id = ? ORDER BY id", id)).toEqual([
      { action: "schedule.create", actor: "ann", reason: null },
      { action: "schedule.pause", actor: "ann", reason: "maintenance" },
      { action: "schedule.resume", actor: "ann", reason: null },
      { action: "schedule.run", actor: "ann", reason: null },
      { action: "schedule.delete", actor: "ann", reason: "not needed" },
    ]);
  });

  test("C035: a run by hand is refused while a job is unfinished, where the overlap policy is skip", async () => {
    const id = await create({ overlap: "skip" });
    await client.post(`/schedules/${id}/run`);
    const problem = await unchanged(409, () => client.post(`/schedules/${id}/run`));
    expect(problem.code).toBe("unfinished");
  });

  test("none of them is about a schedule that is not stored", async () => {
    for (const verb of ["pause", "resume", "run", "delete"]) {
      const problem = await unchanged(404, () => client.post(`/schedules/gone/${verb}`));
      expect(problem.code).toBe("no-such-schedule");
    }
    await unchanged(404, () => client.put("/schedules/gone", BASE));
    expect((await client.get("/schedules/gone")).status).toBe(404);
    expect((await client.call("DELETE", "/schedules/gone")).headers.get("allow")).toBe("GET, HEAD, PUT");
  });
});

describe("what became of slots", () => {
  test("C033: the page of a schedule tells which slots were skipped, and the job of each slot tells its slot", async () => {
    const id = await putSchedule(world, Date.parse("2026-12-01T10:15:00Z"), { cron: "*/15 * * * *" });
    world.now = Date.parse("2026-12-01T11:07:41Z");
    await world.sweep();
    await world.deliver();
    const { body } = await client.get(`/schedules/${id}`);
    expect(scheduleDetail.parse(body)).toEqual(body);
    expect(
      body.recent.map(({ slotAt, fate }: { slotAt: string; fate: string }) => `${slotAt.slice(11, 16)} ${fate}`),
    ).toEqual(["11:00 late", "10:45 skipped", "10:30 skipped", "10:15 skipped"]);
    const [{ jobId }] = body.recent;
    expect(body.jobs).toEqual({ [jobId]: "done" });
    const job = (await client.get(`/jobs/${jobId}`)).body;
    expect(job.schedule).toEqual({ id, name: id, slotAt: "2026-12-01T11:00:00.000Z" });
  });

  test("C030: the list shows a broken schedule beside the good ones", async () => {
    await create();
    const bad = await putSchedule(world, world.now, { timeZone: "Mars/Phobos" });
    await world.sweep();
    const { body } = await client.get("/schedules");
    expect(schedulePage.parse(body)).toEqual(body);
    expect(body.schedules).toHaveLength(2);
    const row = body.schedules.find((one: { id: string }) => one.id === bad);
    expect(row.error.text).toContain('"Mars/Phobos"');
  });
});

describe("the list", () => {
  test("is paged by cursors, both ways, and an unchanged poll costs one row", async () => {
    for (let n = 0; n < 30; n++) await putSchedule(world, TWELVE, { name: `s${n}` });
    const names = (body: { schedules: { name: string }[] }) => body.schedules.map(({ name }) => name);
    const first = await client.get("/schedules");
    expect(names(first.body)[0]).toBe("s29");
    expect(first.body).toMatchObject({ previous: null, next: expect.any(String) });
    const second = await client.get(`/schedules?cursor=${first.body.next}`);
    expect(names(second.body)).toEqual(["s4", "s3", "s2", "s1", "s0"]);
    const back = await client.get(`/schedules?cursor=${second.body.previous}`);
    expect(names(back.body)).toEqual(names(first.body));
    const again = await client.get("/schedules", { "If-None-Match": first.headers.get("etag") as string });
    expect(again).toMatchObject({ status: 304, used: { calls: 1, rowsRead: 1 } });
    expect((await client.get("/schedules?cursor=nonsense")).status).toBe(400);
  });
});
