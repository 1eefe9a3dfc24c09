import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { registryOf } from "~/kinds/registry";
import { createProbeRows, probes } from "~/testing/probes";
import { START, World } from "~/testing/world";
import { clientOf } from "./testing";

/** What `probe.echo` was given, by job. */
const seen = new Map<string, unknown>();
const ok = probes.get("probe.ok");
if (!ok) throw new Error("no probe.ok");
const echo: typeof ok = {
  ...ok,
  name: "probe.echo",
  async run(input, ctx) {
    seen.set(ctx.jobId, input);
  },
};

let world: World;
let client: ReturnType<typeof clientOf>;
beforeAll(createProbeRows);
beforeEach(async () => {
  world = new World(registryOf(...probes.values(), echo, { ...echo, name: "probe.inside", internal: true }));
  client = clientOf(world);
  for (const table of ["jobs", "attempts", "job_counts", "probe_rows", "audit"])
    await world.sql(`DELETE FROM ${table}`);
});

const count = async () => (await world.sql<{ n: number }>("SELECT count(*) AS n FROM jobs"))[0]?.n;
const job = (fields: object = {}) => ({ kind: "probe.ok", payload: {}, ...fields });

async function refused(status: number, submit: () => ReturnType<typeof client.call>) {
  const before = await client.stored();
  const answer = await submit();
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.body).toMatchObject({
    type: "about:blank",
    status,
    title: expect.any(String),
    detail: expect.any(String),
    code: expect.any(String),
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/\.tsx?\b| {4}at /);
  expect(await client.stored()).toEqual(before);
  return answer.body;
}

test("a kind that only this deployment submits is refused, alone and among others", async () => {
  for (const [body, path] of [
    [job({ kind: "probe.inside" }), "kind"],
    [[job(), job({ kind: "probe.inside" })], "1.kind"],
  ] as const) {
    const problem = await refused(400, () => client.post("/jobs", body));
    expect(problem.errors).toEqual([{ path, message: '"probe.inside" is submitted by this deployment itself only' }]);
  }
  expect(await world.submit({ kind: "probe.inside" })).toHaveLength(1);
});

