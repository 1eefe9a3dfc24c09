import type { BenchEnv, Shape } from "./shape";

/** The local queue alone: the ceiling of any shape on it. */
export const bare: Shape = { submit, store, consume };

async function submit(env: BenchEnv, jobs: number): Promise<void> {
  for (let sent = 0; sent < jobs; sent += 100) {
    const length = Math.min(100, jobs - sent);
    await env.BARE.sendBatch(Array.from({ length }, (_, i) => ({ body: { n: sent + i }, contentType: "json" })));
  }
}

async function store(env: BenchEnv, jobs: number): Promise<() => Promise<void>> {
  return () => submit(env, jobs);
}

async function consume(_env: BenchEnv, batch: MessageBatch): Promise<void> {
  for (const message of batch.messages) message.ack();
}
