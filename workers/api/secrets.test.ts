import { beforeEach, expect, test } from "vitest";
import { MASK, maskedJson } from "~/domain/secrets";
import { registry } from "~/kinds/registry";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

const SECRET = "hush-4f1c";
const SLACK = `https://hooks.slack.com/services/T0/B0/${SECRET}`;
const message = { type: "t", title: "t", text: "t", links: [], at: "2026-12-01T10:00:00Z", data: {} };

/** Of each kind that has secrets, payloads that hold one at every path it names. */
const SAMPLES: Record<string, unknown[]> = {
  http_request: [
    {
      url: "https://api.example/hook",
      headers: {
        Authorization: `Bearer ${SECRET}`,
        Cookie: `a=${SECRET}`,
        "X-Auth": SECRET,
        "x-my-token": SECRET,
        "X-Client-Secret": SECRET,
        "x-password": SECRET,
        "X-Api-Key": SECRET,
      },
    },
    { url: SLACK, json: {} },
  ],
  webhook_fanout: [
    {
      type: "ping",
      data: {},
      endpoints: [{ url: "https://api.example/hook" }, { type: "slack", url: SLACK }, { url: `${SLACK}/2` }],
    },
  ],
  watch_telling: [{ channel: { type: "slack", to: `https://chat.example/${SECRET}` }, message }],
  alert: [{ channel: { type: "webhook", to: `https://api.example/${SECRET}` }, message }],
};

/** Tells everything it was asked, as careless receivers do. */
function echoing(status: number): typeof fetch {
  return async (input, init) =>
    Response.json({ url: String(input), headers: Object.fromEntries(new Headers(init?.headers)) }, { status });
}

beforeEach(clean);

test("the samples hold every secret of every kind, and what is named as one is one", () => {
  const kinds = [...registry.values()].filter(({ secrets }) => secrets?.length);
  expect(kinds.map(({ name }) => name).sort()).toEqual(Object.keys(SAMPLES).sort());
  for (const { name, secrets = [], input } of kinds) {
    const texts = (SAMPLES[name] as unknown[]).map((sample) => JSON.stringify(input.parse(sample)));
    for (const rule of secrets) {
      expect([rule, texts.some((text) => maskedJson(text, { secrets: [rule] }).includes(MASK))]).toEqual([rule, true]);
    }
    for (const text of texts) expect(maskedJson(text, { secrets })).not.toContain(SECRET);
  }
});

