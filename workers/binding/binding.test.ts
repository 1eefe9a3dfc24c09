import { beforeEach, describe, expect, test } from "vitest";
import { CALL_BYTES, CALL_JOBS, PAYLOAD_BYTES } from "~/domain/limits";
import { SUBMISSION } from "~/domain/submission";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { bindingOf } from "./binding";
import type { Answer, JobsService, NewJob } from "./types";

let world: World;
beforeEach(async () => {
  await clean();
  world = new World(probes);
});

const OPERATE = { name: "shop", may: "operate" };
/** One call by a binding with these props, as values that could be sent on. */
async function by<T>(props: unknown, call: (jobs: JobsService) => Promise<Answer<T>>) {
  const answer = await world.until(call(bindingOf(world.invocation().engine, props)));
  expect(structuredClone(answer)).toEqual(answer);
  return answer;
}
const submitted = async (job: NewJob, props: unknown = { name: "shop" }) => {
  const answer = await by(props, (jobs) => jobs.submit(job));
  return answer.ok ? answer.id : expect.fail(JSON.stringify(answer.problem));
};
const problemOf = async (props: unknown, call: (jobs: JobsService) => Promise<Answer<unknown>>) => {
  const answer = await by(props, call);
  return answer.ok ? expect.fail(JSON.stringify(answer)) : [answer.problem.status, answer.problem.code];
};
const JOB = { kind: "probe.ok", payload: { n: 1 } };
const LATER = { ...JOB, delaySeconds: 60 };
const stored = () => world.sql("SELECT id, state, submitter, payload FROM jobs ORDER BY id");

describe("submit", () => {
  test("stores one job, which runs, in the name of the binding", async () => {
    const id = await submitted(JOB);
    await world.drain();
    expect(await stored()).toEqual([{ id, state: "done", submitter: "worker:shop", payload: '{"n":1}' }]);
  });

  test("stores several, and answers a repeated key with what is there", async () => {
    const keyed = { ...LATER, idempotencyKey: "k" };
    const first = await by({ name: "shop" }, (jobs) => jobs.submit([keyed, LATER]));
    const ids = (await stored()).map(({ id }) => id);
    expect(first).toEqual({ ok: true, ids });
    const again = await by({ name: "shop" }, (jobs) => jobs.submit(keyed));
    expect(again).toEqual({ ok: true, id: ids[0], state: "pending", replayed: true });
    expect(await problemOf({ name: "shop" }, (jobs) => jobs.submit({ ...keyed, payload: {} }))).toEqual([
      409,
      "idempotency-conflict",
    ]);
    expect(await stored()).toHaveLength(2);
  });

  test("takes a date for its text", async () => {
    const at = new Date(world.now + 3_600_000);
    await submitted({ ...JOB, runAt: at, payload: { at } });
    expect(await world.sql("SELECT run_at, payload FROM jobs")).toEqual([
      { run_at: at.getTime(), payload: `{"at":"${at.toISOString()}"}` },
    ]);
  });

  test.each<[string, unknown, [number, string]]>([
    ["a kind that is none", { ...JOB, kind: "none" }, [400, "invalid"]],
    ["a field that is none", { ...JOB, prio: 1 }, [400, "invalid"]],
    ["no payload", { kind: "probe.ok", payload: undefined }, [400, "invalid"]],
    ["what JSON would change", { ...JOB, payload: { n: Number.NaN } }, [400, "malformed"]],
    ["no job", undefined, [400, "invalid"]],
    ["an empty list", [], [400, "empty"]],
    ["too many", Array(CALL_JOBS + 1).fill(JOB), [413, "too-large-jobs"]],
    ["too large a payload", { ...JOB, payload: "x".repeat(PAYLOAD_BYTES) }, [413, "too-large-payload"]],
    ["too large a call", Array(40).fill({ ...JOB, payload: "x".repeat(CALL_BYTES / 40) }), [413, "too-large-call"]],
  ])("refuses %s as the API does, stores nothing, and throws nothing", async (_, jobs, told) => {
    expect(await problemOf(OPERATE, (service) => service.submit(jobs as NewJob))).toEqual(told);
    expect(await stored()).toEqual([]);
  });

  test("tells that D1 does not answer, instead of throwing", async () => {
    world.fault = () => "before";
    expect(await problemOf(OPERATE, (jobs) => jobs.submit(JOB))).toEqual([503, "database-unreachable"]);
  });
});

