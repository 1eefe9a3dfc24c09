import { z } from "zod";
import { PermanentError, RetryLater } from "~/domain/errors";
import { COLUMNS_LISTED, derivedKey, FILE_BYTES, type FileResult, formatOf, sourceKey } from "~/domain/files/files";
import { FILE_NAME, READING } from "~/domain/files/input";
import { count, shortId } from "~/domain/format";
import { TIMEOUT_MS } from "~/domain/limits";
import { preview } from "~/domain/text";
import { closeDerived, readFile, type StoredFile } from "~/store/files";
import { defineKind, type JobContext } from "./define";
import { Csv } from "./file/csv";
import { derivedTarget, takeAbandoned } from "./file/derived";
import { sha256 } from "./file/digest";
import { Ndjson } from "./file/ndjson";
import { PartWriter } from "./file/part_writer";
import { passThrough } from "./file/stream";
import type { Table } from "./file/table";

/** Reads an uploaded file: what it is, what is in it, and the same as NDJSON. */
export const processFile = defineKind({
  name: "process_file",
  title: "Process a file",
  description:
    "Streams an uploaded file through once: size, SHA-256; of CSV and NDJSON rows, columns, types, bad lines.",
  input: z.strictObject({
    file: z.uuidv7().meta({ description: "id of an uploaded file", is: "file" }),
    name: FILE_NAME.optional().describe("shown in lists"),
    ...READING.shape,
  }),
  label: ({ file, name }) => name ?? `file ${shortId(file)}`,
  entity: ({ file }) => `file:${file}`,
  usualMs: 10_000,
  timeoutMs: TIMEOUT_MS,
  retry: { maxAttempts: 3 },
  async run(input, ctx) {
    const bucket = ctx.services.files;
    if (!bucket) throw new PermanentError("this deployment has no bucket for files: bind one as FILES");
    const file = await readFile(ctx.store, input.file);
    if (file?.state === "uploading") throw new RetryLater(30_000, "the upload of the file is not complete yet");
    if (file?.state !== "stored") throw new PermanentError("the file is stored no more");
    await takeAbandoned(bucket, ctx.store);
    const object = await bucket.get(sourceKey(file.id));
    if (!object) throw new PermanentError("the file is in the bucket no more");
    if (object.size > FILE_BYTES) {
      await object.body.cancel();
      throw new PermanentError(`the file has ${object.size} bytes, at most ${FILE_BYTES} are taken`);
    }
    const format = formatOf(file.name, input.format);
    const table = format === "csv" ? new Csv(input.delimiter, input.strict) : format === "ndjson" ? new Ndjson() : null;
    return read(ctx, bucket, file, object, format, table);
  },
});

async function read(
  ctx: JobContext,
  bucket: R2Bucket,
  file: StoredFile,
  object: R2ObjectBody,
  format: FileResult["format"],
  table: Table | null,
): Promise<FileResult> {
  const digest = sha256();
  const target = derivedTarget(ctx, bucket, file.id);
  const derivedDigest = sha256();
  const derived = new PartWriter({ ...target, see: derivedDigest.write });
  try {
    const bytes = await passThrough(object.body, {
      digest,
      table: table && { reader: table, derived },
      expected: object.size,
      turn: () => ctx.sleep(0),
      progress: (done) =>
        ctx.progress({ done, total: object.size, note: table ? `${count(table.rows)} rows` : undefined }),
    });
    // Whoever removes the file takes away what is there by then: what comes later would lie there for ever.
    if ((await readFile(ctx.store, file.id))?.state !== "stored") {
      await bucket.delete(derivedKey(file.id, ctx.jobId));
      throw new PermanentError("the file was removed while it was read");
    }
    ctx.progress({ done: bytes, total: bytes, note: table ? `${count(table.rows)} rows` : undefined });
    ctx.commit(closeDerived(ctx));
    return {
      name: file.name,
      format,
      bytes,
      sha256: await digest.hex(),
      table: table && {
        ...found(table),
        derived: {
          key: derivedKey(file.id, ctx.jobId),
          rows: table.kept,
          bytes: derived.size,
          sha256: await derivedDigest.hex(),
        },
      },
    };
  } catch (error) {
    await target.discard().catch((left) => ctx.log(`parts of the derived file are left behind: ${left}`));
    throw error;
  }
}

/** Capped, so that a result always fits: all is counted, the first of each are named. */
function found({
  rows,
  columns,
  bad,
}: Table): Pick<NonNullable<FileResult["table"]>, "rows" | "columnCount" | "columns" | "badLines"> {
  const all = [...columns];
  return {
    rows,
    columnCount: all.length,
    columns: all
      .slice(0, COLUMNS_LISTED)
      .map(({ name, type, filled }) => ({ name: preview(name, NAME_CHARS), type, empty: rows - filled })),
    badLines: { count: bad.count, listed: bad.listed },
  };
}

const NAME_CHARS = 60;
