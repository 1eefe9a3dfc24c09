import { beforeEach, describe, expect, test } from "vitest";
import { registry } from "~/kinds/registry";
import { fanOut, never, Receivers, SECRET } from "~/testing/receivers";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

beforeEach(clean);

function setup() {
  const world = new World(registry);
  const receivers = new Receivers(world);
  return { world, receivers, api: clientOf(world) };
}
const hook = { name: "shop", url: "https://shop.example/hook?key=abc" };

describe("saving an endpoint", () => {
  test("shows its secret once; after that neither secret nor header values leave by any door", async () => {
    const { world, receivers, api } = setup();
    // Some tell what they were sent.
    receivers.answer = ({ headers }) => Response.json(Object.fromEntries(headers));
    const saved = await api.post("/endpoints", { ...hook, headers: { Authorization: "Bearer hidden-value" } });
    expect(saved).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
    const { id, secret } = saved.body;
    expect(saved.headers.get("location")).toBe(`/api/v1/endpoints/${id}`);
    const one = await api.get(`/endpoints/${id}`);
    expect(one.body).toMatchObject({
      id,
      type: "standard",
      target: "https://shop.example/hook?…",
      headers: ["Authorization"],
      signed: true,
      disabledAt: null,
      deliveries: [],
    });
    const job = await fanOut(world, [{ id }]);
    await world.drain();
    const shown = [one, await api.get("/endpoints"), await api.get(`/jobs/${job}`), await api.get(`/endpoints/${id}`)];
    const audit = await world.sql("SELECT * FROM audit");
    const attempts = await world.sql("SELECT * FROM attempts");
    const text = JSON.stringify([shown.map(({ body }) => body), audit, attempts, world.events]);
    for (const hidden of [secret, secret.slice(6), "hidden-value", "key=abc"])
      expect([hidden, text.includes(hidden)]).toEqual([hidden, false]);
    const after = JSON.stringify({ endpoint: id, name: "shop", type: "standard" });
    expect(audit).toMatchObject([{ actor: "ann", action: "endpoint.create", after }]);
  });

  test("is safe to repeat with an id and a secret of one's own: one endpoint, the same answer", async () => {
    const { api } = setup();
    const call = { ...hook, id: "019ac000-0000-7000-8000-000000000001", secret: SECRET };
    for (let sent = 0; sent < 2; sent++)
      expect(await api.post("/endpoints", call)).toMatchObject({ status: 201, body: { id: call.id, secret: SECRET } });
    // Another endpoint under that id is none, and does not get its secret shown.
    expect((await api.post("/endpoints", { ...call, name: "other" })).body.secret).toBeNull();
    expect((await api.get("/endpoints")).body.endpoints).toMatchObject([{ id: call.id, name: "shop" }]);
    expect((await api.post("/endpoints", { ...call, id: "x" })).status).toBe(400);
  });

  test("shows its path to whoever may save one, and to nobody else; what was sent shows it to nobody", async () => {
    const { world, api } = setup();
    const { id } = (await api.post("/endpoints", hook)).body;
    const job = await fanOut(world, [{ id }, { url: "https://hooks.zapier.example/catch/secret" }]);
    await world.drain();
    const operator = clientOf(world, { role: "operator", payloads: true });
    const targets = async (client: typeof api) => [
      (await client.get("/endpoints")).body.endpoints[0].target,
      (await client.get(`/endpoints/${id}`)).body.target,
    ];
    expect(await targets(api)).toEqual(Array(2).fill("https://shop.example/hook?…"));
    expect(await targets(operator)).toEqual(Array(2).fill("https://shop.example/…"));
    const sent = ["https://shop.example/…", "https://hooks.zapier.example/…"];
    const deliveries = async () =>
      (await api.get(`/jobs/${job}`)).body.fanout.deliveries.map((one: { target: string }) => one.target);
    expect(await deliveries()).toEqual(sent);
    await world.sql("UPDATE deliveries SET target = replace(target, '…', 'catch/secret')");
    expect(await deliveries()).toEqual(sent);
    expect(JSON.stringify((await operator.get(`/endpoints/${id}`)).body)).not.toContain("secret");
  });

  test("takes a secret that the receiver has already, and refuses one that is none", async () => {
    const { api } = setup();
    expect((await api.post("/endpoints", { ...hook, secret: SECRET })).body.secret).toBe(SECRET);
    expect(await api.post("/endpoints", { ...hook, secret: "whsec_c2hvcnQ=" })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "secret" }] },
    });
  });

  test("C069: an address that is not public is refused, and nothing is saved or sent", async () => {
    const { world, api, receivers } = setup();
    const refused = [
      "http://127.0.0.1/",
      "http://localhost:8787/",
      "http://10.0.0.1/",
      "http://172.16.0.1/",
      "http://192.168.1.1/",
      "http://169.254.169.254/latest",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://2130706433/",
      "http://0x7f.1/",
      "http://0177.0.0.1/",
      "http://127.1/",
      "http://0/",
      "ftp://example.com/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "http://user:pw@example.com/",
      "example.com",
      "",
    ];
    for (const url of refused) {
      const answer = await api.post("/endpoints", { name: "x", url });
      const errors = [{ path: "url", message: expect.stringContaining("public https address") }];
      expect([url, answer]).toMatchObject([url, { status: 400, body: { errors } }]);
    }
    expect(await world.sql("SELECT id FROM endpoints")).toEqual([]);
    expect(receivers.received).toEqual([]);
    for (const url of [
      "https://example.com/hook?x=1",
      "https://example.com:8443/h",
      "https://xn--bcher-kva.example/",
    ]) {
      expect([url, (await api.post("/endpoints", { name: "x", url })).status]).toEqual([url, 201]);
    }
  });

  test("C079: headers that would not arrive as written are refused by name; the same name twice too", async () => {
    const { world, api } = setup();
    const refused: [string, string][] = [
      ["X-Name", "café"],
      ["X-Name", "Marić"],
      ["X-Name", "日本"],
      ["X-Name", "😀"],
      ["X-Name", "a\r\nX-Evil: 1"],
      ["X-Name", ""],
      ["X-Name", "x".repeat(9_000)],
      ["X Bad", "1"],
      ["Host", "1"],
      ["Content-Length", "1"],
      ["Transfer-Encoding", "1"],
      ["webhook-signature", "1"],
      ["Webhook-Id", "1"],
      ["WEBHOOK-TIMESTAMP", "1"],
    ];
    for (const [name, value] of refused) {
      const answer = await api.post("/endpoints", { ...hook, headers: { [name]: value } });
      expect([name, answer]).toMatchObject([name, { status: 400, body: { errors: [{ path: `headers.${name}` }] } }]);
      expect(answer.body.detail).toContain(name);
    }
    const body = (headers: string) => `{"name": "x", "url": "https://a.example/", "headers": ${headers}}`;
    for (const twice of ['{"X-A": "1", "X-A": "2"}', '{"X-A": "1", "x-a": "2"}']) {
      expect((await api.postText("/endpoints", body(twice))).body).toMatchObject({
        errors: [{ message: "is given twice" }],
      });
    }
    expect(await world.sql("SELECT id FROM endpoints")).toEqual([]);
    expect((await api.postText("/endpoints", body('{"X-A": "1", "X-B": "2"}'))).status).toBe(201);
  });

  test("each type takes its own fields, and a service must be bound", async () => {
    const { world, api } = setup();
    const wrong: [object, string][] = [
      [{ name: "x" }, "url"],
      [{ url: hook.url }, "name"],
      [{ ...hook, type: "slack", secret: SECRET }, "secret"],
      [{ ...hook, type: "slack", headers: { "X-A": "1" } }, "headers"],
      [{ name: "x", type: "service" }, "service"],
      [{ name: "x", type: "service", service: "BILLING" }, "service"],
      [{ ...hook, service: "BILLING" }, "service"],
      [{ ...hook, type: "email" }, "type"],
      [{ ...hook, more: 1 }, "more"],
      [{ ...hook, headers: { "X-A": 1 } }, "headers.X-A"],
    ];
    for (const [body, path] of wrong) {
      const answer = await api.post("/endpoints", body);
      expect([body, answer.status, answer.body.errors.map((one: { path: string }) => one.path)]).toEqual([
        body,
        400,
        [path],
      ]);
    }
    expect(
      (await api.post("/endpoints", { name: "Ops", type: "slack", url: "https://hooks.slack.com/services/T/B/x" })).body
        .secret,
    ).toBeNull();
    const service = { fetch: never } as unknown as Fetcher;
    world.services = { ...world.services, service: (name) => (name === "BILLING" ? service : undefined) };
    expect((await api.post("/endpoints", { name: "x", type: "service", service: "BILLING", path: "/in" })).status).toBe(
      201,
    );
    expect((await api.get("/endpoints")).body.endpoints.map((one: { target: string }) => one.target)).toEqual([
      "BILLING /in",
      "https://hooks.slack.com/…",
    ]);
  });
});

