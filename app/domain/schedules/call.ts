import { z } from "zod";
import { membersOf } from "../json";
import {
  type Problem,
  parseJson,
  parseSubmissions,
  problemsOf,
  type Rejection,
  SUBMISSION,
  type Submission,
} from "../submission";
import { byteLength } from "../text";
import { parseInstant } from "../time";
import { parseCron } from "./cron";
import {
  CATCH_UP_MAX,
  type Definition,
  EVERY_MINUTES_MAX,
  MISSED,
  type MissedPolicy,
  NAME_CHARS,
  OVERLAP,
  type OverlapPolicy,
  SCHEDULE_PAYLOAD_BYTES,
  type StoredTiming,
  timingOf,
} from "./schedule";
import { nextSlot } from "./slots";
import { zoneProblem } from "./zones";

const JOB_FIELDS = ["kind", "payload", "priority", "maxAttempts"];
const { kind, payload, priority, maxAttempts } = SUBMISSION.shape;
const enumOf = <T extends string>(record: Record<T, unknown>) => z.enum(Object.keys(record) as [T, ...T[]]);

const anchor = z
  .string()
  .refine((text) => (parseInstant(text) ?? 1) % 60_000 === 0, "must be a whole minute, as in 2026-12-01T10:00:00Z");

/** A name, and when: what schedules and watches have in common. */
export const NAMED_TIMES = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(NAME_CHARS)
    .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), "must be text without control characters"),
  cron: z.string().optional(),
  everyMinutes: z.int().min(1).max(EVERY_MINUTES_MAX).optional(),
  anchor: anchor.optional(),
  timeZone: z.string().default("UTC"),
});
export type NamedTimes = z.output<typeof NAMED_TIMES>;

const TIMES = z.strictObject({
  ...NAMED_TIMES.shape,
  missed: enumOf<MissedPolicy>(MISSED).default("once"),
  missedMax: z.int().min(1).max(CATCH_UP_MAX).default(CATCH_UP_MAX),
  overlap: enumOf<OverlapPolicy>(OVERLAP).default("allow"),
});

const version = z.int().min(1).optional();
const CHANGED_TIMES = z.strictObject({ ...TIMES.shape, version });

/** A schedule as it is sent: for the document. Which fields go together is told in `parseSchedule`. */
export const SCHEDULE = z.strictObject({ ...TIMES.shape, kind, payload, priority, maxAttempts });
export const SCHEDULE_CHANGE = z.strictObject({ ...SCHEDULE.shape, version });

export type ScheduleCall = {
  definition: Definition;
  /** The job of each slot, as a submit would have it. */
  submission: Submission;
  /** Of a change: the version that was looked at. */
  version: number | undefined;
};

/** Reads what creates or (`changes`) changes a schedule. `now` is the anchor of "every n minutes" that names none. */
export function parseSchedule(text: string, now: number, changes = false): ScheduleCall | Rejection {
  const value = parseJson(text);
  if (!value.ok) return value.rejection;
  if (typeof value.json !== "object" || value.json === null || Array.isArray(value.json)) {
    return refused([
      {
        path: "",
        message:
          'a schedule is an object, as in {"name": "nightly", "cron": "30 2 * * *", "kind": "demo", "payload": {}}',
      },
    ]);
  }
  const members = membersOf(text);
  const names = members.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refused([{ path: twice, message: `"${twice}" is given twice` }]);

  const job = parseSubmissions(
    `{${members.flatMap(([name, text]) => (JOB_FIELDS.includes(name) ? `${JSON.stringify(name)}:${text}` : []))}}`,
  );
  if ("status" in job && job.status === 413) return job;
  const rest = Object.fromEntries(Object.entries(value.json).filter(([name]) => !JOB_FIELDS.includes(name)));
  const times = (changes ? CHANGED_TIMES : TIMES).safeParse(rest);
  const problems = [
    "status" in job ? job.problems : [],
    times.success ? timeProblems(times.data, now) : problemsOf(times.error),
  ].flat();
  if (problems.length > 0 || "status" in job || !times.success) return refused(problems);

  const submission = job.submissions[0] as Submission;
  const bytes = byteLength(submission.payloadText);
  if (bytes > SCHEDULE_PAYLOAD_BYTES) {
    const message = `the payload is ${bytes} bytes, a schedule takes at most ${SCHEDULE_PAYLOAD_BYTES}`;
    return {
      status: 413,
      code: "too-large-payload",
      problems: [{ path: "payload", message, limit: SCHEDULE_PAYLOAD_BYTES }],
    };
  }
  const { version, ...data } = times.data as z.output<typeof CHANGED_TIMES>;
  return { definition: definitionOf(data, submission, now), submission, version };
}

type Times = z.output<typeof TIMES>;

export function timeProblems(times: NamedTimes, now: number): Problem[] {
  const { cron, everyMinutes, timeZone } = times;
  const problems: Problem[] = [];
  const zone = zoneProblem(timeZone);
  if (zone) problems.push({ path: "timeZone", message: zone });
  if ((cron === undefined) === (everyMinutes === undefined)) {
    problems.push({ path: "cron", message: "give cron or everyMinutes, one of the two" });
  } else if (cron !== undefined) {
    const fields = parseCron(cron);
    if (typeof fields === "string") problems.push({ path: "cron", message: fields });
    else if (!zone && nextSlot({ cron, zone: timeZone }, now) === null) {
      problems.push({ path: "cron", message: `"${cron}" names a day that never comes` });
    }
    if (times.anchor !== undefined) problems.push({ path: "anchor", message: "goes with everyMinutes only" });
  }
  return problems;
}

function definitionOf(times: Times, submission: Submission, now: number): Definition {
  const { anchor: _, ...rest } = times;
  return {
    ...rest,
    ...storedTiming(times, now),
    kind: submission.kind,
    payload: submission.payloadText,
    priority: submission.priority ?? "normal",
    maxAttempts: submission.maxAttempts ?? null,
  };
}

export function storedTiming(times: NamedTimes, now: number): StoredTiming {
  const { cron = null, everyMinutes = null, anchor, timeZone } = times;
  const minute = now - (now % 60_000);
  return {
    cron: cron === null ? null : cron.trim().replace(/\s+/g, " "),
    everyMinutes,
    anchorAt: everyMinutes === null ? null : anchor === undefined ? minute : (parseInstant(anchor) as number),
    timeZone,
  };
}

const refused = (problems: Problem[]): Rejection => ({ status: 400, code: "invalid", problems });

/** The two fire at the same moments. */
export const sameTiming = (a: StoredTiming, b: StoredTiming): boolean =>
  JSON.stringify(timingOf(a)) === JSON.stringify(timingOf(b));
