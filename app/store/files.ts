import type { FileState } from "~/domain/files/files";
import { auditRow } from "./audit";
import { CHAINED, open } from "./chain";
import { type Statement, type Store, sql } from "./store";

export type StoredFile = {
  id: string;
  name: string;
  state: FileState;
  size: number | null;
  uploadId: string | null;
  reading: string;
  createdBy: string;
};

const COLUMNS =
  "files.id, files.name, files.state, files.size, files.upload_id AS uploadId, files.reading, files.created_by AS createdBy";

export async function readFile(store: Store, id: string): Promise<StoredFile | null> {
  const [rows] = await store.batch([sql(`SELECT ${COLUMNS} FROM files WHERE id = ?1`, id)]);
  return (rows?.[0] as StoredFile | undefined) ?? null;
}

/** A file that begins to arrive. Safe to send again. */
export async function insertFile(
  store: Store,
  token: string,
  file: Pick<StoredFile, "id" | "name" | "size" | "uploadId" | "reading" | "createdBy">,
  audit: string,
): Promise<void> {
  await store.batch([
    open(token, "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM files WHERE files.id = ?2)", file.id),
    sql(
      `INSERT INTO files (id, name, state, size, upload_id, reading, created_by, created_at)
       SELECT ?2, ?3, 'uploading', ?4, ?5, ?6, ?7, batch.clock FROM ${CHAINED} AS batch`,
      token,
      file.id,
      file.name,
      file.size,
      file.uploadId,
      file.reading,
      file.createdBy,
    ),
    auditRow(token, {
      id: audit,
      actor: file.createdBy,
      action: "upload-file",
      after: { file: file.id, name: file.name, size: file.size },
    }),
  ]);
}

/** Whether the file still waits for it. Before the first part: what is not noted here would be found by nobody. */
export async function noteUpload(store: Store, id: string, uploadId: string): Promise<boolean> {
  const [rows] = await store.batch([
    sql("UPDATE files SET upload_id = ?2 WHERE id = ?1 AND state = 'uploading' RETURNING id", id, uploadId),
  ]);
  return (rows as unknown[]).length > 0;
}

/** A part that is sent again takes the place of the one before. */
export async function notePart(store: Store, id: string, number: number, etag: string): Promise<boolean> {
  const [rows] = await store.batch([
    sql(
      `INSERT INTO file_parts (file_id, number, etag) SELECT files.id, ?2, ?3 FROM files WHERE files.id = ?1 AND files.state = 'uploading'
       ON CONFLICT (file_id, number) DO UPDATE SET etag = excluded.etag RETURNING number`,
      id,
      number,
      etag,
    ),
  ]);
  return (rows as unknown[]).length > 0;
}

export async function readParts(store: Store, id: string): Promise<{ partNumber: number; etag: string }[]> {
  const [rows] = await store.batch([
    sql("SELECT number AS partNumber, etag FROM file_parts WHERE file_id = ?1 ORDER BY number", id),
  ]);
  return rows as { partNumber: number; etag: string }[];
}

/** All of it is there. Answers whether it is stored now; safe to send again. */
export async function storeFile(store: Store, token: string, id: string, size: number): Promise<boolean> {
  const results = await store.batch([
    open(token, "SELECT 1 FROM files WHERE files.id = ?2 AND files.state = 'uploading'", id),
    sql(`DELETE FROM file_parts WHERE file_id = ?2 AND EXISTS ${CHAINED}`, token, id),
    sql(
      `UPDATE files SET state = 'stored', size = ?3, upload_id = NULL, stored_at = batch.clock
       FROM ${CHAINED} AS batch WHERE files.id = ?2 AND files.state = 'uploading'`,
      token,
      id,
      size,
    ),
    sql("SELECT 1 FROM files WHERE id = ?1 AND state = 'stored'", id),
  ]);
  return (results.at(-1) as unknown[]).length > 0;
}

