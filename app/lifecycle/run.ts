import type { Outcome } from "~/domain/decide";
import { PermanentError, RetryLater, Snooze } from "~/domain/errors";
import { LOG_BYTES } from "~/domain/limits";
import type { Kind } from "~/kinds/define";
import { type Claimed, readPayload } from "~/store/claims";
import { type Engine, pause } from "./engine";
import { insist } from "./insist";
import { outboundFor } from "./outbound";
import type { Places } from "./places";

/** Why a running attempt is stopped from outside: its lease is lost, or a person cancelled it. */
export type Stop = "lost" | "cancelled";

export class Stopped extends Error {
  constructor(readonly why: Stop) {
    super(`the attempt was stopped: ${why}`);
  }
}

/**
 * Performs one attempt. Never throws, and always returns by the kind's timeout: a handler that does not listen to its
 * signal is left behind, and what it still does has no effect on the job.
 */
export async function run(
  engine: Engine,
  job: Claimed,
  places: Places,
  stop: AbortController,
): Promise<{ outcome: Outcome; log: string }> {
  const kind = engine.kinds.get(job.kind) as Kind;
  const log: string[] = [];
  let logged = 0;
  const inTime = engine.after(kind.timeoutMs, () => stop.abort(new TimedOut(kind.timeoutMs)));
  const outbound = outboundFor(engine, places, stop.signal);
  try {
    const result = await Promise.race([aborted(stop.signal), perform()]);
    return { outcome: { name: "done", result: resultText(result, log) }, log: log.join("\n") };
  } catch (error) {
    return { outcome: outcomeOf(stop.signal.aborted ? stop.signal.reason : error), log: log.join("\n") };
  } finally {
    inTime();
    outbound.close();
  }

  async function perform(): Promise<unknown> {
    const text = job.payload ?? (await payloadOf(engine, job));
    const input = kind.input.safeParse(JSON.parse(text));
    if (!input.success) throw new PermanentError(`the payload does not fit the kind: ${input.error.message}`);
    return kind.run(input.data, {
      jobId: job.id,
      attempt: job.attempt,
      submittedAt: job.createdAt,
      signal: stop.signal,
      fetch: outbound.fetch,
      log(line) {
        if (logged <= LOG_BYTES) log.push(line);
        logged += line.length + 1;
      },
      sleep: (ms) => Promise.race([pause(engine, ms), aborted(stop.signal)]),
    });
  }
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
  const text = textOf(error);
  return {
    name: "failed",
    error: text || "failed without a message",
    stack: error instanceof Error ? error.stack : undefined,
    permanent: error instanceof PermanentError,
    retryAfterMs: error instanceof RetryLater ? error.delayMs : undefined,
  };
}

/** The error in one line: its class where that says something, as `TypeError` does and our own signals do not. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const plain = error.name === "Error" || error instanceof PermanentError || error instanceof RetryLater;
  return plain ? error.message : `${error.name}: ${error.message}`;
}

/** A database that cannot be reached is not the job's failure: the attempt uses up no try. */
const payloadOf = (engine: Engine, job: Claimed): Promise<string> =>
  insist(engine, "read payload", () => readPayload(engine.store, job.id)).catch(() => {
    throw new Snooze(UNREACHABLE_MS);
  });

const UNREACHABLE_MS = 30_000;

/** The result as JSON text. The work is done by now: a result that JSON cannot hold is noted, not retried. */
function resultText(result: unknown, log: string[]): string | null {
  try {
    return JSON.stringify(result) ?? null;
  } catch (error) {
    log.push(`the result is not JSON: ${String(error)}`);
    return null;
  }
}
