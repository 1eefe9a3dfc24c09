import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type JobList, jobsFeedAddress } from "~/domain/addresses";
import { causeOf } from "~/domain/cause";
import type { JobPage, JobRow } from "~/domain/feeds";
import { pollAddress } from "~/queries/jobs";
import { createProbeRows, probes } from "~/testing/probes";
import { World } from "~/testing/world";
import { jobDetail } from "./job_schemas";
import { jobPage, stats } from "./schemas";
import { clientOf } from "./testing";

let world: World;
let client: ReturnType<typeof clientOf>;
beforeAll(createProbeRows);
beforeEach(async () => {
  world = new World(probes);
  client = clientOf(world);
  for (const table of ["jobs", "attempts", "job_counts", "dead_counts", "sweeps"])
    await world.sql(`DELETE FROM ${table}`);
});

const submit = async (n: number, fields: object = {}): Promise<string[]> =>
  (
    await client.post(
      "/jobs",
      Array.from({ length: n }, () => ({ kind: "probe.ok", payload: {}, ...fields })),
    )
  ).body.ids;

const UNKNOWN = "019ad959-2a80-7000-8000-000000000001";

describe("lists", () => {
  test("C049: next and previous walk through all jobs, and a page has what the document says", async () => {
    const ids = (await submit(60)).reverse();
    const first = await client.get("/jobs");
    expect(first.body.jobs.map((job: { id: string }) => job.id)).toEqual(ids.slice(0, 25));
    expect(jobPage.parse(first.body)).toEqual(first.body);
    const second = await client.get(`/jobs?cursor=${first.body.next}`);
    const third = await client.get(`/jobs?cursor=${second.body.next}`);
    expect(third.body.jobs.map((job: { id: string }) => job.id)).toEqual(ids.slice(50));
    expect(third.body.next).toBeNull();
    expect((await client.get(`/jobs?cursor=${third.body.previous}`)).body.jobs).toEqual(second.body.jobs);
    expect((await client.get("/jobs?order=oldest&limit=1")).body.jobs).toMatchObject([{ id: ids[59] }]);
  });

  describe("asked again", () => {
    const poll = async (list: JobList, page: JobPage, fresh = 0) => {
      const address = pollAddress(list, page, fresh).replace("/api/v1", "");
      const { body } = await client.get(address);
      return { body: body as JobPage, ids: (body as JobPage).jobs.map(({ id }) => id) };
    };

    test("counts what came since, and shows what has become of the rows it is asked about", async () => {
      const known = (await submit(30)).reverse();
      const page = (await client.get("/jobs")).body;
      const came = (await submit(3)).reverse();
      await client.post(`/jobs/${known[4]}/cancel`);
      const { body, ids } = await poll({}, page, 3);
      expect([ids, body.fresh]).toEqual([known.slice(0, 25), 3]);
      expect(body.jobs[4]).toMatchObject({ state: "cancelled" });
      // Its cuts lead to what it leaves out.
      const before = (await client.get(`/jobs?cursor=${body.previous}`)).body.jobs;
      expect(before.map(({ id }: JobRow) => id)).toEqual(came);
      expect((await client.get(`/jobs?cursor=${body.next}`)).body.jobs).toHaveLength(5);
      // Nobody looked further than asked: at 25, of which 3 came since.
      expect((await poll({}, page)).ids).toEqual(known.slice(0, 22));
      // With nothing new it is the page itself.
      expect((await poll({}, (await client.get("/jobs")).body)).body).toMatchObject({ fresh: 0, previous: null });
    });

    test("oldest first, and by end", async () => {
      const known = await submit(3);
      const oldest = (await client.get("/jobs?order=oldest")).body;
      await submit(2);
      const { ids, body } = await poll({ order: "oldest" }, oldest);
      expect([ids, body.fresh]).toEqual([known, 2]);
      expect((await client.get(`/jobs?order=oldest&cursor=${body.next}`)).body.jobs).toHaveLength(2);
      await world.drain();
      const ended = (await client.get("/jobs?sort=finished")).body;
      world.now += 1_000;
      await submit(4);
      await world.drain();
      const again = await poll({ sort: "finished" }, ended, 4);
      expect([again.ids, again.body.fresh]).toEqual([ended.jobs.map(({ id }: JobRow) => id), 4]);
      expect((await poll({ q: "finished:1h" }, ended, 4)).body.fresh).toBe(4);
    });

    const TEXTS = {
      typical: ["order 48011, anna.schneider@example.com", "the receiver answered 503 Service Unavailable"],
      longest: ["Bestellung für Jürgen ".padEnd(200, "x"), "the receiver said ".padEnd(500, "no, ")],
    } as const;
    const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body)).length;

    test.each([
      ["dead", "typical"],
      ["dead", "longest"],
      ["pending", "typical"],
      ["pending", "longest"],
    ] as const)("weighs less than 20,000 bytes, however many came: %s, of %s texts", async (state, texts) => {
      const [label, error] = TEXTS[texts];
      const typical = () =>
        world.sql(
          `UPDATE jobs SET kind = 'http_request', label = '${label}', last_error = '${error}',
             cause = CASE state WHEN 'dead' THEN '${causeOf("http_request", error)}' END`,
        );
      const some = async (n: number) => {
        await submit(n, state === "dead" ? { kind: "probe.permanent" } : { delaySeconds: 600 });
        await world.drain();
        await typical();
      };
      const list: JobList = { ...(state === "dead" && { view: "dead" }) };
      await some(25);
      const page = (await client.get(jobsFeedAddress(list, { limit: 25 }).replace("/api/v1", ""))).body;
      await some(40);
      for (const fresh of [0, 40, 75]) {
        const { body } = await poll(list, page, fresh);
        expect(body.fresh).toBe(fresh === 0 ? 25 : 40);
        expect(bytesOf(body)).toBeLessThan(20_000);
      }
      // What it would be with all of them, and for a program that asks for whole rows.
      const whole = await client.get(jobsFeedAddress(list, { limit: 65 }).replace("/api/v1", ""));
      expect(bytesOf(whole.body)).toBeGreaterThan(25_000);
      const { body } = await client.get("/jobs?limit=1&sort=created");
      expect(body.jobs[0]).toMatchObject({ lastError: error.slice(0, 200), label });
      if (state === "dead") expect(body.jobs[0].cause).toBe(causeOf("http_request", error));
    });
  });

  test("filters by view, state, kind and cause", async () => {
    const [dead] = await submit(1, { kind: "probe.permanent" });
    await submit(2);
    await world.drain();
    const [late] = await submit(1, { delaySeconds: 600 });
    const idsOf = async (query: string) =>
      (await client.get(`/jobs?${query}`)).body.jobs.map((job: { id: string }) => job.id);
    expect(await idsOf("view=scheduled")).toEqual([late]);
    expect(await idsOf("state=pending&kind=probe.ok")).toEqual([late]);
    expect(await idsOf("state=done")).toHaveLength(2);
    expect(await idsOf("kind=probe.permanent")).toEqual([dead]);
    expect(await idsOf(`cause=${encodeURIComponent((await world.job(dead as string)).cause)}`)).toEqual([dead]);
    expect(await idsOf("kind=nobody")).toEqual([]);
  });

  test("takes what the filter box takes, and orders by end", async () => {
    const [dead] = await submit(1, { kind: "probe.permanent" });
    await submit(2);
    await world.drain();
    const [late] = await submit(1, { delaySeconds: 600, priority: "high", idempotencyKey: "a key" });
    const idsOf = async (q: string, more = "") =>
      (await client.get(`/jobs?q=${encodeURIComponent(q)}${more}`)).body.jobs.map((job: { id: string }) => job.id);
    expect(await idsOf("-kind:probe.ok")).toEqual([dead]);
    expect(await idsOf("state:dead,scheduled")).toEqual([late, dead]);
    expect(await idsOf("priority:high")).toEqual([late]);
    expect(await idsOf('key:"a key"')).toEqual([late]);
    expect(await idsOf("finished:1h -state:done")).toEqual([dead]);
    expect(await idsOf("no label holds this")).toEqual([]);
    const { body } = await client.get("/jobs?sort=finished&limit=1");
    expect(jobPage.parse(body)).toEqual(body);
    expect(await idsOf("", `&sort=finished&limit=5&cursor=${body.next}`)).toHaveLength(2);
    expect(await client.get(`/jobs?cursor=${body.next}`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: "cursor" }] },
    });
  });

  test.each([
    ["q=state%3Anonsense", "q"],
    ["q=created%3Anow", "q"],
    ["sort=kind", "sort"],
    ["page=2", "page"],
    ["view=running", "view"],
    ["state=retrying", "state"],
    ["limit=101", "limit"],
    ["limit=x", "limit"],
    ["limit=1&limit=2", "limit"],
    ["cursor=x", "cursor"],
    ["cursor=", "cursor"],
    ["view=retrying&state=dead", "view"],
    ["state=done&cause=x", "cause"],
  ])("?%s is 400 and names the parameter", async (query, path) => {
    const answer = await client.get(`/jobs?${query}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "invalid", errors: [{ path, message: expect.any(String) }] },
    });
    expect(answer.used.calls).toBe(0);
  });

  test("a wrong value is answered with the right ones", async () => {
    const { body } = await client.get("/jobs?view=running");
    for (const view of ["scheduled", "pending", "retrying", "processing", "done", "dead", "cancelled"])
      expect(body.detail).toContain(view);
  });
});

describe("one job", () => {
  test("has what the document says, with its attempts", async () => {
    const [id] = await submit(1, { kind: "probe.fail", payload: { times: 1 }, idempotencyKey: "k" });
    await world.drain();
    const { body } = await client.get(`/jobs/${id}`);
    expect(jobDetail.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      id,
      kind: "probe.fail",
      state: "done",
      attempt: 2,
      payload: { times: 1 },
      idempotencyKey: "k",
    });
    expect(body.attempts).toMatchObject([
      { number: 2, outcome: "done", trigger: "retry" },
      { number: 1, outcome: "failed", trigger: "first", error: expect.stringContaining("the probe failed") },
    ]);
  });

  test.each([UNKNOWN, "x", "1", "%00", "..%2Fstats", UNKNOWN.toUpperCase()])(
    "that nobody stored is 404: %s",
    async (id) => {
      expect(await client.get(`/jobs/${id}`)).toMatchObject({ status: 404, body: { code: "no-such-job" } });
    },
  );

  test("C088: every time is RFC 3339 UTC with milliseconds and Z, and they sort as instants", async () => {
    const offsets = [0, 1, 500, 999, 1000];
    const ids: string[] = [];
    for (const ms of offsets) {
      ids.push(...(await submit(1, { runAt: new Date(world.now + 60_000 + ms).toISOString() })));
    }
    const [dead] = await submit(1, { kind: "probe.permanent" });
    await world.drain();
    await client.post(`/jobs/${dead}/requeue`);
    const feeds = [...ids, dead].map((id) => `/jobs/${id}`).concat("/jobs", "/stats", "/health");
    let times = 0;
    for (const feed of feeds) {
      const { body } = await client.get(feed);
      JSON.stringify(body, (key, value) => {
        if (!/(At|^now|^lastHour|^at|Until)$/.test(key) || value === null) return value;
        expect(value, `${feed} ${key}`).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        times++;
        return value;
      });
    }
    expect(times).toBeGreaterThan(50);
    const due = await Promise.all(ids.map(async (id) => (await client.get(`/jobs/${id}`)).body.runAt));
    expect(due).toEqual(offsets.map((ms) => new Date(Date.parse(due[0]) + ms).toISOString()));
    expect([...due].sort()).toEqual(due);
  });
});

describe("numbers", () => {
  test("are exact, and have what the document says", async () => {
    await submit(2);
    await submit(1, { kind: "probe.permanent" });
    await world.drain();
    await world.sweep();
    await submit(3, { delaySeconds: 60 });
    const { body } = await client.get("/stats");
    expect(stats.parse(body)).toEqual(body);
    expect(body.counts).toEqual({
      scheduled: 3,
      pending: 0,
      retrying: 0,
      processing: 0,
      done: 2,
      dead: 1,
      cancelled: 0,
    });
    expect(body.causes).toEqual([
      { cause: "probe.permanent: no retry can help", n: 1, lastHour: "2026-12-01T10:00:00.000Z" },
    ]);
    expect(body.lastSweep).toMatchObject({ finishedAt: expect.any(String), error: null });
  });
});

describe("an unchanged feed", () => {
  test("is answered with 304 for one row read, and again in full after a write, a minute, a deploy", async () => {
    const [id] = await submit(1);
    for (const path of ["/jobs", "/jobs?kind=probe.ok", `/jobs/${id}`, "/stats"]) {
      const first = await client.get(path);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^W\/"test\.\d+\.\d+"$/);
      expect(first.headers.get("cache-control")).toBe("private, no-cache");
      const same = await client.get(path, { "If-None-Match": `"other", ${etag}` });
      expect(same).toMatchObject({ status: 304, body: null, used: { calls: 1, statements: 1, rowsRead: 1 } });
      expect(same.headers.get("etag")).toBe(etag);
      expect(same.headers.get("cache-control")).toBe("private, no-cache");
      await submit(1);
      const changed = await client.get(path, { "If-None-Match": etag });
      expect(changed.status).toBe(200);
      expect(changed.headers.get("etag")).not.toBe(etag);
      world.now += 60_000;
      expect((await client.get(path, { "If-None-Match": changed.headers.get("etag") ?? "" })).status).toBe(200);
    }
  });

  test("bad input is refused even so, and an unknown job has no tag", async () => {
    const etag = (await client.get("/jobs")).headers.get("etag") ?? "";
    expect((await client.get("/jobs?cursor=x", { "If-None-Match": etag })).status).toBe(400);
    expect((await client.get(`/jobs/${UNKNOWN}`)).headers.get("etag")).toBeNull();
  });
});

describe("methods and paths", () => {
  test("HEAD answers like GET, without a body", async () => {
    const [id] = await submit(1);
    for (const path of ["/jobs", `/jobs/${id}`, "/stats", "/health", "/openapi.json"]) {
      const get = await client.get(path);
      const head = await client.call("HEAD", path);
      expect(head).toMatchObject({ status: get.status, body: null });
      expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
    }
    expect((await client.call("HEAD", "/jobs?cursor=x")).status).toBe(400);
    expect((await client.call("HEAD", `/jobs/${UNKNOWN}`)).status).toBe(404);
  });

  test.each([
    ["/jobs", "POST, GET, HEAD", ["PUT", "PATCH", "DELETE", "OPTIONS"]],
    [`/jobs/${UNKNOWN}`, "GET, HEAD", ["POST", "PUT", "DELETE"]],
    [`/jobs/${UNKNOWN}/requeue`, "POST", ["GET", "HEAD", "PUT", "DELETE"]],
    [`/jobs/${UNKNOWN}/cancel`, "POST", ["GET", "HEAD", "DELETE"]],
    ["/stats", "GET, HEAD", ["POST", "DELETE"]],
    ["/health", "GET, HEAD", ["POST"]],
    ["/openapi.json", "GET, HEAD", ["POST"]],
  ])("%s: another method is 405 with Allow: %s", async (path, allow, methods) => {
    for (const method of methods) {
      const answer = await client.call(method, path);
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow")).toBe(allow);
      if (method !== "HEAD") expect(answer.body).toMatchObject({ status: 405, code: "method-not-allowed" });
    }
  });

  test.each(["", "/", "/jobs/", "/job", "/jobs/x/y", `/jobs/${UNKNOWN}/retry`, "/JOBS", "/stats/x"])(
    "%j is 404",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        expect(await client.call(method, path)).toMatchObject({ status: 404, body: { code: "no-such-path" } });
      }
    },
  );

  test("an unreachable database is 503 with Retry-After, and a parameter where none is taken is 400", async () => {
    world.fault = () => "before";
    for (const path of ["/jobs", `/jobs/${UNKNOWN}`, "/stats"]) {
      const answer = await client.get(path);
      expect(answer).toMatchObject({ status: 503, body: { code: "database-unreachable" } });
      expect(answer.headers.get("retry-after")).toBe("10");
    }
    for (const path of ["/stats?x=1", `/jobs/${UNKNOWN}?x=1`, "/health?x=1", "/openapi.json?x=1"]) {
      expect(await client.get(path)).toMatchObject({ status: 400, body: { errors: [{ path: "x" }] } });
    }
    expect(await client.post("/jobs?x=1", { kind: "probe.ok", payload: {} })).toMatchObject({ status: 400 });
  });
});