describe("a saved endpoint", () => {
  test("is disabled, enabled, rotated and removed; each is in the audit, and doing it twice changes nothing more", async () => {
    const { world, api } = setup();
    const { id } = (await api.post("/endpoints", hook)).body;
    const does = async (verb: string, body?: object) => (await api.post(`/endpoints/${id}/${verb}`, body)).body;
    expect(await does("disable", { reason: "too loud" })).toEqual({ id, changed: true });
    expect(await does("disable")).toEqual({ id, changed: false });
    expect((await api.get(`/endpoints/${id}`)).body).toMatchObject({ disabledReason: "too loud" });
    expect(await does("enable")).toEqual({ id, changed: true });
    const rotated = await does("rotate");
    expect(rotated).toEqual({ id, secret: expect.stringMatching(/^whsec_/) });
    expect((await api.get(`/endpoints/${id}`)).body.rotatingUntil).toBe(new Date(world.now + 86_400_000).toISOString());
    expect(await does("delete")).toEqual({ id, changed: true });
    expect((await api.post(`/endpoints/${id}/delete`)).status).toBe(404);
    expect((await api.get(`/endpoints/${id}`)).status).toBe(404);
    expect(
      (await world.sql<{ action: string }>("SELECT action FROM audit ORDER BY id")).map(({ action }) => action),
    ).toEqual(["create", "disable", "enable", "rotate", "delete"].map((verb) => `endpoint.${verb}`));
    expect(JSON.stringify(await world.sql("SELECT * FROM audit"))).not.toContain(rotated.secret);
  });

  test("that is rotated again with the same secret changes nothing and answers the same: the one before still signs", async () => {
    const { world, api } = setup();
    const { id } = (await api.post("/endpoints", { ...hook, secret: SECRET })).body;
    const secret = `whsec_${btoa("n".repeat(32))}`;
    for (let call = 0; call < 2; call++) {
      expect(await api.post(`/endpoints/${id}/rotate`, { secret })).toMatchObject({ status: 200, body: { secret } });
    }
    let calls = 0;
    world.fault = () => (++calls === 1 ? "after" : null);
    const made = (await api.post(`/endpoints/${id}/rotate`)).body.secret;
    world.fault = () => null;
    expect(await world.sql("SELECT secret, previous_secret FROM endpoints")).toEqual([
      { secret: made, previous_secret: secret },
    ]);
    expect(await world.sql("SELECT count(*) AS n FROM audit WHERE action = 'endpoint.rotate'")).toEqual([{ n: 2 }]);
  });

  test("that is not signed has nothing to rotate, and what is not there cannot be changed", async () => {
    const { api } = setup();
    const { id } = (await api.post("/endpoints", { name: "Ops", type: "slack", url: "https://hooks.slack.com/x" }))
      .body;
    expect((await api.post(`/endpoints/${id}/rotate`)).status).toBe(409);
    for (const verb of ["disable", "enable", "rotate", "delete"]) {
      expect((await api.post(`/endpoints/nobody/${verb}`)).status).toBe(404);
      expect((await api.post(`/endpoints/${id}/${verb}`, { more: 1 })).status).toBe(400);
      expect((await api.get(`/endpoints/${id}/${verb}`)).status).toBe(405);
    }
  });

  test("costs one row where nothing has changed", async () => {
    const { api } = setup();
    const { id } = (await api.post("/endpoints", hook)).body;
    const first = await api.get(`/endpoints/${id}`);
    const again = await api.get(`/endpoints/${id}`, { "If-None-Match": first.headers.get("etag") as string });
    expect([again.status, again.used.rowsRead]).toEqual([304, 1]);
  });
});

