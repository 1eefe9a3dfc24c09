import type { Outcome } from "~/domain/decide";
import { PermanentError, RetryLater, Snooze } from "~/domain/errors";
import { LOG_BYTES } from "~/domain/limits";
import { type Hide, hiderOf } from "~/domain/secrets";
import { problemsOf } from "~/domain/submission";
import { untilMidnight } from "~/domain/trouble";
import type { Kind, Progress } from "~/kinds/define";
import { type Claimed, readPayload } from "~/store/claims";
import { isUnreachable } from "~/store/errors";
import { mustAsk } from "~/store/settles";
import type { Statement } from "~/store/store";
import { guardedFor } from "./attempt/guarded";
import { onceFor } from "./attempt/once";
import { outboundFor } from "./attempt/outbound";
import type { Places } from "./attempt/places";
import { Stopped } from "./attempt/stopped";
import { readable, textOf } from "./attempt/thrown";
import type { Held } from "./batch/shift";
import { workBulk } from "./bulk";
import { type Engine, pause } from "./engine";
import { publishReport, withdrawReport } from "./publish";
import { submitRequests } from "./submit";
import { insist } from "./trouble/insist";

/** An attempt that ended: how, what it logged, and what it wants to commit with its settle. */
export type Ran = { outcome: Outcome; log: string; writes: Statement[] };

/** Claimed, but an invocation that asks D1 more than it may can settle nothing any more. Uses up no try. */
export const HANDED_BACK: Ran = {
  outcome: { name: "snoozed", delayMs: 0 },
  log: "not begun: its invocation had no D1 statements left",
  writes: [],
};

/**
 * Performs one attempt. Never throws, and always returns by the kind's timeout, or when D1 has taken what it did: a handler that does not listen to its
 * signal is left behind, and what it still does has no effect on the job. `left`: D1 statements that there still are for it.
 */
export async function run(
  engine: Engine,
  { job, stop, beginBy }: Pick<Held, "job" | "stop" | "beginBy">,
  places: Places,
  progress: (progress: Progress) => void,
  left: () => number,
): Promise<Ran> {
  const kind = engine.kinds.get(job.kind) as Kind;
  const log: string[] = [];
  let hide: Hide = (text) => text;
  const writes: Statement[] = [];
  const facts: Promise<unknown>[] = [];
  let logged = 0;
  const inTime = engine.after(kind.timeoutMs, () => stop.abort(new TimedOut(kind.timeoutMs)));
  const outbound = outboundFor(engine, places, stop.signal);
  try {
    const result = await Promise.race([aborted(stop.signal), perform()]);
    return ended({ name: "done", result: resultText(result, log) });
  } catch (error) {
    const why: unknown = stop.signal.aborted ? stop.signal.reason : readable(error);
    const outage = outageOf(engine, why);
    // What has happened outside is written before anybody tries again: then it is not unknown.
    await Promise.allSettled(facts);
    if (outage !== null) log.push(`not its own failure: ${lineOf(why)}`);
    return ended(outage === null ? outcomeOf(why) : { name: "snoozed", delayMs: outage });
  } finally {
    inTime();
    outbound.close();
  }

  /** It may have waited for its turn, and for its payload: told to stop meanwhile, or past its deadline, it does not begin. */
  function mayBegin(): void {
    stop.signal.throwIfAborted();
    if (engine.localNow() < beginBy) return;
    log.push("not begun: its expiresAt was over before its turn came");
    throw new Snooze(0);
  }

  // Copies: a handler that was left behind may still add to the originals.
  function ended(outcome: Outcome): Ran {
    return { outcome: withoutSecrets(outcome, hide), log: hide(log.join("\n")), writes: [...writes] };
  }

  async function perform(): Promise<unknown> {
    const text = job.payload ?? (await payloadOf(engine, job));
    hide = hiderOf(text, kind);
    const input = kind.input.safeParse(JSON.parse(text));
    if (!input.success) throw new PermanentError(`the payload does not fit the kind: ${told(input.error)}`);
    mayBegin();
    return kind.run(input.data, {
      jobId: job.id,
      payloadText: text,
      attempt: job.attempt,
      maxAttempts: job.maxAttempts,
      submittedAt: job.createdAt,
      slotAt: job.slotAt,
      startedAt: job.leasedAt,
      now: engine.localNow,
      signal: stop.signal,
      hide,
      fetch: outbound.fetch,
      once: onceFor(engine, job, stop.signal, facts),
      services: engine.services,
      store: engine.store,
      submit: (jobs) => submitRequests(engine, jobs),
      publish: (day, what) => (what === "withdraw" ? withdrawReport(engine, day) : publishReport(engine, day, what)),
      bulk: (plan) => workBulk(engine, plan, { progress, signal: stop.signal, left }),
      key: (effect) => `${job.id}/${effect}`,
      commit(...statements) {
        statements.forEach(mustAsk);
        writes.push(...statements);
      },
      guarded: guardedFor(engine, job),
      progress: ({ note, ...numbers }) => progress({ ...numbers, ...(note !== undefined && { note: hide(note) }) }),
      log(line) {
        const text = textOf(line);
        if (logged <= LOG_BYTES) log.push(text);
        logged += text.length + 1;
      },
      sleep: (ms) => Promise.race([pause(engine, ms), aborted(stop.signal)]),
    });
  }
}

