import { PermanentError } from "~/domain/errors";
import { DERIVED_BYTES, FILE_BYTES } from "~/domain/files/files";
import type { Digest } from "./digest";
import type { PartWriter } from "./part_writer";
import type { Table } from "./table";
import { TextReader } from "./text";

/** After so many bytes others get a turn: heartbeats must go out, however long the parsing takes. */
const TURN_BYTES = 1024 * 1024;

export type Pass = {
  digest: Digest;
  /** Null: bytes only. */
  table: { reader: Table; derived: PartWriter } | null;
  /** What the store says the size is, where it says anything. */
  expected: number | null;
  /** Lets others have a turn; throws where the work is to stop. */
  turn: () => Promise<void>;
  progress: (bytes: number) => void;
  maxBytes?: number;
};

/**
 * Streams a file through once. At no time more of it is held than a chunk, a row that is not complete, and a part of the
 * derived file. Answers how many bytes there really were.
 */
export async function passThrough(body: ReadableStream<Uint8Array>, pass: Pass): Promise<number> {
  const { digest, table, expected, maxBytes = FILE_BYTES } = pass;
  const text = new TextReader();
  let bytes = 0;
  let turned = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new PermanentError(`the file is over ${maxBytes} bytes, which is the limit`);
    await digest.write(chunk);
    if (table) await write(table, text.push(chunk), false);
    if (bytes - turned < TURN_BYTES) continue;
    turned = bytes;
    pass.progress(bytes);
    await pass.turn();
  }
  // The connection to the store broke off, or the store is wrong: reading again may help.
  if (expected !== null && bytes !== expected) throw new Error(`the file ended after ${bytes} of ${expected} bytes`);
  if (table) {
    await write(table, text.end(), true);
    await table.derived.end();
  }
  return bytes;
}

async function write({ reader, derived }: NonNullable<Pass["table"]>, text: string, last: boolean): Promise<void> {
  for (const lines of reader.read(text, last)) {
    if (lines !== "") await derived.text(lines);
    if (derived.size > DERIVED_BYTES) {
      throw new PermanentError(
        `the derived file is over ${DERIVED_BYTES} bytes, which is the limit (long column names?)`,
      );
    }
  }
}