test("a job can be given with all that the API takes, and nothing else", () => {
  const all: Required<NewJob> = {
    ...{ kind: "", payload: "", idempotencyKey: "", delaySeconds: 0, runAt: "", expiresAt: "" },
    ...{ groupKey: "", priority: "high", maxAttempts: 1 },
  };
  expect(Object.keys(all).sort()).toEqual(Object.keys(SUBMISSION.shape).sort());
});

describe("job", () => {
  test("tells how it stands, with its result", async () => {
    const id = await submitted(JOB);
    await world.drain();
    expect(await by({ name: "shop" }, (jobs) => jobs.job(id))).toMatchObject({
      ok: true,
      job: { id, kind: "probe.ok", state: "done", payload: { n: 1 }, result: { ok: true }, attempts: [{ number: 1 }] },
    });
  });

  test.each(["019ad959-2a80-7000-8000-000000000001", "no id", "..", "../kinds", "", "\ud800"])(
    "of %j there is none",
    async (id) => {
      expect(await problemOf({ name: "shop" }, (jobs) => jobs.job(id))).toEqual([404, "no-such-job"]);
      expect(await problemOf(OPERATE, (jobs) => jobs.cancel(id))).toEqual([404, "no-such-job"]);
    },
  );
});

describe("a binding that may operate", () => {
  test("cancels and requeues, and the audit names it", async () => {
    const id = await submitted(LATER);
    expect(await by(OPERATE, (jobs) => jobs.cancel(id, "sold out"))).toEqual({
      ok: true,
      id,
      state: "cancelled",
      cancelRequested: false,
    });
    expect(await problemOf(OPERATE, (jobs) => jobs.cancel(id))).toEqual([409, "not-cancelled"]);
    expect(await problemOf(OPERATE, (jobs) => jobs.requeue(id, 2))).toEqual([409, "not-requeued"]);
    expect(await by(OPERATE, (jobs) => jobs.requeue(id, 1, "in stock"))).toEqual({
      ok: true,
      id,
      state: "pending",
      generation: 2,
    });
    expect(await world.sql("SELECT actor, action, job_id, reason FROM audit ORDER BY id")).toEqual([
      { actor: "worker:shop", action: "cancel", job_id: id, reason: "sold out" },
      { actor: "worker:shop", action: "requeue", job_id: id, reason: "in stock" },
    ]);
  });
});

describe("a binding that may submit", () => {
  test.each(["cancel", "requeue"] as const)(
    "does not %s: nothing changes, and the audit says so, once",
    async (verb) => {
      const id = await submitted(LATER);
      const before = await stored();
      for (const props of [{ name: "shop" }, { name: "shop", may: "submit" }]) {
        expect(await problemOf(props, (jobs) => jobs[verb](id))).toEqual([403, "not-allowed"]);
      }
      expect(await stored()).toEqual(before);
      const refusals = await world.sql("SELECT actor, action, after->>'path' AS path FROM audit");
      expect(refusals).toEqual([{ actor: "worker:shop", action: "refused", path: `/api/v1/jobs/${id}/${verb}` }]);
    },
  );
});

test.each([
  undefined,
  {},
  { name: "" },
  { name: "a\nb" },
  { name: "shop", may: "everything" },
  { name: "shop", more: 1 },
])("a binding with the props %j may do nothing", async (props) => {
  const id = await submitted(LATER);
  const before = await stored();
  const calls: ((jobs: JobsService) => Promise<Answer<unknown>>)[] = [
    (jobs) => jobs.submit(JOB),
    (jobs) => jobs.job(id),
    (jobs) => jobs.cancel(id),
    (jobs) => jobs.requeue(id),
  ];
  for (const call of calls) expect(await problemOf(props, call)).toEqual([403, "binding-without-name"]);
  expect(await stored()).toEqual(before);
});
