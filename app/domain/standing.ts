import type { JobDetail, SweepRow } from "./feeds";
import { count } from "./format";
import { SWEEP_LATE_MS } from "./health";

/** A sentence with times in it: they are drawn as times that tick. */
export type Sentence = (string | { at: string } | { since: string })[];

/** Why a job is not final yet: what it waits for, or what runs. Null: it is final, nothing is to be told. */
export function standingOf(job: JobDetail, nowMs: number): Sentence | null {
  const standing = waitsOrRuns(job, nowMs);
  if (!standing || job.state !== "pending" || !job.expiresAt) return standing;
  return [...standing, " It expires ", { at: job.expiresAt }, ": not started by then, it is dead."];
}

function waitsOrRuns(job: JobDetail, nowMs: number): Sentence | null {
  if (job.state === "processing") {
    const running: Sentence = [
      `Attempt ${count(job.attempt)} is running`,
      ...(job.startedAt ? [" for ", { since: job.startedAt }] : []),
      ".",
    ];
    return job.cancelRequestedAt
      ? [...running, " A cancel was requested ", { at: job.cancelRequestedAt }, ": it stops at the next heartbeat."]
      : running;
  }
  if (job.state !== "pending") return null;
  const next = `Attempt ${count(job.attempt + 1)}`;
  if (Date.parse(job.runAt) > nowMs) return [`${next} is due `, { at: job.runAt }, "."];
  if (job.held?.by === "unknown-kind") {
    return [`Held: this release does not know the kind ${job.kind}. It waits for one that does.`];
  }
  if (job.held) {
    const since: Sentence = job.held.since ? [" since ", { at: job.held.since }] : [];
    return [`Held: the kind ${job.kind} is paused`, ...since, job.held.reason ? `: ${job.held.reason}` : "."];
  }
  if (job.sentAt)
    return [`${next} was sent to the lane ${job.lane} `, { at: job.sentAt }, " and waits to be picked up."];
  return [`${next} is due since `, { at: job.runAt }, " and not sent yet: the next sweep sends it."];
}

/** One missed minute may happen; from two on somebody should know; from five on nothing lost is repaired any more. */
export const SWEEP_DUE_MS = 150_000;

export type SweepStanding = "well" | "failed" | "late" | "stopped" | "never";

export function sweepStanding(lastSweep: SweepRow | null, nowMs: number): SweepStanding {
  if (!lastSweep) return "never";
  const age = nowMs - Date.parse(lastSweep.finishedAt);
  if (age > SWEEP_LATE_MS) return "stopped";
  if (age > SWEEP_DUE_MS) return "late";
  return lastSweep.error ? "failed" : "well";
}
