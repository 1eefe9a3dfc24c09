import { FILE_BYTES, PART_BYTES, partsOf, type Reading, sourceKey } from "~/domain/files/files";
import { takeAbandoned } from "~/kinds/file/derived";
import { insertFile, readUnfinished } from "~/store/files";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";
import { removeFile } from "./remove";

export type Asked = { name: string; size: number; reading: Reading };
export type Begun =
  | { kind: "begun"; id: string; partBytes: number; parts: number }
  | { kind: "too-large" }
  | { kind: "no-bucket" };

const ABANDONED_MS = 86_400_000;
const TIDIED = 5;

/** A place for a file that is to come in parts. Its size is told before, so that each part can be checked on its way. */
export async function beginUpload(engine: Engine, { name, size, reading }: Asked, by: string): Promise<Begun> {
  const bucket = engine.services.files;
  if (!bucket) return { kind: "no-bucket" };
  if (size > FILE_BYTES) return { kind: "too-large" };
  await tidy(engine, bucket);
  const id = engine.newId();
  const parts = partsOf(size);
  const upload = parts > 0 ? await bucket.createMultipartUpload(sourceKey(id)) : null;
  const row = { id, name, size, uploadId: upload?.uploadId ?? null, reading: JSON.stringify(reading), createdBy: by };
  const audit = engine.newId();
  await insist(engine, "begin upload", () => insertFile(engine.store, engine.newToken(), row, audit));
  return { kind: "begun", id, partBytes: PART_BYTES, parts };
}

/** Each new upload takes away some of what others have left lying: nothing grows for ever, and nothing has to run for it. */
export async function tidy(engine: Engine, bucket: R2Bucket): Promise<void> {
  for (const id of await readUnfinished(engine.store, ABANDONED_MS, TIDIED)) await removeFile(engine, id, null);
  await takeAbandoned(bucket, engine.store);
}