for (const [how, status] of [
  ["succeed", 200],
  ["fail", 500],
  ["die", 400],
] as const) {
  test(`no door of the API lets a secret out, nor does any row or log line but the payload's own, where jobs ${how}`, async () => {
    const world = new World(registry);
    const asked: string[] = [];
    world.fetch = async (input, init) => {
      asked.push(`${input} ${JSON.stringify([...new Headers(init?.headers)])}`);
      return echoing(status)(input, init);
    };
    const ids = await world.submit(
      ...Object.entries(SAMPLES).flatMap(([kind, payloads]) => payloads.map((payload) => ({ kind, payload }))),
    );
    const api = clientOf(world);
    const schedule = await api.post("/schedules", {
      name: "hourly",
      everyMinutes: 60,
      kind: "http_request",
      payload: SAMPLES.http_request?.[0],
    });
    expect(schedule.status).toBe(201);
    await world.deliver("long");
    await world.deliver();
    await world.deliver();
    expect(asked.filter((one) => one.includes(SECRET)).length).toBeGreaterThanOrEqual(4);

    const document = (await api.get("/openapi.json")).body as { paths: Record<string, Record<string, unknown>> };
    const reads = Object.entries(document.paths).flatMap(([path, methods]) => (methods.get ? path : []));
    const causes = await world.sql<{ cause: string }>("SELECT cause FROM jobs WHERE cause IS NOT NULL");
    const asIds = [...ids, schedule.body.id as string, ...causes.map(({ cause }) => encodeURIComponent(cause))];
    let seen = 0;
    for (const path of reads) {
      for (const address of /\{/.test(path) ? asIds.map((id) => path.replace(/\{\w+\}/, id)) : [path]) {
        const { body } = await api.get(address.replace(/^\/api\/v1/, ""));
        const text = typeof body === "string" ? body : JSON.stringify(body);
        expect([address, text.includes(SECRET)]).toEqual([address, false]);
        seen += text.includes(MASK) ? 1 : 0;
      }
    }
    expect(seen).toBeGreaterThan(ids.length);

    expect(JSON.stringify(world.events)).not.toContain(SECRET);
    const tables = await world.sql<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%(%'",
    );
    const holding = [];
    for (const { name } of tables.filter(({ name }) => !/^(_cf|sqlite|d1)/.test(name))) {
      const rows = await world.sql(`SELECT * FROM ${name}`);
      for (const row of rows) {
        for (const [column, value] of Object.entries(row)) {
          if (String(value).includes(SECRET)) holding.push(`${name}.${column}`);
        }
      }
    }
    // What is sent again with a retry must be known, and is kept as it was sent.
    expect(new Set(holding)).toEqual(new Set(["jobs.payload", "schedules.payload"]));
  });
}

test("what stands around a secret comes out as it was sent, big numbers and spaces included", async () => {
  const world = new World(registry);
  const text = `{ "url":"https://api.example/", "json":{"n":9007199254740993.10}, "headers":{"AUTHORIZATION" : "Basic x"} }`;
  const api = clientOf(world);
  const { body } = await api.postText("/jobs", `{"kind":"http_request","payload":${text}}`);
  const { payloadText, payload } = (await api.get(`/jobs/${body.id}`)).body;
  expect(payloadText).toBe(text.replace("Basic x", MASK));
  expect(payload.headers).toEqual({ AUTHORIZATION: MASK });
  expect((await world.job(body.id)).payload).toBe(text);
});

test("a mask that comes back is no secret: refused where nothing stands behind it, and kept in a schedule that was changed", async () => {
  const world = new World(registry);
  const api = clientOf(world);
  const payload = { url: "https://api.example/", headers: { authorization: MASK } };
  const refused = await api.post("/jobs", { kind: "http_request", payload });
  expect(refused.status).toBe(400);
  expect(refused.body.errors).toEqual([
    { path: "payload.headers.authorization", message: "is hidden here: give the secret itself" },
  ]);
  const schedule = { name: "s", everyMinutes: 60, kind: "http_request", payload };
  expect((await api.post("/schedules", schedule)).status).toBe(400);

  const open = { ...payload, headers: { authorization: "Bearer 1" } };
  const { id } = (await api.post("/schedules", { ...schedule, payload: open })).body;
  const put = (payload: unknown) => api.put(`/schedules/${id}`, { ...schedule, everyMinutes: 30, payload });
  const stored = async () => (await world.sql("SELECT payload, every_minutes FROM schedules"))[0];
  expect((await put({ ...payload, json: 1 })).status).toBe(200);
  expect(await stored()).toEqual({ payload: JSON.stringify({ ...open, json: 1 }), every_minutes: 30 });

  const moved = await put({ ...payload, url: "https://elsewhere.example/" });
  expect(moved.status).toBe(400);
  expect(moved.body.errors).toEqual([
    { path: "payload.headers.authorization", message: expect.stringContaining("kept only while url") },
  ]);
  expect((await put({ ...payload, headers: { authorization: "Bearer 2" } })).status).toBe(200);
  expect(await stored()).toMatchObject({ payload: expect.stringContaining("Bearer 2") });
});

test("of a kind that this release does not know, no value is shown", async () => {
  const world = new World(registry);
  const [id = ""] = await world.submit({ kind: "http_request", payload: SAMPLES.http_request?.[1] });
  await world.sql("UPDATE jobs SET kind = 'gone' WHERE id = ?", id);
  const { body } = await clientOf(world).get(`/jobs/${id}`);
  expect(body.payload).toEqual({ url: MASK, json: {} });
});
