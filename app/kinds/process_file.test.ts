import { beforeEach, describe, expect, it } from "vitest";
import { derivedKey, FILE_BYTES, sourceKey } from "~/domain/files/files";
import { consume } from "~/lifecycle/consume";
import { removeFile } from "~/lifecycle/files/remove";
import { Bucket, emptyBucket, isOpen, objects, put, textOf } from "~/testing/bucket";
import { clean, World } from "~/testing/world";
import { processFile } from "./process_file";
import { registryOf } from "./registry";
import { servicesOf } from "./services";

let world: World;
let bucket: Bucket;
beforeEach(async () => {
  await clean();
  await emptyBucket();
  world = new World(registryOf(processFile));
  bucket = new Bucket(world);
  world.services = servicesOf({ FILES: bucket.files });
});

async function stored(name: string, content: string | Uint8Array, size?: number): Promise<string> {
  const id = world.newId();
  await put(sourceKey(id), content);
  const bytes = size ?? (typeof content === "string" ? new TextEncoder().encode(content).length : content.length);
  await world.sql(
    `INSERT INTO files (id, name, state, size, reading, created_by, created_at, stored_at) VALUES (?, ?, 'stored', ?, '{}', 'ana', 0, 0)`,
    id,
    name,
    bytes,
  );
  return id;
}

async function run(payload: Record<string, unknown>) {
  const [id = ""] = await world.submit({ kind: "process_file", payload });
  await world.deliver("long", 1);
  const job = await world.job(id);
  return { id, job, result: JSON.parse(job.result ?? "null") };
}

const sha256 = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();

describe("a file that is processed", () => {
  it("C083: of comma-separated values leaves its rows as NDJSON, and says what it found", async () => {
    const source = '\uFEFF"id","na,me","note"\r\n1,"a ""q"" b","l1\nl2"\r\n2,,\r\n3,x';
    const file = await stored("people.csv", source);
    const { id, job, result } = await run({ file });
    expect(job.state).toBe("done");
    const derived =
      '{"id":"1","na,me":"a \\"q\\" b","note":"l1\\nl2"}\n{"id":"2","na,me":"","note":""}\n{"id":"3","na,me":"x"}\n';
    expect(result).toEqual({
      name: "people.csv",
      format: "csv",
      bytes: new TextEncoder().encode(source).length,
      sha256: await sha256(source),
      table: {
        rows: 3,
        columnCount: 3,
        columns: [
          { name: "id", type: "integer", empty: 0 },
          { name: "na,me", type: "text", empty: 1 },
          { name: "note", type: "text", empty: 2 },
        ],
        badLines: { count: 1, listed: [{ row: 3, line: 5, problem: "2 fields, the header has 3" }] },
        derived: { key: derivedKey(file, id), rows: 3, bytes: derived.length, sha256: await sha256(derived) },
      },
    });
    expect(await textOf(derivedKey(file, id))).toBe(derived);
    expect(job.label).toBe(`file …${file.slice(-8)}`);
  });

  it("of lines of JSON, of bytes, and with what was asked for instead of what its name says", async () => {
    const lines = await run({ file: await stored("log.jsonl", '{"a":1}\nx\n'), name: "log.jsonl" });
    expect(lines.result.table).toMatchObject({ rows: 2, badLines: { count: 1 }, derived: { rows: 1 } });
    expect(lines.job.label).toBe("log.jsonl");
    const bytes = await run({ file: await stored("a.png", new Uint8Array([0, 1, 2])) });
    expect(bytes.result).toMatchObject({ format: "bytes", bytes: 3, table: null });
    const other = await run({ file: await stored("a.txt", "x;y\n1;2\n"), format: "csv", delimiter: ";" });
    expect(other.result.table.columns.map(({ name }: { name: string }) => name)).toEqual(["x", "y"]);
  });

  it("C083: that cannot be read is dead at its first attempt and leaves no derived file", async () => {
    for (const [content, error] of [
      ["a,b\n1,2,3\n", "row 1, line 2: 3 fields, the header has 2"],
      ["a\0b", "byte 2 is NUL: this is no UTF-8 text (UTF-16, or a binary file?)"],
      ["a;b\n", 'the header is one column with ";" in it: process the file again with that as its delimiter'],
    ] as const) {
      const file = await stored("x.csv", content);
      const { job } = await run({ file });
      expect([job.state, job.attempt, job.last_error]).toEqual(["dead", 1, error]);
      expect(await objects(`files/${file}/derived`)).toEqual([]);
    }
  });

  it("that is there no more, or not yet, or was never: permanent, or tried again", async () => {
    const gone = await run({ file: world.newId() });
    expect([gone.job.state, gone.job.last_error]).toEqual(["dead", "the file is stored no more"]);
    const file = await stored("x.csv", "a\n");
    await world.sql("UPDATE files SET state = 'uploading', stored_at = NULL WHERE id = ?", file);
    const early = await run({ file });
    expect([early.job.state, early.job.last_error]).toEqual(["pending", "the upload of the file is not complete yet"]);
    const emptied = await stored("y.csv", "a\n");
    await emptyBucket();
    const lost = await run({ file: emptied });
    expect(lost.job.last_error).toBe("the file is in the bucket no more");
    world.services = servicesOf({});
    const none = await run({ file });
    expect(none.job.last_error).toBe("this deployment has no bucket for files: bind one as FILES");
  });
});

