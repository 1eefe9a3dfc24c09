import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { expect, test } from "./fixtures.ts";
import { Server } from "./server.ts";

type Consumer = {
  queue: string;
  dead_letter_queue?: string;
  max_batch_size?: number;
  max_batch_timeout?: number;
  max_retries?: number;
  retry_delay?: number;
};
type Config = {
  triggers: { crons: string[] };
  d1_databases: { binding: string }[];
  r2_buckets: { binding: string }[];
  queues: { producers: { binding: string; queue: string }[]; consumers: Consumer[] };
  compatibility_flags: string[];
  observability: { enabled: boolean };
  definedEnvironments?: string[];
  vars: Record<string, unknown>;
};

const source: Config = unstable_readConfig({ config: "wrangler.toml" });
const built: Config = unstable_readConfig({ config: "build/server/wrangler.json" });

/** What `wrangler deploy` would send, as it tells it itself. Into a file: of what goes into a pipe it may lose the end. */
function dryRun(): { bindings: string; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "redrive-deploy-"));
  const wrangler = join("node_modules", "wrangler", "bin", "wrangler.js");
  const said = openSync(join(folder, "said"), "w");
  const { status } = spawnSync(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", join(folder, "sent")], {
    stdio: ["ignore", said, said],
    // What it says is looked at, whatever another spec of this process has asked for.
    env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false", WRANGLER_LOG: "log" },
  });
  closeSync(said);
  const bindings = readFileSync(join(folder, "said"), "utf8");
  expect([status, bindings]).toEqual([0, expect.stringContaining("env.DB")]);
  const files = readdirSync(join(folder, "sent"), { recursive: true, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return { bindings, files };
}

test("C094: the deployment has every binding that the code names, and the minute's tick", () => {
  for (const config of [source, built]) {
    expect(config.triggers.crons).toEqual(["* * * * *"]);
    expect(config.d1_databases.map(({ binding }) => binding)).toEqual(["DB"]);
    expect(config.r2_buckets.map(({ binding }) => binding)).toEqual(["FILES"]);
    expect(config.queues.producers.map(({ binding }) => binding)).toEqual(["NORMAL", "HIGH", "LONG", "DEAD"]);
    expect(config.compatibility_flags).toContain("global_fetch_strictly_public");
    expect(config.observability.enabled).toBe(true);
  }
  // Environments would need databases and queues of their own; there are none.
  expect(built.definedEnvironments ?? []).toEqual([]);
});

test("C094: every queue has a consumer, every dead-letter queue too, and all options are written out and allowed", () => {
  for (const { queues } of [source, built]) {
    const consumers = queues.consumers;
    const consumed = consumers.map(({ queue }) => queue);
    expect(new Set(consumed).size).toBe(consumed.length);
    expect([...consumed].sort()).toEqual(queues.producers.map(({ queue }) => queue).sort());
    for (const { queue, dead_letter_queue, ...options } of consumers) {
      if (queue.endsWith("-dead")) expect(dead_letter_queue).toBeUndefined();
      else expect(consumed).toContain(dead_letter_queue);
      expect(options.max_batch_size).toBeGreaterThanOrEqual(1);
      expect(options.max_batch_size).toBeLessThanOrEqual(100);
      expect(options.max_batch_timeout).toBeGreaterThanOrEqual(0);
      expect(options.max_batch_timeout).toBeLessThanOrEqual(60);
      expect(options.max_retries).toBe(100);
      expect(options.retry_delay).toBe(60);
    }
  }
});

test("C094: the deploy command migrates by the binding's name, then applies code, triggers and consumers", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(scripts.deploy).toBe("react-router build && wrangler d1 migrations apply DB --remote && wrangler deploy");
  const { bindings, files } = dryRun();
  for (const name of ["env.DB", "env.FILES", "env.NORMAL", "env.HIGH", "env.LONG", "env.DEAD"]) {
    expect(bindings).toContain(name);
  }
  expect(files).toContain("index.js");
});

test("a build that has served in local mode cannot carry it into a deployment", async () => {
  // The server that these tests run against was started from this very build, as `npm start` does it.
  expect(process.env.REDRIVE_URL).toBeDefined();
  for (const path of ["wrangler.toml", "build/server/wrangler.json"]) {
    expect(readFileSync(path, "utf8")).not.toMatch(/REDRIVE_LOCAL|ADMIN_TOKEN|OUTBOUND_ALLOW/);
  }
  expect([source.vars, built.vars]).toEqual([{}, {}]);
  // Another test's server may be reading its own at this moment.
  await expect.poll(() => existsSync("build/server/.dev.vars")).toBe(false);
  const { bindings, files } = dryRun();
  expect(bindings).not.toMatch(/REDRIVE_LOCAL|ADMIN_TOKEN|OUTBOUND_ALLOW/);
  expect(files.filter((name) => name.includes(".dev.vars"))).toEqual([]);
});

test("the same build, served without local mode, is open to nobody", async () => {
  const server = await Server.start({
    local: false,
    env: { REDRIVE_LOCAL: "1", OUTBOUND_ALLOW: "http://localhost:1" },
  });
  expect((await fetch(`${server.url}/api/v1/health`)).status).toBe(503);
  await server.stop();
});