/**
 * From here on nothing is begun with the file any more; then its objects are taken away, then its row. Where that stops
 * half-way, the next removal goes on. `by` null: nobody wished it, it was left lying.
 */
export async function beginRemoval(
  store: Store,
  token: string,
  id: string,
  audit: string,
  by: string | null,
): Promise<StoredFile | null> {
  const results = await store.batch([
    open(token, "SELECT 1 FROM files WHERE files.id = ?2 AND files.state <> 'removing'", id),
    sql(
      `INSERT INTO audit (id, at, actor, action, before)
       SELECT ?3, batch.clock, ?4, 'remove-file', json_object('file', files.id, 'name', files.name, 'size', files.size)
       FROM ${CHAINED} AS batch CROSS JOIN files ON files.id = ?2 WHERE ?4 IS NOT NULL`,
      token,
      id,
      audit,
      by,
    ),
    sql(`UPDATE files SET state = 'removing' FROM ${CHAINED} AS batch WHERE files.id = ?2`, token, id),
    sql(`SELECT ${COLUMNS} FROM files WHERE id = ?1`, id),
  ]);
  return (results.at(-1)?.[0] as StoredFile | undefined) ?? null;
}

export async function endRemoval(store: Store, token: string, id: string): Promise<void> {
  const removing = "SELECT 1 FROM files WHERE files.id = ?2 AND files.state = 'removing'";
  await store.batch([
    open(token, removing, id),
    sql(`DELETE FROM file_parts WHERE file_id = ?2 AND EXISTS ${CHAINED}`, token, id),
    sql(`DELETE FROM files WHERE id = ?2 AND state = 'removing' AND EXISTS ${CHAINED}`, token, id),
  ]);
}

/** Uploads and removals that nobody has finished for so long. */
export async function readUnfinished(store: Store, olderThanMs: number, limit: number): Promise<string[]> {
  const [rows] = await store.batch([
    sql(
      `SELECT id FROM files INDEXED BY files_unfinished WHERE state <> 'stored' AND created_at <= {now} - ?1
       ORDER BY created_at LIMIT ?2`,
      olderThanMs,
      limit,
    ),
  ]);
  return (rows as { id: string }[]).map(({ id }) => id);
}

export type DerivedUpload = { jobId: string; attempt: number; fileId: string; uploadId: string };

/** For `ctx.guarded`, before the first part. */
export const noteDerived = ({ jobId, attempt, fileId, uploadId }: DerivedUpload): Statement =>
  sql(
    `INSERT INTO derived_uploads (job_id, attempt, file_id, upload_id) SELECT ?1, ?2, ?3, ?4 WHERE {held}
     ON CONFLICT (job_id, attempt) DO UPDATE SET upload_id = excluded.upload_id`,
    jobId,
    attempt,
    fileId,
    uploadId,
  );

/** Derived uploads whose attempt is over, or never said so: of this job, of this file, or of any other. */
export async function readAbandoned(store: Store, limit: number): Promise<DerivedUpload[]> {
  const [rows] = await store.batch([
    sql(
      `SELECT d.job_id AS jobId, d.attempt, d.file_id AS fileId, d.upload_id AS uploadId
       FROM derived_uploads AS d LEFT JOIN jobs ON jobs.id = d.job_id
       WHERE jobs.id IS NULL OR jobs.state <> 'processing' OR jobs.attempt > d.attempt LIMIT ?1`,
      limit,
    ),
  ]);
  return rows as DerivedUpload[];
}

export async function forgetDerived(store: Store, { jobId, attempt }: Pick<DerivedUpload, "jobId" | "attempt">) {
  await store.batch([sql("DELETE FROM derived_uploads WHERE job_id = ?1 AND attempt = ?2", jobId, attempt)]);
}

/** For `ctx.commit`: the derived file is complete. */
export const closeDerived = ({ jobId, attempt }: Pick<DerivedUpload, "jobId" | "attempt">): Statement =>
  sql("DELETE FROM derived_uploads WHERE job_id = ?1 AND attempt = ?2 AND {landed}", jobId, attempt);
