import type { z } from "zod";
import { type RetryPolicy, retryPolicy } from "~/domain/backoff";
import { type KindLimits, limitsProblem } from "~/domain/kind_limits";
import type { Priority } from "~/domain/lanes";
import { TIMEOUT_MS } from "~/domain/limits";
import type { OutboundRules } from "~/domain/outbound";
import type { Published } from "~/domain/report/report";
import type { Hide } from "~/domain/secrets";
import type { Problem } from "~/domain/submission";
import type { Plan } from "~/store/bulk/bulk";
import type { Statement, Store } from "~/store/store";
import type { Services } from "./services";

/**
 * `act` gets the effect's key, to be sent downstream. `keyed`: its receiver acts once for one key, for ever or for so
 * many ms; then an effect whose outcome is unknown may be tried again. Results are JSON, 64 KB at most.
 */
export type Once = <T>(
  name: string,
  act: (key: string) => Promise<T>,
  options?: { keyed?: true | { forMs: number } },
) => Promise<T>;
export type Progress = { done: number; total?: number; note?: string };
/** `timeoutMs`: from the start of the request to the end of the answer's body; waiting for a connection not counted. */
export type OutgoingInit = RequestInit & { timeoutMs?: number };

/** A job that other code asks for. `fanoutId` links it to the job it came from. */
export type JobRequest = {
  kind: string;
  payload: unknown;
  idempotencyKey?: string;
  delaySeconds?: number;
  /** RFC 3339: it is not started after that. */
  expiresAt?: string;
  groupKey?: string;
  priority?: Priority;
  maxAttempts?: number;
  fanoutId?: string;
};

/** What a handler gets beside its input. */
export type JobContext = {
  jobId: string;
  /** The input as it was sent, to the letter: what is passed on from it keeps numbers that JavaScript would round. */
  payloadText: string;
  /** 1, 2, 3 …: over all generations, only grows. */
  attempt: number;
  /** Tries the job has in all, this one included. */
  maxAttempts: number;
  submittedAt: number;
  /** Of a schedule's job: the planned time that it is for, however late it runs. */
  slotAt: number | null;
  /** When this attempt started, by D1's clock, in ms. */
  startedAt: number;
  /** This machine's clock in ms: for what is sent out, and to measure by. */
  now: () => number;
  /** Aborted at the timeout, on a cancel, and when the lease is lost. Pass it on to everything that waits. */
  signal: AbortSignal;
  /** Takes the job's secrets out of text. Result, error and log go through it whole: what a handler cuts must have done so before. */
  hide: Hide;
  /** Goes through the outbound rules and shares the invocation's connections. */
  fetch: (url: string, init?: OutgoingInit) => Promise<Response>;
  /** Does an outside effect once over all attempts, or answers with its recorded result. See `Once`. */
  once: Once;
  /** What this deployment has beside D1 and Queues. */
  services: Services;
  /** For reads, and for writes that do not decide about the job. What must go with its outcome goes to `commit`. */
  store: Store;
  /** Submits further jobs, in order; answers their ids. Give each an idempotency key, or a retry submits them again. */
  submit: (jobs: JobRequest[]) => Promise<string[]>;
  /** Publishes, updates or withdraws the report of a day. */
  publish: (day: string, what: { update?: boolean; indexable?: boolean } | "withdraw") => Promise<Published>;
  /** Goes on with a bulk operation; throws a snooze where there is more than one attempt should do. */
  bulk: (plan: Plan) => Promise<unknown>;
  /** The stable key of a logical effect, the same on every attempt: `<job>/<name>`. */
  key: (effect: string) => string;
  /**
   * Statements of the store that commit with the settle of this attempt, or not at all. `{landed}` in their text is true
   * where the settle landed, `{final}` where it ended the job.
   */
  commit: (...statements: Statement[]) => void;
  /**
   * Writes statements of the store now, in one transaction, while this attempt is held: `{held}` in their text is true
   * then. Throws where it is held no more. Each must be harmless to repeat.
   */
  guarded: (...statements: Statement[]) => Promise<void>;
  /** Shown while the job runs; the last one stays. Written at most once a second. */
  progress: (progress: Progress) => void;
  /** Kept with the attempt, 16 KB of it. */
  log: (line: string) => void;
  /** Waits `ms`; rejects at once when the signal aborts. */
  sleep: (ms: number) => Promise<void>;
};

export type KindDefinition<Schema extends z.ZodType = z.ZodType> = {
  /** Letters, digits, `_`, `-`, `.`; part of stored rows and messages, so it is for ever. */
  name: string;
  title: string;
  description: string;
  input: Schema;
  /** What the schema cannot know: the rules of this deployment. Asked at submit; paths are within the input. */
  check?: (input: z.output<Schema>, rules: OutboundRules) => Problem[];
  /** One line to recognise a job by in lists; 200 characters of it are kept. Made of the input with its secrets masked, and not cut here. */
  label?: (input: z.output<Schema>) => string;
  /** Whom or what the job is about, for the log: `user:42`. */
  entity?: (input: z.output<Schema>) => string;
  /** How long a run usually takes: how many of a batch are claimed at once follows from it. */
  usualMs: number;
  /**
   * D1 statements that a run makes of itself, about: 5 an effect, 7 a submit, 3 and its own a guarded write, its reads, what it
   * commits. Left out: none. An invocation has a limited number, so this, too, says how many of a batch are claimed at once.
   */
  statements?: number;
  timeoutMs: number;
  /** Of failed attempts: base × factor^(tries − 1), up to the cap, spread by the jitter. What is left out is the default's. */
  retry?: Partial<RetryPolicy>;
  /** What a person sets on the page of kinds stands before these. */
  limits?: KindLimits;
  /**
   * Paths of the input that are shown nowhere, such as `["headers.*token*"]`: `*` is any part of a name, and `=` what the value
   * must look like. Their text is taken out of label, result, error and log as well.
   */
  secrets?: string[];
  /** Fields of the input that say who gets the secrets: only while these stay, an edited job keeps them unseen. Left out: all. */
  secretsGoTo?: string[];
  /** Submitted by the code of this deployment only: never by a person, a program, or a schedule that they make. */
  internal?: true;
  /** Inputs to start from in the submit form. */
  examples?: { title: string; payload: z.input<Schema> }[];
  /** The returned value is kept as the result: JSON, 64 KB of it. */
  run: (input: z.output<Schema>, ctx: JobContext) => Promise<unknown>;
};

export type Kind = Omit<KindDefinition, "retry"> & { retry: RetryPolicy };

export function defineKind<Schema extends z.ZodType>(definition: KindDefinition<Schema>): Kind {
  const { name, usualMs, timeoutMs } = definition;
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name)) throw new TypeError(`"${name}" is no name for a kind`);
  if (!(timeoutMs >= 1 && timeoutMs <= TIMEOUT_MS)) throw new RangeError(`${name}: timeoutMs is 1 to ${TIMEOUT_MS}`);
  if (!(usualMs >= 0)) throw new RangeError(`${name}: usualMs is 0 or more`);
  const wrong = limitsProblem(definition.limits ?? {});
  if (wrong) throw new RangeError(`${name}: ${wrong}`);
  return { ...(definition as unknown as KindDefinition), retry: retryPolicy(definition.retry) };
}
