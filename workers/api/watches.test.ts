import { beforeEach, describe, expect, test } from "vitest";
import { registry } from "~/kinds/registry";
import { html, PAGE, WatchWorld } from "~/testing/watches";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

beforeEach(clean);

const WATCH = {
  name: "Lamp",
  url: PAGE,
  selector: ".price",
  compare: "number",
  cron: "0 8 * * *",
  timeZone: "Europe/Berlin",
  channels: { slack: "https://hooks.slack.com/services/T/B/secret", email: "ana@example.com" },
};

async function created(rest: object = {}) {
  const world = new WatchWorld("2026-12-01T10:00:00Z");
  world.answer = ({ url }, nth) => (url === PAGE ? html(`<b class="price">${13 - nth} €</b>`) : new Response());
  const api = clientOf(world);
  const { status, body, headers } = await api.post("/watches", { ...WATCH, ...rest });
  expect([status, headers.get("Location")]).toEqual([201, `/api/v1/watches/${body.id}`]);
  const check = async () => {
    expect((await api.post(`/watches/${body.id}/check`)).status).toBe(202);
    await world.drain();
    world.now += 60_000;
  };
  return { world, api, id: body.id as string, check };
}

describe("a watch over HTTP", () => {
  test("is created, looked at, and shows what it saw, without the addresses that let others write", async () => {
    const { api, id, check } = await created();
    await check();
    await check();
    const list = await api.get("/watches");
    expect(list.body.watches).toMatchObject([
      { id, name: "Lamp", value: "11 €", number: 11, nextAt: "2026-12-02T07:00:00.000Z", text: "At 08:00 every day" },
    ]);
    const { body } = await api.get(`/watches/${id}`);
    expect(body).toMatchObject({
      ...{ selector: ".price", compare: "number", cron: "0 8 * * *", timeZone: "Europe/Berlin", version: 1 },
      tells: [
        { type: "slack", target: "https://hooks.slack.com/…" },
        { type: "email", target: "ana@example.com" },
      ],
      checking: null,
      checks: [
        {
          outcome: "changed",
          previous: "12 €",
          value: "11 €",
          number: 11,
          told: [expect.any(String), expect.any(String)],
        },
        { outcome: "first", value: "12 €", told: [] },
      ],
      next: null,
    });
    expect(JSON.stringify([list.body, body])).not.toContain("secret");
  });

  test("is one, where the call that made it is sent again with its id", async () => {
    const id = "019ac000-0000-7000-8000-000000000001";
    const { api } = await created({ id });
    expect(await api.post("/watches", { ...WATCH, id })).toMatchObject({ status: 201, body: { id, version: 1 } });
    expect((await api.get("/watches")).body.watches).toMatchObject([{ id }]);
    expect((await api.post("/watches", { ...WATCH, id: "x" })).status).toBe(400);
  });

  test("is polled for one row while nothing changes", async () => {
    const { api, id } = await created();
    for (const path of ["/watches", `/watches/${id}`]) {
      const first = await api.get(path);
      const again = await api.get(path, { "If-None-Match": first.headers.get("etag") as string });
      expect([again.status, again.used.rowsRead]).toEqual([304, 1]);
    }
  });

  test("shows the check that is under way, which is the only one", async () => {
    const { world, api, id } = await created();
    const asked = await api.post(`/watches/${id}/check`);
    expect((await api.get(`/watches/${id}`)).body.checking).toBe(asked.body.jobIds[0]);
    expect(await api.post(`/watches/${id}/check`)).toMatchObject({ status: 409, body: { code: "under-way" } });
    await world.drain();
    expect((await api.get(`/watches/${id}`)).body).toMatchObject({ checking: null, checks: [{}] });
  });

  test("has pages of checks, each shown once", async () => {
    const { api, id, check, world } = await created();
    for (let n = 0; n < 3; n++) await check();
    await world.sql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
       INSERT INTO watch_checks (watch_id, slot_at, job_id, at, outcome, missed) SELECT ?, i * 60000, 'j', i * 60000, 'unchanged', 0 FROM n`,
      id,
    );
    const first = (await api.get(`/watches/${id}`)).body;
    const second = (await api.get(`/watches/${id}?before=${first.next}`)).body;
    expect([first.checks.length, second.checks.length, second.next]).toEqual([25, 8, null]);
    const slots = [...first.checks, ...second.checks].map(({ slotAt }: { slotAt: string }) => slotAt);
    expect(slots).toEqual([...new Set(slots)].sort().reverse());
    expect((await api.get(`/watches/${id}?before=yesterday`)).status).toBe(400);
  });

  test("is changed as a whole by whoever looked at its newest version", async () => {
    const { api, id } = await created();
    expect(await api.put(`/watches/${id}`, { ...WATCH, name: "x", version: 1 })).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    expect(await api.put(`/watches/${id}`, { ...WATCH, name: "y", version: 1 })).toMatchObject({
      status: 409,
      body: { code: "changed-meanwhile", version: 2 },
    });
    expect(await api.put(`/watches/${id}`, { ...WATCH, url: "http://10.0.0.1/" })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "url" }] },
    });
  });

  test("is paused, resumed and deleted", async () => {
    const { api, id } = await created();
    expect((await api.post(`/watches/${id}/pause`)).body).toEqual({ id, changed: true });
    expect((await api.post(`/watches/${id}/pause`)).body).toEqual({ id, changed: false });
    expect((await api.get(`/watches/${id}`)).body).toMatchObject({ paused: { by: "ann" }, nextAt: null });
    expect((await api.post(`/watches/${id}/resume`)).body).toEqual({ id, changed: true });
    expect((await api.post(`/watches/${id}/delete`)).body).toEqual({ id, changed: true });
    for (const path of ["pause", "resume", "check", "delete"]) {
      expect(await api.post(`/watches/${id}/${path}`)).toMatchObject({ status: 404, body: { code: "no-such-watch" } });
    }
    expect((await api.get(`/watches/${id}`)).status).toBe(404);
    expect((await api.put(`/watches/${id}`, WATCH)).status).toBe(404);
  });

  test.each([
    [{ ...WATCH, selector: "p >" }, "selector"],
    [{ ...WATCH, cron: "nonsense" }, "cron"],
    [{ ...WATCH, color: "red" }, "color"],
    [{ ...WATCH, url: undefined }, "url"],
    [{ ...WATCH, everyMinutes: 0, cron: undefined }, "everyMinutes"],
    [{ ...WATCH, channels: { pager: "x" } }, "channels.pager"],
  ])("C041: %j is refused, naming %s, and nothing is stored", async (input, path) => {
    const world = new WatchWorld("2026-12-01T10:00:00Z");
    const api = clientOf(world);
    const answer = await api.post("/watches", input);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, path]);
    expect(await world.sql("SELECT id FROM watches")).toEqual([]);
  });
});

test("checks and alerts are submitted by this deployment itself only", async () => {
  const api = clientOf(new World(registry));
  for (const kind of ["watch_page", "watch_telling", "alert"]) {
    const answer = await api.post("/jobs", { kind, payload: {} });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "kind" }] } });
  }
});
