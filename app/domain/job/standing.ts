import { jobsAddress, kindsPlace } from "../addresses";
import type { Held, JobDetail, SweepRow } from "../feeds";
import { count } from "../format";
import { rateWords } from "../kind_limits";
import { SWEEP_LATE_MS } from "../overview/health";
import { isFinal } from "../states";

/** A sentence with times in it: they are drawn as times that tick. */
export type Sentence = (string | { at: string } | { since: string } | { text: string; to: string })[];

/** Why a job is not running, in one sentence: what it waits for, or how it ended. Of one that runs, that it does. */
export function standingOf(job: JobDetail, nowMs: number): Sentence {
  if (isFinal(job.state)) return ended(job);
  const standing = waitsOrRuns(job, nowMs);
  if (job.state !== "pending" || !job.expiresAt) return standing;
  if (Date.parse(job.expiresAt) <= nowMs) {
    return [...standing, " It expired ", { at: job.expiresAt }, ": it is not started any more, and dead soon."];
  }
  return [...standing, " It expires ", { at: job.expiresAt }, ": not started by then, it is dead."];
}

function ended(job: JobDetail): Sentence {
  const when: Sentence = job.finishedAt ? [" ", { at: job.finishedAt }] : [];
  if (job.state === "done") return [`Done: attempt ${count(job.attempt)} succeeded`, ...when, "."];
  if (job.state === "cancelled") {
    const who = job.audit.find(({ action }) => action === "cancel")?.actor;
    return [`Cancelled${who ? ` by ${who}` : ""}`, ...when, ". A requeue runs it again."];
  }
  return ["Dead", ...when, `${whyDead(job)}. It waits for a person: a requeue runs it again.`];
}

function whyDead(job: JobDetail): string {
  const [last] = job.attempts;
  // Older attempts are looked at: they say nothing of its end.
  if (last && last.number < job.attempt) return "";
  if (last?.finishedAt !== job.finishedAt) return `: it was given up before attempt ${count(job.attempt + 1)} began`;
  if (job.tries < job.maxAttempts) return `: attempt ${count(job.attempt)} failed in a way that no retry can help`;
  return job.tries === 1 ? ": its only try is used up" : `: all ${count(job.tries)} tries are used up`;
}

function waitsOrRuns(job: JobDetail, nowMs: number): Sentence {
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
  const next = `Attempt ${count(job.attempt + 1)}`;
  if (Date.parse(job.runAt) > nowMs) return [`${next} is due `, { at: job.runAt }, `${waitsSince(job)}.`];
  if (job.held?.by === "unknown-kind") {
    return [`Held: this release does not know the kind ${job.kind}. It waits for one that does.`];
  }
  if (job.held && job.held.by !== "paused") return heldByLimit(job, job.held, nowMs);
  if (job.held) {
    const since: Sentence = job.held.since ? [" since ", { at: job.held.since }] : [];
    return [`Held: the kind ${job.kind} is paused`, ...since, job.held.reason ? `: ${job.held.reason}` : "."];
  }
  if (job.sentAt)
    return [
      `${next} was sent to the lane ${job.lane} `,
      { at: job.sentAt },
      ` and waits to be picked up${alone(job)}.`,
    ];
  return [`${next} is due since `, { at: job.runAt }, " and not sent yet: the next sweep sends it."];
}

const alone = ({ attempts: [last] }: JobDetail): string =>
  last?.outcome === "lost" ? ", after all others of its batch: its last worker was lost" : "";

function waitsSince({ attempts: [last], generation, view }: JobDetail): string {
  if (view === "scheduled") return ", as it was asked for";
  if (!last || last.generation !== generation) return "";
  const backoff = last.outcome === "snoozed" ? "the snooze of" : "the backoff after";
  return `: ${backoff} attempt ${count(last.number)}`;
}

function heldByLimit(job: JobDetail, { by, limit, per, next }: Held, nowMs: number): Sentence {
  const limits = { text: "Its limits", to: kindsPlace(job.kind) };
  const n = limit === null ? "a set number" : count(limit);
  if (by === "rate" && per !== null) {
    const free: Sentence = next && Date.parse(next) > nowMs ? [{ at: next }] : ["now"];
    const when: Sentence = next ? ["; the next start is free ", ...free] : [];
    return [
      `Held: of the kind ${job.kind} no more start than ${rateWords({ jobs: limit ?? 0, per })}`,
      ...when,
      ". ",
      limits,
      ".",
    ];
  }
  const group = by === "group" ? ` group:${JSON.stringify(job.groupKey)}` : "";
  const running = { text: "these run", to: jobsAddress({ q: `kind:${job.kind}${group} state:processing` }) };
  const whose =
    by === "group" ? `of the group ${job.groupKey} no more than ${n}` : `of the kind ${job.kind} no more than ${n}`;
  return [`Held: ${whose} run at once, and `, running, ". It starts when one of them ends. ", limits, "."];
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
