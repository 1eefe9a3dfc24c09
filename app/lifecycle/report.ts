import { causeOf } from "~/domain/cause";
import { hiderOf } from "~/domain/secrets";
import type { State } from "~/domain/states";
import type { Engine } from "./engine";
import type { Finished } from "./settle";

/** One line for each attempt that failed: enough to find the message, the job and whom it was about. */
export function reportAttempt(
  engine: Engine,
  { job, outcome, ranMs, messageId, deliveries }: Finished,
  state: State,
): void {
  if (outcome.name !== "failed" && outcome.name !== "timed_out" && outcome.name !== "lost") return;
  engine.events({
    event: `attempt.${outcome.name}`,
    messageId,
    deliveries,
    jobId: job.id,
    attempt: job.attempt,
    kind: job.kind,
    key: job.key,
    entity: entityOf(engine, job.kind, job.payload),
    ranMs,
    cause: causeOf(job.kind, outcome.name === "lost" ? "worker lost: its lease ran out" : outcome.error),
    next: state,
  });
}

export function entityOf(engine: Engine, kindName: string, payload: string | null): string | null {
  const kind = engine.kinds.get(kindName);
  if (!kind?.entity || payload === null) return null;
  try {
    return hiderOf(payload, kind)(kind.entity(kind.input.parse(JSON.parse(payload))));
  } catch {
    return null;
  }
}
