import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type PreviewServer, type ViteDevServer } from "vite";
import { getPlatformProxy, unstable_splitSqlQuery } from "wrangler";

/** The mode of `npm start`. Only this and `npm run dev` open the doors for localhost; "local" is no name for a mode. */
const LOCAL_MODE = "localhost";
/** What whoever starts a local server may set for the Worker. */
const GIVEN = [
  "ADMIN_TOKEN",
  "OUTBOUND_ALLOW",
  "OWN_HOSTS",
  "MAIL_API_KEY",
  "MAIL_API_URL",
  "MAIL_FROM",
  "WEBHOOK_SECRET",
  "ENVIRONMENT",
  "REPORTS_PUBLIC",
  "PLAN",
  "SLOW_MS",
];
/** What `vite preview` gives to the Worker. It lies beside the built configuration and is never uploaded. */
const PREVIEW_VARS = "build/server/.dev.vars";

const port = Number(process.env.PORT ?? 8787);
const state = process.env.REDRIVE_STATE ?? ".wrangler/state";

// Nothing but npm is asked over the network.
process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= "false";
process.env.WRANGLER_SEND_METRICS ??= "false";
process.env.WRANGLER_HIDE_BANNER ??= "true";

export default defineConfig(({ command, mode, isPreview }) => {
  // No CORS: a page of another local server must not read what this one answers.
  const address = { host: "127.0.0.1", port, strictPort: true, cors: false };
  const dev = command === "serve" && !isPreview;
  return {
    define: { __BUILD__: JSON.stringify(buildId()) },
    resolve: { tsconfigPaths: true },
    // Found before the first page asks for them: each one found later would reload it.
    optimizeDeps: { entries: ["app/root.tsx", "app/routes/**/*.tsx"] },
    // What most pages share comes in one piece: as many pieces as there are uses of it were 20 requests more, and more bytes.
    environments: {
      client: {
        build: { rolldownOptions: { output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 20 }] } } } },
      },
    },
    server: address,
    preview: address,
    plugins: [
      local(isPreview ? workerVars(mode === LOCAL_MODE) : {}),
      cloudflare({
        viteEnvironment: { name: "ssr" },
        persistState: { path: state },
        ...(isPreview ? { inspectorPort: false } : {}),
        // A build must not carry these: it may be deployed.
        ...(dev ? { config: { vars: workerVars(true) } } : {}),
      }),
      lean(),
      tailwindcss(),
      reactRouter(),
    ],
  };
});

