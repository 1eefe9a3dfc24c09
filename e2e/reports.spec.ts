import { Api } from "./api.ts";
import { expect, test } from "./fixtures.ts";
import { raw } from "./raw.ts";
import { Server } from "./server.ts";

const TOKEN = "kX9mQ2vT7wR4yU1iO6pA3sD8fG5hJ0kL";
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const PUBLIC = "public, max-age=0, must-revalidate";

let server: Server;
let api: Api;
test.beforeAll(async () => {
  server = await Server.start({ local: false, env: { ADMIN_TOKEN: TOKEN, REPORTS_PUBLIC: "1" } });
  api = new Api(server.url, { Authorization: `Bearer ${TOKEN}` });
});
test.afterAll(() => server.stop());

const ask = (method: string, path: string, headers: [string, string][] = []) => raw(server.url, method, path, headers);
async function publish(payload: object = {}): Promise<unknown> {
  const id = await api.submit({ kind: "publish_report", payload: { day: DAY, ...payload } });
  return (await api.until(id, "done")).result;
}

test("a report is for everybody where the deployment says so: HEAD is GET without its body, and an unchanged one is 304", async () => {
  expect((await ask("GET", `/reports/${DAY}`)).status).toBe(404);
  expect(await publish()).toMatchObject({ kind: "published", version: 1 });
  const etags: Record<string, string> = {};
  for (const [path, type] of [
    ["/reports", "text/html; charset=utf-8"],
    [`/reports/${DAY}`, "text/html; charset=utf-8"],
    [`/reports/${DAY}.svg`, "image/svg+xml"],
  ] as const) {
    // The second one comes from the copy.
    for (const _ of [1, 2]) {
      const got = await ask("GET", path);
      const head = await ask("HEAD", path);
      expect([path, got.status, got.headers["content-type"], got.headers["cache-control"]]).toEqual([
        path,
        200,
        type,
        PUBLIC,
      ]);
      expect([head.status, head.body]).toEqual([200, ""]);
      for (const name of ["etag", "content-type", "cache-control", "x-robots-tag"])
        expect([path, name, head.headers[name]]).toEqual([path, name, got.headers[name]]);
      etags[path] = String(got.headers.etag);
    }
    const etag = etags[path] as string;
    for (const method of ["GET", "HEAD"]) {
      for (const value of [etag, `"other", W/${etag}`, "*"]) {
        const same = await ask(method, path, [["If-None-Match", value]]);
        expect([path, method, value, same.status, same.body]).toEqual([path, method, value, 304, ""]);
        expect([same.headers.etag, same.headers["cache-control"]]).toEqual([etag, PUBLIC]);
      }
    }
    expect((await ask("GET", path, [["If-None-Match", '"other"']])).status).toBe(200);
  }

  expect(await publish({ indexable: true, update: true })).toMatchObject({ kind: "published", version: 2 });
  const updated = await ask("GET", `/reports/${DAY}`, [["If-None-Match", etags[`/reports/${DAY}`] as string]]);
  expect([updated.status, updated.headers["x-robots-tag"]]).toEqual([200, undefined]);
  expect(await publish({ withdraw: true })).toMatchObject({ kind: "published", version: 3 });
  for (const method of ["GET", "HEAD"]) {
    const gone = await ask(method, `/reports/${DAY}`, [["If-None-Match", "*"]]);
    expect([gone.status, gone.headers.etag]).toEqual([404, undefined]);
  }
  expect((await ask("GET", "/reports")).body).not.toContain(`/reports/${DAY}`);
});

test("nothing beside the reports is for everybody, and nothing about them can be changed", async () => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    expect([method, [303, 401].includes((await ask(method, "/reports")).status)]).toEqual([method, true]);
  }
  for (const path of ["/", "/jobs", "/reports.data", "/reports/", "/api/v1/jobs", "/api/v1/stats", "/mail"]) {
    const { status, body } = await ask("GET", path);
    expect([path, [303, 401].includes(status)]).toEqual([path, true]);
    expect(body).not.toContain("publish_report");
  }
});
