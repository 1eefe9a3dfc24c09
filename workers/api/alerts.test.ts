import { beforeEach, describe, expect, test } from "vitest";
import { AlertWorld, HOOK } from "~/testing/alerts";
import { clean } from "~/testing/world";
import { clientOf } from "./testing";

beforeEach(clean);

const SHOWN = `${new URL(HOOK).origin}/…`;
const RULE = { name: "many", condition: "dead", moreThan: 10, channels: { webhook: HOOK } };

async function created(rest: object = {}) {
  const world = new AlertWorld();
  const api = clientOf(world);
  const { status, body } = await api.post("/alert-rules", { ...RULE, ...rest });
  expect([status, body.version]).toEqual([201, 1]);
  return { world, api, id: body.id as string };
}

describe("alerts over HTTP", () => {
  test("rules show what is true of them, alerts what was told and how its job stands", async () => {
    const { world, api, id } = await created();
    world.answer = () => new Response("", { status: 503 });
    const jobs = await world.die(11);
    await world.minute();
    const { body } = await api.get("/alerts");
    expect(body.rules).toEqual([
      {
        ...{ id, name: "many", condition: "dead", kind: null, moreThan: 10, windowMinutes: 15, remindMinutes: 240 },
        ...{ tells: [{ type: "webhook", target: SHOWN }], version: 1, disabledAt: null, open: 1 },
      },
    ]);
    expect(body.alerts).toMatchObject([
      {
        ...{ ruleId: id, ruleName: "many", condition: "dead", subject: null, n: 11, clearedAt: null },
        example: jobs.at(-1),
        notices: [
          {
            type: "alert",
            n: 11,
            channel: "webhook",
            target: SHOWN,
            view: "retrying",
            tries: 1,
            error: "answered 503",
          },
        ],
      },
    ]);
    world.answer = () => new Response();
    for (let n = 0; n < 20; n++) await world.minute();
    const later = (await api.get("/alerts")).body;
    expect(later.rules[0].open).toBe(0);
    expect(later.alerts[0]).toMatchObject({
      clearedAt: expect.any(String),
      notices: [
        { type: "clear", number: 2, view: "done" },
        { type: "alert", number: 1, view: "done" },
      ],
    });
  });

  test("nothing tells the path of a webhook, nor does what an earlier release wrote", async () => {
    const { world, api, id } = await created();
    await world.die(11);
    await world.minute();
    await api.put(`/alert-rules/${id}`, { ...RULE, name: "more", version: 1 });
    const told = async () => JSON.stringify([(await api.get("/alerts")).body, (await api.get("/audit")).body]);
    const path = new URL(HOOK).pathname;
    const written = async () =>
      JSON.stringify(await world.sql("SELECT target FROM alert_notices UNION ALL SELECT after FROM audit"));
    expect([(await told()).includes(SHOWN), (await told()).includes(path)]).toEqual([true, false]);
    expect((await written()).includes(path)).toBe(false);
    await world.sql("UPDATE alert_notices SET target = ?", HOOK);
    await world.sql("UPDATE audit SET before = replace(before, ?1, ?2), after = replace(after, ?1, ?2)", SHOWN, HOOK);
    expect((await written()).includes(path)).toBe(true);
    expect([(await told()).includes(SHOWN), (await told()).includes(path)]).toEqual([true, false]);
  });

  test("a rule is one, where the call that made it is sent again with its id", async () => {
    const id = "019ac000-0000-7000-8000-000000000001";
    const { api } = await created({ id });
    expect(await api.post("/alert-rules", { ...RULE, id })).toMatchObject({ status: 201, body: { id, version: 1 } });
    expect((await api.get("/alerts")).body.rules).toMatchObject([{ id }]);
  });

  test("the history has pages, each alert shown once, with what there was before", async () => {
    const { world, api, id } = await created();
    await world.sql(
      `WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 39)
       INSERT INTO alerts (id, rule_id, rule_name, subject, opened_at, told_at, notices, n, cleared_at, token)
       SELECT '00000000-0000-7000-8000-0000000000' || i, ?, 'many', '', i, i, 1, 1, i, 't' FROM n`,
      id,
    );
    const first = (await api.get("/alerts")).body;
    const second = (await api.get(`/alerts?before=${first.next}`)).body;
    expect([first.alerts.length, second.alerts.length, second.next]).toEqual([25, 5, null]);
    const ids = [...first.alerts, ...second.alerts].map((alert: { id: string }) => alert.id);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect((await api.get("/alerts?before=x")).status).toBe(400);
  });

  test("an unchanged poll costs one row", async () => {
    const { api } = await created();
    const first = await api.get("/alerts");
    const again = await api.get("/alerts", { "If-None-Match": first.headers.get("etag") as string });
    expect([again.status, again.used.rowsRead]).toEqual([304, 1]);
  });

  test("a rule is changed, disabled, enabled, tested and deleted", async () => {
    const { world, api, id } = await created();
    expect(await api.put(`/alert-rules/${id}`, { ...RULE, name: "more", version: 1 })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await api.put(`/alert-rules/${id}`, { ...RULE, version: 1 })).toMatchObject({
      status: 409,
      body: { version: 2 },
    });
    expect((await api.post(`/alert-rules/${id}/disable`)).body).toEqual({ id, changed: true });
    expect((await api.post(`/alert-rules/${id}/enable`)).body).toEqual({ id, changed: true });
    expect((await api.post(`/alert-rules/${id}/enable`)).body).toEqual({ id, changed: false });
    expect(await api.post(`/alert-rules/${id}/test`)).toMatchObject({
      status: 202,
      body: { jobIds: [expect.any(String)] },
    });
    await world.deliver();
    expect(world.types()).toEqual(["test"]);
    await api.put(`/alert-rules/${id}`, { ...RULE, channels: {} });
    expect(await api.post(`/alert-rules/${id}/test`)).toMatchObject({ status: 409, body: { code: "no-channel" } });
    expect((await api.post(`/alert-rules/${id}/delete`)).body).toEqual({ id, changed: true });
    for (const verb of ["enable", "disable", "test", "delete"]) {
      expect(await api.post(`/alert-rules/${id}/${verb}`)).toMatchObject({
        status: 404,
        body: { code: "no-such-rule" },
      });
    }
    expect((await api.put(`/alert-rules/${id}`, RULE)).status).toBe(404);
    expect((await api.get("/alerts")).body).toMatchObject({
      rules: [],
      alerts: [{ condition: null, ruleName: "more" }],
    });
  });

  test.each([
    [{ ...RULE, condition: "weather" }, "condition"],
    [{ ...RULE, moreThan: -1 }, "moreThan"],
    [{ ...RULE, windowMinutes: 0 }, "windowMinutes"],
    [{ ...RULE, channels: { webhook: "http://127.0.0.1/" } }, "channels.webhook"],
    [{ ...RULE, every: 5 }, "every"],
  ])("C041: %j is refused, naming %s, and nothing is stored", async (input, path) => {
    const world = new AlertWorld();
    const answer = await clientOf(world).post("/alert-rules", input);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, path]);
    expect(await world.sql("SELECT id FROM alert_rules")).toEqual([]);
  });
});
