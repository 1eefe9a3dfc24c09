import type { App } from "~/cloudflare";
import routes from "~/routes";
import { handleApi } from "../api";
import { ORIGIN } from "./testing";

type Entry = { path?: string; index?: boolean; file: string; children?: Entry[] };

const sources = import.meta.glob<string>("../../app/routes/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** Addresses of all pages and actions, as the router is told them; `acts`: the file takes what is sent to it. */
const below = (entries: Entry[], parent = ""): { path: string; acts: boolean }[] =>
  entries.flatMap(({ path, index, file, children = [] }) => {
    const here = path === undefined ? parent : `${parent}/${path}`;
    const acts = /export (async function|function|const) action\b/.test(sources[`../../app/${file}`] ?? "");
    return [...(path !== undefined || index ? [{ path: here || "/", acts }] : []), ...below(children, here)];
  });

const entries = below((await routes) as Entry[]);
const documented = await handleApi(new Request(`${ORIGIN}/api/v1/openapi.json`), {} as App);
const { paths } = (await documented.json()) as { paths: Record<string, object> };

/** An address with a made-up value for each parameter. */
export const anyOf = (path: string): string => path.replace(/:\w+\??|\{\w+\}/g, "x").replace("*", "any/thing");

export const pages = [...new Set(entries.map(({ path }) => anyOf(path)))];
export const calls = Object.keys(paths).map(anyOf);

/** Everything that changes something, as a method and a path. */
export const writes: [method: string, path: string][] = [
  ...entries.filter(({ acts }) => acts).map(({ path }): [string, string] => ["POST", path]),
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "get")
      .map((method): [string, string] => [method.toUpperCase(), path.replace(/\{(\w+)\}/g, ":$1")]),
  ),
];
/** Everything that can be asked for. */
export const reads: [method: string, path: string][] = [...pages, ...calls].map((path) => ["GET", path]);

/** Other spellings of an address, which a router may well take for the same. */
export const spellings = (path: string) => [
  path,
  `${path}/`,
  `/${path}`,
  path.toUpperCase(),
  path.replace(/\w$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
  `${path}?_routes=root`,
  path === "/" ? "/_root.data" : `${path}.data`,
  path === "/" ? "/_.data" : `${path}/_.data`,
  path === "/" ? "/_root.data?_routes=root" : `${path}.data?_routes=root`,
  `${path};jsessionid=1`,
  `/./x/..${path}`,
];
