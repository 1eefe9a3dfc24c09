import { expect, it } from "vitest";

const everything = import.meta.glob<string>(
  [
    "../{app,workers,e2e,bench,migrations}/**/*.{ts,tsx,css,sql,md}",
    "../*.{ts,json,toml,md}",
    "!../package-lock.json",
    "!../worker-configuration.d.ts",
  ],
  { query: "?raw", import: "default", eager: true },
);

/** Paths from the top folder, as in `app/domain/states.ts`. */
const files = new Map(Object.entries(everything).map(([path, text]) => [fromTop("app/", path), text]));

/** What is deployed: no tests, and nothing that only tests use. */
const sources = [...files].filter(([path]) => /^(app|workers)\/.*\.tsx?$/.test(path) && !/test|\.d\.ts$/.test(path));

const USES: Record<string, string[]> = {
  domain: [],
  store: ["domain"],
  kinds: ["domain", "store"],
  lifecycle: ["domain", "kinds", "store"],
  components: ["domain"],
  queries: ["domain"],
  routes: ["cloudflare", "components", "domain", "kinds", "lifecycle", "queries", "root", "store"],
  root: ["cloudflare", "components", "domain", "queries", "routes", "store"],
  "entry.server": ["cloudflare"],
  cloudflare: ["domain", "lifecycle"],
  workers: ["cloudflare", "domain", "kinds", "lifecycle", "store"],
};

it("imports go one way: workers and routes, then the lifecycle, then kinds, store and domain", () => {
  const against = sources.flatMap(([path, text]) =>
    importsOf(path, text)
      .filter((target) => layerOf(target) !== layerOf(path) && !USES[layerOf(path)]?.includes(layerOf(target)))
      .map((target) => `${path} imports ${target}`),
  );
  expect(against).toEqual([]);
  expect(importsOf("app/domain/x.ts", 'import { a } from "../store/b";\nimport("~/kinds/c")')).toEqual([
    "app/store/b",
    "app/kinds/c",
  ]);
});

it("every folder that holds sources has a place in that order", () => {
  const placed = [...Object.keys(USES), "routes.ts"];
  expect(sources.map(([path]) => layerOf(path)).filter((layer) => !placed.includes(layer))).toEqual([]);
});