/**
 * A database that cannot be reached is not the job's failure: the attempt uses up no try, and goes on in so many ms. null:
 * it failed by itself.
 */
function outageOf(engine: Engine, error: unknown): number | null {
  if (error instanceof Stopped && error.why === "unreachable") return UNREACHABLE_MS;
  // Its time went by while it waited for D1.
  if (error instanceof TimedOut && engine.store.away) return UNREACHABLE_MS;
  if (!isUnreachable(error)) return null;
  return error.trouble === "daily-limit" ? untilMidnight(engine.localNow(), engine.random()) : UNREACHABLE_MS;
}

class TimedOut extends Error {
  constructor(ms: number) {
    super(`timed out after ${ms} ms`);
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Stopped && error.why === "cancelled") return { name: "cancelled" };
  if (error instanceof TimedOut) return { name: "timed_out", error: error.message };
  if (error instanceof Snooze) return { name: "snoozed", delayMs: error.delayMs };
  const text = lineOf(error);
  return {
    name: "failed",
    error: text || "failed without a message",
    stack: error instanceof Error ? error.stack : undefined,
    permanent: error instanceof PermanentError,
    retryAfterMs: error instanceof RetryLater ? error.delayMs : undefined,
  };
}

/** Lists, causes, alerts and logs are made of these, and never see the payload that would tell what to leave out. */
function withoutSecrets(outcome: Outcome, hide: Hide): Outcome {
  if (outcome.name === "done") return { ...outcome, result: outcome.result === null ? null : hide(outcome.result) };
  if (outcome.name !== "failed") return outcome;
  return { ...outcome, error: hide(outcome.error), stack: outcome.stack && hide(outcome.stack) };
}

/** The error in one line: its class where that says something, as `TypeError` does and our own signals do not. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return textOf(error);
  const plain = error.name === "Error" || error instanceof PermanentError || error instanceof RetryLater;
  return plain ? error.message : `${error.name}: ${error.message}`;
}

/** What of a payload a release does not take that an earlier one took, in words. */
const told = (error: Parameters<typeof problemsOf>[0]): string =>
  problemsOf(error)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join("; ");

const payloadOf = (engine: Engine, job: Claimed): Promise<string> =>
  insist(engine, "read payload", () => readPayload(engine.store, job.id));

const UNREACHABLE_MS = 30_000;

/** The result as JSON text. The work is done by now: a result that JSON cannot hold is noted, not retried. */
function resultText(result: unknown, log: string[]): string | null {
  try {
    return JSON.stringify(result) ?? null;
  } catch (error) {
    log.push(`the result is not JSON: ${textOf(readable(error))}`);
    return null;
  }
}
