import { z } from "zod";
import { itemsOf, membersOf, nestingOf } from "./json";
import { faultOf, type JsonFault } from "./json_fault";
import { PRIORITIES } from "./lanes";
import {
  CALL_BYTES,
  CALL_JOBS,
  DELAY_MS,
  GROUP_KEY_CHARS,
  IDEMPOTENCY_KEY_CHARS,
  MAX_ATTEMPTS,
  NESTING_LEVELS,
  PAYLOAD_BYTES,
} from "./limits";
import { isOwnKey, OWN_KEY_TOLD } from "./own_keys";
import { byteLength } from "./text";
import { instant, parseInstant } from "./time";

/**
 * What is wrong, where (`path`, such as `2.payload.url`; empty: the call itself), and what would be right. Of a text that is
 * not JSON also the line and column, from 1.
 */
export type Problem = { path: string; message: string; limit?: number; line?: number; column?: number };
export type Rejection = { status: 400 | 413; code: string; problems: Problem[] };

const maxDelay = Math.floor(DELAY_MS / 1000);

const whole = (from: number, to: number) => {
  const right = `must be a whole number from ${from} to ${to}`;
  return z.int(right).min(from, right).max(to, right);
};

// D1 would change a lone surrogate and end a text at NUL: two keys would become one.
const key = (chars: number) =>
  z
    .string()
    .min(1)
    .max(chars)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must be text without control characters");

const time = z
  .string()
  .refine((text) => parseInstant(text) !== null, "must be an RFC 3339 time with an offset, as in 2026-12-01T10:00:00Z");

export const SUBMISSION = z.strictObject({
  kind: z.string().min(1).max(100),
  payload: z
    .unknown()
    .refine((payload) => payload !== undefined, "is missing: give the kind's input, {} if it has none"),
  idempotencyKey: key(IDEMPOTENCY_KEY_CHARS)
    .refine((text) => !isOwnKey(text), OWN_KEY_TOLD)
    .optional(),
  delaySeconds: whole(0, maxDelay).optional(),
  runAt: time.optional(),
  expiresAt: time.optional(),
  groupKey: key(GROUP_KEY_CHARS).optional(),
  priority: z.enum(PRIORITIES).optional(),
  maxAttempts: whole(1, MAX_ATTEMPTS).optional(),
});

/** A job as asked for: checked in its form, not yet against its kind. `payloadText` is the payload's own text. */
export type Submission = Omit<z.infer<typeof SUBMISSION>, "payload"> & {
  payload: unknown;
  payloadText: string;
  /** What made it, where that was no person: shown on its page, never part of what was asked for. */
  origin?: { fanoutId?: string; scheduleId?: string; slotAt?: number; editedFrom?: string };
  /** Where in its call it stands, as a prefix of paths: "" or "3.". */
  at?: string;
};

/** Reads a submit call: one object, or an array of 1 to 1,000. */
export function parseSubmissions(text: string): { single: boolean; submissions: Submission[] } | Rejection {
  if (byteLength(text) > CALL_BYTES) return tooLarge("call", "", `the call is over ${CALL_BYTES} bytes`, CALL_BYTES);
  const value = parseJson(text);
  if (!value.ok) return value.rejection;
  const single = !Array.isArray(value.json);
  const texts = single ? [text.trim()] : itemsOf(text);
  if (texts.length === 0) return bad("empty", "", "the array is empty: send 1 to 1,000 jobs");
  if (texts.length > CALL_JOBS)
    return tooLarge("jobs", "", `a call takes at most ${CALL_JOBS} jobs, this has ${texts.length}`, CALL_JOBS);

  const refused: Rejection[] = [];
  const submissions: Submission[] = [];
  for (const [index, item] of texts.entries()) {
    const prefix = single ? "" : `${index}.`;
    const read = parseSubmission(item, prefix);
    if ("status" in read) {
      if (read.status === 413) return read;
      refused.push(read);
    } else submissions.push(read);
  }
  const [first] = refused;
  if (!first) return { single, submissions };
  const code = refused.every((rejection) => rejection.code === first.code) ? first.code : "invalid";
  return { status: 400, code, problems: refused.flatMap((rejection) => rejection.problems) };
}

