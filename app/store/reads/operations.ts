import { isKept } from "~/domain/bulk/bulk";
import {
  CAUSES_AMONG,
  CAUSES_OF_OPERATION,
  type OperationDetail,
  type OperationPage,
  type OperationRow,
} from "~/domain/bulk/feeds";
import { filterOf } from "~/domain/bulk/words";
import { PAGE_SIZE } from "~/domain/limits";
import { readCursor, writeCursor } from "~/domain/query/cursor";
import { instant, instantOrNull } from "~/domain/time";
import { jobKey, OPERATIONS, type Operation, operationById } from "../bulk/bulk";
import { keptCountOf } from "../bulk/matching";
import { type Store, sql } from "../store";
import { atOf, REVISION } from "./revision";

/** Skipped jobs that an operation is shown with. */
export const SKIPS_SHOWN = 100;

/** Operations, newest first. `cursor`: as a page has given it out. */
export async function listOperations(store: Store, cursor?: string, limit = PAGE_SIZE): Promise<OperationPage> {
  const before = cursor === undefined ? undefined : readCursor(cursor)?.id;
  const [revision, rows = []] = await store.batch([
    REVISION,
    before === undefined
      ? sql(`${OPERATIONS} ORDER BY o.id DESC LIMIT ?`, limit + 1)
      : sql(`${OPERATIONS} WHERE o.id < ? ORDER BY o.id DESC LIMIT ?`, before, limit + 1),
  ]);
  const operations = (rows as Operation[]).slice(0, limit).map(operationRowOf);
  const last = operations.at(-1);
  const more = rows.length > limit && last;
  return {
    ...atOf(revision),
    operations,
    next: more ? writeCursor({ walk: "older", id: last.id, inclusive: false }) : null,
  };
}

/** One operation with its job, what matches its filter now, and the first of its skipped jobs; or null. */
export async function readOperationDetail(store: Store, id: string): Promise<OperationDetail | null> {
  const [revision, rows, jobs, matching, skips, causes] = await store.batch([
    REVISION,
    operationById(id),
    sql("SELECT id, state FROM jobs WHERE idempotency_key = ?1", jobKey(id)),
    sql(`SELECT ${keptCountOf("o.view", "o.kind", "o.cause")} AS n FROM bulk_operations AS o WHERE o.id = ?1`, id),
    sql(
      "SELECT job_id AS jobId, reason FROM bulk_skips WHERE operation_id = ?1 ORDER BY job_id LIMIT ?2",
      id,
      SKIPS_SHOWN,
    ),
    sql(
      `SELECT cause, count(*) AS n FROM (SELECT cause FROM jobs INDEXED BY jobs_operation
         WHERE operation_id = ?1 AND view = 'dead' ORDER BY id DESC LIMIT ${CAUSES_AMONG})
       GROUP BY cause ORDER BY n DESC, cause LIMIT ${CAUSES_OF_OPERATION}`,
      id,
    ),
  ]);
  const operation = rows?.[0] as Operation | undefined;
  if (!operation) return null;
  return {
    ...atOf(revision),
    ...operationRowOf(operation),
    job: (jobs?.[0] as OperationDetail["job"] | undefined) ?? null,
    matching: isKept(filterOf(operation)) ? (matching?.[0]?.n as number) : null,
    skips: skips as OperationDetail["skips"],
    causes: causes as OperationDetail["causes"],
  };
}

export function operationRowOf(row: Operation): OperationRow {
  const { cursor: _, cutoff, createdAt, endedAt, became, ...rest } = row;
  return {
    ...rest,
    cutoff: instant(cutoff),
    createdAt: instant(createdAt),
    endedAt: instantOrNull(endedAt),
    became: JSON.parse(became),
  };
}
