import { RouterContextProvider } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import { type App, appContext } from "~/cloudflare";
import { ACTION_NAMES } from "~/domain/audit/actions";
import { ALL_RIGHTS } from "~/domain/people/roles";
import { registry } from "~/kinds/registry";
import { servicesOf } from "~/kinds/services";
import { action as endpointTest } from "~/routes/endpoint_test";
import { action as fileProcess } from "~/routes/file_process";
import { submitForm } from "~/routes/support/form_state.server";
import { Bucket, emptyBucket } from "~/testing/bucket";
import { probes } from "~/testing/probes";
import { fanOut, Receivers } from "~/testing/receivers";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

let world: World;
let api: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  await emptyBucket();
  world = new World(new Map([...registry, ...probes]));
  world.services = servicesOf({ FILES: new Bucket(world).files });
  new Receivers(world).answer = () => new Response("gone", { status: 404 });
  api = clientOf(world);
});

const REASON = { reason: "as agreed" };
const later = async () => (await world.submit({ kind: "probe.ok", delaySeconds: 60 }))[0] as string;
const cancelled = async () => {
  const id = await later();
  await api.post(`/jobs/${id}/cancel`);
  return id;
};
const made = async (path: string, body: object) => (await api.post(path, body)).body.id as string;
const SCHEDULE = { name: "nightly", cron: "0 3 * * *", kind: "probe.ok", payload: {} };
const WATCH = { name: "Lamp", url: "https://shop.example/lamp", cron: "0 8 * * *" };
const RULE = { name: "many", condition: "dead", moreThan: 10, channels: { webhook: "https://hooks.example/a" } };
const HOOK = { name: "shop", url: "https://shop.example/hook" };
const schedule = () => made("/schedules", SCHEDULE);
const watch = () => made("/watches", WATCH);
const rule = () => made("/alert-rules", RULE);
const endpoint = () => made("/endpoints", HOOK);
const file = () => made("/files", { name: "rows.csv", size: 0 });
const operation = async () => {
  await cancelled();
  const asked = { action: "requeue", filter: { view: "cancelled" }, pace: 1 };
  return (await api.post("/bulk", asked)).body.operation.id as string;
};

/**
 * What the audit says of each call that changes something. `ask` brings about what it needs, and answers the path below
 * /api/v1 and the body. `before`, `after`: what is told at least; absent where there is nothing to tell.
 */
