import { Snooze } from "~/domain/errors";
import { LANES } from "~/domain/lanes";
import { BULK_IDS } from "~/domain/limits";
import type { JobContext } from "~/kinds/define";
import { type BulkAction, type BulkFilter, beginOperation, measure, type Operation, type Plan } from "~/store/bulk";
import { applyChunk, nextChunk } from "~/store/bulk_chunks";
import { applyToIds, type Skip } from "~/store/bulk_ids";
import type { By } from "~/store/reopen";
import type { Engine } from "./engine";
import { feedIfHalfEmpty } from "./feed";
import { insist } from "./insist";
import { submitRequests } from "./submit";

const CHUNK = 1_000;
/** A deletion writes many rows a job. */
const DELETE_CHUNK = 200;
const CHUNKS_AN_ATTEMPT = 100;
const PACED_EVERY_MS = 10_000;

/**
 * Starts one action on everything that matches, as a job of kind `bulk`. What is meant and up to when is frozen now, with
 * the exact count. `id` comes from the caller, so that asking twice starts it once.
 */
export async function startBulk(
  engine: Engine,
  id: string,
  action: BulkAction,
  filter: BulkFilter,
  pace: number | undefined,
  by: By,
): Promise<Operation> {
  const { expected, cutoff } = await measure(engine.store, filter);
  const plan: Plan = { operationId: id, action, ...filter, cutoff, expected, pace, ...by };
  await submitRequests(engine, [{ kind: "bulk", payload: plan, priority: "high", idempotencyKey: `bulk:${id}` }]);
  await engine.seam("bulk: between submit and begin");
  // The job would open it too: this only lets its page be there at once.
  return insist(engine, "begin bulk", () => beginOperation(engine.store, engine.newToken(), plan));
}

/** Goes on with an operation until it is done, aborted, or out of this attempt's share; then the job snoozes on. */
export async function workBulk(
  engine: Engine,
  plan: Plan,
  ctx: Pick<JobContext, "progress" | "signal">,
): Promise<{ changed: number; skipped: number }> {
  let operation = await insist(engine, "begin bulk", () => beginOperation(engine.store, engine.newToken(), plan));
  const size = Math.min(plan.action === "delete" ? DELETE_CHUNK : CHUNK, perTurn(plan.pace));
  for (let n = 0; operation.state === "running"; n++) {
    ctx.signal.throwIfAborted();
    if (n === CHUNKS_AN_ATTEMPT || engine.store.used.statements >= engine.settings.statements) throw new Snooze(0);
    if (n > 0 && plan.pace !== undefined) throw new Snooze(PACED_EVERY_MS);
    const at = operation;
    const chunk = await insist(engine, "read chunk", () => nextChunk(engine.store, at, size));
    await engine.seam("bulk: between read and write");
    operation = await insist(engine, "bulk", () => applyChunk(engine.store, engine.newToken(), at, chunk));
    ctx.progress({ done: operation.changed + operation.skipped, total: operation.expected });
    if (plan.action === "requeue") await fill(engine);
  }
  return { changed: operation.changed, skipped: operation.skipped };
}

/** One action on up to 1,000 named jobs, at once. A name given twice counts once. */
export async function bulkIds(
  engine: Engine,
  action: BulkAction,
  ids: string[],
  by: By,
): Promise<{ requested: number; changed: number; skipped: Skip[] }> {
  const unique = [...new Set(ids)];
  if (unique.length > BULK_IDS) throw new RangeError(`at most ${BULK_IDS} ids are taken, these are ${unique.length}`);
  const [token, audit] = [engine.newToken(), engine.newId()];
  const done = await insist(engine, "bulk", () =>
    applyToIds(engine.store, token, action, unique, audit, by.actor, by.reason ?? null),
  );
  if (action === "requeue" && done.changed > 0) await fill(engine);
  return { requested: unique.length, ...done };
}

const perTurn = (pace = Number.POSITIVE_INFINITY): number => Math.max(1, Math.floor((pace * PACED_EVERY_MS) / 60_000));

/** Requeued jobs are unsent: the lanes take what they have room for, and then whoever makes room there. */
async function fill(engine: Engine): Promise<void> {
  for (const lane of LANES) await feedIfHalfEmpty(engine, lane, await engine.lanes.metrics(lane));
}
