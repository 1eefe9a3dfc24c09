import type { FullDay } from "~/domain/day";
import { PermanentError } from "~/domain/errors";
import { laneOf } from "~/domain/lanes";
import { SEND_AHEAD_MS } from "~/domain/limits";
import { masksIn } from "~/domain/secrets";
import type { State } from "~/domain/states";
import { type Problem, problemsOf, type Rejection, type Submission } from "~/domain/submission";
import { parseInstant } from "~/domain/time";
import type { JobRequest, Kind } from "~/kinds/define";
import type { Entry } from "~/store/audit";
import { type Inserted, insertJobs, type NewJob } from "~/store/insert_jobs";
import type { Engine } from "./engine";
import { labelOf } from "./label";
import { leaveRoom } from "./limits/leave_room";
import { requestHash } from "./request_hash";
import { sendOwed } from "./send";
import { tooLate } from "./too_late";
import { insist } from "./trouble/insist";

/** Kept with the jobs that it makes; their ids are added. */
export type Deed = Omit<Entry, "id">;

export type Submitted =
  | { kind: "accepted"; jobs: { id: string; replayed: boolean; state: State }[] }
  | { kind: "rejected"; rejection: Rejection }
  | { kind: "conflict"; index: number; key: string; jobId: string | null }
  | ({ kind: "full" } & FullDay);

/**
 * Stores a call of 1 to 1,000 jobs, whole or not at all, then sends their messages: row first, message second, always.
 * A send that fails is not the caller's trouble: the row says so and the sweep sends. Throws what D1 throws; then the
 * outcome is unknown, and repeating the call with the same idempotency keys is safe. `submitter`: who is counted for it,
 * and takes numbers of the day; null for what the system submits itself. `deed`: what a person did beyond asking for jobs.
 */
export async function submit(
  engine: Engine,
  submissions: Submission[],
  submitter: string | null = null,
  deed?: Deed,
): Promise<Submitted> {
  const wanted = await prepare(engine, submissions, submitter === null ? "inside" : "outside");
  if ("status" in wanted) return { kind: "rejected", rejection: wanted };
  const late = await tooLate(engine, submissions, wanted);
  if (late.length > 0) return { kind: "rejected", rejection: { status: 400, code: "invalid", problems: late } };

  // Two jobs of one call with one key are one job, if they ask for the same.
  const firstOfKey = new Map<string, NewJob>();
  for (const [index, job] of wanted.entries()) {
    if (job.key === null) continue;
    const first = firstOfKey.get(job.key) ?? job;
    if (first.hash !== job.hash) return { kind: "conflict", index, key: job.key, jobId: null };
    firstOfKey.set(job.key, first);
  }
  const jobs = wanted.filter((job) => job.key === null || firstOfKey.get(job.key) === job);

  const token = engine.newToken();
  const entry = deed && { ...deed, id: engine.newId(), after: { ...deed.after, jobs: jobs.map(({ id }) => id) } };
  await engine.seam("submit: before insert");
  const { stored, keys, day } = await insist(engine, "submit", () =>
    insertJobs(engine.store, token, jobs, SEND_AHEAD_MS, submitter, entry),
  );
  const holders = new Map(keys.map((holder) => [holder.key, holder]));
  const conflict = wanted.findIndex((job) => job.key !== null && holders.get(job.key)?.hash !== job.hash);
  if (conflict >= 0) {
    const key = (wanted[conflict] as NewJob).key as string;
    return { kind: "conflict", index: conflict, key, jobId: holders.get(key)?.id ?? null };
  }
  const missing = wanted.filter((job) => job.key === null || !holders.has(job.key)).length;
  if (stored.length === 0 && missing > 0 && submitter !== null && day?.dailyLimit != null) {
    return { kind: "full", submitter, dailyLimit: day.dailyLimit, used: day.used, wanted: missing, endsAt: day.endsAt };
  }

  await engine.seam("submit: between insert and send");
  await sendStored(engine, jobs, stored);
  const own = new Set(stored.map((job) => job.id));
  return {
    kind: "accepted",
    jobs: wanted.map((job) => {
      const holder = job.key === null ? undefined : holders.get(job.key);
      const id = holder?.id ?? job.id;
      return { id, replayed: !own.has(id), state: holder?.state ?? "pending" };
    }),
  };
}

