import { expect } from "vitest";
import type { App } from "~/cloudflare";
import { ALL_RIGHTS, type Rights } from "~/domain/people/roles";
import type { World } from "~/testing/world";
import { handleApi } from "../api";

const ORIGIN = "https://redrive.example";

export type Answer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
  body: any;
  used: { calls: number; statements: number; rowsRead: number };
};

/** A client of the API on a world of its own. Every answer is held against the document. */
export function clientOf(world: World, rights: Rights = ALL_RIGHTS) {
  async function call(
    method: string,
    path: string,
    body?: BodyInit | null,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const { engine } = world.invocation();
    const app: App = {
      engine,
      identity: { name: "ann", how: "token", ...rights },
      local: false,
      adminToken: true,
      nonce: "",
    };
    const request = new Request(`${ORIGIN}/api/v1${path}`, { method, body, headers });
    const response = await world.until(handleApi(request, app));
    const text = await response.text();
    await documented(method, path, response);
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : /[/+]json$/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text,
      used: engine.store.used,
    };
  }
  const JSON_TYPE = { "Content-Type": "application/json" };
  return {
    call,
    get: (path: string, headers?: Record<string, string>) => call("GET", path, null, headers),
    put: (path: string, value: unknown) => call("PUT", path, JSON.stringify(value), JSON_TYPE),
    post: (path: string, value?: unknown) =>
      call("POST", path, value === undefined ? null : JSON.stringify(value), value === undefined ? {} : JSON_TYPE),
    postText: (path: string, text: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
      call("POST", path, text, headers),
    /** What a refused call must not have changed. */
    stored: async () => ({
      jobs: await world.sql("SELECT id, state, generation, cancel_requested_at FROM jobs ORDER BY id"),
      counts: await world.sql("SELECT * FROM job_counts ORDER BY kind, view"),
      audit: await world.sql("SELECT id FROM audit ORDER BY id"),
      revision: await world.revision(),
      sent: Object.values(world.queues).map((queue) => queue.sent.length),
    }),
  };
}

type Document = { paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>> };
let known: Document | undefined;

async function documented(method: string, path: string, response: Response): Promise<void> {
  known ??= (await (await handleApi(new Request(`${ORIGIN}/api/v1/openapi.json`), {} as App)).json()) as Document;
  const pattern = `/api/v1${path
    .split("?")[0]
    ?.replace(
      /^\/(jobs|operations|kinds|endpoints|deliveries|files|schedules|causes|watches|alert-rules|submitters|tokens|people)\/[^/]+/,
      "/$1/{id}",
    )
    .replace(/parts\/[^/]+/, "parts/{number}")}`;
  const operation = known.paths[pattern]?.[method === "HEAD" ? "get" : method.toLowerCase()];
  if (!operation) return expect([404, 405]).toContain(response.status);
  const declared = operation.responses[response.status];
  expect(declared, `${method} ${pattern} answered ${response.status}`).toBeDefined();
  const types = Object.keys(declared?.content ?? {});
  expect(response.headers.get("content-type")).toBe(types[0] ?? null);
}
