import { instant } from "~/domain/time";
import { expireJobs, type Overdue } from "~/store/expiry";
import type { Engine } from "./engine";
import { insist } from "./trouble/insist";

const CAUSE = "expired before it was started";

/** Ends jobs that were not started in time: dead, and requeued by whoever still wants them. Answers how many. */
export async function expire(engine: Engine, overdue: Overdue[]): Promise<number> {
  if (overdue.length === 0) return 0;
  const token = engine.newToken();
  const jobs = overdue.map(({ id, attempt, expiresAt }) => ({
    id,
    attempt,
    error: `attempt ${attempt + 1} was not started by ${instant(expiresAt)}, its expiresAt`,
  }));
  await engine.seam("expire: before write");
  const ended = new Set(await insist(engine, "expire", () => expireJobs(engine.store, token, jobs, CAUSE)));
  for (const { id, kind, attempt } of overdue) {
    if (ended.has(id)) engine.events({ event: "job.expired", jobId: id, attempt: attempt + 1, kind, cause: CAUSE });
  }
  return ended.size;
}
