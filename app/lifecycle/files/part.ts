import { partBytes, sourceKey } from "~/domain/files/files";
import { isNoSuchUpload } from "~/kinds/file/derived";
import { notePart, readFile } from "~/store/files";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";

export type PartTaken =
  | { kind: "taken"; number: number; bytes: number }
  | { kind: "wrong-size"; bytes: number }
  | { kind: "no-such-part" | "not-uploading" | "not-found" | "no-bucket" };

/**
 * Passes one part on to the bucket as it comes in. `declared` is what its sender says its length is, where it does: what
 * counts is what comes. Sending a part again is harmless.
 */
export async function takePart(
  engine: Engine,
  id: string,
  number: number,
  body: ReadableStream<Uint8Array> | null,
  declared: number | null,
): Promise<PartTaken> {
  const bucket = engine.services.files;
  if (!bucket) return { kind: "no-bucket" };
  const file = await readFile(engine.store, id);
  if (!file) return { kind: "not-found" };
  if (file.state !== "uploading" || file.uploadId === null || file.size === null) return { kind: "not-uploading" };
  const bytes = partBytes(file.size, number);
  if (bytes === null) return { kind: "no-such-part" };
  if (!body || (declared !== null && declared !== bytes)) return { kind: "wrong-size", bytes };

  const exact = new FixedLengthStream(bytes);
  const upload = bucket.resumeMultipartUpload(sourceKey(id), file.uploadId);
  const [piped, stored] = await Promise.allSettled([
    body.pipeTo(exact.writable),
    upload.uploadPart(number, exact.readable),
  ]);
  if (isWrongLength(piped) || isWrongLength(stored)) return { kind: "wrong-size", bytes };
  if (stored.status === "rejected") {
    if (isNoSuchUpload(stored.reason)) return { kind: "not-uploading" };
    throw stored.reason;
  }
  // The sender is gone.
  if (piped.status === "rejected") throw piped.reason;
  const noted = await insist(engine, "note part", () => notePart(engine.store, id, number, stored.value.etag));
  return noted ? { kind: "taken", number, bytes } : { kind: "not-uploading" };
}

/** More or fewer bytes than there was room for: the one or the other side says so. */
const isWrongLength = (side: PromiseSettledResult<unknown>): boolean =>
  side.status === "rejected" && /FixedLengthStream/.test(String(side.reason));