/** A body of so many bytes of CSV, made as it is read. */
function generated(bytes: number, line = "1,some text of a row,2026-12-01\n") {
  const block = new TextEncoder().encode(line.repeat(Math.ceil(65_536 / line.length)));
  let left = bytes;
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (left === 0) return controller.close();
        const piece = block.slice(0, Math.min(block.length, left));
        left -= piece.length;
        pulled += piece.length;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, pulled: () => pulled };
}

describe("C085: a file of any size", () => {
  it("C085: over the limit is refused before it is read, by name of the limit", async () => {
    const file = await stored("big.csv", "a,b,c\n");
    const source = generated(1_000_000);
    bucket.source = () => ({ size: FILE_BYTES + 1, body: source.body });
    const { job } = await run({ file });
    expect([job.state, job.attempt]).toEqual(["dead", 1]);
    expect(job.last_error).toBe("the file has 2000000001 bytes, at most 2000000000 are taken");
    expect(source.pulled()).toBe(0);
  });

  it("C085: that has more or fewer bytes than the bucket said is not taken for whole, and is tried again", async () => {
    const file = await stored("odd.csv", "a,b,c\n");
    for (const size of [999_999, 1_000_001]) {
      bucket.source = () => ({ size, body: generated(1_000_000).body });
      const { job } = await run({ file });
      expect([job.state, job.last_error]).toEqual(["pending", `the file ended after 1000000 of ${size} bytes`]);
    }
    expect(await objects(`files/${file}/derived`)).toEqual([]);
  });

  it("C085: ten at once, small and large, each have their own result; none of them is run twice", async () => {
    const sizes = [1_000_000, 6_000_000, 100, 0, 3_000_000, 1_000, 12_000_000, 32, 64, 500_000];
    const files = await Promise.all(sizes.map((_, index) => stored(`${index}.csv`, "x")));
    let turn = 0;
    bucket.source = () => ({ size: sizes[turn] as number, body: generated(sizes[turn++] as number).body });
    const ids = await world.submit(...files.map((file) => ({ kind: "process_file", payload: { file } })));
    await world.drain();
    for (const [index, id] of ids.entries()) {
      const job = await world.job(id);
      const { bytes, table } = JSON.parse(job.result);
      // The first line of a file is its header; where the last one is cut off, it is a row all the same.
      expect([job.state, job.attempt, bytes, table.rows]).toEqual([
        "done",
        1,
        sizes[index],
        Math.max(0, Math.ceil((sizes[index] as number) / 32) - 1),
      ]);
    }
    expect(await world.sql("SELECT * FROM derived_uploads")).toEqual([]);
  });

  it("C085: of 3 million short rows is counted right, and lets heartbeats out while it is parsed", async () => {
    const file = await stored("rows.csv", "x");
    bucket.source = () => ({ size: 3_000_000 * 4, body: generated(3_000_000 * 4, "1,2\n").body });
    const turns: number[] = [];
    const [id = ""] = await world.submit({ kind: "process_file", payload: { file } });
    const invocation = world.invocation();
    const after = invocation.engine.after;
    invocation.engine.after = (ms, then) => {
      if (ms === 0) turns.push(world.now);
      return after(ms, then);
    };
    await world.deliver("long", 1, invocation);
    const job = await world.job(id);
    expect(JSON.parse(job.result).table).toMatchObject({ rows: 2_999_999, badLines: { count: 0 } });
    expect(turns.length).toBeGreaterThanOrEqual(11);
    expect(JSON.parse(job.progress)).toEqual({ done: 12_000_000, total: 12_000_000, note: "2,999,999 rows" });
  });
});

