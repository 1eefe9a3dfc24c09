import type { DatabaseSync } from "node:sqlite";
import { addingToStats } from "../app/store/stat_columns.ts";

const DAY_MS = 86_400_000;
/** Written at once: what is not yet in the database proper stays small. */
const CHUNK = 50_000;
const CAUSES = 200;

type Stock = {
  jobs: number;
  /** Each so many-th is dead. */
  deadEvery?: number;
  /** Over how long they came in. */
  days?: number;
  /** The machine's clock in ms. */
  now?: number;
};

/**
 * A site that has been at work for days, written straight into the file of the local D1: jobs with their attempts, and
 * all sums that the engine would have kept of them. 95 % of them are finished, 5 % of those dead (of up to 200 causes, some
 * far more frequent than others), a dozen run or wait just now. A million takes well under a minute.
 */
export function stock(db: DatabaseSync, { jobs, deadEvery = 20, days = 7, now = Date.now() }: Stock): void {
  db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; PRAGMA temp_store = MEMORY;");
  db.exec("CREATE TEMP TABLE why (k INTEGER PRIMARY KEY, kind TEXT, error TEXT, cause TEXT)");
  const add = db.prepare("INSERT INTO temp.why VALUES (?, ?, ?, ?)");
  for (let k = 0; k < CAUSES; k++) add.run(k, ...causeOf(k));
  const insertJobs = db.prepare(JOBS);
  const insertAttempts = db.prepare(ATTEMPTS);
  const newest = db.prepare("SELECT max(id) AS id FROM jobs WHERE token = 'stock'");
  let after = "";
  for (let from = 1; from <= jobs; from += CHUNK) {
    const to = Math.min(jobs, from + CHUNK - 1);
    db.exec("BEGIN");
    insertJobs.run({ from, to, jobs, deadEvery, now, span: days * DAY_MS });
    insertAttempts.run({ after });
    after = (newest.get() as { id: string }).id;
    db.exec("COMMIT");
  }
  db.exec("DROP TABLE temp.why");
  addSums(db, now);
}

/** What the engine would have kept of stored jobs and attempts whose token is "stock": once, when all are there. */
export function addSums(db: DatabaseSync, now: number): void {
  db.exec("BEGIN");
  for (const sum of SUMS) db.exec(sum.replaceAll("{now}", String(now)));
  db.exec("UPDATE site_state SET revision = revision + 1; COMMIT; PRAGMA wal_checkpoint(TRUNCATE);");
}

const PLACES = [
  "eu-west",
  "eu-north",
  "us-east",
  "us-west",
  "ap-south",
  "ap-east",
  "sa-east",
  "af-south",
  "me-central",
  "ca-east",
];
const TROUBLES: [kind: string, error: (place: string) => string][] = [
  ["http_request", (p) => `answered 503: upstream connect error or disconnect (api.${p}.example.com)`],
  ["send_email", (p) => `the provider answered 429: too many requests from pool ${p}`],
  ["http_request", (p) => `no answer within 10 s from billing.${p}.example.com`],
  [
    "http_request",
    (p) => `answered 500: could not serialize access due to concurrent update (orders.${p}.example.com)`,
  ],
  ["send_email", (p) => `550 mailbox unavailable at mx.${p}.example.net`],
  ["demo", (p) => `TypeError: Cannot read properties of undefined (reading 'sku') in ${p}`],
  ["http_request", (p) => `answered 401: token expired (crm.${p}.example.com)`],
  ["http_request", (p) => `connection reset by search.${p}.example.com`],
  ["demo", (p) => `quota of ${p} is used up until midnight`],
  ["http_request", (p) => `answered 422: currency is not supported (payments.${p}.example.com)`],
  ["send_email", (p) => `template "order-shipped" is not known in ${p}`],
  ["demo", (p) => `inventory of ${p} is locked by another import`],
  ["http_request", (p) => `certificate of hooks.${p}.example.com has expired`],
  ["http_request", (p) => `answered 404: no such tenant (tenants.${p}.example.com)`],
  ["send_email", (p) => `sender domain ${p}.example.org is not verified`],
  ["http_request", (p) => `answered 409: version conflict (catalog.${p}.example.com)`],
  ["demo", (p) => `RangeError: Invalid time value in the calendar of ${p}`],
  ["http_request", (p) => `answered 502: bad gateway (edge.${p}.example.com)`],
  ["http_request", (p) => `name maps.${p}.example.com cannot be resolved`],
  ["demo", (p) => `checksum of the export for ${p} does not match`],
];