type Case = { deed: string; before?: object; after?: object; ask: () => Promise<[path: string, body?: unknown]> };
const CALLS: Record<string, Case> = {
  "POST /jobs/{id}/requeue": {
    deed: "requeue",
    before: { state: "cancelled" },
    after: { state: "pending" },
    ask: async () => [`/jobs/${await cancelled()}/requeue`, REASON],
  },
  "POST /jobs/{id}/cancel": {
    deed: "cancel",
    before: { state: "pending" },
    after: { state: "cancelled" },
    ask: async () => [`/jobs/${await later()}/cancel`, REASON],
  },
  "POST /bulk": {
    deed: "bulk cancel",
    after: {},
    ask: async () => ["/bulk", { action: "cancel", ids: [await later()] }],
  },
  "POST /operations/{id}/abort": {
    deed: "abort bulk",
    before: { changed: 0 },
    after: { state: "aborted" },
    ask: async () => [`/operations/${await operation()}/abort`, REASON],
  },
  "POST /operations/{id}/again": {
    deed: "bulk requeue",
    after: { view: "cancelled", jobs: 1 },
    async ask() {
      const id = await operation();
      await api.post(`/operations/${id}/abort`);
      return [`/operations/${id}/again`];
    },
  },
  "POST /kinds/{id}/pause": { deed: "pause kind", after: {}, ask: async () => ["/kinds/probe.ok/pause", REASON] },
  "POST /kinds/{id}/resume": {
    deed: "resume kind",
    after: {},
    async ask() {
      await api.post("/kinds/probe.ok/pause");
      return ["/kinds/probe.ok/resume", REASON];
    },
  },
  "POST /kinds/{id}/limits": {
    deed: "limit kind",
    before: { limits: null },
    after: { limits: { running: 2 } },
    ask: async () => ["/kinds/probe.ok/limits", { limits: { running: 2 } }],
  },
  "POST /dead-letters/replay": {
    deed: "replay",
    after: {},
    async ask() {
      await world.submit({ kind: "probe.ok" });
      world.dead.messages = world.queues.normal.messages.splice(0);
      await world.deliverDead();
      const [{ messageId, queue }] = (await api.get("/dead-letters")).body.letters;
      return ["/dead-letters/replay", { messageId, queue }];
    },
  },
  "POST /dead-letters/replaying": {
    deed: "replay dead letters",
    before: {},
    after: {},
    ask: async () => ["/dead-letters/replaying", { minutes: 5 }],
  },
  "PUT /retention": {
    deed: "retention",
    before: { finishedDays: 30 },
    after: { finishedDays: 7 },
    ask: async () => ["/retention", { finishedDays: 7, deadDays: 90 }],
  },
  "POST /submitters/{id}": {
    deed: "daily limit",
    before: {},
    after: { dailyLimit: 2 },
    ask: async () => ["/submitters/ben", { dailyLimit: 2 }],
  },
  "POST /endpoints": { deed: "endpoint.create", after: { name: "shop" }, ask: async () => ["/endpoints", HOOK] },
  "POST /endpoints/{id}/disable": {
    deed: "endpoint.disable",
    before: { name: "shop", disabled: null },
    after: { disabled: "as agreed" },
    ask: async () => [`/endpoints/${await endpoint()}/disable`, REASON],
  },
  "POST /endpoints/{id}/enable": {
    deed: "endpoint.enable",
    before: { disabled: "as agreed" },
    after: { disabled: null },
    async ask() {
      const id = await endpoint();
      await api.post(`/endpoints/${id}/disable`, REASON);
      return [`/endpoints/${id}/enable`];
    },
  },
  "POST /endpoints/{id}/rotate": {
    deed: "endpoint.rotate",
    before: { name: "shop" },
    after: { secret: "another" },
    ask: async () => [`/endpoints/${await endpoint()}/rotate`],
  },
  "POST /endpoints/{id}/delete": {
    deed: "endpoint.delete",
    before: { name: "shop", type: "standard" },
    ask: async () => [`/endpoints/${await endpoint()}/delete`],
  },
  "POST /deliveries/{id}/resend": {
    deed: "resend",
    before: { n: 0, status: "failed" },
    after: { n: 0, status: "retrying" },
    async ask() {
      const job = await fanOut(world, [{ url: "https://other.example/" }]);
      await world.drain();
      return [`/deliveries/msg_${job}_0/resend`];
    },
  },
  "POST /files": {
    deed: "upload-file",
    after: { name: "a.csv", size: 3 },
    ask: async () => ["/files", { name: "a.csv", size: 3 }],
  },
  "POST /files/{id}/complete": {
    deed: "process-file",
    after: { name: "rows.csv" },
    ask: async () => [`/files/${await file()}/complete`],
  },
  "POST /files/{id}/delete": {
    deed: "remove-file",
    before: { name: "rows.csv" },
    ask: async () => [`/files/${await file()}/delete`],
  },
  "POST /schedules": { deed: "schedule.create", after: { name: "nightly" }, ask: async () => ["/schedules", SCHEDULE] },
  "PUT /schedules/{id}": {
    deed: "schedule.update",
    before: { cron: "0 3 * * *" },
    after: { cron: "0 4 * * *" },
    ask: async () => [`/schedules/${await schedule()}`, { ...SCHEDULE, cron: "0 4 * * *", version: 1 }],
  },
  "POST /schedules/{id}/pause": { deed: "schedule.pause", ask: async () => [`/schedules/${await schedule()}/pause`] },
  "POST /schedules/{id}/resume": {
    deed: "schedule.resume",
    async ask() {
      const id = await schedule();
      await api.post(`/schedules/${id}/pause`);
      return [`/schedules/${id}/resume`];
    },
  },
  "POST /schedules/{id}/run": { deed: "schedule.run", ask: async () => [`/schedules/${await schedule()}/run`] },
  "POST /schedules/{id}/delete": {
    deed: "schedule.delete",
    before: { name: "nightly" },
    ask: async () => [`/schedules/${await schedule()}/delete`],
  },
  "POST /watches": { deed: "watch.create", after: { name: "Lamp" }, ask: async () => ["/watches", WATCH] },
  "PUT /watches/{id}": {
    deed: "watch.update",
    before: { name: "Lamp" },
    after: { name: "Chair" },
    ask: async () => [`/watches/${await watch()}`, { ...WATCH, name: "Chair", version: 1 }],
  },
  "POST /watches/{id}/pause": { deed: "watch.pause", after: {}, ask: async () => [`/watches/${await watch()}/pause`] },
  "POST /watches/{id}/resume": {
    deed: "watch.resume",
    after: {},
    async ask() {
      const id = await watch();
      await api.post(`/watches/${id}/pause`);
      return [`/watches/${id}/resume`];
    },
  },
  "POST /watches/{id}/check": { deed: "watch.check", after: {}, ask: async () => [`/watches/${await watch()}/check`] },
  "POST /watches/{id}/delete": {
    deed: "watch.delete",
    before: { name: "Lamp" },
    ask: async () => [`/watches/${await watch()}/delete`],
  },
  "POST /alert-rules": { deed: "alert-rule.create", after: { name: "many" }, ask: async () => ["/alert-rules", RULE] },
  "PUT /alert-rules/{id}": {
    deed: "alert-rule.update",
    before: { moreThan: 10 },
    after: { moreThan: 11 },
    ask: async () => [`/alert-rules/${await rule()}`, { ...RULE, moreThan: 11, version: 1 }],
  },
  "POST /alert-rules/{id}/disable": {
    deed: "alert-rule.disable",
    after: {},
    ask: async () => [`/alert-rules/${await rule()}/disable`],
  },
  "POST /alert-rules/{id}/enable": {
    deed: "alert-rule.enable",
    after: {},
    async ask() {
      const id = await rule();
      await api.post(`/alert-rules/${id}/disable`);
      return [`/alert-rules/${id}/enable`];
    },
  },
  "POST /alert-rules/{id}/test": {
    deed: "alert-rule.test",
    after: {},
    ask: async () => [`/alert-rules/${await rule()}/test`, REASON],
  },
  "POST /alert-rules/{id}/delete": {
    deed: "alert-rule.delete",
    before: { name: "many" },
    ask: async () => [`/alert-rules/${await rule()}/delete`],
  },
  "POST /tokens": {
    deed: "token.create",
    after: { name: "deploys", role: "operator", payloads: false, days: 7 },
    ask: async () => ["/tokens", { name: "deploys", role: "operator", days: 7 }],
  },
  "POST /tokens/{id}/revoke": {
    deed: "token.revoke",
    before: { name: "deploys", role: "operator", payloads: false },
    ask: async () => [`/tokens/${await made("/tokens", { name: "deploys", role: "operator" })}/revoke`, REASON],
  },
  "PUT /people/{id}": {
    deed: "person.set",
    after: { person: "ann@example.com", role: "admin", payloads: true },
    ask: async () => ["/people/Ann@example.com", { role: "admin", payloads: true }],
  },
  "PUT /default-role": {
    deed: "person.set",
    before: { person: "", role: "viewer", payloads: false },
    after: { person: "", role: "operator", payloads: false },
    async ask() {
      await api.put("/people/ann@example.com", { role: "admin" });
      return ["/default-role", { role: "operator" }];
    },
  },
  "POST /people/{id}/remove": {
    deed: "person.remove",
    before: { person: "ann@example.com", role: "admin", payloads: false },
    async ask() {
      await api.put("/people/ann@example.com", { role: "admin" });
      return ["/people/ann@example.com/remove", REASON];
    },
  },
};
const NOT_KEPT: Record<string, string> = {
  "POST /jobs": "each job says itself who submitted it",
  "PUT /files/{id}/parts/{number}": "bytes of an upload that was kept when it began",
  "POST /examples/signup": "a visitor's, not an operator's",
};

