import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { agesAt, readCauseCursor } from "~/domain/dead/dead";
import { rangeText } from "~/domain/dead/time_range";
import { idSource } from "~/domain/ids";
import type { Reader } from "~/domain/people/hidden";
import { MASK } from "~/domain/secrets";
import { seeing } from "~/testing/seeing";
import { clean } from "~/testing/world";
import { Store, sql } from "../store";
import { readCause, readDead } from "./dead";
import { listJobs } from "./list";

beforeEach(clean);

const HOUR = 3_600_000;
const NOW = Date.parse("2026-12-01T10:20:00.000Z");
const store = new Store(env.DB, () => NOW);

/** Jobs of a cause that died so many hours of the clock ago. */
async function die(cause: string, ages: number[], kind = "a", version = "v1"): Promise<void> {
  await store.batch(
    ages.flatMap((hours, i) => {
      const at = (Math.floor(NOW / HOUR) - hours) * HOUR + 60_000 * i;
      // Each was submitted an hour before: what ends within a stretch may be older than it.
      const id = idSource(() => at - HOUR)();
      return [
        sql(
          `INSERT INTO jobs (id, kind, lane, state, payload, attempt, max_attempts, run_at, token, created_at, finished_at, cause, last_error)
           VALUES (?1, ?2, 'normal', 'dead', '{}', 1, 1, 0, 't', ?3, ?3, ?4, ?4)`,
          id,
          kind,
          at,
          cause,
        ),
        sql(
          `INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, error, stack, token, app_version)
           VALUES (?1, 1, 1, 'first', ?2, ?2, 0, 'failed', ?3, 'Error: ' || ?3, 't', ?4)`,
          id,
          at,
          cause,
          version,
        ),
        sql(
          "INSERT INTO dead_counts (cause, hour, n) VALUES (?1, ?2, 1) ON CONFLICT (cause, hour) DO UPDATE SET n = n + 1",
          cause,
          Math.floor(at / HOUR) * HOUR,
        ),
      ];
    }),
  );
}

test("each number of the matrix is the list that it leads to", async () => {
  await die("a: x", [0, 0, 1, 5, 6, 23, 24, 71, 72, 167, 168, 400]);
  await die("b: y", [30]);
  const { causes, total, next } = await readDead(store, null);
  expect(causes.map(({ cause, n, ages }) => [cause, n, ages])).toEqual([
    ["a: x", 12, [2, 2, 2, 2, 2, 2]],
    ["b: y", 1, [0, 0, 0, 1, 0, 0]],
  ]);
  expect([total, next]).toEqual([{ n: 2, orMore: false }, null]);
  for (const { cause, ages } of causes) {
    for (const [i, range] of agesAt(NOW).entries()) {
      const page = await listJobs(store, { view: "dead", cause, q: `finished:${rangeText(range)}` });
      expect([cause, i, page.jobs.length]).toEqual([cause, i, ages[i]]);
    }
  }
});

test("causes come most first, 25 a page, and go on from there", async () => {
  await store.batch([
    sql(
      `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 120)
       INSERT INTO dead_counts (cause, hour, n) SELECT printf('cause %03d', n), 0, 1 + n / 10 FROM i`,
    ),
  ]);
  const seen: string[] = [];
  for (let after = null as ReturnType<typeof readCauseCursor>; ; ) {
    const page = await readDead(store, after);
    seen.push(...page.causes.map(({ cause }) => cause));
    expect(page.total.n).toBe(120);
    if (page.next === null) break;
    after = readCauseCursor(page.next);
  }
  expect(seen).toEqual([...new Set(seen)]);
  expect(seen).toHaveLength(120);
  expect([seen[0], seen.at(-1)]).toEqual(["cause 120", "cause 001"]);
});

test("a cause tells since when, how many each hour, of which kinds and versions, and shows the newest", async () => {
  await die("a: x", [400, 3, 3], "a", "v1");
  await die("a: x", [0], "b", "v2");
  const cause = await readCause(store, "a: x", seeing(new Map()));
  expect(cause).toMatchObject({
    n: 4,
    firstHour: new Date((Math.floor(NOW / HOUR) - 400) * HOUR).toISOString(),
    lastHour: "2026-12-01T10:00:00.000Z",
    looked: 4,
    kinds: [
      { name: "a", n: 3 },
      { name: "b", n: 1 },
    ],
    versions: [
      { name: "v1", n: 3 },
      { name: "v2", n: 1 },
    ],
    example: { kind: "b", attempt: { number: 1, stack: "Error: a: x", appVersion: "v2" } },
  });
  expect(cause?.hours.n.slice(-4)).toEqual([2, 0, 0, 1]);
  expect(cause?.hours.n).toHaveLength(48);
});

test("the newest of a cause hides what its kind calls secret by now, and its log from whoever may not see payloads", async () => {
  await die("a: x", [0]);
  await store.batch([
    sql(`UPDATE jobs SET payload = '{"token":"hush-4f1c"}'`),
    sql("UPDATE attempts SET error = 'no hush-4f1c', stack = 'at hush-4f1c', log = 'sent hush-4f1c'"),
  ]);
  const attempt = async (reader: Reader) => (await readCause(store, "a: x", reader))?.example?.attempt;
  const known = new Map([["a", { secrets: ["token"] }]]);
  const hidden = { error: `no ${MASK}`, stack: `at ${MASK}` };
  expect(await attempt({ known, payloads: true })).toMatchObject({ ...hidden, log: `sent ${MASK}` });
  expect(await attempt({ known, payloads: false })).toMatchObject({ ...hidden, log: MASK });
  expect(await attempt(seeing(new Map([["a", {}]])))).toMatchObject({ log: "sent hush-4f1c" });
});

test("a cause of which all were requeued still tells when it was seen, one of which nothing died is none", async () => {
  await die("a: x", [3]);
  await store.batch([sql("UPDATE dead_counts SET n = 0"), sql("DELETE FROM jobs")]);
  expect(await readCause(store, "a: x", seeing(new Map()))).toMatchObject({ n: 0, example: null, looked: 0 });
  expect((await readDead(store, null)).causes).toEqual([]);
  expect(await readCause(store, "b: y", seeing(new Map()))).toBeNull();
});

test("the time within which jobs ended has its beginning in it, and not its end", async () => {
  await die("a: x", [5]);
  const at = (Math.floor(NOW / HOUR) - 5) * HOUR;
  const found = async (from: number, to: number) =>
    (await listJobs(store, { q: `finished:${rangeText({ from, to })}` })).jobs.length;
  expect([await found(at, at + 1), await found(at - 1, at), await found(at + 1, at + 2)]).toEqual([1, 0, 0]);
});
