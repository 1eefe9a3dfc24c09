import { derivedKey } from "~/domain/files/files";
import { type DerivedUpload, forgetDerived, noteDerived, readAbandoned } from "~/store/files";
import type { Store } from "~/store/store";
import type { JobContext } from "../define";
import type { Target } from "./part_writer";

const AT_ONCE = 20;

/**
 * Where the derived file of a job goes: always to the same key, so the last attempt that completes one leaves it alone
 * there. `discard` takes away what an attempt that failed has written so far.
 */
export function derivedTarget(
  ctx: JobContext,
  bucket: R2Bucket,
  fileId: string,
): Target & { discard(): Promise<void> } {
  const key = derivedKey(fileId, ctx.jobId);
  const options = { httpMetadata: { contentType: "application/x-ndjson" } };
  let begun: R2MultipartUpload | null = null;
  return {
    async begin() {
      const upload = await bucket.createMultipartUpload(key, options);
      const { jobId, attempt } = ctx;
      try {
        await ctx.guarded(noteDerived({ jobId, attempt, fileId, uploadId: upload.uploadId }));
      } catch (error) {
        await abortUpload(upload);
        throw error;
      }
      begun = upload;
      return upload;
    },
    put: (bytes) => bucket.put(key, bytes, options),
    async discard() {
      if (!begun) return;
      await abortUpload(begun);
      await forgetDerived(ctx.store, ctx);
    },
  };
}

/** Takes away what attempts left behind that never came to their end: their parts lie in the bucket, and cost. */
export async function takeAbandoned(bucket: R2Bucket, store: Store): Promise<void> {
  const left: DerivedUpload[] = await readAbandoned(store, AT_ONCE);
  for (const one of left) {
    await abortUpload(bucket.resumeMultipartUpload(derivedKey(one.fileId, one.jobId), one.uploadId));
    await forgetDerived(store, one);
  }
}

/** Done already is done. */
export async function abortUpload(upload: Pick<R2MultipartUpload, "abort">): Promise<void> {
  await upload.abort().catch((error) => {
    if (!isNoSuchUpload(error)) throw error;
  });
}

export const isNoSuchUpload = (error: unknown): boolean => /does not exist|10024/.test(String(error));