/** Each form, and the call that does the same by the same function; or how it is kept, or why not. */
const FORMS: Record<string, string> = {
  alert_delete: "POST /alert-rules/{id}/delete",
  alert_disable: "POST /alert-rules/{id}/disable",
  alert_enable: "POST /alert-rules/{id}/enable",
  alert_new: "POST /alert-rules",
  alert_rule: "PUT /alert-rules/{id}",
  alert_test: "POST /alert-rules/{id}/test",
  bulk: "POST /bulk",
  bulk_send: "POST /bulk",
  cancel: "POST /jobs/{id}/cancel",
  dead_letter_replay: "POST /dead-letters/replay",
  dead_letter_replaying: "POST /dead-letters/replaying",
  delivery_resend: "POST /deliveries/{id}/resend",
  endpoint_delete: "POST /endpoints/{id}/delete",
  endpoint_disable: "POST /endpoints/{id}/disable",
  endpoint_enable: "POST /endpoints/{id}/enable",
  endpoint_new: "POST /endpoints",
  endpoint_rotate: "POST /endpoints/{id}/rotate",
  endpoint_test: "below",
  file_delete: "POST /files/{id}/delete",
  file_process: "below",
  files: "POST /files",
  kind_limits: "POST /kinds/{id}/limits",
  kind_pause: "POST /kinds/{id}/pause",
  kind_resume: "POST /kinds/{id}/resume",
  operation_abort: "POST /operations/{id}/abort",
  people: "PUT /people/{id}",
  person_remove: "POST /people/{id}/remove",
  preferences: "how one browser shows pages",
  requeue: "POST /jobs/{id}/requeue",
  schedule_delete: "POST /schedules/{id}/delete",
  schedule_edit: "PUT /schedules/{id}",
  schedule_new: "POST /schedules",
  schedule_pause: "POST /schedules/{id}/pause",
  schedule_resume: "POST /schedules/{id}/resume",
  schedule_run: "POST /schedules/{id}/run",
  settings: "PUT /retention",
  settings_limit: "POST /submitters/{id}",
  signup: "POST /examples/signup",
  submit: "below",
  token_revoke: "POST /tokens/{id}/revoke",
  tokens: "POST /tokens",
  watch_check: "POST /watches/{id}/check",
  watch_delete: "POST /watches/{id}/delete",
  watch_edit: "PUT /watches/{id}",
  watch_new: "POST /watches",
  watch_pause: "POST /watches/{id}/pause",
  watch_resume: "POST /watches/{id}/resume",
};