describe("a delivery", () => {
  test("is shown with its job and its endpoint, and a person can send it again: once, by the same webhook-id", async () => {
    const { world, api, receivers } = setup();
    receivers.answer = ({ url }, nth) => new Response("no", { status: url.includes("shop") && nth === 1 ? 404 : 200 });
    const { id } = (await api.post("/endpoints", hook)).body;
    const job = await fanOut(world, [{ id }, { url: "https://other.example/" }]);
    await world.drain();
    const read = async () => (await api.get(`/jobs/${job}`)).body;
    expect(await read()).toMatchObject({
      state: "done",
      fanoutId: null,
      fanout: {
        overall: "partly failed",
        counts: { delivered: 1, failed: 1, retrying: 0, skipped: 0, waiting: 0 },
        deliveries: [
          { endpointId: id, status: "failed", httpStatus: 404, answer: "no", signed: true, attempts: 1 },
          { endpointId: null, status: "delivered", httpStatus: 200, signed: false },
        ],
      },
    });
    const { webhookId } = (await read()).fanout.deliveries[0];
    const resent = await api.post(`/deliveries/${webhookId}/resend`);
    expect(resent.status).toBe(202);
    expect((await api.post(`/deliveries/${webhookId}/resend`)).status).toBe(409);
    expect((await read()).fanout).toMatchObject({ overall: "delivering", counts: { retrying: 1 } });
    await world.drain();
    expect((await read()).fanout.deliveries[0]).toMatchObject({
      status: "delivered",
      attempts: 2,
      jobId: resent.body.jobId,
    });
    expect((await read()).fanout.overall).toBe("delivered");
    expect((await api.get(`/endpoints/${id}`)).body.deliveries).toMatchObject([
      { fanoutId: job, status: "delivered", event: "ping to 2 endpoints" },
    ]);
    expect((await api.get(`/jobs/${resent.body.jobId}`)).body).toMatchObject({ fanoutId: job, fanout: null });
    const ids = receivers.to("https://shop.example/hook?key=abc").map(({ headers }) => headers.get("webhook-id"));
    expect(ids).toEqual([webhookId, webhookId]);
    expect((await read()).audit).toMatchObject([{ actor: "ann", action: "resend" }]);
  });

  test("that two people resend at once is sent once", async () => {
    const { world, api, receivers } = setup();
    const job = await fanOut(world, [{ url: "https://other.example/" }]);
    await world.drain();
    const answers = await Promise.all([1, 2].map(() => api.post(`/deliveries/msg_${job}_0/resend`)));
    const jobs = answers.filter(({ status }) => status === 202).map(({ body }) => body.jobId);
    expect(new Set(jobs).size).toBe(1);
    await world.drain();
    expect(receivers.received).toHaveLength(2);
  });

  test("that is being retried is left alone; what is unknown is not found", async () => {
    const { world, api, receivers } = setup();
    receivers.answer = () => new Response(null, { status: 500 });
    const job = await fanOut(world, [{ url: "https://other.example/" }], {}, 2);
    await world.deliver("long");
    expect((await api.post(`/deliveries/msg_${job}_0/resend`)).status).toBe(409);
    for (const id of ["x", `msg_${job}_1`, `msg_${job}_`])
      expect((await api.post(`/deliveries/${id}/resend`)).status).toBe(404);
    await world.drain();
    expect((await api.post(`/deliveries/msg_${job}_0/resend`)).status).toBe(202);
  });

  test("whose job a person cancelled has failed, and so has one that no job comes to any more", async () => {
    const { world, api, receivers } = setup();
    receivers.answer = () => new Response(null, { status: 500 });
    const job = await fanOut(
      world,
      Array.from({ length: 60 }, (_, n) => ({ url: `https://other.example/${n}` })),
    );
    const counts = async () => (await api.get(`/jobs/${job}`)).body.fanout.counts;
    expect(await counts()).toMatchObject({ waiting: 60 });
    await world.deliver("long", 1);
    expect(await counts()).toMatchObject({ waiting: 10, retrying: 50 });
    const jobs = await world.sql<{ id: string }>("SELECT id FROM jobs WHERE state = 'pending'");
    for (const { id } of jobs) await api.post(`/jobs/${id}/cancel`);
    expect(await counts()).toMatchObject({ waiting: 0, retrying: 0, failed: 60 });
    expect((await api.get(`/jobs/${job}`)).body.fanout.overall).toBe("failed");
  });
});
