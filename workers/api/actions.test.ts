import { beforeEach, describe, expect, test } from "vitest";
import { probes } from "~/testing/probes";
import { World } from "~/testing/world";
import { cancelled, requeued } from "./schemas";
import { clientOf } from "./testing";

const UNKNOWN = "019ad959-2a80-7000-8000-000000000001";
let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(() => {
  world = new World(probes);
  client = clientOf(world);
});

const submit = async (fields: object = {}): Promise<string> =>
  (await client.post("/jobs", { kind: "probe.ok", payload: {}, ...fields })).body.id;
async function dead(): Promise<string> {
  const id = await submit({ kind: "probe.permanent" });
  await world.deliver();
  return id;
}
async function processing(): Promise<string> {
  const id = await submit();
  await world.sql(
    "UPDATE jobs SET state = 'processing', sent_at = NULL, leased_at = 1, lease_until = 9e12, attempt = 1 WHERE id = ?",
    id,
  );
  return id;
}
async function unchanged(status: number, act: () => ReturnType<typeof client.call>) {
  const before = await client.stored();
  const answer = await act();
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(await client.stored()).toEqual(before);
  return answer.body;
}

describe("requeue", () => {
  test("runs a dead job again and keeps who asked and why", async () => {
    const id = await dead();
    const answer = await client.post(`/jobs/${id}/requeue`, { generation: 1, reason: " the receiver is back " });
    expect(answer).toMatchObject({ status: 200, body: { id, state: "pending", generation: 2 } });
    expect(requeued.parse(answer.body)).toEqual(answer.body);
    const { body } = await client.get(`/jobs/${id}`);
    expect(body).toMatchObject({ state: "pending", generation: 2, attempts: [{ number: 1, generation: 1 }] });
    expect(body.audit).toMatchObject([{ actor: "ann", jobId: id, reason: "the receiver is back" }]);
  });

  test("needs no body, and takes a cancelled job too", async () => {
    const id = await submit({ delaySeconds: 60 });
    await client.post(`/jobs/${id}/cancel`);
    expect(await client.post(`/jobs/${id}/requeue`)).toMatchObject({ status: 200, body: { generation: 2 } });
  });

  test("twice is refused with the state the job is in now", async () => {
    const id = await dead();
    expect((await client.post(`/jobs/${id}/requeue`, {})).status).toBe(200);
    for (const body of [undefined, {}, { generation: 1 }, { generation: 2 }]) {
      const problem = await unchanged(409, () => client.post(`/jobs/${id}/requeue`, body));
      expect(problem).toMatchObject({ code: "not-requeued", state: "pending", generation: 2 });
    }
  });

  test("by two at once: one wins, the other is told so", async () => {
    const id = await dead();
    const answers = await Promise.all([1, 2].map(() => client.post(`/jobs/${id}/requeue`, { generation: 1 })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
  });

  test("of a running, pending or done job, or of a generation that is over, is refused", async () => {
    const running = await processing();
    expect(await unchanged(409, () => client.post(`/jobs/${running}/requeue`))).toMatchObject({
      state: "processing",
      generation: 1,
    });
    const pending = await submit();
    expect(await unchanged(409, () => client.post(`/jobs/${pending}/requeue`))).toMatchObject({ state: "pending" });
    const again = await dead();
    expect(await unchanged(409, () => client.post(`/jobs/${again}/requeue`, { generation: 7 }))).toMatchObject({
      state: "dead",
      generation: 1,
    });
  });
});

describe("cancel", () => {
  test("ends a pending job at once", async () => {
    const id = await submit();
    const answer = await client.post(`/jobs/${id}/cancel`, { reason: "sent by mistake" });
    expect(answer).toMatchObject({ status: 200, body: { id, state: "cancelled", cancelRequested: false } });
    expect(cancelled.parse(answer.body)).toEqual(answer.body);
    expect((await client.get(`/jobs/${id}`)).body).toMatchObject({
      state: "cancelled",
      audit: [{ reason: "sent by mistake" }],
    });
  });

  test("asks a running job to stop", async () => {
    const id = await processing();
    const answer = await client.post(`/jobs/${id}/cancel`);
    expect(answer).toMatchObject({ status: 202, body: { id, state: "processing", cancelRequested: true } });
    expect((await client.get(`/jobs/${id}`)).body.cancelRequestedAt).not.toBeNull();
  });

  test("of a job that has ended is refused with its state", async () => {
    const id = await dead();
    expect(await unchanged(409, () => client.post(`/jobs/${id}/cancel`))).toMatchObject({
      code: "not-cancelled",
      state: "dead",
    });
  });
});

describe.each(["requeue", "cancel"])("bad input to %s", (action) => {
  const at = (id: string) => `/jobs/${id}/${action}`;

  test.each([UNKNOWN, "x", "%00"])("an unknown id is 404: %s", async (id) => {
    expect(await unchanged(404, () => client.post(at(id)))).toMatchObject({ code: "no-such-job" });
  });

  test.each([
    ["{", 400],
    ["[]", 400],
    ["null", 400],
    ['{"extra":1}', 400],
    ['{"reason":5}', 400],
    [`{"reason":"${"x".repeat(501)}"}`, 400],
    [`{"reason":"${"x".repeat(10_000)}"}`, 413],
    [`${"[".repeat(5_000)}`, 400],
  ])("the body %s is %i and changes nothing", async (text, status) => {
    const id = action === "cancel" ? await submit() : await dead();
    await unchanged(status, () => client.postText(at(id), text));
  });

  test("another content type is 415", async () => {
    const id = action === "cancel" ? await submit() : await dead();
    await unchanged(415, () => client.postText(at(id), "{}", { "Content-Type": "text/plain" }));
  });

  test("an unreachable database is 503", async () => {
    world.fault = () => "before";
    const answer = await client.post(at(UNKNOWN));
    expect(answer).toMatchObject({ status: 503, body: { code: "database-unreachable" } });
    expect(answer.headers.get("retry-after")).toBe("10");
  });
});

test.each([{ generation: 0 }, { generation: "1" }, { generation: 1.5 }])("requeue with %o is 400", async (body) => {
  const id = await dead();
  expect(await unchanged(400, () => client.post(`/jobs/${id}/requeue`, body))).toMatchObject({
    errors: [{ path: "generation" }],
  });
});
