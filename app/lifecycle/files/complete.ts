import type { FullDay } from "~/domain/day";
import { fileJobKey, partsOf, type Reading, sourceKey } from "~/domain/files/files";
import { READING } from "~/domain/files/input";
import { isNoSuchUpload } from "~/kinds/file/derived";
import { processFile } from "~/kinds/process_file";
import { readFile, readParts, type StoredFile, storeFile } from "~/store/files";
import type { Engine } from "../engine";
import { submit } from "../submit";
import { insist } from "../trouble/insist";

export type Processing =
  | { kind: "submitted"; id: string; jobId: string; replayed: boolean }
  | ({ kind: "full" } & FullDay);
export type Completed =
  | Processing
  | { kind: "incomplete"; missing: number[] }
  | { kind: "not-found" | "expired" | "no-bucket" };

/** Makes one file of its parts and submits its job. Safe to repeat: it then answers with the same job. */
export async function completeUpload(engine: Engine, id: string, by: string): Promise<Completed> {
  const bucket = engine.services.files;
  if (!bucket) return { kind: "no-bucket" };
  const file = await readFile(engine.store, id);
  if (!file || file.state === "removing") return { kind: "not-found" };
  if (file.state === "uploading") {
    const wrong = await assemble(engine, bucket, file);
    if (wrong) return wrong;
  }
  return process(engine, file, READING.parse(JSON.parse(file.reading)), by);
}

async function assemble(engine: Engine, bucket: R2Bucket, file: StoredFile): Promise<Completed | null> {
  const size = file.size ?? 0;
  const parts = await readParts(engine.store, file.id);
  const there = new Set(parts.map(({ partNumber }) => partNumber));
  const missing = Array.from({ length: partsOf(size) }, (_, index) => index + 1).filter((n) => !there.has(n));
  if (missing.length > 0 || file.size === null) return { kind: "incomplete", missing };
  const key = sourceKey(file.id);
  if (file.uploadId === null) await bucket.put(key, "");
  else {
    const upload = bucket.resumeMultipartUpload(key, file.uploadId);
    await upload.complete(parts).catch(async (error) => {
      // It was completed before, and the row does not know yet; or the bucket has thrown the parts away.
      if (!isNoSuchUpload(error)) throw error;
    });
  }
  if ((await bucket.head(key))?.size !== size) return { kind: "expired" };
  await engine.seam("complete upload: before store");
  const stored = await insist(engine, "complete upload", () =>
    storeFile(engine.store, engine.newToken(), file.id, size),
  );
  return stored ? null : { kind: "not-found" };
}

/** Submits the job that reads the file; one for each `again`, however often it is asked for. */
export async function process(
  engine: Engine,
  file: Pick<StoredFile, "id" | "name">,
  reading: Reading,
  by: string,
  again?: string,
): Promise<Processing> {
  const payload = { file: file.id, name: file.name, ...reading };
  const job = {
    kind: processFile.name,
    payload,
    payloadText: JSON.stringify(payload),
    idempotencyKey: fileJobKey(file.id, again),
  };
  const deed = { actor: by, action: "process-file" as const, after: { file: file.id, name: file.name } };
  const done = await submit(engine, [job], by, deed);
  if (done.kind === "full") return done;
  if (done.kind === "accepted") {
    const [{ id: jobId, replayed }] = done.jobs as [(typeof done.jobs)[0]];
    return { kind: "submitted", id: file.id, jobId, replayed };
  }
  // The key names this file: whatever else has it was meant to be its job.
  if (done.kind === "conflict" && done.jobId)
    return { kind: "submitted", id: file.id, jobId: done.jobId, replayed: true };
  throw new TypeError(`the job of a file was refused: ${JSON.stringify(done)}`);
}
