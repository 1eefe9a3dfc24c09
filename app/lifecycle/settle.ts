import { DEFAULT_RETRY } from "~/domain/backoff";
import { causeOf } from "~/domain/cause";
import { decide, type Outcome } from "~/domain/decide";
import { ERROR_BYTES, LOG_BYTES, RESULT_BYTES, SEND_AHEAD_MS } from "~/domain/limits";
import { capText } from "~/domain/text";
import { troubleOf } from "~/domain/trouble";
import type { Kind } from "~/kinds/define";
import type { Claimed } from "~/store/claims";
import { isRefusal } from "~/store/errors";
import type { LimitedDue } from "~/store/limited_sends";
import { refuseResults, whoSettled } from "~/store/refusals";
import { type Settled, type Settlement, type Settling, settleJobs, withSettle } from "~/store/settles";
import type { Statement } from "~/store/store";
import { groupsOf } from "./batch/settle_groups";
import { type Engine, pause } from "./engine";
import { nextInPlaceOf } from "./limits/next_in_place";
import { reportAttempt } from "./report";
import { sendOwed } from "./send";

/** An attempt that ended, as its worker (or, for `lost`, the sweep) saw it. */
export type Finished = {
  job: Claimed;
  outcome: Outcome;
  log: string;
  writes: Statement[];
  progress: string | null;
  /** From the claim to its own start, and from there to its end, in ms of this machine. */
  placeMs: number;
  ranMs: number;
  messageId: string | null;
  deliveries: number | null;
  refused?: true;
};

export type SettleOptions = {
  /** Asked after each try while D1 is unreachable: go on offering? */
  patience?: () => boolean;
  /** The sweep's way: lands only where the lease has run out by D1's clock, and is nobody's late result otherwise. */
  expired?: boolean;
};

/**
 * Writes outcomes: the only way out of `processing`. Offers them until D1 accepts or refuses each; a late one (its
 * attempt was taken over meanwhile) is turned away and counted. Then sends the messages of the next attempts. Throws
 * only when D1 stays unreachable beyond `patience`. Answers how many landed, and the jobs that may start in their places:
 * their rows say "sent", so whoever asked must start them or send their messages.
 */
export async function settle(
  engine: Engine,
  finished: Finished[],
  options: SettleOptions = {},
): Promise<{ landed: number; next: LimitedDue[] }> {
  let landed = 0;
  const next: LimitedDue[] = [];
  const members = finished.map((one) => ({ one, settlement: settlementOf(engine, one) }));
  for (const group of groupsOf(members, engine.strain.level())) {
    const { settled, next: freed } = await settleGroup(engine, group, options);
    next.push(...freed);
    const byId = new Map(group.map(({ one }) => [one.job.id, one]));
    // Who got its own place again is among the others: its row says "sent" for that, and no message was owed.
    const again = new Set(freed.map(({ id }) => id));
    await sendOwed(
      engine,
      settled.flatMap(({ id, sendInMs }) => {
        if (sendInMs === null || again.has(id)) return [];
        const { kind, lane, attempt, generation } = (byId.get(id) as Finished).job;
        return { id, kind, lane, attempt, generation, delayMs: sendInMs };
      }),
    );
    landed += settled.length;
    for (const { id, state } of settled) reportAttempt(engine, byId.get(id) as Finished, state);
  }
  return { landed, next };
}

type Member = { one: Finished; settlement: Settlement };