function causeOf(k: number): [kind: string, error: string, cause: string] {
  const [kind, error] = TROUBLES[k % TROUBLES.length] as (typeof TROUBLES)[number];
  const text = error(PLACES[Math.floor(k / TROUBLES.length) % PLACES.length] as string);
  return [kind, text, `${kind}: ${text}`];
}

/** Numbers from 0 to 1 that look drawn by lot, the same each time. */
const drawn = (salt: number) => `(((n * 2654435761 + ${salt}) % 4294967296) / 4294967296.0)`;

/** Of a number the job's fate; a wave a day in when they came. */
const JOBS = `
  WITH RECURSIVE i(n) AS (SELECT CAST(:from AS INTEGER) UNION ALL SELECT n + 1 FROM i WHERE n < :to),
  a AS (SELECT n,
    CAST(:now - :span + :span * (1.0 * n / :jobs) + 0.4 * 86400000 / (2 * pi()) * sin(2 * pi() * :span / 86400000.0 * n / :jobs) AS INTEGER) - 20000 AS at,
    CASE WHEN n > :jobs - 3 THEN 'processing' WHEN n > :jobs - 12 THEN 'pending' WHEN n % :deadEvery = 7 % :deadEvery THEN 'dead'
      WHEN n % 200 = 33 THEN 'cancelled' WHEN n % 1000 = 501 THEN 'scheduled' WHEN n % 1000 = 502 THEN 'retrying' ELSE 'done' END AS fate,
    CAST(20 + 3000 * pow(${drawn(7)}, 6) AS INTEGER) AS waited, CAST(pow(2, 4 + 8 * pow(${drawn(99)}, 2)) AS INTEGER) AS ran,
    CAST(${CAUSES} * pow((n / :deadEvery * 7919 % 10007) / 10007.0, 3) AS INTEGER) AS k, ${drawn(0)} AS lot, ${drawn(1_234_567)} AS lot2 FROM i),
  b AS (SELECT a.*, CASE WHEN fate IN ('dead', 'retrying') THEN why.kind WHEN lot < 0.5 THEN 'send_email' WHEN lot < 0.85 THEN 'http_request' ELSE 'demo' END AS kind,
    CASE WHEN fate IN ('dead', 'retrying') THEN why.error END AS error, CASE WHEN fate IN ('dead', 'retrying') THEN why.cause END AS cause,
    CASE fate WHEN 'dead' THEN 5 WHEN 'retrying' THEN 2 WHEN 'done' THEN 1 + (n % 10 = 3) WHEN 'processing' THEN 1 ELSE 0 END AS tries
    FROM a LEFT JOIN temp.why AS why ON why.k = a.k)
  INSERT INTO jobs (id, kind, lane, state, attempt, max_attempts, run_at, leased_at, lease_until, token, sent_at, created_at, finished_at, label, cause, last_error, result, payload)
  SELECT printf('%08x-%04x-7%03x-8000-%012x', at >> 16, at & 65535, n & 4095, n), kind, 'normal',
    CASE fate WHEN 'scheduled' THEN 'pending' WHEN 'retrying' THEN 'pending' ELSE fate END, tries, 5,
    CASE fate WHEN 'scheduled' THEN :now + CAST(lot2 * 3 * 86400000 AS INTEGER) WHEN 'retrying' THEN :now + 600000 + CAST(lot2 * 600000 AS INTEGER) ELSE at END,
    CASE WHEN tries > 0 THEN at + waited END, CASE fate WHEN 'processing' THEN :now + 3600000 END, 'stock',
    CASE fate WHEN 'pending' THEN at END, at,
    CASE WHEN fate = 'dead' THEN min(:now, at + waited + ran + 20000) WHEN fate = 'done' THEN min(:now, at + waited + ran) WHEN fate = 'cancelled' THEN min(:now, at + 60000) END,
    CASE kind WHEN 'send_email' THEN 'Order ' || (48000 + n) || ' is on its way to ' || ('["anna","ben","chloe","dimitri","emeka","fatima","goran"]' ->> (n % 7)) || (n % 977) || '@example.com'
      WHEN 'http_request' THEN 'POST https://api.example.com/orders/' || (48000 + n) || '/sync' ELSE 'import of shop ' || (n % 613) END,
    cause, error, CASE fate WHEN 'done' THEN '{"ok":true,"took":' || ran || '}' END,
    CASE kind WHEN 'send_email' THEN '{"to":"anna' || (n % 977) || '@example.com","subject":"Order ' || (48000 + n) || ' is on its way","text":"Your parcel left our house today."}'
      WHEN 'http_request' THEN '{"url":"https://api.example.com/orders/' || (48000 + n) || '/sync","json":{"order":' || (48000 + n) || ',"items":' || (n % 9) || '}}'
      ELSE '{"steps":' || (1 + n % 5) || '}' END
  FROM b`;