test("keys of this deployment's own jobs are refused, by name; those that only look like them are taken", async () => {
  const id = "019ae0c2-0000-7000-8000-0000a91c3f20";
  for (const key of [
    `bulk:${id}`,
    `watch/${id}/1796119200000`,
    `alert/${id}/1/email`,
    `file:${id}`,
    `schedule:${id}:x`,
    `${id}/delivery/0`,
    `${id}/part/500`,
  ]) {
    const problem = await refused(400, () => client.post("/jobs", [job(), job({ idempotencyKey: key })]));
    expect(problem.errors).toEqual([
      {
        path: "1.idempotencyKey",
        message: expect.stringMatching(/^begins as keys of this deployment's own jobs do.*choose another/),
      },
    ]);
  }
  for (const key of ["bulk", "my bulk:1", "watch:1", "files:1", `${id}/deliveries`, "welcome-email:42"])
    expect((await client.post("/jobs", job({ idempotencyKey: key }))).status).toBe(202);
});

describe("a submitted job", () => {
  test("is answered with 202, its id and its address, before it has run", async () => {
    const answer = await client.post("/jobs", job());
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(answer.headers.get("location")).toBe(`/api/v1/jobs/${answer.body.id}`);
    expect(answer.headers.get("idempotency-replayed")).toBeNull();
    const shown = await client.get(answer.headers.get("location")?.replace("/api/v1", "") ?? "");
    expect(shown.body).toMatchObject({ id: answer.body.id, state: "pending", attempt: 0 });
  });

  test("is taken from an array as well, which is answered by ids in order", async () => {
    const answer = await client.post("/jobs", [job({ payload: { n: 1 } }), job({ payload: { n: 2 } })]);
    expect(answer).toMatchObject({ status: 202, body: { ids: [expect.any(String), expect.any(String)] } });
    expect(Object.keys(answer.body)).toEqual(["ids"]);
    expect(answer.headers.get("location")).toBeNull();
    for (const [index, id] of answer.body.ids.entries()) {
      expect((await client.get(`/jobs/${id}`)).body.payload).toEqual({ n: index + 1 });
    }
  });
});

describe("C036: one key stands for one request", () => {
  test("C036: replays answer with the same job, other requests with 409", async () => {
    const first = await client.post("/jobs", job({ idempotencyKey: "K", payload: { a: 1, b: [2] } }));
    expect(first.status).toBe(202);
    const { id } = first.body;
    const again = [
      '{"kind":"probe.ok","payload":{"a":1,"b":[2]},"idempotencyKey":"K"}',
      ' { "idempotencyKey" : "K", "payload": { "b": [ 2 ], "a": 1.0 }, "kind": "probe.ok" } ',
    ];
    for (const text of again) {
      const replay = await client.postText("/jobs", text);
      expect(replay).toMatchObject({ status: 202, body: { id, replayed: true, state: "pending" } });
      expect(replay.headers.get("idempotency-replayed")).toBe("true");
      expect(replay.headers.get("location")).toBe(`/api/v1/jobs/${id}`);
    }
    for (const other of [
      { payload: { a: 2, b: [2] } },
      { kind: "probe.echo" },
      { delaySeconds: 5 },
      { priority: "high" },
      { maxAttempts: 2 },
    ]) {
      const request = job({ idempotencyKey: "K", payload: { a: 1, b: [2] }, ...other });
      const body = await refused(409, () => client.post("/jobs", request));
      expect(body).toMatchObject({
        code: "idempotency-conflict",
        idempotencyKey: "K",
        jobId: id,
        errors: [{ path: "idempotencyKey" }],
      });
      expect(body.detail).toContain(id);
    }
    expect(await count()).toBe(1);
  });

  test("C036: a replay tells the state the job is in by now", async () => {
    const first = await client.post("/jobs", job({ idempotencyKey: "done" }));
    await world.drain();
    const replay = await client.post("/jobs", job({ idempotencyKey: "done" }));
    expect(replay.body).toEqual({ id: first.body.id, state: "done", replayed: true });
  });

  test("C036: in an array the replays are told, and the header only where all are", async () => {
    const one = await client.post("/jobs", job({ idempotencyKey: "1" }));
    const mixed = await client.post("/jobs", [job(), job({ idempotencyKey: "1" })]);
    expect(mixed.body).toEqual({
      ids: [expect.any(String), one.body.id],
      replays: [{ id: one.body.id, state: "pending", replayed: true }],
    });
    expect(mixed.headers.get("idempotency-replayed")).toBeNull();
    const all = await client.post("/jobs", [job({ idempotencyKey: "1" })]);
    expect(all.headers.get("idempotency-replayed")).toBe("true");
  });

  test("C036: one key for two requests in one call is a conflict, and the call is stored whole or not at all", async () => {
    const body = await refused(409, () =>
      client.post("/jobs", [job(), job({ idempotencyKey: "2" }), job({ idempotencyKey: "2", delaySeconds: 1 })]),
    );
    expect(body).toMatchObject({ idempotencyKey: "2", jobId: null, errors: [{ path: "2.idempotencyKey" }] });
    const same = await client.post("/jobs", [job({ idempotencyKey: "3" }), job({ idempotencyKey: "3" })]);
    expect(same.body.ids[0]).toBe(same.body.ids[1]);
    await client.post("/jobs", job({ idempotencyKey: "4" }));
    const partly = await refused(409, () =>
      client.post("/jobs", [job(), job({ idempotencyKey: "4", delaySeconds: 1 })]),
    );
    expect(partly).toMatchObject({ errors: [{ path: "1.idempotencyKey" }] });
  });
});

describe("C037: one key yields one job, also under parallel requests", () => {
  test("C037: 20 at once with one body, ten times", async () => {
    for (let round = 0; round < 10; round++) {
      const request = job({ kind: "probe.effect", idempotencyKey: `same-${round}` });
      const answers = await Promise.all(Array.from({ length: 20 }, () => client.post("/jobs", request)));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    }
    await world.drain();
    expect(await world.sql("SELECT count(*) AS jobs, count(DISTINCT job_id) AS different FROM probe_rows")).toEqual([
      { jobs: 10, different: 10 },
    ]);
    expect(await count()).toBe(10);
  });

  test("C037: 20 at once with 20 bodies: one is accepted, 19 are refused", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => client.post("/jobs", job({ idempotencyKey: "one", payload: { n } }))),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([202, ...Array(19).fill(409)]);
    const winner = answers.find((answer) => answer.status === 202)?.body.id;
    for (const { status, body } of answers) if (status === 409) expect(body.jobId).toBe(winner);
    expect(await count()).toBe(1);
  });
});

