import { beforeEach, describe, expect, it } from "vitest";
import { FORM_BYTES, sourceKey } from "~/domain/files/files";
import { processFile } from "~/kinds/process_file";
import { registryOf } from "~/kinds/registry";
import { servicesOf } from "~/kinds/services";
import { Bucket, emptyBucket, objects, textOf } from "~/testing/bucket";
import { clean, World } from "~/testing/world";
import { receiveForm } from "./form";

let world: World;
let bucket: Bucket;
beforeEach(async () => {
  await clean();
  await emptyBucket();
  world = new World(registryOf(processFile));
  bucket = new Bucket(world);
  world.services = servicesOf({ FILES: bucket.files });
});

const EDGE = "----edge7MA4YWxk";
const TYPE = `multipart/form-data; boundary=${EDGE}`;
const encoder = new TextEncoder();
const field = (name: string, value: string) =>
  `--${EDGE}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (name: string) =>
  `--${EDGE}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n`;
const END = `\r\n--${EDGE}--\r\n`;

function formOf(pieces: Iterable<string | Uint8Array>, headers: Record<string, string> = {}, type = TYPE) {
  const each = pieces[Symbol.iterator]();
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = each.next();
      if (done) return controller.close();
      pulled++;
      controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
  });
  const request = new Request("https://redrive.example/files", {
    method: "POST",
    body,
    headers: { "content-type": type, ...headers },
  });
  return { request, pulled: () => pulled };
}

const receive = (pieces: Iterable<string | Uint8Array>, headers?: Record<string, string>, type?: string) =>
  world.until(receiveForm(world.invocation().engine, formOf(pieces, headers, type).request, "ana"));

function* cut(text: string, size: number) {
  const bytes = encoder.encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

const nothingLeft = async () => {
  expect(await world.sql("SELECT * FROM files")).toEqual([]);
  expect(await objects()).toEqual([]);
  expect(await world.sql("SELECT * FROM jobs")).toEqual([]);
};

describe("a plain form with a file", () => {
  it("is stored byte for byte, however it is cut, and processed as its other fields say", async () => {
    const content = `a;b\r\n1;x\r\n--${EDGE.slice(0, 9)}\r\n;--\r\n`;
    const form =
      field("format", "csv") + field("delimiter", ";") + field("lenient", "yes") + fileHead("ä.txt") + content + END;
    for (const size of [1, 7, 31, 100_000]) {
      const received = await receive(cut(form, size));
      if (received.kind !== "submitted") throw new Error(JSON.stringify(received));
      expect(await textOf(sourceKey(received.id))).toBe(content);
      const job = await world.job(received.jobId);
      expect(JSON.parse(job.payload)).toEqual({
        file: received.id,
        name: "ä.txt",
        format: "csv",
        delimiter: ";",
        strict: false,
      });
      expect(job.submitter).toBe("ana");
    }
    await world.drain();
    const results = await world.sql<{ result: string }>("SELECT result FROM jobs");
    expect(results.map(({ result }) => JSON.parse(result).table.rows)).toEqual([3, 3, 3, 3]);
  });

  it("that is larger than a part goes on in parts", async () => {
    const line = "1,some text of a row\n";
    const block = line.repeat(5_000);
    function* pieces() {
      yield fileHead("big.csv");
      yield "a,b\n";
      for (let n = 0; n < 120; n++) yield block;
      yield END;
    }
    const received = await receive(pieces());
    expect(received.kind).toBe("submitted");
    expect(bucket.asked).toContain("createMultipartUpload");
    await world.drain();
    const [file] = await world.sql("SELECT * FROM files");
    expect(file).toMatchObject({ name: "big.csv", state: "stored", size: 4 + 120 * block.length, upload_id: null });
    const [{ result }] = (await world.sql("SELECT result FROM jobs")) as [{ result: string }];
    expect(JSON.parse(result)).toMatchObject({ bytes: 4 + 120 * block.length, table: { rows: 600_000 } });
  });

  it("C085: over the limit is refused before it is read where its length says so, and while it is read where not", async () => {
    const { request, pulled } = formOf([fileHead("x.csv")], { "content-length": String(FORM_BYTES + 1) });
    expect(await receiveForm(world.invocation().engine, request, "ana")).toEqual({ kind: "too-large" });
    expect(pulled()).toBeLessThanOrEqual(1);
    const block = new Uint8Array(1_000_000);
    function* pieces() {
      yield fileHead("x.bin");
      for (let n = 0; n < 105; n++) yield block;
      yield END;
    }
    // A length that is not true, and none.
    for (const headers of [{ "content-length": "1000" }, {}]) {
      expect(await receive(pieces(), headers as Record<string, string>)).toEqual({ kind: "too-large" });
      await nothingLeft();
    }
  });

  it("that is no whole form, has no file, or says something wrong leaves nothing", async () => {
    const file = `${fileHead("x.csv")}a,b\n1,2\n`;
    expect(await receive([file])).toEqual({ kind: "malformed" });
    expect(await receive([file + END.slice(0, 10)])).toEqual({ kind: "malformed" });
    expect(await receive([file, END], {}, "multipart/form-data")).toEqual({ kind: "malformed" });
    expect(await receive(["file=x"], {}, "application/x-www-form-urlencoded")).toEqual({ kind: "malformed" });
    expect(await receive([fileHead(""), END])).toEqual({ kind: "no-file" });
    expect(await receive([field("format", "csv").slice(0, -2), END])).toEqual({ kind: "no-file" });
    const wrong = await receive([field("format", "xlsx"), file, END]);
    expect(wrong.kind === "refused" && wrong.problems.map(({ path }) => path)).toEqual(["format"]);
    const long = await receive([fileHead("x".repeat(201)), "a", END]);
    expect(long.kind === "refused" && long.problems.map(({ path }) => path)).toEqual(["file"]);
    await nothingLeft();
  });

  it("whose sender goes away, or whose bucket fails, leaves nothing", async () => {
    function* cutOff() {
      yield `${fileHead("x.csv")}a,b\n`;
      for (let n = 0; n < 8; n++) yield "1,2\n".repeat(250_000);
      throw new Error("the connection is gone");
    }
    await expect(receive(cutOff())).rejects.toThrow("the connection is gone");
    await nothingLeft();
    bucket.onPart = async () => {
      throw new Error("the bucket is in trouble");
    };
    await expect(receive([fileHead("x.csv"), "1,2\n".repeat(2_000_000), END])).rejects.toThrow("in trouble");
    await nothingLeft();
  });

  it("with nothing in its file is a file of nothing", async () => {
    const received = await receive([fileHead("empty.csv"), END]);
    expect(received.kind).toBe("submitted");
    await world.drain();
    const [{ result }] = (await world.sql("SELECT result FROM jobs")) as [{ result: string }];
    expect(JSON.parse(result)).toMatchObject({ bytes: 0, table: { rows: 0 } });
  });
});
