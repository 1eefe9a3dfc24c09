import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { writeCursor } from "~/domain/query/cursor";
import { QUERY_CHARS, QUERY_TERMS, TERM_VALUES } from "~/domain/query/fields";
import type { JobFilter } from "~/domain/query/filter";
import { parseQuery } from "~/domain/query/parse";
import { byteLength } from "~/domain/text";
import { stock, stockId } from "~/testing/stock";
import { measure } from "../bulk/matching";
import { Store } from "../store";
import { listJobs } from "./list";

/** What D1 takes. */
const STATEMENT_BYTES = 100_000;

let longest = 0;
const listening = new Proxy(env.DB, {
  get: (db, name: keyof D1Database) =>
    name === "prepare"
      ? (text: string) => {
          longest = Math.max(longest, byteLength(text));
          return db.prepare(text);
        }
      : (db[name] as () => unknown).bind(db),
});
const store = new Store(listening);

const MANY = Array.from({ length: TERM_VALUES }, (_, n) => String.fromCharCode(97 + n)).join();
/** Each narrows less than those before it: the first that is asked for is looked for, the rest is looked at in the rows. */
const NARROWING = ["key", "operation", "cause", "schedule", "group", "kind", "priority"];
const BESIDE = [
  ...NARROWING.map((field) => `-${field}:${field === "priority" ? "high" : "y,z"}`),
  "created:>2020-01-01 created:<2030-01-01 created:9999h created:..1s",
];

/** All that can be asked beside so many values of one field. */
function fullest(field: string): string {
  const less = NARROWING.slice(NARROWING.indexOf(field) + 1);
  const among = less.map((other) => `${other}:${other === "priority" ? "normal,long" : "a,b"}`);
  return [`${field}:${MANY}`, ...among, ...BESIDE, "text:a"].join(" ");
}

const fullestOf: JobFilter[] = [
  ...NARROWING.slice(0, -1).map((field) => ({ q: fullest(field) })),
  { q: `state:scheduled,pending,retrying,processing,dead,cancelled ${BESIDE.join(" ")} text:a` },
  { q: `${fullest("cause")} finished:9999h finished:..1s finished:>2020-01-01` },
  { q: `operation:${MANY} created:1h` },
];

beforeAll(() => stock(store, 1, 100));

test.each(fullestOf)("the longest list is asked for in one statement that D1 takes: $q", async (filter) => {
  const parsed = parseQuery(filter.q ?? "");
  expect(parsed.problems).toEqual([]);
  expect(parsed.terms.length).toBeLessThanOrEqual(QUERY_TERMS);
  expect(filter.q?.length).toBeLessThanOrEqual(QUERY_CHARS);
  longest = 0;
  const at = filter.q?.includes("finished:") ? { at: 1 } : {};
  for (const walk of ["older", "newer"] as const) {
    const cursor = writeCursor({ walk, id: stockId(50), inclusive: true, ...at });
    for (const order of ["newest", "oldest"] as const) await listJobs(store, { ...filter, order, cursor, limit: 100 });
  }
  await measure(store, { view: "dead", q: filter.q });
  expect(longest).toBeGreaterThan(1_000);
  expect(longest).toBeLessThanOrEqual(STATEMENT_BYTES);
});
