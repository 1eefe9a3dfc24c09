import { ACTS, type Act, type ActName } from "./acts";
import { both, LEAST_RIGHTS, type Rights } from "./roles";

const rightsFor = (name: ActName): Rights => {
  const { role, payloads }: Act = ACTS[name];
  return { role, payloads: payloads ?? false };
};

const READS = ["GET", "HEAD", "OPTIONS"];
const isReading = (method: string): boolean => READS.includes(method);

type Pattern = { act: ActName; method: string | null; segments: string[] };

const PATTERNS: Pattern[] = Object.entries(ACTS).flatMap(([act, { by }]) =>
  by.map((address) => {
    const [, method = null, path] = /^(?:(\w+) )?(.+)$/.exec(address) as unknown as [string, string | null, string];
    return { act: act as ActName, method, segments: segmentsOf(path) };
  }),
);

/** What a request does, by its address: none for what everybody may read; `unnamed` for a write that the table does not name. */
export function actsOf(method: string, path: string): ActName[] | "unnamed" {
  const asked = segmentsOf(path);
  const found = PATTERNS.filter((pattern) => fits(pattern, method, asked)).map(({ act }) => act);
  return found.length === 0 && !isReading(method) ? "unnamed" : found;
}

export function neededFor(method: string, path: string): Rights {
  const acts = actsOf(method, path);
  if (acts === "unnamed") return { role: "admin", payloads: false };
  return acts.map(rightsFor).reduce(both, LEAST_RIGHTS);
}

const fits = (pattern: Pattern, method: string, asked: string[]): boolean =>
  (pattern.method === null || pattern.method === method) &&
  pattern.segments.length === asked.length &&
  pattern.segments.every((segment, n) => segment.startsWith(":") || segment === asked[n]);

/** As the router reads an address: in any case, with any slashes, letters spelled by number, and as its own fetches spell it. */
function segmentsOf(path: string): string[] {
  const page = path.replace(/(\/_)?\.data$/i, "");
  return page.split("/").flatMap((segment) => (segment === "" ? [] : decoded(segment).toLowerCase()));
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
