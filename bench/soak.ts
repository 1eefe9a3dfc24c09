/**
 * `npm run soak [-- --minutes 10]`: the production build, served as `npm start` serves it, under a mix of jobs for so long,
 * killed without a warning every now and then. Ends with an audit of the whole database, by the simulator's own laws,
 * and `violations 0`, or exit status 1.
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Receiver } from "../e2e/receiver.ts";
import { Server } from "../e2e/server.ts";
import { AT_REST, wrongs } from "./simulate/audit.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const MINUTES = Number(values.minutes);
if (!(MINUTES > 0)) throw new RangeError(`--minutes is a number over 0, not ${values.minutes}`);
/** Between two calls: a backlog builds up now and then, and is worked off again. */
const PACE_MS = 500;
/** How long everything may take to end once nothing is killed any more. */
const REST_MS = 10 * 60_000;

type Job = { kind: string; payload: unknown; idempotencyKey: string; delaySeconds?: number };

/** Jobs that were answered 202, by the key that they were sent with. */
const accepted = new Map<string, string>();
const tally = { calls: 0, repeated: 0, kills: 0, acts: 0 };
const violations: string[] = [];
const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;

const receiver = await Receiver.start();
receiver.answer = () =>
  Math.random() < 0.1 ? { status: 503 } : Math.random() < 0.02 ? { reset: true } : { body: "ok" };
// The machine's own clock ticks: what a kill has cut off is repaired as it would be in production.
const server = await Server.start({ env: { REDRIVE_CRON: "on", OUTBOUND_ALLOW: receiver.origin } });
try {
  await work(Date.now() + MINUTES * 60_000);
  await rest(Date.now() + REST_MS);
  audit();
} finally {
  await server.stop();
  await receiver.stop();
}
for (const what of violations) console.log(what);
console.log(`violations ${violations.length}`);
process.exitCode = violations.length > 0 ? 1 : 0;

/** Submits, while somebody else pulls the plug every now and then. */
async function work(until: number): Promise<void> {
  const plug = pull(until);
  for (let number = 0; Date.now() < until; await pause(PACE_MS)) {
    const jobs = Array.from({ length: 1 + Math.floor(Math.random() * 40) }, () => jobOf(++number));
    await submit(jobs);
    if (Math.random() < 0.1) await act();
  }
  await plug;
}

async function pull(until: number): Promise<void> {
  for (;;) {
    await pause(10_000 + Math.random() * 30_000);
    if (Date.now() > until) return;
    tally.kills++;
    await server.kill();
    await pause(Math.random() * 3_000);
    await server.restart();
    console.log(`${accepted.size} jobs accepted, ${tally.kills} kills`);
  }
}

function jobOf(n: number): Job {
  const url = `${receiver.origin}/${n}`;
  const [kind, payload] = pick<[string, unknown]>([
    ["demo", {}],
    ["demo", {}],
    ["demo", { durationMs: 2_000, steps: 2 }],
    ["demo", { failTimes: 1 }],
    ["demo", { failTimes: 9 }],
    ["demo", { permanent: true }],
    ["http_request", { url, json: { n } }],
    ["webhook_fanout", { type: "soak", data: { n }, endpoints: [{ url }, { url: `${url}/b` }, { url: `${url}/c` }] }],
    ["send_email", { to: `soak${n}@example.com`, subject: `number ${n}`, text: "soak" }],
  ]);
  return { kind, payload, idempotencyKey: `soak ${n}`, ...(Math.random() < 0.1 && { delaySeconds: 20 }) };
}

/** Until it is answered: a call whose reply was lost is sent again, and answered as the first one was. */
async function submit(jobs: Job[]): Promise<void> {
  let why = "";
  for (let tries = 0; ; tries++) {
    tally.calls++;
    try {
      const response = await fetch(`${server.url}/api/v1/jobs`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(jobs),
      });
      if (response.status === 202) {
        const answer = (await response.json()) as { ids: string[] };
        for (const [i, id] of answer.ids.entries()) accepted.set((jobs[i] as Job).idempotencyKey, id);
        return;
      }
      why = `${response.status} ${await response.text()}`;
    } catch (error) {
      why = String(error);
    }
    if (/^4\d\d /.test(why)) throw new Error(why);
    tally.repeated++;
    await pause(500);
    if (tries > 60) throw new Error(`a submit was not answered for a minute: ${why}\n${server.log.slice(-2_000)}`);
  }
}

/** Somebody presses a button. Whether it helps is no matter here. */
async function act(): Promise<void> {
  tally.acts++;
  const id = pick([...accepted.values()]);
  const post = (path: string, body: unknown) =>
    fetch(`${server.url}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }).then((response) => response.text());
  await pick([
    () => post(`/jobs/${id}/requeue`, {}),
    () => post(`/jobs/${id}/cancel`, {}),
    () => post("/kinds/demo/pause", {}).then(() => post("/kinds/demo/resume", {})),
    () => post("/bulk", { action: "requeue", filter: { view: "dead" } }),
  ])().catch(() => {});
}

/** Nothing is killed any more: everything ends. */
async function rest(until: number): Promise<void> {
  await server.restart();
  while (Date.now() < until) {
    await pause(2_000);
    const [row] = rows<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE finished_at IS NULL");
    if (row?.n === 0) return;
  }
}

function rows<T>(sql: string): T[] {
  return server.database((db) => db.prepare(sql).all() as T[]);
}

function audit(): void {
  for (const query of [...wrongs(false), ...AT_REST])
    violations.push(...rows<{ what: string }>(query).map(({ what }) => what));
  const stored = new Map(
    rows<{ key: string; id: string }>(
      "SELECT idempotency_key AS key, id FROM jobs WHERE idempotency_key IS NOT NULL",
    ).map(({ key, id }) => [key, id]),
  );
  for (const [key, id] of accepted) {
    if (stored.get(key) !== id) violations.push(`"${key}" was accepted as ${id}, and stored is ${stored.get(key)}`);
  }
  // The outside counts for itself: no more calls of a job than it made attempts, and at least one of a job that is done.
  const calls = new Map<string, number>();
  for (const { headers } of receiver.received) {
    const [id] = String(headers["idempotency-key"] ?? "").split("/");
    if (id) calls.set(id, (calls.get(id) ?? 0) + 1);
  }
  for (const { id, attempt, state } of rows<{ id: string; attempt: number; state: string }>(
    "SELECT id, attempt, state FROM jobs WHERE kind = 'http_request'",
  )) {
    const n = calls.get(id) ?? 0;
    if (n > attempt || (state === "done" && n === 0))
      violations.push(`request ${id} is ${state} after ${attempt} attempts and ${n} calls`);
  }
  const [sum] = rows<{ jobs: number; attempts: number; lost: number; refused: number }>(
    "SELECT (SELECT count(*) FROM jobs) AS jobs, (SELECT count(*) FROM attempts) AS attempts, (SELECT count(*) FROM attempts WHERE outcome = 'lost') AS lost, (SELECT count(*) FROM refusals) AS refused",
  );
  console.log(
    `${MINUTES} minutes, ${tally.kills} kills, ${tally.calls} calls (${tally.repeated} repeated), ${tally.acts} buttons`,
  );
  console.log(
    `${sum?.jobs} jobs, ${sum?.attempts} attempts, ${sum?.lost} of them lost with their worker, ${sum?.refused} late results, ${receiver.received.length} requests outside`,
  );
}