describe("an attempt that does not come to its end", () => {
  const size = 9_000_000;
  const big = async () => {
    const file = await stored("big.csv", "x");
    bucket.source = () => ({ size, body: generated(size).body });
    return file;
  };

  it("leaves nothing when its worker is lost in the middle: the next one starts over, one derived file is there", async () => {
    const file = await big();
    const [id = ""] = await world.submit({ kind: "process_file", payload: { file } });
    const lost = world.invocation();
    const reached = Promise.withResolvers<void>();
    bucket.onPart = async (number) => {
      if (number < 2) return;
      reached.resolve();
      lost.kill();
      await new Promise(() => {});
    };
    const taken = world.queues.long.take(1);
    void consume(lost.engine, "long", taken.batch);
    await world.until(reached.promise);
    taken.crash();
    const [left] = await world.sql<{ attempt: number; upload_id: string }>("SELECT * FROM derived_uploads");
    expect(left?.attempt).toBe(1);
    expect(await isOpen(derivedKey(file, id), left?.upload_id ?? "")).toBe(true);

    bucket.onPart = async () => {};
    await world.drain();
    const job = await world.job(id);
    expect([job.state, job.attempt]).toEqual(["done", 2]);
    expect((await world.attempts(id)).map(({ outcome }) => outcome)).toEqual(["lost", "done"]);
    expect(await objects(`files/${file}/`)).toEqual([derivedKey(file, id), sourceKey(file)]);
    expect(await world.sql("SELECT * FROM derived_uploads")).toEqual([]);
    const { derived } = JSON.parse(job.result).table;
    expect(await sha256((await textOf(derivedKey(file, id))) ?? "")).toBe(derived.sha256);
    expect(await isOpen(derivedKey(file, id), left?.upload_id ?? "")).toBe(false);
  });

  it("that fails takes its parts away itself", async () => {
    const file = await big();
    bucket.onPart = async (number) => {
      if (number === 2) throw new Error("the bucket is in trouble");
    };
    const { job } = await run({ file });
    expect([job.state, job.last_error]).toEqual(["pending", "the bucket is in trouble"]);
    expect(await world.sql("SELECT * FROM derived_uploads")).toEqual([]);
    bucket.onPart = async () => {};
    await world.drain();
    expect((await objects(`files/${file}/`)).length).toBe(2);
  });

  it("that has lost its job to another one writes no part more, and its derived file is not taken", async () => {
    const file = await big();
    const [id = ""] = await world.submit({ kind: "process_file", payload: { file } });
    const slow = world.invocation();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    bucket.onPart = async (number) => {
      if (number < 2 || slow.frozen) return;
      slow.frozen = true;
      reached.resolve();
      await gate.promise;
    };
    const taken = world.queues.long.take(1);
    const late = consume(slow.engine, "long", taken.batch);
    await world.until(reached.promise);
    await world.drain();
    expect((await world.job(id)).state).toBe("done");
    const first = await textOf(derivedKey(file, id));
    gate.resolve();
    slow.frozen = false;
    await world.until(late);
    expect(await textOf(derivedKey(file, id))).toBe(first);
    expect((await world.attempts(id)).map(({ outcome }) => outcome)).toEqual(["lost", "done"]);
    expect(await world.sql("SELECT * FROM derived_uploads")).toEqual([]);
  });

  it("whose file is removed while it reads leaves no derived file behind", async () => {
    const file = await big();
    bucket.onPart = async (number) => {
      if (number === 2) await removeFile(world.invocation().engine, file, "ana");
    };
    const { job } = await run({ file });
    expect([job.state, job.last_error]).toEqual(["dead", "the file was removed while it was read"]);
    expect(await objects(`files/${file}/`)).toEqual([]);
    expect(await world.sql("SELECT * FROM files")).toEqual([]);
  });
});
