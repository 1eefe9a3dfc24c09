import { BULK_KIND } from "~/domain/bulk/bulk";
import type { JobRow, OperationRow, Snapshot } from "./snapshot";

/** The views that a job comes to with the moment of its end: who is in one since before the cutoff has been there all along. */
const FINAL_VIEWS = ["dead", "cancelled", "done"];

/** Jobs of operations are meant only where their kind is named. */
const isOfKind = ({ kind }: OperationRow, job: JobRow): boolean =>
  kind === null ? job.kind !== BULK_KIND : job.kind === kind;

const isMeant = (operation: OperationRow, job: JobRow): boolean =>
  job.view === operation.view &&
  isOfKind(operation, job) &&
  (operation.cause === null || job.cause === operation.cause) &&
  // What else they ask here is which operation changed a job before.
  (operation.q === null || operation.q === `operation:${job.operation_id}`);

const isTouched = (was: JobRow, job: JobRow | undefined): boolean =>
  job?.state !== was.state ||
  job.generation !== was.generation ||
  (job.cancel_requested_at !== null && was.cancel_requested_at === null);

/** A job remembers the operation that changed it last: but for those that its chunk has `touched`, nothing makes it so. */
export function rememberedOf(
  before: Snapshot,
  after: Snapshot,
  say: (what: string) => void,
  touched?: ReadonlySet<string>,
): void {
  for (const { id, operation_id } of after.jobs.values()) {
    const was = before.jobs.get(id)?.operation_id ?? null;
    if (operation_id !== was && !touched?.has(id))
      say(`job ${id} is said to be changed by operation ${operation_id}, was ${was}`);
  }
}

/** When a job came to the view that it has in these snapshots. Seen from step to step, and not told by any column. */
export class Came {
  private readonly at = new Map<string, number>();

  step(before: Snapshot, after: Snapshot, now: number): void {
    for (const job of after.jobs.values()) {
      const was = before.jobs.get(job.id);
      const stays = was?.view === job.view && was.attempt === job.attempt && was.generation === job.generation;
      if (!stays) this.at.set(job.id, now);
    }
  }

  of({ id }: JobRow): number {
    return this.at.get(id) ?? 0;
  }
}

/** A chunk touches what was frozen when its operation began, counts each of it once, and goes on from where it stood. */
export function chunkOf(before: Snapshot, after: Snapshot, came: Came, say: (what: string) => void): void {
  const touched = [...before.jobs.values()].filter((was) => isTouched(was, after.jobs.get(was.id)));
  const moved = [...after.operations.values()].filter(({ id, cursor, changed, skipped, state }) => {
    const was = before.operations.get(id);
    return was?.cursor !== cursor || was.changed !== changed || was.skipped !== skipped || was.state !== state;
  });
  const [operation] = moved;
  if (!operation) {
    rememberedOf(before, after, say);
    if (touched.length > 0) say("a chunk of no operation touched jobs");
    return;
  }
  const was = before.operations.get(operation.id) as OperationRow;
  const of = `operation ${operation.id}`;
  if (was.state !== "running") say(`${of} went on although it was ${was.state}`);
  if (operation.cursor < was.cursor) say(`${of} went back from ${was.cursor} to ${operation.cursor}`);
  const changed = operation.changed - was.changed;
  if (changed !== touched.length) say(`${of} counts ${changed} changed jobs and touched ${touched.length}`);
  for (const job of touched) {
    if (came.of(job) > was.cutoff) say(`${of} touched ${job.id}, which came after it`);
    if (was.q !== null && was.q !== `operation:${job.operation_id}`) say(`${of} touched ${job.id}, and means ${was.q}`);
    if (!isOfKind(was, job)) say(`${of} touched ${job.id} of kind ${job.kind}`);
    if (job.view !== was.view) say(`${of} touched ${job.id}, which was ${job.view}`);
    const now = after.jobs.get(job.id);
    if (now && now.operation_id !== operation.id) say(`${of} changed ${job.id}, which remembers ${now.operation_id}`);
    if (job.id <= was.cursor || job.id > operation.cursor) say(`${of} touched ${job.id} out of its turn`);
  }
  rememberedOf(before, after, say, new Set(touched.map(({ id }) => id)));
  if (operation.state !== "done" || !FINAL_VIEWS.includes(operation.view)) return;
  for (const job of after.jobs.values()) {
    const left = isMeant(operation, job) && came.of(job) < operation.cutoff;
    if (left && !after.skips.has(`${operation.id}/${job.id}`)) say(`${of} has left out ${job.id}`);
  }
}
