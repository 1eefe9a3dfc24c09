import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { createTestHarness } from "wrangler";
import { expect, test } from "./fixtures.ts";

process.env.WRANGLER_LOG ??= "error";

const BUILT = resolve(import.meta.dirname, "../build/server/wrangler.json");
const CALLED = resolve(import.meta.dirname, "../build/server/called.json");
const SHOP = resolve(import.meta.dirname, "shop/wrangler.json");

test("another Worker submits and looks, operates only where its binding says so, and none does without a name", async () => {
  test.setTimeout(120_000);
  const config = JSON.parse(readFileSync(BUILT, "utf8"));
  writeFileSync(CALLED, JSON.stringify({ ...config, vars: { ...config.vars, REDRIVE_LOCAL: "1" } }));
  const harness = createTestHarness({ workers: [{ configPath: CALLED }, { configPath: SHOP }] });
  try {
    await harness.listen();
    const ours = harness.getWorker("redrive");
    await ours.applyD1Migrations("DB");
    const shop = harness.getWorker("shop");
    // biome-ignore lint/suspicious/noExplicitAny: answers as a program reads them
    const by = async (by: string, call: string, ...args: unknown[]): Promise<any> => {
      const response = await shop.fetch("http://shop.example/", {
        method: "POST",
        body: JSON.stringify({ by, call, args }),
      });
      expect(response.status).toBe(200);
      return response.json();
    };

    const { ok, ids } = await by("JOBS", "submit", [
      { kind: "demo", payload: {} },
      { kind: "demo", payload: {}, delaySeconds: 600, idempotencyKey: "order-7" },
    ]);
    expect([ok, ids.length]).toEqual([true, 2]);
    await expect.poll(async () => (await by("JOBS", "job", ids[0])).job.state).toBe("done");
    const again = { kind: "demo", payload: {}, delaySeconds: 600, idempotencyKey: "order-7" };
    expect(await by("JOBS", "submit", again)).toEqual({ ok: true, id: ids[1], state: "pending", replayed: true });

    expect(await by("JOBS", "cancel", ids[1])).toMatchObject({
      ok: false,
      problem: { status: 403, code: "not-allowed" },
    });
    expect(await by("OPERATOR", "cancel", ids[1], "sold out")).toMatchObject({ ok: true, state: "cancelled" });
    expect(await by("OPERATOR", "requeue", ids[1], 1)).toMatchObject({ ok: true, state: "pending", generation: 2 });
    expect(await by("NAMELESS", "job", ids[0])).toMatchObject({ ok: false, problem: { code: "binding-without-name" } });
    expect(await by("JOBS", "submit", { kind: "nothing", payload: {} })).toMatchObject({ problem: { status: 400 } });

    const audit = await ours.fetch("http://localhost/api/v1/audit");
    const { deeds } = (await audit.json()) as { deeds: { actor: string; action: string; reason: string | null }[] };
    expect(deeds.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
      "worker:desk cancel",
      "worker:desk requeue",
      "worker:shop refused",
    ]);
  } finally {
    await harness.close();
    rmSync(CALLED, { force: true });
  }
});
