import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { isRuntime, processes } from "./processes.ts";

const ROOT = resolve(import.meta.dirname, "..");
const READY_MS = 120_000;
/** The build holds one server's variables while it reads them: servers with others must not start at that moment. */
const STARTING = join(ROOT, "build/.starting");

type Options = {
  /** As `npm start` serves it. `false`: as a deployment does, open to nobody by itself. */
  local?: boolean;
  env?: Record<string, string>;
};

/** One deployment on this machine, with a database of its own: the build, served as `npm start` serves it. */
export class Server {
  readonly url: string;
  private readonly port: number;
  private readonly options: Options;
  private readonly state = mkdtempSync(join(tmpdir(), "redrive-"));
  /** How often it was started. */
  lives = 0;
  /** Its database has every table: to look for that takes longer than all else of a start. */
  private migrated = false;
  private process: ChildProcess | undefined;
  private output = "";

  private constructor(port: number, options: Options) {
    this.port = port;
    this.options = options;
    this.url = `http://localhost:${port}`;
  }

  static async start(options: Options = {}): Promise<Server> {
    const server = new Server(await freePort(), options);
    const { REDRIVE_MIGRATED } = process.env;
    if (REDRIVE_MIGRATED) cpSync(REDRIVE_MIGRATED, server.state, { recursive: true });
    server.migrated = REDRIVE_MIGRATED !== undefined;
    await server.run();
    return server;
  }

  /** What the server has written since its first start. */
  get log(): string {
    return this.output;
  }

  /** What its two processes hold in memory now, in bytes: the runtime (Worker, D1, queues), and the server before it. */
  resident(): { runtime: number; server: number } {
    const group = this.process?.pid;
    const held = { runtime: 0, server: 0 };
    for (const running of processes()) {
      if (running.group === group) held[isRuntime(running) ? "runtime" : "server"] += running.residentBytes;
    }
    return held;
  }

  /** To the server's own process. */
  signal(name: NodeJS.Signals): void {
    this.process?.kill(name);
  }

  /** As if the machine lost power: no handler is told, and every message in the queues is gone with them. */
  async kill(): Promise<void> {
    const { process: running } = this;
    if (!running?.pid || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    process.kill(-running.pid, "SIGKILL");
    await ended;
  }

  /** Again, on the same port and database. */
  async restart(): Promise<void> {
    await this.kill();
    await this.run();
  }

  /** A copy of its database, for others to begin with. */
  async copy(): Promise<string> {
    await this.kill();
    const copied = mkdtempSync(join(tmpdir(), "redrive-"));
    cpSync(this.state, copied, { recursive: true });
    await this.run();
    return copied;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.state, { recursive: true, force: true });
  }

  /**
   * Its database, past D1: the very file that the local D1 has open, which SQLite lets others write to between two of its
   * transactions. For what no call of the API can bring about, such as a past, or a million jobs.
   */
  database<T>(work: (db: DatabaseSync) => T): T {
    const folder = join(this.state, "v3/d1/miniflare-D1DatabaseObject");
    const file = readdirSync(folder).find((name) => /^[0-9a-f]+\.sqlite$/.test(name));
    const db = new DatabaseSync(join(folder, file as string), { timeout: READY_MS });
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  /** One tick of the minute's cron, waited for. The server's own clock for it is off. */
  async tick(): Promise<void> {
    const response = await fetch(`${this.url}/cdn-cgi/local/scheduled?cron=*+*+*+*+*&format=json`);
    const { outcome } = (await response.json()) as { outcome: string };
    if (outcome !== "ok") throw new Error(`The tick ended ${outcome}.\n${this.output}`);
  }

  private async run(): Promise<void> {
    await takeTurn();
    try {
      await this.begin();
      this.migrated = true;
    } finally {
      rmSync(STARTING, { recursive: true, force: true });
    }
  }

  private begin(): Promise<void> {
    const { local = true, env } = this.options;
    const vite = join(ROOT, "node_modules/vite/bin/vite.js");
    // A group of its own, so that the runtime which the server starts can be ended together with it.
    const child = spawn(process.execPath, [vite, "preview", ...(local ? ["--mode", "localhost"] : [])], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...withoutOurs(),
        REDRIVE_CRON: "off",
        REDRIVE_MIGRATE: this.migrated ? "off" : "on",
        ...env,
        PORT: String(this.port),
        REDRIVE_STATE: this.state,
      },
    });
    this.process = child;
    this.lives++;
    running.add(child);
    child.once("exit", () => running.delete(child));
    return new Promise((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`The server ${what}.\n${this.output}`));
      const timer = setTimeout(() => fail("was not ready in time"), READY_MS);
      const read = (chunk: Buffer) => {
        this.output += chunk;
        if (!this.output.includes("Redrive is ready on", start)) return;
        clearTimeout(timer);
        resolve();
      };
      const start = this.output.length;
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      child.once("exit", (code) => fail(`ended with ${code} before it was ready`));
    });
  }
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const { pid } of running) if (pid) process.kill(-pid, "SIGKILL");
});

/** A folder is made by one of those who try. One that was left by a run that was killed is taken over. */
async function takeTurn(): Promise<void> {
  for (;;) {
    try {
      return mkdirSync(STARTING);
    } catch {
      if (age(STARTING) > READY_MS) rmSync(STARTING, { recursive: true, force: true });
      else await pause(50);
    }
  }
}

function age(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? Date.now() - found.mtimeMs : 0;
}

/** What the person who runs the tests has set for their own server must not reach the tests'. */
function withoutOurs(): NodeJS.ProcessEnv {
  const ours =
    /^(ADMIN_TOKEN|OUTBOUND_ALLOW|OWN_HOSTS|MAIL_\w+|WEBHOOK_SECRET|ENVIRONMENT|REPORTS_PUBLIC|PLAN|SLOW_MS|NODE_ENV)$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
}

/** Below those that the system gives to outgoing connections: one of these may be taken before the server has it. */
function freePort(): Promise<number> {
  const port = 12_000 + Math.floor(Math.random() * 20_000);
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(freePort()));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(port)));
  });
}
