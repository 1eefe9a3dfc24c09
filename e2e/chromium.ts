import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const PACKAGE = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")));
const { version } = createRequire(import.meta.url)(join(PACKAGE, "package.json"));
const HOME = resolve(import.meta.dirname, `../node_modules/.cache/chromium-${version}`);

/** How to launch the browser that comes with npm. The libraries it needs come along: none has to be installed. */
export const chromium = {
  executablePath: join(HOME, "chromium"),
  env: { ...process.env, LD_LIBRARY_PATH: join(HOME, "al2023/lib"), FONTCONFIG_PATH: join(HOME, "fonts") },
  // Not the package's own list: that one turns off the rules of the web which are tested here.
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
  ],
};

/** Unpacks it once a version, beside its package; a half-written copy is never used. */
export async function unpackChromium(): Promise<void> {
  if (existsSync(HOME)) return;
  const { inflate } = await import("@sparticuz/chromium");
  const draft = `${HOME}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const { TMPDIR } = process.env;
  // It unpacks into the system's folder for temporary files, wherever that is.
  process.env.TMPDIR = draft;
  await Promise.all(
    ["chromium.br", "al2023.tar.br", "fonts.tar.br"].map((name) => inflate(join(PACKAGE, "bin", name))),
  );
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  // Relative to the file itself: who unpacked it, and where, makes no difference.
  writeFileSync(join(draft, "fonts/fonts.conf"), `<fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n`);
  if (existsSync(HOME)) rmSync(draft, { recursive: true });
  else renameSync(draft, HOME);
}