describe("C040: one payload limit in bytes, checked at submit", () => {
  const x = (n: number) => `{"p":"${"x".repeat(n)}"}`;
  const emoji = (n: number, rest = "") => `{"p":"${"😀".repeat(n)}${rest}"}`;

  test.each([
    ["127,908 bytes", x(127_900), 127_908],
    ["128,000 bytes", x(127_992), 128_000],
    ["128,001 bytes", x(127_993), 128_001],
    ["128,000 bytes of emoji", emoji(31_998), 128_000],
    ["128,004 bytes of emoji", emoji(31_999), 128_004],
    ["the limit", x(262_136), 262_144],
    ["the limit in emoji", emoji(65_534), 262_144],
  ])("C040: %s are taken, kept byte for byte, and run", async (_name, payload, bytes) => {
    expect(new TextEncoder().encode(payload).length).toBe(bytes);
    const answer = await client.postText("/jobs", `{"kind":"probe.echo","payload":${payload}}`);
    expect(answer.status).toBe(202);
    await world.drain();
    const shown = (await client.get(`/jobs/${answer.body.id}`)).body;
    expect(shown.state).toBe("done");
    expect(shown.payloadText === payload).toBe(true);
    expect(JSON.stringify(seen.get(answer.body.id)) === payload).toBe(true);
  });

  test.each([
    ["one byte over the limit", x(262_137)],
    ["one byte over the limit, in emoji", emoji(65_534, "x")],
    ["1,000,008 bytes", x(1_000_000)],
  ])("C040: %s are 413, and the answer names the limit", async (_name, payload) => {
    const body = await refused(413, () => client.postText("/jobs", `{"kind":"probe.echo","payload":${payload}}`));
    expect(body).toMatchObject({ code: "too-large-payload", errors: [{ path: "payload", limit: 262_144 }] });
    expect(body.detail).toContain("262144");
  });
});

