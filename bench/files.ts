import { spawn } from "node:child_process";
import { join } from "node:path";

export type Pass = {
  format: "csv" | "ndjson";
  bytes: number;
  rows: number;
  derivedBytes: number;
  seconds: number;
  /** Resident before the first byte, and the most there ever was: the kernel's own count, so nothing is missed between looks. */
  residentBytes: number;
  peakBytes: number;
  grownBytes: number;
};

/**
 * Reads a generated file of `bytes` with the reader of `process_file`, in a process of its own whose heap may grow half as
 * far as the 128 MB of a Worker, and tells how its memory grew. The young generation is kept small too, and garbage is let
 * go in time: what is measured is what the reader holds, not how long garbage may lie about on a busy machine.
 */
export function pass(format: Pass["format"], bytes: number): Promise<Pass> {
  const program = join(import.meta.dirname, "files_pass.ts");
  const memory = ["--max-heap-size=64", "--max-semi-space-size=1", "--expose-gc", "--single-threaded-gc"];
  const flags = ["--experimental-transform-types", "--no-warnings", ...memory];
  const child = spawn(process.execPath, [...flags, program, format, String(bytes)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(output));
      else reject(new Error(`the reader ended with ${code}: ${output}`));
    });
  });
}

/** `npm run bench -- files`: 2 GB of each format; `-- files 100000000` for so many bytes. */
export async function files(argv: string[]): Promise<void> {
  const bytes = Number(argv.find((word) => /^\d+$/.test(word)) ?? 2_000_000_000);
  const passes = [await pass("csv", bytes), await pass("ndjson", bytes)];
  if (argv.includes("--json")) return console.log(JSON.stringify(passes));
  for (const one of passes) {
    const mega = (n: number) => (n / 1e6).toFixed(0);
    console.log(
      `${one.format}: ${mega(one.bytes)} MB, ${one.rows} rows in ${one.seconds.toFixed(1)} s (${mega(one.bytes / one.seconds)} MB/s); resident ${mega(one.residentBytes)} MB, at most ${mega(one.peakBytes)} MB: grown by ${mega(one.grownBytes)} MB`,
    );
  }
}
