import { type Came, chunkOf, rememberedOf } from "./laws_bulk";
import { LIMITED } from "./limited";
import type { JobRow, Snapshot } from "./snapshot";

/** Who has just committed what. */
export type Commit = {
  /** The function of the store that asked. */
  by: string;
  role: string;
  /** Tokens of this invocation begin with it. */
  name: string;
  now: number;
  came: Came;
  leaseMs: number;
  known: (kind: string) => boolean;
  /** Whether a message of the invocation's batch asks for this attempt. */
  asks: (jobId: string, attempt: number) => boolean;
  /** Whether a dead letter in the invocation's hands speaks of this attempt, in this generation. */
  letterFor: (jobId: string, attempt: number, generation: number) => boolean;
  /** Whether the invocation, or its operator, has seen this generation of the job, or never looked at it. */
  saw: (jobId: string, generation: number) => boolean;
};

const FINAL = ["done", "dead", "cancelled"];
const OPERATORS = ["cancelJob", "applyToNamed", "applyChunk"];
const REOPENERS = ["reopenJob", "applyToNamed", "applyChunk"];
const DELETERS = ["applyToNamed", "applyChunk"];
const UNSEEN = "whoever meant it had not seen that generation";
const NEVER_CHANGES = ["kind", "payload", "created_at", "idempotency_key", "max_attempts", "daily_number"] as const;

/** What the step from one snapshot to the next has broken, in words. */
export function broken(before: Snapshot, after: Snapshot, commit: Commit): string[] {
  const out: string[] = after.wrong.map((what) => `after ${commit.by}: ${what}`);
  const say = (what: string) => void out.push(`${commit.by} of ${commit.name}: ${what}`);

  let moved = after.jobs.size - before.jobs.size;
  let claims = 0;
  for (const job of after.jobs.values()) {
    const was = before.jobs.get(job.id);
    if (!was) {
      if (job.state !== "pending" || job.attempt !== 0 || job.generation !== 1)
        say(`job ${job.id} was born ${job.state}`);
      continue;
    }
    for (const name of NEVER_CHANGES) if (job[name] !== was[name]) say(`job ${job.id} changed its ${name}`);
    if (job.state !== was.state || job.attempt !== was.attempt || job.generation !== was.generation) {
      moved++;
      if (was.state === "pending" && job.state === "processing") claims++;
      moveOf(was, job, before, after, commit, say);
    } else stayOf(was, job, commit, say);
  }
  for (const job of after.jobs.values()) {
    const was = before.jobs.get(job.id);
    if (was && was.suspect > 0 && was.state === "pending" && job.state === "processing" && claims > 1)
      say(`suspect ${job.id} was claimed beside others`);
  }
  for (const job of before.jobs.values()) {
    if (after.jobs.has(job.id)) continue;
    moved++;
    if (!DELETERS.includes(commit.by) || !FINAL.includes(job.state)) say(`job ${job.id} (${job.state}) is gone`);
    if (!commit.saw(job.id, job.generation)) say(`job ${job.id} is gone: ${UNSEEN}`);
  }

  limitsOf(after, say);
  if (commit.by === "applyChunk") chunkOf(before, after, commit.came, say);
  else rememberedOf(before, after, say);
  if (after.revision < before.revision) say(`the revision fell from ${before.revision} to ${after.revision}`);
  if (moved !== 0 && after.revision === before.revision) say("jobs moved and the revision did not");
  if (after.publicationRevision - before.publicationRevision !== after.published - before.published)
    say(`publications changed by ${after.published - before.published}, their revision did not`);
  const { owner, fence, expiresAt } = before.lease;
  if (after.lease.fence !== fence && owner !== null && expiresAt > commit.now)
    say(`took the sweep while ${owner} had it`);
  historyOf(before, after, commit, say);
  return out;
}

function moveOf(
  was: JobRow,
  job: JobRow,
  before: Snapshot,
  after: Snapshot,
  { by, role, name, now, leaseMs, known, asks, letterFor, saw }: Commit,
  say: (what: string) => void,
): void {
  const at = `job ${job.id}, ${was.state} at ${was.attempt} → ${job.state} at ${job.attempt}`;
  const mustBe = (right: boolean, what: string) => right || say(`${at}: ${what}`);
  const step = `${was.state} → ${job.state}`;
  mustBe(job.attempt - was.attempt === (step === "pending → processing" ? 1 : 0), "the attempt number jumped");
  if (!REOPENERS.includes(by)) mustBe(job.generation === was.generation, "the generation changed");
  switch (step) {
    case "pending → processing":
      mustBe(by === "claimJobs" && job.token.startsWith(`${name}.`), "not by a claim");
      mustBe(was.run_at <= now, "before it was due");
      mustBe(was.expires_at === null || was.expires_at > now, "after its deadline");
      mustBe(!before.paused.has(was.kind), "its kind is paused");
      mustBe(known(was.kind), "its kind is not known there");
      mustBe(job.lease_until === now + leaseMs, "without its lease");
      mustBe(asks(job.id, job.attempt), "no message in hand asks for that attempt");
      return;
    case "processing → pending":
    case "processing → done":
    case "processing → dead":
    case "processing → cancelled": {
      const row = after.attempts.get(`${job.id}/${job.attempt}`);
      mustBe(by === "settleJobs" && row !== undefined, "without an attempt row");
      mustBe(row?.token === job.token && job.token.startsWith(`${name}.`), "the attempt row is somebody else's");
      if (role === "sweep") {
        mustBe(row?.outcome === "lost", `a sweep said ${row?.outcome}`);
        mustBe((was.lease_until ?? 0) <= now, "its lease has not run out");
      } else mustBe(was.token.startsWith(`${name}.`), `settled by one that does not hold it: ${was.token} does`);
      mustBe(job.state !== "pending" || was.cancel_requested_at === null, "it was asked to stop");
      mustBe(job.state !== "cancelled" || was.cancel_requested_at !== null, "nobody asked it to stop");
      return;
    }
    case "pending → dead":
      if (by === "layLetters")
        mustBe(letterFor(job.id, was.attempt + 1, was.generation), "no dead letter speaks of it");
      else mustBe(by === "expireJobs" && was.expires_at !== null && was.expires_at <= now, "nobody may do that");
      return;
    case "pending → cancelled":
      mustBe(OPERATORS.includes(by), "nobody asked for it");
      mustBe(by === "cancelJob" || saw(job.id, was.generation), UNSEEN);
      return;
    case "dead → pending":
    case "cancelled → pending":
      mustBe(REOPENERS.includes(by), "not by a requeue");
      mustBe(job.generation === was.generation + 1, "not as the next generation");
      mustBe(saw(job.id, was.generation), UNSEEN);
      return;
    default:
      mustBe(false, "there is no such way");
  }
}