/**
 * What is to be stored of each, checked against its kind; nothing is, where one of them is refused. `from`: who asks; from
 * outside, no internal kinds are taken.
 */
export async function prepare(
  engine: Engine,
  submissions: Submission[],
  from: "inside" | "outside" = "inside",
): Promise<NewJob[] | Rejection> {
  const checked = check(engine, submissions, from);
  if ("status" in checked) return checked;
  const jobs = await Promise.all(submissions.map((one, index) => newJob(engine, one, checked[index] as Checked)));
  leaveRoom(engine, jobs);
  return jobs;
}

/** Sends the messages that the rows of `stored` owe. */
export async function sendStored(engine: Engine, jobs: NewJob[], stored: Inserted["stored"]): Promise<void> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  await sendOwed(
    engine,
    stored.flatMap(({ id, sent, delayMs }) => {
      const job = byId.get(id) as NewJob;
      return sent ? [{ id, kind: job.kind, lane: job.lane, attempt: 0, generation: 1, delayMs }] : [];
    }),
  );
}

type Checked = { kind: Kind; label: string | null };

function check(engine: Engine, submissions: Submission[], from: "inside" | "outside"): Checked[] | Rejection {
  const problems: Problem[] = [];
  const checked: Checked[] = [];
  for (const one of submissions) {
    const prefix = one.at ?? "";
    const kind = engine.kinds.get(one.kind);
    if (!kind) {
      const known = [...engine.kinds.values()].flatMap(({ name, internal }) =>
        internal && from === "outside" ? [] : name,
      );
      problems.push({ path: `${prefix}kind`, message: `"${one.kind}" is not a kind here: ${known.join(", ")}` });
      continue;
    }
    if (kind.internal && from === "outside") {
      problems.push({ path: `${prefix}kind`, message: `"${one.kind}" is submitted by this deployment itself only` });
      continue;
    }
    const masks = masksIn(one.payloadText, kind);
    if (masks.length > 0) {
      problems.push(...masks.map((problem) => ({ ...problem, path: `${prefix}payload.${problem.path}` })));
      continue;
    }
    const parsed = kind.input.safeParse(one.payload);
    if (!parsed.success) {
      problems.push(...problemsOf(parsed.error, `${prefix}payload.`));
      continue;
    }
    const found = kind.check?.(parsed.data, engine.settings.outbound) ?? [];
    problems.push(...found.map((problem) => ({ ...problem, path: `${prefix}payload.${problem.path}` })));
    checked.push({ kind, label: labelOf(kind, one.payloadText, parsed.data) });
  }
  return problems.length > 0 ? { status: 400, code: "invalid", problems } : checked;
}

async function newJob(engine: Engine, one: Submission, { kind, label }: Checked): Promise<NewJob> {
  const lane = laneOf(kind.timeoutMs, one.priority ?? "normal");
  return {
    id: engine.newId(),
    kind: kind.name,
    lane,
    payload: one.payloadText,
    label,
    maxAttempts: one.maxAttempts ?? kind.retry.maxAttempts,
    delayMs: (one.delaySeconds ?? 0) * 1000,
    runAt: one.runAt === undefined ? null : parseInstant(one.runAt),
    key: one.idempotencyKey ?? null,
    hash: one.idempotencyKey === undefined ? null : await requestHash(one),
    fanoutId: one.origin?.fanoutId ?? null,
    editedFrom: one.origin?.editedFrom ?? null,
    scheduleId: one.origin?.scheduleId ?? null,
    slotAt: one.origin?.slotAt ?? null,
    expiresAt: one.expiresAt === undefined ? null : parseInstant(one.expiresAt),
    groupKey: one.groupKey ?? null,
    room: true,
  };
}

/** Jobs that code asks for. Throws where one is refused: that is a mistake in the code, not in anybody's input. */
export async function submitRequests(engine: Engine, requests: JobRequest[], deed?: Deed): Promise<string[]> {
  if (requests.length === 0) return [];
  const answer = await submit(
    engine,
    requests.map(({ payload, fanoutId, ...rest }, index) => ({
      ...rest,
      payload,
      payloadText: JSON.stringify(payload),
      at: `${index}.`,
      origin: { fanoutId },
    })),
    null,
    deed,
  );
  if (answer.kind === "accepted") return answer.jobs.map((job) => job.id);
  throw new PermanentError(`jobs of this job were refused: ${JSON.stringify(answer)}`);
}
