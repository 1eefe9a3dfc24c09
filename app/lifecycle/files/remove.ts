import { filePrefix, sourceKey } from "~/domain/files/files";
import { abortUpload } from "~/kinds/file/derived";
import { beginRemoval, endRemoval } from "~/store/files";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

export type Removed = { kind: "removed"; name: string } | { kind: "not-found" | "no-bucket" };

/** Takes away a file with all that was made of it, or an upload that is not to go on. Its jobs stay as they are. */
export async function removeFile(engine: Engine, id: string, by: string | null): Promise<Removed> {
  const bucket = engine.services.files;
  if (!bucket) return { kind: "no-bucket" };
  const { store } = engine;
  const audit = engine.newId();
  const file = await insist(engine, "begin removal", () => beginRemoval(store, engine.newToken(), id, audit, by));
  if (!file) return { kind: "not-found" };
  await engine.seam("remove file: between row and objects");
  if (file.uploadId !== null) await abortUpload(bucket.resumeMultipartUpload(sourceKey(id), file.uploadId));
  for (let more = true; more; ) {
    const { objects, truncated } = await bucket.list({ prefix: filePrefix(id) });
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
    more = truncated;
  }
  await insist(engine, "end removal", () => endRemoval(store, engine.newToken(), id));
  return { kind: "removed", name: file.name };
}