describe("C041: bad input gets a clear answer", () => {
  test.each([
    "",
    "{",
    "null",
    "[]",
    '"x"',
    '{"kind":"probe.ok","payload":{}} x',
    '{"kind":"probe.ok","payload":{"a":NaN}}',
    "{'kind':'probe.ok','payload':{}}",
    '{"kind":"probe.ok","payload":{},}',
    '{"kind":"probe.ok","kind":"send_email","payload":{}}',
  ])("C041: %j is 400", (text) => refused(400, () => client.postText("/jobs", text)));

  test("C041: of a text that is not JSON the line, the column and the place are told", async () => {
    const text = '{"kind": "probe.ok",\n "payload": {"a": 1,}}';
    const body = await refused(400, () => client.postText("/jobs", text));
    const place = 'this is not JSON: line 2, column 21, at  "payload": {"a": 1,▸}}: expected a name in double quotes';
    expect(body).toMatchObject({ detail: place, errors: [{ path: "", message: place, line: 2, column: 21 }] });
  });

  test("C041: a byte that is no UTF-8 is 400", async () => {
    const bytes = new TextEncoder().encode('{"kind":"probe.ok","payload":{"a":"_"}}');
    bytes[bytes.indexOf(0x5f)] = 0xff;
    await refused(400, () => client.postText("/jobs", bytes));
  });

  test.each([
    "",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "application/jsonp",
  ])("C041: content type %j is 415", (type) =>
    refused(415, () =>
      client.postText("/jobs", new TextEncoder().encode(JSON.stringify(job())), type ? { "Content-Type": type } : {}),
    ),
  );

  test("C041: a charset and capital letters in the content type are taken", async () => {
    const answer = await client.postText("/jobs", JSON.stringify(job()), {
      "Content-Type": 'Application/JSON; charset="UTF-8"',
    });
    expect(answer.status).toBe(202);
  });

  const nested = (levels: number) => `{"kind":"probe.echo","payload":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;

  test("C041: 50 levels are taken, shown and run; more than 100 are refused with the limit", async () => {
    const answer = await client.postText("/jobs", nested(50));
    await world.drain();
    expect((await client.get(`/jobs/${answer.body.id}`)).body).toMatchObject({
      state: "done",
      payload: JSON.parse(nested(50)).payload,
    });
    for (const levels of [100, 5_000, 60_000]) {
      const body = await refused(400, () => client.postText("/jobs", nested(levels)));
      expect(body).toMatchObject({ code: "too-deep", errors: [{ limit: 100 }] });
    }
  });

  test("C041: special keys reach the handler as plain own data, and nobody else", async () => {
    const payload = '{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}},"toString":"a"}';
    const answer = await client.postText("/jobs", `{"kind":"probe.echo","payload":${payload}}`);
    expect(answer.status).toBe(202);
    await world.drain();
    expect((await client.get(`/jobs/${answer.body.id}`)).body).toMatchObject({ state: "done", payloadText: payload });
    const input = seen.get(answer.body.id) as Record<string, unknown>;
    expect(Object.hasOwn(input, "toString") && input.toString).toBe("a");
    expect((input as { admin?: boolean }).admin).toBeUndefined();
    expect(({} as { admin?: boolean; x?: number }).admin ?? ({} as { x?: number }).x).toBeUndefined();
  });

  test.each([
    [job({ kind: "nobody" }), "kind"],
    [job({ kind: 5 }), "kind"],
    [job({ payload: 5 }), "payload"],
    [job({ extra: 1 }), "extra"],
    [{ kind: "probe.ok" }, "payload"],
    [[job(), job({ kind: "nobody" })], "1.kind"],
    [[job(), 5], "1"],
  ])("C041: %j is refused at %s", async (request, path) => {
    expect((await refused(400, () => client.post("/jobs", request))).errors).toEqual([
      { path, message: expect.any(String) },
    ]);
  });

  test.each([-1, 1.5, "urgent", 1e9])(
    "C015: the priority %j is 400, which names the field and what would be right",
    async (priority) => {
      const { errors } = await refused(400, () => client.post("/jobs", job({ priority })));
      expect(errors).toEqual([{ path: "priority", message: expect.stringMatching(/normal.*high/) }]);
    },
  );

  test("C041: 1,001 jobs and more than 8 MB in one call are 413, with the limit", async () => {
    const many = await refused(413, () => client.post("/jobs", Array(1001).fill(job())));
    expect(many).toMatchObject({ code: "too-large-jobs", errors: [{ limit: 1000 }] });
    const big = JSON.stringify(Array(32).fill(job({ payload: "x".repeat(250_000) })));
    const large = await refused(413, () => client.postText("/jobs", big));
    expect(large).toMatchObject({ code: "too-large-call", errors: [{ limit: 8_000_000 }] });
  });

  test("C041: a body of unknown length is read no further than the limit", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    await refused(413, () => client.postText("/jobs", endless));
    expect(sent).toBeLessThanOrEqual(12_000_000);
  });
});

describe("C044: times are explicit", () => {
  const at = async (fields: object) => {
    const answer = await client.post("/jobs", job(fields));
    expect(answer.status).toBe(202);
    return (await client.get(`/jobs/${answer.body.id}`)).body;
  };

  test("C044: delaySeconds 0 is at once, 60 is a minute from the submit", async () => {
    expect(await at({ delaySeconds: 0 })).toMatchObject({ view: "pending", runAt: "2026-12-01T10:00:00.000Z" });
    expect(await at({ delaySeconds: 60 })).toMatchObject({ view: "scheduled", runAt: "2026-12-01T10:01:00.000Z" });
  });

  test("C044: runAt is taken with its offset, to the millisecond", async () => {
    world.now = START - 86_400_000;
    for (const [runAt, due] of [
      ["2026-12-01T10:00:00Z", 1796119200000],
      ["2026-12-01T10:00:00+05:30", 1796099400000],
    ] as const) {
      const shown = await at({ runAt });
      expect(Date.parse(shown.runAt)).toBe(due);
      expect((await world.job(shown.id)).run_at).toBe(due);
    }
  });

  test("C044: a runAt in the past runs at once", async () => {
    const shown = await at({ runAt: "2026-12-01T09:00:00Z" });
    expect(shown).toMatchObject({ view: "pending", runAt: "2026-12-01T10:00:00.000Z" });
    await world.deliver();
    expect((await world.job(shown.id)).state).toBe("done");
  });

  test.each([
    [{ delaySeconds: "60" }, "delaySeconds"],
    [{ delaySeconds: 1.5 }, "delaySeconds"],
    [{ delaySeconds: -1 }, "delaySeconds"],
    [{ runAt: "2026-12-01T10:00:00" }, "runAt"],
    [{ runAt: 1796119200 }, "runAt"],
    [{ runAt: "2026-12-01T10:00:00Z", delaySeconds: 60 }, "runAt"],
    [{ expiresAt: "2026-12-01T11:00:00" }, "expiresAt"],
    [{ expiresAt: 1796119200 }, "expiresAt"],
    [{ expiresAt: "tomorrow" }, "expiresAt"],
  ])("C044: %o is 400 at %s", async (fields, path) => {
    expect((await refused(400, () => client.post("/jobs", job(fields)))).errors).toMatchObject([{ path }]);
  });
});

describe("expiresAt", () => {
  const EXPIRES = "2026-12-01T10:05:00.000Z";

  test("C044: is taken with its offset, and shown", async () => {
    const { body } = await client.post("/jobs", job({ expiresAt: "2026-12-01T15:35:00+05:30" }));
    expect((await client.get(`/jobs/${body.id}`)).body).toMatchObject({ expiresAt: EXPIRES, groupKey: null });
    const none = (await client.post("/jobs", job())).body;
    expect((await client.get(`/jobs/${none.id}`)).body).toMatchObject({ expiresAt: null });
  });

  test.each([
    [
      "2026-12-01T10:00:00.000Z",
      {},
      "2026-12-01T10:00:00.000Z has passed: it is 2026-12-01T10:00:00.000Z; give a later time, or none",
    ],
    [
      "2026-12-01T09:00:00+02:00",
      {},
      "2026-12-01T07:00:00.000Z has passed: it is 2026-12-01T10:00:00.000Z; give a later time, or none",
    ],
    [
      EXPIRES,
      { delaySeconds: 300 },
      `${EXPIRES} is not after ${EXPIRES}, when the job is due: it could never be started; give a later time`,
    ],
    [
      EXPIRES,
      { runAt: "2026-12-01T10:06:00Z" },
      `${EXPIRES} is not after 2026-12-01T10:06:00.000Z, when the job is due: it could never be started; give a later time`,
    ],
  ])("%s with %o is refused, with why and what would be right", async (expiresAt, rest, message) => {
    const alone = await refused(400, () => client.post("/jobs", job({ expiresAt, ...rest })));
    expect(alone).toMatchObject({ code: "invalid", errors: [{ path: "expiresAt", message }] });
    const among = await refused(400, () => client.post("/jobs", [job(), job({ expiresAt, ...rest })]));
    expect(among.errors).toEqual([{ path: "1.expiresAt", message }]);
  });

  test.each([{ delaySeconds: 299 }, { runAt: "2026-12-01T10:04:59.999Z" }, { runAt: "2026-12-01T09:00:00Z" }])(
    "after the job is due is taken: %o",
    async (rest) => {
      expect((await client.post("/jobs", job({ expiresAt: EXPIRES, ...rest }))).status).toBe(202);
    },
  );

  test("C036: the same request under its key is answered for good, also when its time is over; another time is another request", async () => {
    const keyed = job({ expiresAt: EXPIRES, idempotencyKey: "in-time" });
    const { body } = await client.post("/jobs", keyed);
    const other = await client.post("/jobs", { ...keyed, expiresAt: "2026-12-01T10:06:00Z" });
    expect(other).toMatchObject({ status: 409, body: { jobId: body.id } });
    world.now = START + 600_000;
    const again = await client.post("/jobs", keyed);
    expect(again).toMatchObject({ status: 202, body: { id: body.id, replayed: true } });
    await refused(400, () => client.post("/jobs", { ...keyed, idempotencyKey: "too-late" }));
    await refused(400, () => client.post("/jobs", [keyed, job({ expiresAt: EXPIRES })]));
  });
});

describe("groupKey", () => {
  test("is stored, shown, and part of what was asked for", async () => {
    const keyed = job({ groupKey: "customer-7", idempotencyKey: "grouped" });
    const { body } = await client.post("/jobs", keyed);
    expect((await client.get(`/jobs/${body.id}`)).body).toMatchObject({ groupKey: "customer-7" });
    expect((await client.get("/jobs?q=group:customer-7")).body.jobs).toMatchObject([{ id: body.id }]);
    expect((await client.post("/jobs", { ...keyed, groupKey: "customer-8" })).status).toBe(409);
  });

  test.each(["", "g".repeat(257), "a\u0000b", 7])("%j is refused, at groupKey", async (groupKey) => {
    const { errors } = await refused(400, () => client.post("/jobs", job({ groupKey })));
    expect(errors).toMatchObject([{ path: "groupKey" }]);
  });
});

describe("C008: maxAttempts is the number of all executions", () => {
  test.each([0, -1, 1.5, "3", 1_000_001])("C008: %j is 400 and names the field", async (maxAttempts) => {
    expect((await refused(400, () => client.post("/jobs", job({ maxAttempts })))).errors).toMatchObject([
      { path: "maxAttempts" },
    ]);
  });

  test("C008: 1 and 1,000 are taken as they are", async () => {
    for (const maxAttempts of [1, 1000]) {
      const { body } = await client.post("/jobs", job({ maxAttempts }));
      expect((await client.get(`/jobs/${body.id}`)).body.maxAttempts).toBe(maxAttempts);
    }
  });
});

describe("C059: many jobs in one call", () => {
  test.each([99, 100, 101, 250, 1000])("C059: %i are stored, in order, and all run once", async (n) => {
    const answer = await client.post(
      "/jobs",
      Array.from({ length: n }, (_, i) => job({ kind: "probe.effect", payload: { i } })),
    );
    expect(answer.status).toBe(202);
    const { ids } = answer.body as { ids: string[] };
    expect(ids).toEqual([...new Set(ids)].sort());
    const payloads = await world.sql<{ payload: string }>("SELECT payload FROM jobs ORDER BY id");
    expect(payloads.map((row) => JSON.parse(row.payload).i)).toEqual(Array.from({ length: n }, (_, i) => i));
    await world.drain();
    expect(await world.sql("SELECT count(*) AS n, count(DISTINCT job_id) AS jobs FROM probe_rows")).toEqual([
      { n, jobs: n },
    ]);
    const { kept, real } = await world.recount();
    expect(kept.counted).toEqual(real.counted);
  });
});

describe("faults", () => {
  test("a queue that throws does not trouble the caller: the sweep sends", async () => {
    world.queues.normal.failSends = new Error("queue is down");
    const answer = await client.post("/jobs", job());
    expect(answer.status).toBe(202);
    world.queues.normal.failSends = null;
    await world.drain();
    expect((await world.job(answer.body.id)).state).toBe("done");
  });

  test("an unreachable database is 503: outcome unknown, repeating with the key is safe, nothing is stored", async () => {
    world.fault = () => "before";
    const submitted = job({ idempotencyKey: "again" });
    const answer = await client.post("/jobs", submitted);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(answer.body).toMatchObject({
      code: "database-unreachable",
      detail: expect.stringMatching(/unknown.*same idempotencyKey/),
    });
    world.fault = () => null;
    expect(await count()).toBe(0);
    expect((await client.post("/jobs", submitted)).status).toBe(202);
    expect(await count()).toBe(1);
  });

  test("when every reply is lost the answer is 503 too, and repeating makes no second job", async () => {
    world.fault = () => "after";
    const submitted = job({ kind: "probe.effect", idempotencyKey: "lost" });
    expect((await client.post("/jobs", submitted)).status).toBe(503);
    world.fault = () => null;
    const again = await client.post("/jobs", submitted);
    expect(again).toMatchObject({ status: 202, body: { replayed: true } });
    expect(await count()).toBe(1);
    await world.drain();
    expect(await world.sql("SELECT count(*) AS n FROM probe_rows")).toEqual([{ n: 1 }]);
  });

  test("a mistake of ours is 500 without a stack, and is logged with one", async () => {
    const broken = new World(probes);
    broken.seam = () => {
      throw new TypeError("secret of the house");
    };
    const answer = await clientOf(broken).post("/jobs", job());
    expect(answer).toMatchObject({ status: 500, body: { code: "unexpected" } });
    expect(JSON.stringify(answer.body)).not.toContain("secret");
    expect(broken.events).toMatchObject([
      {
        event: "request.failed",
        method: "POST",
        path: "/api/v1/jobs",
        error: "TypeError: secret of the house",
        stack: expect.stringContaining("at "),
      },
    ]);
  });
});