/** What comes with the libraries and nobody uses stays out of the browser: 60 KB gzip of the first page. */
function lean(): Plugin {
  const kept = weightsOfIcons();
  return {
    name: "lean",
    apply: "build",
    transform: {
      filter: { id: /@cloudflare\/kumo\/dist\/chunks\/|@phosphor-icons\/react\/dist\/defs\// },
      handler: (code, id) => {
        const icon = /\/defs\/(\w+)\.es\.js/.exec(id)?.[1];
        return { code: icon ? leanIcon(code, kept.get(icon) ?? []) : leanComponent(code), map: null };
      },
    },
  };
}

/**
 * Tells the bundler that wrapping a component does nothing by itself: without this one small import brings tooltips,
 * checkboxes and their positioning along. Classes are joined, without the table of which class overrides which other:
 * the looks used here do not contradict themselves.
 */
const leanComponent = (code: string): string =>
  code
    .replace(/^[\w$]+\.displayName = .*;$/gm, "")
    .replace(/= ((?:[\w$]+\.)?(?:forwardRef|createContext|memo)\(|Object\.assign\()/g, "= /* @__PURE__ */ $1")
    .replace(
      /^import \{ t as cn \} from "\.\/vendor-styling-.*$/m,
      'const cn = (...parts) => parts.filter((part) => typeof part === "string").join(" ");',
    );

/** Each icon comes in six weights, as one table. */
const leanIcon = (code: string, kept: string[]): string =>
  code.replace(/^ {2}\[\n {4}"(\w+)",[\s\S]*?^ {2}\],?$/gm, (entry, weight) =>
    weight === "regular" || kept.includes(weight) ? entry : "",
  );

/** By icon, the weights that the files which import it ask for, beside the regular one. */
function weightsOfIcons(): Map<string, string[]> {
  const kept = new Map<string, string[]>();
  for (const name of readdirSync("app", { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".tsx")) continue;
    const source = readFileSync(join("app", name), "utf8");
    const weights = [...source.matchAll(/ weight="(\w+)"/g)].map(([, weight]) => weight as string);
    for (const [, icon] of source.matchAll(/@phosphor-icons\/react\/dist\/ssr\/(\w+)"/g)) {
      kept.set(icon as string, [...(kept.get(icon as string) ?? []), ...weights]);
    }
  }
  return kept;
}

/** Stands in for what the platform does in production: variables, migrations and the minute's tick. */
function local(vars: Record<string, string>): Plugin {
  return {
    name: "local",
    async configureServer(server) {
      await migrate();
      serve(server);
    },
    async configurePreviewServer(server) {
      const lines = Object.entries(vars).map(([name, value]) => `${name}='${value}'\n`);
      writeFileSync(PREVIEW_VARS, lines.join(""));
      await migrate();
      serve(server);
      // Read by now: the build is left as it was made.
      return () => rmSync(PREVIEW_VARS, { force: true });
    },
  };
}

function workerVars(open: boolean): Record<string, string> {
  const given = GIVEN.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(given), ...(open ? { REDRIVE_LOCAL: "1" } : {}) };
}

/**
 * As `wrangler d1 migrations apply --local`, with its table, so that either goes on where the other ended; that one starts a runtime
 * for each migration, which is half a minute of a first start.
 */
async function migrate() {
  if (process.env.REDRIVE_MIGRATE === "off") return;
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({
    configPath: "wrangler.toml",
    envFiles: [],
    persist: { path: join(state, "v3") },
    remoteBindings: false,
  });
  try {
    await env.DB.exec(MIGRATED);
    const { results } = await env.DB.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
    const done = new Set(results.map(({ name }) => name));
    const due = readdirSync("migrations").filter((name) => name.endsWith(".sql") && !done.has(name));
    for (const name of due.sort()) {
      const queries = unstable_splitSqlQuery(readFileSync(join("migrations", name), "utf8"));
      const noted = env.DB.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(name);
      // One transaction: a start that is cut off leaves no half of a migration.
      await env.DB.batch([...queries.map((query) => env.DB.prepare(query)), noted]);
    }
  } finally {
    await dispose();
  }
}

const MIGRATED =
  "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)";

function serve(server: ViteDevServer | PreviewServer) {
  server.printUrls = () => server.config.logger.info(`Redrive is ready on http://localhost:${port}`);
  if (process.env.REDRIVE_CRON === "off") return;
  let timer: NodeJS.Timeout;
  const tick = () => {
    timer = setTimeout(tick, 60_050 - (Date.now() % 60_000));
    fetch(`http://127.0.0.1:${port}/cdn-cgi/local/scheduled?cron=*+*+*+*+*&format=json`).catch((error) =>
      server.config.logger.warn(`The minute's tick did not get through: ${error}`),
    );
  };
  // The first one at once: what the last stop cut off need not wait for a full minute.
  server.httpServer?.once("listening", tick);
  server.httpServer?.once("close", () => clearTimeout(timer));
}

/** The same sources give the same id: part of every ETag, and kept with each attempt. */
function buildId(): string {
  const hash = createHash("sha256").update(readFileSync("package-lock.json"));
  for (const folder of ["app", "workers", "public", "migrations"]) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
      const path = join(folder, name);
      if (statSync(path).isFile()) hash.update(path).update(readFileSync(path));
    }
  }
  return hash.digest("hex").slice(0, 12);
}