type Row = {
  id: string;
  actor: string;
  action: string;
  before: string | null;
  after: string | null;
  reason: string | null;
};
const rows = () => world.sql<Row>("SELECT * FROM audit ORDER BY id");
async function kept(deed: string, act: () => Promise<unknown>) {
  const before = new Set((await rows()).map(({ id }) => id));
  await act();
  const fresh = (await rows()).filter(({ id, action }) => !before.has(id) && action === deed);
  expect(fresh.map(({ actor }) => actor)).toEqual(["ann"]);
  expect(ACTION_NAMES).toContain(deed);
  const [row] = fresh as [Row];
  const read = (text: string | null) => (text === null ? undefined : JSON.parse(text));
  return { reason: row.reason, before: read(row.before), after: read(row.after) };
}

describe("the audit", () => {
  test("knows of every call and every form that changes something, or says why it need not", async () => {
    const { paths } = (await api.get("/openapi.json")).body as { paths: Record<string, object> };
    const changing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== "get")
        .map((method) => `${method.toUpperCase()} ${path.replace("/api/v1", "")}`),
    );
    expect(changing.sort()).toEqual([...Object.keys(CALLS), ...Object.keys(NOT_KEPT)].sort());

    const routes = import.meta.glob<string>("../../app/routes/*.{ts,tsx}", {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const forms = Object.entries(routes).filter(([, text]) =>
      /export (async function|function|const) action\b/.test(text),
    );
    expect(forms.map(([path]) => /(\w+)\.tsx?$/.exec(path)?.[1]).sort()).toEqual(Object.keys(FORMS).sort());
    const named = Object.values(FORMS).filter((way) => /^(POST|PUT) /.test(way));
    expect(named.filter((way) => !(way in CALLS) && !(way in NOT_KEPT))).toEqual([]);
  });

  for (const [route, { deed, before, after, ask }] of Object.entries(CALLS)) {
    test(`${route} is kept as ${deed}, with who, what was and what is`, async () => {
      const [path, body] = await ask();
      const row = await kept(deed, async () => {
        const method = route.startsWith("PUT") ? api.put : api.post;
        const answer = await method(path, body);
        expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status: number) => status < 300), answer.body]);
      });
      if (before) expect(row.before).toMatchObject(before);
      else expect(row.before).toBeUndefined();
      if (after) expect(row.after).toMatchObject(after);
      if (body === REASON) expect(row.reason).toBe("as agreed");
    });
  }

  test("every action of the table is one that is written somewhere", () => {
    const elsewhere = ["endpoint.test", "edit and run", "bulk delete", "refused"];
    const written = [...Object.values(CALLS).map(({ deed }) => deed), ...elsewhere];
    expect(ACTION_NAMES.filter((name) => !written.includes(name))).toEqual([]);
  });

  test("no deed tells a secret: of an endpoint, a channel, or a payload", async () => {
    const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    const payload = { url: "https://shop.example/x", headers: { authorization: "Bearer hush-1" } };
    const slack = { slack: "https://hooks.slack.com/services/T0/B0/hush-2" };
    const id = await made("/schedules", { ...SCHEDULE, kind: "http_request", payload });
    const changed = { ...SCHEDULE, kind: "http_request", payload: { ...payload, method: "GET" }, version: 1 };
    expect((await api.put(`/schedules/${id}`, changed)).status).toBe(200);
    await api.post(`/schedules/${id}/run`);
    await api.post(`/schedules/${id}/delete`);
    await made("/watches", { ...WATCH, channels: slack });
    await api.post(`/alert-rules/${await made("/alert-rules", { ...RULE, channels: slack })}/delete`);
    const hook = await made("/endpoints", { ...HOOK, secret: SECRET, headers: { "x-key": "hush-3" } });
    await api.post(`/endpoints/${hook}/rotate`, { secret: SECRET.replace("MDEy", "NDUy") });
    await api.post(`/endpoints/${hook}/delete`);
    const told = JSON.stringify(await rows());
    expect(new Set((await rows()).map(({ action }) => action)).size).toBe(10);
    expect(told).not.toMatch(/hush|whsec/);
    expect(told).toContain("hooks.slack.com");
  });

  /** What only a form does. */
  const app = (): App => ({
    engine: world.invocation().engine,
    identity: { name: "ann", how: "session", ...ALL_RIGHTS },
    local: false,
    adminToken: true,
    nonce: "n",
  });
  const posted = (fields: Record<string, string>) =>
    new Request("https://jobs.example/x", { method: "POST", body: new URLSearchParams(fields) });
  function press(action: (args: never) => unknown, id: string, fields: Record<string, string>) {
    const context = new RouterContextProvider();
    context.set(appContext, app());
    return world.until(Promise.resolve(action({ request: posted(fields), params: { id }, context } as never)));
  }

  test("a test event for an endpoint is kept", async () => {
    const id = await endpoint();
    const { after } = await kept("endpoint.test", () => press(endpointTest, id, { form: world.newId() }));
    const [job] = await world.sql("SELECT id FROM jobs WHERE kind = 'webhook_fanout'");
    expect(after).toEqual({ endpoint: id, jobs: [job?.id] });
  });

  test("a file that is read once more is kept", async () => {
    const id = await file();
    await api.post(`/files/${id}/complete`);
    const again = "019ac000-0000-7000-8000-000000000001";
    const { after } = await kept("process-file", () =>
      press(fileProcess, id, { again, format: "csv", delimiter: "," }),
    );
    expect(after).toMatchObject({ file: id, jobs: [expect.any(String)] });
  });

  test("a job that is made of another is kept on that one's page, once; one that is not is told by itself", async () => {
    const from = await later();
    const form = "019ac000-0000-7000-8000-000000000002";
    const fields = { kind: "probe.ok", form, as: "json", payload: '{"n":2}', priority: "normal" };
    const send = (more: object) => world.until(submitForm(posted({ ...fields, ...more }), app()));
    const { before, after } = await kept("edit and run", () => send({ from }));
    const [job] = await world.sql("SELECT id, submitter FROM jobs WHERE edited_from = ?", from);
    expect([before, after]).toEqual([
      { job: from, kind: "probe.ok" },
      { kind: "probe.ok", payload: "changed", jobs: [job?.id] },
    ]);
    const all = await rows();
    await send({ from });
    await send({ form: "019ac000-0000-7000-8000-000000000003" });
    expect(await rows()).toEqual(all);
    expect(await world.sql("SELECT count(*) AS n FROM jobs WHERE submitter = 'ann'")).toEqual([{ n: 2 }]);
  });
});
