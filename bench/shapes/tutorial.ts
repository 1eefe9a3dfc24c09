import { demo } from "~/kinds/demo";
import type { BenchEnv, Shape } from "./shape";

/**
 * What a good tutorial teaches: each submit inserts its row and sends its message; the consumer goes through the batch,
 * claims each job with a guarded UPDATE, runs it, settles it with its attempt row in one batch, acknowledges it.
 * No counts, no revision, no fence beyond the claim: it does less for each job than the real thing.
 */
export const tutorial: Shape = { submit, store, consume };

/** Requests under way at once. One alone would wait for replies most of the time. */
const CLIENTS = 8;
const LEASE_MS = 30_000;

type Body = { jobId: string };

async function submit(env: BenchEnv, jobs: number): Promise<void> {
  await atOnce(CLIENTS, jobs, async () => {
    const id = await insert(env);
    await env.TUTORIAL.send({ jobId: id } satisfies Body);
  });
}

async function store(env: BenchEnv, jobs: number): Promise<() => Promise<void>> {
  const ids: string[] = [];
  await atOnce(CLIENTS, jobs, async () => void ids.push(await insert(env)));
  return () => atOnce(CLIENTS, ids.length, async (i) => void (await env.TUTORIAL.send({ jobId: ids[i] })));
}

async function insert(env: BenchEnv): Promise<string> {
  const id = crypto.randomUUID();
  const now = Date.now();
  await env.DB.prepare(
    `INSERT INTO jobs (id, kind, lane, state, payload, max_attempts, run_at, sent_at, created_at, token)
     VALUES (?, 'demo', 'normal', 'pending', ?, 3, ?, ?, ?, '')`,
  )
    .bind(id, "{}", now, now, now)
    .run();
  return id;
}

async function consume(env: BenchEnv, batch: MessageBatch): Promise<void> {
  for (const message of batch.messages) {
    await perform(env, (message.body as Body).jobId);
    message.ack();
  }
}

async function perform(env: BenchEnv, id: string): Promise<void> {
  const startedAt = Date.now();
  const claim = crypto.randomUUID();
  const job = await env.DB.prepare(
    `UPDATE jobs SET state = 'processing', attempt = attempt + 1, token = ?, sent_at = NULL, leased_at = ?, lease_until = ?
     WHERE id = ? AND state = 'pending' RETURNING attempt, payload, run_at`,
  )
    .bind(claim, startedAt, startedAt + LEASE_MS, id)
    .first<{ attempt: number; payload: string; run_at: number }>();
  if (!job) return;
  const result = await demo.run(JSON.parse(job.payload), { attempt: job.attempt } as never);
  const now = Date.now();
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE jobs SET state = 'done', result = ?, finished_at = ?, lease_until = NULL
       WHERE id = ? AND token = ? AND state = 'processing'`,
    ).bind(JSON.stringify(result), now, id, claim),
    env.DB.prepare(
      `INSERT INTO attempts (job_id, number, generation, trigger, started_at, finished_at, waited_ms, outcome, token, app_version)
       VALUES (?, ?, 1, 'first', ?, ?, ?, 'done', ?, 'bench')`,
    ).bind(id, job.attempt, startedAt, now, Math.max(0, startedAt - job.run_at), claim),
  ]);
}

async function atOnce(width: number, count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
