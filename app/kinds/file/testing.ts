import { sha256 } from "./digest";
import { PartWriter } from "./part_writer";
import { passThrough } from "./stream";
import type { Table } from "./table";

const encoder = new TextEncoder();

/** Bytes as a stream, cut into pieces of `piece` bytes. */
export function streamOf(content: string | Uint8Array, piece = 65_536): ReadableStream<Uint8Array> {
  const bytes = typeof content === "string" ? encoder.encode(content) : content;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + piece));
      at += piece;
    },
  });
}

/** Passes `content` through `table` and answers what came of it, the derived text whole. */
export async function passed(table: Table, content: string | Uint8Array, piece?: number) {
  const parts: Uint8Array[] = [];
  const keep = async (bytes: Uint8Array) => void parts.push(bytes.slice());
  const derived = new PartWriter({
    begin: async () => ({
      uploadPart: async (partNumber, bytes) => {
        await keep(bytes);
        return { partNumber, etag: "" };
      },
      complete: async () => {},
    }),
    put: keep,
  });
  const digest = sha256();
  const bytes = await passThrough(streamOf(content, piece), {
    digest,
    table: { reader: table, derived },
    expected: null,
    turn: async () => {},
    progress: () => {},
  });
  const text = new TextDecoder().decode(await new Blob(parts as BlobPart[]).arrayBuffer());
  return {
    bytes,
    sha256: await digest.hex(),
    rows: table.rows,
    columns: [...table.columns].map(({ name, type, filled }) => ({ name, type, filled })),
    bad: { count: table.bad.count, listed: table.bad.listed },
    text,
    lines: text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}