it("SQL is written in the store and nowhere else", () => {
  const statement = /\b(SELECT\s[\s\S]{0,200}?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\b/;
  const holders = pathsOf(statement);
  expect(holders.length).toBeGreaterThan(5);
  expect(holders.filter((path) => !path.startsWith("app/store/"))).toEqual([]);
});

it("a request's body is read by what holds no more of it than may come", () => {
  expect(pathsOf(/\brequest\.(formData|json|text|arrayBuffer|blob|bytes)\(/)).toEqual(["workers/door/drain.ts"]);
  expect(pathsOf(/\brequest\.body\b/)).toEqual([
    "app/domain/body.ts",
    "app/lifecycle/files/form.ts",
    "workers/api/uploads.ts",
    "workers/door/drain.ts",
    "workers/door/sign_in.ts",
  ]);
});

it("one file only names the build of the pages, so that everything else can be tested without it", () => {
  expect(pathsOf(/virtual:react-router/)).toEqual(["workers/app.ts"]);
});

it("nothing that is deployed sets the clock: times are D1's own", () => {
  const made = sources.flatMap(([path, text]) =>
    [...text.matchAll(/new Store\(([^)]*)\)/g)].map(([, args]) => [path, args]),
  );
  expect(made).toEqual([["app/lifecycle/engine.ts", "env.DB"]]);
});

/** Looked at hard, and left as they are. */
const LONG: Record<string, string> = { "app/store/schema/schema.ts": "a line for each column of each table" };

it("a file is read in a minute: half of them have 60 lines or fewer, and none has over 200 without a reason", () => {
  const sizes = sources.map(([path, text]) => ({ path, lines: text.trimEnd().split("\n").length }));
  sizes.sort((a, b) => a.lines - b.lines);
  expect(sizes[Math.floor(sizes.length / 2)]?.lines).toBeLessThanOrEqual(60);
  expect(sizes.filter(({ path, lines }) => lines > 200 && !LONG[path])).toEqual([]);
});

it("work is called by one name, and nothing is left for later", () => {
  expect(found(/\b(todo|fixme|for now|hack|tasks?)\b/i)).toEqual([]);
});

it("nothing names a folder of the machine it was written on", () => {
  expect(found(/["'`\s(](\/home\/|\/root\/|\/Users\/|\/tmp\/)/)).toEqual([]);
});

it("a README names only files that exist, and says where each crash is caught and proved", () => {
  const texts = [...files].filter(([path]) => path.endsWith("README.md"));
  const missing = texts.flatMap(([path, text]) =>
    namedIn(text).flatMap((name) => (fileNamed(path, name) === undefined ? [`${path}: ${name}`] : [])),
  );
  expect(missing).toEqual([]);
  expect(namedIn("[`a.ts`](app/a.ts), `../b.test.ts` and `c.d`")).toEqual(["a.ts", "../b.test.ts", "app/a.ts"]);

  const readme = "app/lifecycle/README.md";
  const table = (files.get(readme) as string).split("| Crash or fault ")[1]?.split("\n\n")[0] ?? "";
  const rows = table.split("\n").slice(2);
  expect(rows.length).toBeGreaterThan(25);
  expect(rows.flatMap((row) => unfound(readme, row))).toEqual([]);
  expect(unfound(readme, '| a | b | `bury.ts` burn | `bury.test.ts` "no such test" |')).toEqual([
    "burn",
    "no such test",
  ]);
  expect(unfound(readme, "| a | b | `bury.ts` | |")).toHaveLength(2);
});

it("a browser test hears what pages say on their console: it takes its test from the fixtures", () => {
  const deaf = [...files].filter(
    ([path, text]) =>
      /^e2e\/.*\.spec\.ts$/.test(path) && !text.includes('import { expect, test } from "./fixtures.ts";'),
  );
  expect(deaf.map(([path]) => path)).toEqual([]);
});

/** Files that a README names, in code or as where a link goes. */
function namedIn(text: string): string[] {
  const named = /`([\w./-]+\.(?:tsx?|sql|md|toml))`|\]\(([\w./-]+\.(?:tsx?|sql|md|toml))\)/g;
  const found = [...text.matchAll(named)];
  return [...found.flatMap(([, code]) => code ?? []), ...found.flatMap(([, , link]) => link ?? [])];
}

/** The text of a file that is named in another: from there, or from the top folder, or by its name where only one has it. */
function fileNamed(from: string, name: string): string | undefined {
  const near = files.get(fromTop(from, name)) ?? files.get(name);
  if (near !== undefined || name.includes("/")) return near;
  return [...files].find(([path]) => path.endsWith(`/${name}`))?.[1];
}

/** What a row of the table of crashes names and its files do not have: who catches it, what proves it. */
function unfound(from: string, row: string): string[] {
  const [, , , caught = "", proved = ""] = row.split("|");
  const catchers = [...caught.matchAll(/`([^`]+)` (\w+)/g)].map(([, file, word]) => [file, word]);
  const proofs = proved.split("`").flatMap((part, i, all) => {
    const words = [...(all[i + 1] ?? "").matchAll(/"([^"]+)"/g)].map(([, word]) => word);
    return i % 2 === 0 ? [] : words.map((word) => [part, word]);
  });
  const lacks = [...catchers, ...proofs].filter(
    ([file, word]) => !fileNamed(from, file as string)?.includes(word as string),
  );
  const silent = [catchers.length === 0 && "nobody catches it", !proved.includes("`") && "nothing proves it"];
  return [...lacks.map(([, word]) => word as string), ...silent.filter((text) => text !== false)];
}

function fromTop(folder: string, relative: string): string {
  return new URL(relative, `file:///${folder}`).pathname.slice(1);
}

function layerOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  if (top !== "app") return top;
  return path.split("/").length > 2 ? second : second.replace(/\.tsx?$/, "");
}

function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)].map(
    ([, specifier]) => specifier ?? "",
  );
  return specifiers.flatMap((specifier) => {
    // Written by the router for a route, or no code.
    if (specifier.includes("+types/") || specifier.includes(".css")) return [];
    if (specifier.startsWith("~/")) return specifier.replace("~/", "app/");
    if (!specifier.startsWith(".")) return [];
    return fromTop(path, specifier);
  });
}

function pathsOf(pattern: RegExp): string[] {
  return sources.filter(([, text]) => pattern.test(text)).map(([path]) => path);
}

function found(pattern: RegExp): string[] {
  // These name what they look for.
  const searched = [...files].filter(([path]) => !["app/structure.test.ts", "app/cases.test.ts"].includes(path));
  return searched.flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
  );
}
