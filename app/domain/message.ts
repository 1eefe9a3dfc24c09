/** A queue message says "perform attempt n of this job". It carries no payload: D1 is the truth, the queue a doorbell. */
export type Message = {
  v: 1;
  jobId: string;
  attempt: number;
  kind: string;
  /** How often this message was copied because D1 could not be reached. */
  hops?: number;
};

export const messageFor = (jobId: string, attempt: number, kind: string, hops?: number): Message =>
  hops ? { v: 1, jobId, attempt, kind, hops } : { v: 1, jobId, attempt, kind };

/** Unknown extra fields are ignored: a newer release may have added them. Anything else that does not fit is null. */
export function parseMessage(body: unknown): Message | null {
  if (typeof body !== "object" || body === null) return null;
  const { v, jobId, attempt, kind, hops } = body as Record<string, unknown>;
  if (v !== 1 || typeof jobId !== "string" || typeof kind !== "string") return null;
  if (!Number.isSafeInteger(attempt) || (attempt as number) < 1) return null;
  return messageFor(jobId, attempt as number, kind, Number.isSafeInteger(hops) ? (hops as number) : undefined);
}
