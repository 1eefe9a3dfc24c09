import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";

// The sources say `~/` and leave endings out, as bundlers know them.
const app = new URL("../app/", import.meta.url);
registerHooks({
  resolve(name, context, next) {
    if (name.startsWith("~/")) return next(new URL(`${name.slice(2)}.ts`, app).href, context);
    return next(
      /^\.{1,2}\/[\w/]+$/.test(name) && context.parentURL?.startsWith(app.href) ? `${name}.ts` : name,
      context,
    );
  },
});
const { Csv } = await import("../app/kinds/file/csv.ts");
const { Ndjson } = await import("../app/kinds/file/ndjson.ts");
const { PartWriter } = await import("../app/kinds/file/part_writer.ts");
const { passThrough } = await import("../app/kinds/file/stream.ts");

const [format, bytes] = [process.argv[2], Number(process.argv[3])];
const reader = format === "csv" ? new Csv(",", true) : new Ndjson();
const digest = createHash("sha256");
const derivedDigest = createHash("sha256");
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
// In place of the bucket: takes each part, as slowly as anything outside does. What nobody holds any more is let go then:
// the engine itself looks at buffers outside its heap only when 64 MB of them have come together.
const letGo = (globalThis as { gc?: () => void }).gc;
if (!letGo) throw new Error("run with --expose-gc");
const derived = new PartWriter({
  begin: async () => ({
    async uploadPart(partNumber) {
      await turn();
      letGo();
      return { partNumber, etag: String(partNumber) };
    },
    complete: async () => {},
  }),
  put: async () => {},
  see: async (part) => void derivedDigest.update(part),
});

const stream = generated(bytes);
const residentBytes = process.memoryUsage().rss;
const begun = performance.now();
const read = await passThrough(stream, {
  digest: { write: async (chunk) => void digest.update(chunk), hex: async () => digest.digest("hex") },
  table: { reader, derived },
  expected: bytes,
  turn,
  progress: () => {},
});
const seconds = (performance.now() - begun) / 1000;
const peakBytes = peak();
console.log(
  JSON.stringify({
    format,
    bytes: read,
    rows: reader.rows,
    derivedBytes: derived.size,
    seconds,
    residentBytes,
    peakBytes,
    grownBytes: peakBytes - residentBytes,
  }),
);

/**
 * The most of this process that ever was in memory, bytes, by the kernel's own count. Where it can be asked for the program
 * alone it is: Linux begins the count of `getrusage` with what the parent had ever held (`exec_mmap`, fs/exec.c).
 */
function peak(): number {
  const status = "/proc/self/status";
  if (!existsSync(status)) return process.resourceUsage().maxRSS * 1024;
  return Number(readFileSync(status, "utf8").match(/VmHWM:\s+(\d+) kB/)?.[1]) * 1024;
}

/** Rows of all kinds of values, quotes and line breaks among them, in chunks as a bucket gives them. */
function generated(total: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let block = "";
  for (let n = 0; block.length < 262_144; n++) block += rowOf(n);
  const bytes = encoder.encode(block);
  const header = encoder.encode(format === "csv" ? "id,name,email,active,amount,day,note,text\r\n" : "");
  let left = total;
  let at = -header.length;
  return new ReadableStream(
    {
      pull(controller) {
        const whole = at < 0 ? header : bytes.slice(at, at + 65_536);
        const piece = whole.subarray(0, left);
        at = at < 0 ? 0 : (at + piece.length) % bytes.length;
        left -= piece.length;
        if (piece.length > 0) controller.enqueue(piece);
        if (left === 0) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

function rowOf(n: number): string {
  const [name, email, amount] = [`Person ${n} Müller`, `person${n}@example.com`, (n * 1.37).toFixed(2)];
  const day = `2026-11-${String(1 + (n % 28)).padStart(2, "0")}`;
  if (format !== "csv")
    return `${JSON.stringify({ id: n, name, email, active: n % 7 > 0, amount, day, tags: ["a", n] })}\n`;
  return `${n},${name},${email},${n % 7 > 0},${amount},${day},"some ""quoted"" text,\r\nover two lines",plain text ${n}\r\n`;
}