/** Reads JSON that a person or a program wrote: deep nesting is refused before the parser meets it. */
export function parseJson(text: string): { ok: true; json: unknown } | { ok: false; rejection: Rejection } {
  const nesting = nestingOf(text);
  // A call is an array of objects with a payload each: two levels around what the limit speaks of.
  if (nesting > NESTING_LEVELS + 2) return { ok: false, rejection: tooDeep("", nesting - 2) };
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch {
    const { message, ...place } = faultOf(text) as JsonFault;
    const problems = [{ path: "", message: `this is not JSON: ${message}`, ...place }];
    return { ok: false, rejection: { status: 400, code: "malformed", problems } };
  }
}

function parseSubmission(text: string, prefix: string): Submission | Rejection {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return bad("invalid", prefix.slice(0, -1), 'a job is an object, as in {"kind": "demo", "payload": {}}');
  }
  const members = membersOf(text);
  const names = new Set<string>();
  for (const [name] of members) {
    if (names.has(name)) return bad("invalid", `${prefix}${name}`, `"${name}" is given twice`);
    names.add(name);
  }
  const parsed = SUBMISSION.safeParse(value);
  if (!parsed.success) return { status: 400, code: "invalid", problems: problemsOf(parsed.error, prefix) };
  const payloadText = members.find(([name]) => name === "payload")?.[1] as string;
  if (byteLength(payloadText) > PAYLOAD_BYTES) {
    return tooLarge(
      "payload",
      `${prefix}payload`,
      `the payload is ${byteLength(payloadText)} bytes, at most ${PAYLOAD_BYTES} are taken`,
      PAYLOAD_BYTES,
    );
  }
  if (nestingOf(payloadText) > NESTING_LEVELS) return tooDeep(`${prefix}payload`, nestingOf(payloadText));
  if (parsed.data.delaySeconds !== undefined && parsed.data.runAt !== undefined) {
    return bad("invalid", `${prefix}runAt`, "give delaySeconds or runAt, not both");
  }
  return { ...parsed.data, payload: parsed.data.payload, payloadText, at: prefix };
}

/** Why a job that asks for this could never be started in time; null where it can. `nowMs`: since 1970. */
export function expiryProblem(
  { expiresAt, runAt, delaySeconds, at = "" }: Pick<Submission, "expiresAt" | "runAt" | "delaySeconds" | "at">,
  nowMs: number,
): Problem | null {
  const ends = expiresAt === undefined ? null : parseInstant(expiresAt);
  if (ends === null) return null;
  const due = Math.max(nowMs + (delaySeconds ?? 0) * 1000, runAt === undefined ? 0 : (parseInstant(runAt) ?? 0));
  if (ends > due) return null;
  const message =
    ends <= nowMs
      ? `${instant(ends)} has passed: it is ${instant(nowMs)}; give a later time, or none`
      : `${instant(ends)} is not after ${instant(due)}, when the job is due: it could never be started; give a later time`;
  return { path: `${at}expiresAt`, message };
}

export const problemsOf = (error: z.ZodError, prefix = ""): Problem[] =>
  error.issues.flatMap((issue): Problem[] => {
    const at = issue.path.map(String);
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        path: prefix + [...at, key].join("."),
        message: `"${key}" is not a field here`,
      }));
    }
    return [{ path: (prefix + at.join(".")).replace(/\.$/, ""), message: issue.message }];
  });

const bad = (code: string, path: string, message: string): Rejection => ({
  status: 400,
  code,
  problems: [{ path, message }],
});
const tooLarge = (code: string, path: string, message: string, limit: number): Rejection => ({
  status: 413,
  code: `too-large-${code}`,
  problems: [{ path, message, limit }],
});
const tooDeep = (path: string, levels: number): Rejection => ({
  status: 400,
  code: "too-deep",
  problems: [
    { path, message: `${levels} levels of nesting, at most ${NESTING_LEVELS} are taken`, limit: NESTING_LEVELS },
  ],
});