function settlementOf(engine: Engine, { job, outcome, log, progress, placeMs }: Finished): Settlement {
  const kind: Kind | undefined = engine.kinds.get(job.kind);
  const verdict = decide(job, outcome, kind?.retry ?? DEFAULT_RETRY, engine.random());
  const error = verdict.error === null ? null : capText(verdict.error, ERROR_BYTES);
  const again = verdict.state === "pending";
  return {
    id: job.id,
    attempt: job.attempt,
    claim: job.token,
    state: verdict.state,
    outcome: verdict.outcome,
    trigger: job.trigger,
    waitedMs: Math.max(0, job.leasedAt - job.runAt) + placeMs,
    placeMs,
    delayMs: verdict.delayMs,
    forgive: verdict.forgive,
    suspect: outcome.name === "lost" ? job.suspect + 1 : 0,
    next: outcome.name === "lost" ? "sweep" : outcome.name === "snoozed" ? "snooze" : "retry",
    send: again && verdict.delayMs <= SEND_AHEAD_MS && engine.lanes.room(job.lane) > 0 ? 1 : 0,
    result: outcome.name === "done" && outcome.result !== null ? capText(outcome.result, RESULT_BYTES) : null,
    error,
    stack: outcome.name === "failed" && outcome.stack ? capText(outcome.stack, ERROR_BYTES) : null,
    cause: error === null ? null : causeOf(job.kind, error),
    log: log ? capText(log, LOG_BYTES) : null,
    progress,
  };
}

const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** An overloaded D1 is not asked again at once. */
const SLOW_MS = 5_000;

/** One token for the group however often it is sent: a repeat that finds its first sending committed changes nothing. */
async function settleGroup(engine: Engine, group: Member[], options: SettleOptions): Promise<Settling> {
  const token = engine.newToken();
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await engine.seam("settle: before write");
      const rows = group.map(({ settlement }) => settlement);
      const writes = group.flatMap(({ one }) => one.writes.map((write) => withSettle(write, one.job.id, token)));
      const { appVersion } = engine.settings;
      const next = nextInPlaceOf(
        engine,
        group.map(({ one }) => one.job.kind),
      );
      const answer = await settleJobs(engine.store, token, rows, { ...options, appVersion, writes, next });
      const { settled } = answer;
      await engine.seam("settle: after write");
      if (settled.length < group.length && !options.expired) await turnAway(engine, token, group, settled);
      return answer;
    } catch (error) {
      if (isRefusal(error)) return await settleEach(engine, group, error, options);
      engine.events({ event: "database.unreachable", step: "settle", error: String(error) });
      const trouble = troubleOf(error);
      engine.strain.note(trouble);
      if (!options.patience?.()) throw error;
      await pause(engine, trouble === "transient" ? pauseMs : Math.max(pauseMs, SLOW_MS));
    }
  }
}

/** Members that do not stand as the group left them: landed and moved on since, or late. The attempt row says which. */
async function turnAway(engine: Engine, token: string, group: Member[], settled: Settled[]): Promise<void> {
  const standing = new Set(settled.map((job) => job.id));
  const others = group.filter(({ settlement }) => !standing.has(settlement.id)).map(({ settlement }) => settlement);
  const settlers = await whoSettled(engine.store, others);
  const late = others.filter((one) => settlers.get(one.id) !== token);
  if (late.length === 0) return;
  await refuseResults(engine.store, engine.newToken(), late);
  for (const { id, attempt, outcome } of late) engine.events({ event: "result.refused", jobId: id, attempt, outcome });
}

/** D1 refused the group, so nothing of it landed: each member alone, and who is refused alone is settled as failed. */
async function settleEach(
  engine: Engine,
  group: Member[],
  refusal: unknown,
  options: SettleOptions,
): Promise<Settling> {
  if (group.length > 1) {
    const all: Settling = { settled: [], next: [] };
    for (const member of group) {
      const { settled, next } = await settleGroup(engine, [member], options);
      all.settled.push(...settled);
      all.next.push(...next);
    }
    return all;
  }
  const { one } = group[0] as Member;
  if (one.refused) throw refusal;
  const outcome: Outcome = {
    name: "failed",
    error: `the outcome could not be stored: ${String(refusal)}`,
    permanent: false,
  };
  const failed: Finished = { ...one, outcome, log: "", writes: [], refused: true };
  return settleGroup(engine, [{ one: failed, settlement: settlementOf(engine, failed) }], options);
}