function stayOf(was: JobRow, job: JobRow, { by, name }: Commit, say: (what: string) => void): void {
  if (job.lease_until !== was.lease_until && (by !== "renewLeases" || !was.token.startsWith(`${name}.`)))
    say(`the lease of ${job.id} was renewed by one that does not hold it`);
  if (job.cancel_requested_at !== was.cancel_requested_at) {
    if (was.cancel_requested_at !== null) say(`what asks ${job.id} to stop was changed`);
    if (job.state !== "processing" || !OPERATORS.includes(by))
      say(`${job.id} is asked to stop, ${job.state}, by nobody`);
  }
  if (job.token !== was.token && !DELETERS.includes(by)) say(`job ${job.id} changed its token and nothing else`);
  if (job.state === "pending" && job.run_at !== was.run_at) say(`job ${job.id} changed its time`);
}

/** What a definition allows at once holds at each moment, and whom a group holds somebody lets go. */
function limitsOf(after: Snapshot, say: (what: string) => void): void {
  const jobs = [...after.jobs.values()].filter(({ kind }) => kind in LIMITED);
  for (const [name, { running = Infinity, perGroup = Infinity }] of Object.entries(LIMITED)) {
    const own = jobs.filter(({ kind }) => kind === name);
    const runs = own.filter(({ state }) => state === "processing");
    if (runs.length > running) say(`${runs.length} jobs of ${name} run, and ${running} may`);
    for (const [group, members] of Map.groupBy(own, ({ group_key }) => group_key)) {
      if (group === null) continue;
      const beside = members.filter(({ state }) => state === "processing").length;
      if (beside > perGroup) say(`${beside} jobs of group ${group} of ${name} run, and ${perGroup} may`);
      const waits = members.filter(({ state }) => state === "pending");
      const held = waits.filter(({ held_at }) => held_at !== null);
      if (held.length > 0 && held.length === waits.length && beside === 0)
        say(`group ${group} of ${name} holds ${held.length} jobs, and nobody will let them go`);
    }
  }
}

function historyOf(before: Snapshot, after: Snapshot, { by }: Commit, say: (what: string) => void): void {
  for (const [key, row] of before.attempts) {
    const now = after.attempts.get(key);
    if (!after.jobs.has(row.job_id)) continue;
    if (now?.token !== row.token || now.outcome !== row.outcome) say(`the row of attempt ${key} was changed`);
  }
  for (const [key, row] of after.attempts) {
    if (!before.attempts.has(key) && before.jobs.get(row.job_id)?.state !== "processing")
      say(`attempt ${key} was written while nothing ran`);
  }
  for (const [key, result] of before.effects) {
    if (after.jobs.has(key.split("/")[0] as string) && after.effects.get(key) !== result)
      say(`the recorded effect ${key} was changed`);
  }
  for (const key of before.refusals) {
    if (after.jobs.has(key.split("/")[0] as string) && !after.refusals.has(key)) say(`refusal ${key} is gone`);
  }
  const died = [...after.jobs.values()].filter(
    (job) => job.state === "dead" && before.jobs.get(job.id)?.state !== "dead",
  ).length;
  if (after.died - before.died !== died) say(`${died} jobs died, ${after.died - before.died} were counted`);

  const landed = after.committed.slice().sort();
  landed.forEach((key, i) => {
    if (key === landed[i + 1]) say(`what attempt ${key} commits with its settle is there twice`);
    const [id, attempt] = key.split("/") as [string, string];
    if (!after.attempts.has(`${id}/${attempt}`) && after.jobs.has(id))
      say(`attempt ${key} has committed without a settle`);
  });
  for (const key of after.guarded) {
    if (before.guarded.has(key)) continue;
    const [id, attempt] = key.split("/") as [string, string];
    const job = before.jobs.get(id);
    if (job?.state !== "processing" || job.attempt !== Number(attempt))
      say(`attempt ${key} wrote although it was lost (${by})`);
  }
}