/** Every attempt has its row: of the dead five that failed, of what needed a second try one. */
const ATTEMPTS = `
  INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, error, stack, cause, log, token, app_version)
  SELECT id, number, 1, CASE number WHEN 1 THEN 'first' ELSE 'retry' END,
    CASE WHEN good THEN leased_at ELSE ended - 20 - created_at % 900 END, CASE WHEN good THEN finished_at ELSE ended END,
    created_at % 211, CASE WHEN good THEN 'done' ELSE 'failed' END, CASE WHEN good THEN NULL ELSE coalesce(last_error, 'connection reset') END,
    CASE state WHEN 'dead' THEN 'Error: ' || last_error || char(10) || '    at run (app/kinds/' || kind || '.ts:41:13)' || char(10) || '    at attempt (app/lifecycle/run.ts:88:20)' END,
    CASE WHEN good THEN NULL ELSE coalesce(cause, kind || ': connection reset') END,
    CASE state WHEN 'dead' THEN 'asking' || char(10) || 'answered after ' || (created_at % 700) || ' ms' END, 'stock', '0123456789ab'
  FROM (SELECT jobs.*, t.value AS number, state = 'done' AND t.value = attempt AS good,
      CASE state WHEN 'done' THEN leased_at - 10 ELSE coalesce(finished_at, leased_at) - (attempt - t.value) * 4000 END AS ended
    FROM jobs CROSS JOIN json_each('[1,2,3,4,5]') AS t ON t.value <= attempt
    WHERE jobs.id > :after AND token = 'stock' AND state IN ('done', 'dead', 'pending'))`;

const ENDED = "attempts AS a JOIN jobs AS j ON j.id = a.job_id WHERE a.token = 'stock'";
const DEAD = "jobs WHERE state = 'dead' AND token = 'stock'";

/** What the engine keeps of each write, here of all of them together. */
const SUMS = [
  `INSERT INTO job_counts (kind, view, n) SELECT kind, view, count(*) FROM jobs WHERE token = 'stock' GROUP BY 1, 2
   ON CONFLICT (kind, view) DO UPDATE SET n = n + excluded.n`,
  addingToStats(
    `SELECT j.kind, a.finished_at / 60000 * 60000 AS at, a.outcome, a.finished_at - a.started_at AS ran, a.waited_ms AS waited FROM ${ENDED}
     UNION ALL SELECT kind, finished_at / 60000 * 60000, 'dead', NULL, NULL FROM ${DEAD}`,
  ),
  "DELETE FROM stats WHERE grain = 60000 AND at <= {now} - 172800000",
  `INSERT INTO dead_counts (cause, hour, n) SELECT cause, finished_at / 3600000 * 3600000, count(*) FROM ${DEAD} GROUP BY 1, 2
   ON CONFLICT (cause, hour) DO UPDATE SET n = n + excluded.n`,
  `INSERT INTO deaths (minute, cause, kind, n, example) SELECT finished_at / 60000 * 60000, cause, min(kind), count(*), max(id)
   FROM ${DEAD} AND finished_at > {now} - 172800000 GROUP BY 1, 2 ON CONFLICT DO NOTHING`,
  `INSERT INTO sweeps (fence, started_at, finished_at, lost, fired, sent, resent, more, lanes)
   SELECT value, {now} - (2880 - value) * 60000 - 25000, {now} - (2880 - value) * 60000 - 24950 + value % 40, 0, value % 60 = 0, value % 3, 0, 0,
     '{"normal":[' || (value * 7919 % CAST(4 + 40 * abs(sin(value / 190.0)) AS INTEGER)) || ',' || ({now} - (2880 - value) * 60000 - 27000) || '],"high":[0,null],"long":[0,null]}'
   FROM (WITH RECURSIVE i(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM i WHERE value < 2880) SELECT value FROM i)
   WHERE true ON CONFLICT DO NOTHING`,
  "UPDATE leases SET fence = max(fence, 2880) WHERE key = 'sweep'",
  `INSERT INTO backlogs (hour, messages, oldest_ms) SELECT finished_at / 3600000 * 3600000, max(lanes->>'$.normal[0]'), 2000 FROM sweeps GROUP BY 1
   ON CONFLICT DO NOTHING`,
  "INSERT OR IGNORE INTO deploys (at, version) VALUES ({now} - 190000000, '5e0c1a9b77d2'), ({now} - 52000000, '0123456789ab')",
];
