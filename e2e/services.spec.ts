import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Webhook } from "standardwebhooks";
import { createTestHarness } from "wrangler";
import { expect, test } from "./fixtures.ts";

process.env.WRANGLER_LOG ??= "error";

const BUILT = resolve(import.meta.dirname, "../build/server/wrangler.json");
const BOUND = resolve(import.meta.dirname, "../build/server/bound.json");
const BILLING = resolve(import.meta.dirname, "billing/wrangler.json");
const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
const DATA = { name: "Zoë 😀" };

type Asked = { method: string; hostname: string; pathname: string; headers: Record<string, string>; body: string };
type Delivery = { target: string; status: string; attempts: number; error: string | null };

test("an event reaches a Worker that is bound as a service: signed, by its path, with tries of its own", async () => {
  test.setTimeout(120_000);
  const config = JSON.parse(readFileSync(BUILT, "utf8"));
  const services = [{ binding: "BILLING", service: "billing" }];
  writeFileSync(BOUND, JSON.stringify({ ...config, services, vars: { ...config.vars, REDRIVE_LOCAL: "1" } }));
  const harness = createTestHarness({ workers: [{ configPath: BOUND }, { configPath: BILLING }] });
  try {
    await harness.listen();
    const ours = harness.getWorker("redrive");
    await ours.applyD1Migrations("DB");
    // biome-ignore lint/suspicious/noExplicitAny: answers of the API, as a program reads them
    const call = async (method: string, path: string, body?: object): Promise<{ status: number; json: any }> => {
      const init = body && { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
      const response = await ours.fetch(`http://localhost/api/v1${path}`, { method, ...init });
      return { status: response.status, json: await response.json() };
    };
    const endpoint = (service: string, path: string) => ({
      name: path,
      type: "service",
      service,
      path,
      secret: SECRET,
    });
    expect((await call("POST", "/endpoints", endpoint("NOBODY", "/events"))).json.errors).toEqual([
      { path: "service", message: "no service binding of this deployment is named NOBODY" },
    ]);
    const saved = await call("POST", "/endpoints", endpoint("BILLING", "/events"));
    expect(saved.status).toBe(201);

    const paths = ["/down-once", "/throws-once", "/hangs-once", "/moved", "/gone"];
    const event = await call("POST", "/jobs", {
      kind: "webhook_fanout",
      payload: {
        type: "order.paid",
        data: DATA,
        timeoutSeconds: 2,
        endpoints: [
          { id: saved.json.id },
          ...paths.map((path) => ({ type: "service", service: "BILLING", path })),
          // Bindings that are no services.
          ...["DB", "FILES", "NORMAL", "REDRIVE_LOCAL"].map((service) => ({ type: "service", service })),
        ],
      },
    });
    expect([event.status, event.json]).toEqual([202, expect.anything()]);
    const fanout = async () => (await call("GET", `/jobs/${event.json.id}`)).json.fanout;
    await expect.poll(async () => (await fanout()).overall, { timeout: 60_000 }).toBe("partly failed");
    const { deliveries } = (await fanout()) as { deliveries: Delivery[] };
    expect(deliveries.map(({ target, status, attempts, error }) => [target, status, attempts, error])).toEqual([
      ["BILLING /events", "delivered", 1, null],
      ["BILLING /down-once", "delivered", 2, null],
      ["BILLING /throws-once", "delivered", 2, null],
      ["BILLING /hangs-once", "delivered", 2, null],
      [
        "BILLING /moved",
        "failed",
        1,
        "answered 302 to https://service.internal/elsewhere (redirects are not followed)",
      ],
      ["BILLING /gone", "failed", 1, "answered 410"],
      ...["DB", "FILES", "NORMAL", "REDRIVE_LOCAL"].map((name) => [
        `${name} /`,
        "failed",
        1,
        `no service binding is named ${name}`,
      ]),
    ]);

    const asked = (await (await harness.getWorker("billing").fetch("http://localhost/asked")).json()) as Asked[];
    const count = (path: string) => asked.filter(({ pathname }) => pathname === path).length;
    expect(["/events", ...paths, "/elsewhere"].map(count)).toEqual([1, 2, 2, 2, 1, 1, 0]);
    const [first] = asked.filter(({ pathname }) => pathname === "/events");
    expect(first).toMatchObject({ method: "POST", hostname: "service.internal" });
    expect(new Webhook(SECRET).verify(first?.body ?? "", first?.headers ?? {})).toEqual({
      type: "order.paid",
      data: DATA,
    });
    for (const path of paths) {
      const ids = asked.filter(({ pathname }) => pathname === path).map(({ headers }) => headers["webhook-id"]);
      expect(new Set(ids).size).toBe(1);
    }
  } finally {
    await harness.close();
    rmSync(BOUND, { force: true });
  }
});
