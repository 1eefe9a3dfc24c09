import { PermanentError, RetryLater } from "~/domain/errors";
import { bytesText } from "~/domain/format";
import type { MailAttachment } from "~/domain/mail/mail";
import type { Mail } from "./mail";

/** 5 MiB once encoded and with a body, which is what every provider takes. */
const ALL_BYTES = 3_500_000;

/** An attachment as it was found at the first attempt. `etag`: of this very content. */
export type Pinned = MailAttachment & { etag: string };

/** Finds the files of a mail. What they are like now is what is sent, at this attempt and at every later one. */
export async function pinAttachments(files: R2Bucket | null, wanted: Mail["attachments"] = []): Promise<Pinned[]> {
  const pinned = await Promise.all(
    wanted.map(async ({ key, filename, contentType }) => {
      const found = await reading(() => bucketOf(files).head(key));
      if (!found) throw new PermanentError(`the attachment ${key} is not in R2`);
      return {
        key,
        filename:
          filename ??
          (key
            .split("/")
            .at(-1)
            ?.replace(/[\p{Cc}"\\]/gu, "_") ||
            "attachment"),
        contentType: contentType ?? found.httpMetadata?.contentType ?? "application/octet-stream",
        size: found.size,
        etag: found.etag,
      };
    }),
  );
  const size = pinned.reduce((sum, one) => sum + one.size, 0);
  if (size > ALL_BYTES) {
    throw new PermanentError(`the attachments are ${bytesText(size)}, a mail takes ${bytesText(ALL_BYTES)}`);
  }
  return pinned;
}

/** What was pinned, or nothing: another content under the same key would be another mail. */
export async function readAttachment(files: R2Bucket | null, { key, etag }: Pinned): Promise<Uint8Array> {
  const found = await reading(() => bucketOf(files).get(key, { onlyIf: { etagMatches: etag } }));
  if (!found) throw new PermanentError(`the attachment ${key} is in R2 no more`);
  if (!("body" in found)) throw new PermanentError(`the attachment ${key} has changed since the first attempt`);
  return new Uint8Array(await reading(() => found.arrayBuffer()));
}

function bucketOf(files: R2Bucket | null): R2Bucket {
  if (!files) throw new PermanentError("this deployment has no bucket for attachments: bind one as FILES");
  return files;
}

/** That the bucket does not answer is no word about the mail: nothing has happened yet. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PermanentError) throw error;
    throw new RetryLater(0, `R2 does not answer: ${String(error)}`, { cause: error });
  }
}
