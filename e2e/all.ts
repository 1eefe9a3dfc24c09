import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const reports = mkdtempSync(join(tmpdir(), "redrive-tests-"));
const vitestReport = join(reports, "vitest.json");
const playwrightReport = join(reports, "playwright.json");

type Counts = { passed: number; failed: number };
type Ended = { ok: boolean; output: string };

let passed = 0;
let failed = 0;

// In order of cost. All run, whatever failed before: one look shows everything that is wrong.
await part("lint", ["biome check"], whole);
await part("types", ["wrangler types", "react-router typegen", "tsc"], whole);
await part(
  "unit and workerd tests",
  [`vitest run --reporter=default --reporter=json --outputFile.json=${vitestReport}`],
  vitest,
);
const built = await part("build", ["react-router build"], ({ ok }) => ({ passed: 0, failed: ok ? 0 : 1 }));
if (built) await part("browser tests", ["playwright test --reporter=list,json"], playwright);

rmSync(reports, { recursive: true });
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);

async function part(name: string, commands: string[], count: (ended: Ended) => Counts): Promise<boolean> {
  const start = Date.now();
  const ended: Ended = { ok: true, output: "" };
  for (const command of commands) {
    if (ended.ok) await run(command, ended);
  }
  const counts = count(ended);
  // A part that broke down before it could count its tests has failed all the same.
  if (!ended.ok && counts.failed === 0) counts.failed = 1;
  passed += counts.passed;
  failed += counts.failed;
  if (counts.failed > 0) console.log(ended.output);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(
    `${name}: ${counts.failed > 0 ? `${counts.failed} failed` : "ok"}, ${counts.passed} passed, ${seconds} s`,
  );
  return ended.ok;
}

function run(command: string, ended: Ended): Promise<void> {
  const child = spawn(command, {
    cwd: ROOT,
    shell: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PATH: join(ROOT, "node_modules/.bin") + delimiter + process.env.PATH,
      CI: "true",
      WRANGLER_SEND_METRICS: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport,
    },
  });
  const keep = (chunk: Buffer) => {
    ended.output += chunk;
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      ended.ok = code === 0;
      resolve();
    });
  });
}

function whole({ ok }: Ended): Counts {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

/** A skipped test counts as failed: nobody would see it otherwise. */
function vitest(): Counts {
  const report = read(vitestReport);
  const broken = report?.testResults?.filter((file: { status: string; assertionResults: unknown[] }) => {
    return file.status === "failed" && file.assertionResults.length === 0;
  });
  return {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + (report?.numPendingTests ?? 0) + (broken?.length ?? 0),
  };
}

function playwright(): Counts {
  const { stats, errors = [] } = read(playwrightReport) ?? {};
  const not = (stats?.unexpected ?? 0) + (stats?.flaky ?? 0) + (stats?.skipped ?? 0);
  return { passed: stats?.expected ?? 0, failed: not + errors.length };
}

// biome-ignore lint/suspicious/noExplicitAny: the reporters' own formats
function read(path: string): any {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
