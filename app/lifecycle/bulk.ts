import { BULK_KIND, type BulkAction, type BulkFilter, frozenAt, isUnderstood } from "~/domain/bulk/bulk";
import { filterOf } from "~/domain/bulk/words";
import { PermanentError, Snooze } from "~/domain/errors";
import { LANES } from "~/domain/lanes";
import { BULK_IDS } from "~/domain/limits";
import type { JobContext } from "~/kinds/define";
import { abortOperation, beginOperation, jobKey, type Operation, type Plan, readOperation } from "~/store/bulk/bulk";
import { applyChunk, nextChunk } from "~/store/bulk/chunks";
import { applyToNamed, readNamed, type Skip } from "~/store/bulk/ids";
import { measure } from "~/store/bulk/matching";
import { findPayload } from "~/store/claims";
import type { By } from "~/store/reopen";
import type { Engine } from "./engine";
import { feedIfHalfEmpty } from "./feed";
import { submit } from "./submit";
import { insist } from "./trouble/insist";

const CHUNK = 1_000;
/** A deletion writes many rows a job. */
const DELETE_CHUNK = 200;
const CHUNKS_AN_ATTEMPT = 100;
/** The most that one takes: up to six looks, the write, and what fills the lanes. */
const CHUNK_STATEMENTS = 18;
const TURN_MS = 10_000;

/**
 * `id`: made by the caller, so that asking twice starts it once. `confirm`: the count that the caller has seen; `some`: at least
 * one job, for nobody presses a button to do nothing.
 */
export type BulkAsk = {
  id: string;
  action: BulkAction;
  filter: BulkFilter;
  pace?: number;
  confirm?: number;
  some?: boolean;
};
/** `uncountable`: too many jobs would have to be looked at to count those that match. */
export type Started =
  | { kind: "started"; operation: Operation }
  | { kind: "recounted"; expected: number }
  | { kind: "uncountable" };

/**
 * Starts one action on everything that matches, as a job of kind `bulk`. What is meant and up to when is frozen now, with
 * the exact count; where that is another one than was confirmed, nothing is started. Throws where a part of the filter
 * cannot be read: the doors have refused it before.
 */
export async function startBulk(engine: Engine, ask: BulkAsk, by: By): Promise<Started> {
  const { id, action, filter, pace, confirm, some } = ask;
  if (!isUnderstood(filter)) throw new RangeError(`part of the filter is not understood: ${filter.q}`);
  const before = await readOperation(engine.store, id);
  if (before) return { kind: "started", operation: before };
  const { expected, cutoff } = await measure(engine.store, filter);
  if (expected === null) return { kind: "uncountable" };
  if ((confirm !== undefined && confirm !== expected) || (some && expected === 0))
    return { kind: "recounted", expected };
  const plan = await submitted(engine, {
    operationId: id,
    action,
    ...frozenAt(filter, cutoff),
    cutoff,
    expected,
    pace,
    ...by,
  });
  await engine.seam("bulk: between submit and begin");
  // The job would open it too: this only lets its page be there at once.
  const operation = await insist(engine, "begin bulk", () => beginOperation(engine.store, engine.newToken(), plan));
  return { kind: "started", operation };
}

export type Again = Started | { kind: "not-found" } | { kind: "running" } | { kind: "unconfirmed" };

/** A new operation by the filter of one that has ended, on everything that matches it now. */
export async function againBulk(
  engine: Engine,
  id: string,
  { pace, confirm }: Pick<BulkAsk, "pace" | "confirm">,
  by: By,
): Promise<Again> {
  const before = await readOperation(engine.store, id);
  if (!before) return { kind: "not-found" };
  if (before.state === "running") return { kind: "running" };
  const { action } = before;
  if (action === "delete" && confirm === undefined) return { kind: "unconfirmed" };
  const ask = { id: engine.newId(), action, filter: filterOf(before), pace: pace ?? before.pace ?? undefined, confirm };
  return startBulk(engine, ask, { actor: by.actor, reason: by.reason || `what operation ${id} has left` });
}

