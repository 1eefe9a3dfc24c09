import type { Held } from "~/domain/feeds";
import { type Bucket, decodeLimits, type KindLimits, nextStartIn } from "~/domain/kind_limits";
import { instant } from "~/domain/time";

/** What a row of a job says of whatever may hold it. */
export type Holding = {
  sent_at: number | null;
  held_at: number | null;
  paused_at: number | null;
  pause_reason: string | null;
  /** Of its kind, as a person has set them. */
  limits: string | null;
  kind_running: number;
  bucket: string | null;
};

const NOTHING = { reason: null, since: null, limit: null, per: null, next: null };

/** What holds a due job. A kind that nobody here can run holds its jobs whether it is paused or not: resuming it would not help. */
export function heldBy(job: Holding, kind: { limits?: KindLimits } | undefined, nowMs: number): Held | null {
  if (!kind) return { ...NOTHING, by: "unknown-kind" };
  if (job.paused_at) return { ...NOTHING, by: "paused", reason: job.pause_reason, since: instant(job.paused_at) };
  const { running, perGroup, rate } = job.limits === null ? (kind.limits ?? {}) : decodeLimits(job.limits);
  if (job.held_at !== null) return { ...NOTHING, by: "group", since: instant(job.held_at), limit: perGroup ?? null };
  const onItsWay = job.sent_at !== null && job.sent_at <= nowMs;
  if (onItsWay) return null;
  if (running && job.kind_running >= running) return { ...NOTHING, by: "limit", limit: running };
  const nextMs = rate ? nextStartIn(rate, JSON.parse(job.bucket ?? "null") as Bucket | null, nowMs) : 0;
  if (!rate || nextMs === 0) return null;
  return { ...NOTHING, by: "rate", limit: rate.jobs, per: rate.per, next: instant(job.sent_at ?? nowMs + nextMs) };
}
