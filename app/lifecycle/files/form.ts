import { decodeField, make, type PartInfo } from "multipasta";
import { FORM_BYTES, type Reading, sourceKey } from "~/domain/files/files";
import { FILE_NAME, READING } from "~/domain/files/input";
import { type Problem, problemsOf } from "~/domain/submission";
import { PartWriter } from "~/kinds/file/part_writer";
import { insertFile, noteUpload, storeFile } from "~/store/files";
import type { Engine } from "../engine";
import { insist } from "../trouble/insist";
import { tidy } from "./begin";
import { type Processing, process } from "./complete";
import { removeFile } from "./remove";

export type Received =
  | Processing
  | { kind: "refused"; problems: Problem[] }
  | { kind: "too-large" | "malformed" | "no-file" | "no-bucket" };

type Arriving = { id: string; name: string; reading: Reading; writer: PartWriter };

/**
 * Takes the file of a plain form, as it comes in: a body of a form is read no faster than the bucket takes it, and is
 * never held. The form's other fields come before its file.
 */
export async function receiveForm(engine: Engine, request: Request, by: string): Promise<Received> {
  const bucket = engine.services.files;
  if (!bucket) return { kind: "no-bucket" };
  if (Number(request.headers.get("content-length") ?? 0) > FORM_BYTES) return { kind: "too-large" };
  if (!request.body) return { kind: "malformed" };

  const form = new Form(request.headers.get("content-type") ?? "");
  let arriving: Arriving | null = null;
  let bytes = 0;
  let wrong: Received | null = null;
  try {
    for await (const chunk of request.body) {
      bytes += chunk.length;
      form.write(chunk);
      if (bytes > FORM_BYTES) wrong = { kind: "too-large" };
      else if (form.failed) wrong = { kind: "malformed" };
      else if (form.file && !arriving) {
        const begun = await begin(engine, bucket, form.file, form.fields, by);
        if ("kind" in begun) wrong = begun;
        else arriving = begun;
      }
      if (wrong) break;
      for (const piece of form.take()) await arriving?.writer.bytes(piece);
    }
    form.end();
    wrong ??= form.failed ? { kind: "malformed" } : arriving ? null : { kind: "no-file" };
    if (!wrong && arriving) {
      await arriving.writer.end();
      const { id, writer } = arriving;
      await insist(engine, "store file", () => storeFile(engine.store, engine.newToken(), id, writer.size));
    }
  } catch (error) {
    // The sender is gone, or the bucket: what has come so far is worth nothing.
    if (arriving) await removeFile(engine, arriving.id, null);
    throw error;
  }
  if (!wrong && arriving) return process(engine, arriving, arriving.reading, by);
  if (arriving) await removeFile(engine, arriving.id, null);
  return wrong ?? { kind: "no-file" };
}

async function begin(
  engine: Engine,
  bucket: R2Bucket,
  file: string,
  fields: Record<string, string>,
  by: string,
): Promise<Arriving | Received> {
  if (file === "") return { kind: "no-file" };
  const name = FILE_NAME.safeParse(file);
  const { format, delimiter, lenient } = fields;
  const reading = READING.safeParse({ format, delimiter, strict: lenient === undefined });
  const problems = [
    ...(name.success ? [] : problemsOf(name.error, "file")),
    ...(reading.success ? [] : problemsOf(reading.error)),
  ];
  if (!name.success || !reading.success) return { kind: "refused", problems };
  await tidy(engine, bucket);
  const id = engine.newId();
  const row = { id, name: name.data, size: null, uploadId: null, reading: JSON.stringify(reading.data), createdBy: by };
  const audit = engine.newId();
  await insist(engine, "begin upload", () => insertFile(engine.store, engine.newToken(), row, audit));
  const writer = new PartWriter({
    async begin() {
      const upload = await bucket.createMultipartUpload(sourceKey(id));
      await insist(engine, "note upload", () => noteUpload(engine.store, id, upload.uploadId));
      return upload;
    },
    put: (whole) => bucket.put(sourceKey(id), whole),
  });
  return { id, name: name.data, reading: reading.data, writer };
}

/** The parser calls back while a chunk is written: what belongs to the file waits here until it is taken. */
class Form {
  readonly fields: Record<string, string> = {};
  /** The name of the file, once it begins to come. */
  file: string | null = null;
  failed = false;
  private pieces: Uint8Array[] = [];
  private readonly parser: ReturnType<typeof make>;

  constructor(type: string) {
    this.parser = make({
      headers: { "content-type": type },
      maxParts: 20,
      maxFieldSize: 1_000,
      onField: (info, value) => {
        this.fields[info.name] = decodeField(info, value);
      },
      onFile: (info) => this.begins(info),
      onError: () => {
        this.failed = true;
      },
      onDone: () => {},
    });
  }

  write(chunk: Uint8Array): void {
    this.parser.write(chunk);
  }

  end(): void {
    this.parser.end();
  }

  take(): Uint8Array[] {
    const pieces = this.pieces;
    this.pieces = [];
    return pieces;
  }

  private begins({ filename = "" }: PartInfo): (chunk: Uint8Array | null) => void {
    if (this.file !== null) return () => {};
    this.file = filename;
    return (chunk) => {
      if (chunk) this.pieces.push(chunk);
    };
  }
}