/** Stores the job of a plan. The plan of an earlier call with the same id stands: it may have counted otherwise. */
async function submitted(engine: Engine, plan: Plan): Promise<Plan> {
  const payload = JSON.parse(JSON.stringify(plan)) as Plan;
  const job = { kind: BULK_KIND, payload, payloadText: JSON.stringify(plan), priority: "high" } as const;
  const answer = await submit(engine, [{ ...job, idempotencyKey: jobKey(plan.operationId) }]);
  if (answer.kind === "accepted") return plan;
  const earlier = answer.kind === "conflict" && answer.jobId && (await findPayload(engine.store, answer.jobId));
  if (!earlier) throw new TypeError(`the job of a bulk operation was refused: ${JSON.stringify(answer)}`);
  return JSON.parse(earlier) as Plan;
}

/**
 * Goes on with an operation until it is done, aborted, or out of this attempt's share; then the job snoozes on. `left`: D1
 * statements that there still are for it, those left out that others of its invocation will make.
 */
export async function workBulk(
  engine: Engine,
  plan: Plan,
  ctx: Pick<JobContext, "progress" | "signal"> & { left: () => number },
): Promise<{ changed: number; skipped: number }> {
  // Another release wrote it: without that part it would change what nobody meant.
  if (!isUnderstood(plan)) throw new PermanentError("part of its filter is not understood by this release");
  let operation = await insist(engine, "begin bulk", () => beginOperation(engine.store, engine.newToken(), plan));
  const chunkOf = plan.action === "delete" ? DELETE_CHUNK : CHUNK;
  const turn = turnOf(plan.pace);
  let left = turn.jobs;
  for (let n = 0; operation.state === "running"; n++) {
    ctx.signal.throwIfAborted();
    if (left === 0) throw new Snooze(turn.everyMs);
    if (n === CHUNKS_AN_ATTEMPT || (n > 0 && ctx.left() < CHUNK_STATEMENTS)) {
      // A turn that is cut short is a turn all the same: too slow is within the pace, too fast is not.
      throw new Snooze(plan.pace === undefined ? 0 : turn.everyMs);
    }
    const at = operation;
    const chunk = await insist(engine, "read chunk", () => nextChunk(engine.store, at, Math.min(chunkOf, left)));
    left -= chunk.rows.length;
    const audit = engine.newId();
    await engine.seam("bulk: between read and write");
    operation = await insist(engine, "bulk", () => applyChunk(engine.store, engine.newToken(), at, chunk, audit));
    ctx.progress({ done: operation.changed + operation.skipped, total: operation.expected });
    if (plan.action === "requeue") await fill(engine);
  }
  return { changed: operation.changed, skipped: operation.skipped };
}

/** Lets an operation begin no further chunk. `mine`: it was this call that stopped it. Null: there is none. */
export function abortBulk(engine: Engine, id: string, by: By): Promise<(Operation & { mine: number }) | null> {
  const [token, audit] = [engine.newToken(), engine.newId()];
  return insist(engine, "abort bulk", () => abortOperation(engine.store, token, id, audit, by));
}

/**
 * One action on up to 1,000 named jobs, at once. A name given twice counts once. `still`: only those that match it yet,
 * as they did when somebody chose them.
 */
export async function bulkIds(
  engine: Engine,
  action: BulkAction,
  ids: string[],
  still: Partial<BulkFilter>,
  by: By,
): Promise<{ requested: number; changed: number; skipped: Skip[] }> {
  const unique = [...new Set(ids)];
  if (unique.length > BULK_IDS) throw new RangeError(`at most ${BULK_IDS} ids are taken, these are ${unique.length}`);
  const [token, audit] = [engine.newToken(), engine.newId()];
  const named = await insist(engine, "read named", () => readNamed(engine.store, unique));
  const done = await insist(engine, "bulk", () => applyToNamed(engine.store, token, action, named, still, audit, by));
  if (action === "requeue" && done.changed > 0) await fill(engine);
  return { requested: unique.length, ...done };
}

/** A pace is kept by turns of about ten seconds: so many jobs, and then a rest. */
function turnOf(pace: number | undefined): { jobs: number; everyMs: number } {
  if (pace === undefined) return { jobs: Number.POSITIVE_INFINITY, everyMs: 0 };
  const jobs = Math.max(1, Math.round((pace * TURN_MS) / 60_000));
  return { jobs, everyMs: Math.ceil((jobs * 60_000) / pace) };
}

/** Requeued jobs are unsent: the lanes take what they have room for, and then whoever makes room there. */
async function fill(engine: Engine): Promise<void> {
  for (const lane of LANES) await feedIfHalfEmpty(engine, lane, await engine.lanes.metrics(lane));
}
