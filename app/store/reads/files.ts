import type { JobRow } from "~/domain/feeds";
import type { FilePage, FileRow, FileState } from "~/domain/files/files";
import { instant, instantOrNull } from "~/domain/time";
import { type Rows, type Statement, type Store, sql } from "../store";
import { type At, atOf, REVISION } from "./revision";
import { jobRowOf, LIST_COLUMNS } from "./row";

export const FILES_SHOWN = 25;
/** Of all files of a page together. */
const JOBS_SHOWN = 500;

/** Newest first, from `before` on. */
export async function listFiles(store: Store, before: string | null, limit = FILES_SHOWN): Promise<FilePage> {
  const page = sql("SELECT id FROM files WHERE ?1 IS NULL OR id < ?1 ORDER BY id DESC LIMIT ?2", before, limit + 1);
  const [revision, files = [], jobs = []] = await store.batch([REVISION, filesOf(page), jobsOf(page)]);
  const shown = files.slice(0, limit);
  return {
    ...atOf(revision),
    files: shown.map((row) => fileRowOf(row, jobs)),
    next: files.length > limit ? (shown.at(-1)?.id as string) : null,
  };
}

export async function readFileRow(store: Store, id: string): Promise<(At & FileRow) | null> {
  const page = sql("SELECT id FROM files WHERE id = ?1", id);
  const [revision, files = [], jobs = []] = await store.batch([REVISION, filesOf(page), jobsOf(page)]);
  return files[0] ? { ...atOf(revision), ...fileRowOf(files[0], jobs) } : null;
}

const filesOf = (page: Statement): Statement =>
  sql(
    `SELECT files.* FROM (${page.sql}) AS page CROSS JOIN files ON files.id = page.id ORDER BY id DESC`,
    ...page.params,
  );

/** Jobs are found by their keys, which begin with what the file's first job has: see `fileJobKey`. */
const jobsOf = (page: Statement): Statement =>
  sql(
    `SELECT page.id AS fileId, ${LIST_COLUMNS} FROM (${page.sql}) AS page CROSS JOIN jobs INDEXED BY jobs_idempotency
       ON jobs.idempotency_key >= 'file:' || page.id AND jobs.idempotency_key < 'file:' || page.id || ';'
     ORDER BY jobs.id DESC LIMIT ${JOBS_SHOWN}`,
    ...page.params,
  );

function fileRowOf(row: Rows[number], jobs: Rows): FileRow {
  const own: JobRow[] = jobs.filter(({ fileId }) => fileId === row.id).map(jobRowOf);
  return {
    id: row.id as string,
    name: row.name as string,
    state: row.state as FileState,
    size: row.size as number | null,
    createdBy: row.created_by as string,
    createdAt: instant(row.created_at as number),
    storedAt: instantOrNull(row.stored_at as number | null),
    jobs: own,
  };
}
