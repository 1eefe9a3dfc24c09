import { beforeEach, describe, expect, it } from "vitest";
import { derivedKey, FILE_BYTES, PART_BYTES, sourceKey } from "~/domain/files/files";
import { processFile } from "~/kinds/process_file";
import { registryOf } from "~/kinds/registry";
import { servicesOf } from "~/kinds/services";
import { Bucket, emptyBucket, isOpen, objects, textOf } from "~/testing/bucket";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  await emptyBucket();
  world = new World(registryOf(processFile));
  world.services = servicesOf({ FILES: new Bucket(world).files });
  client = clientOf(world);
});

/** 10 MiB and a little more: two parts. */
const CSV = `id,text\n${Array.from({ length: 220_000 }, (_, index) => `${index},some text that makes the row longer ${index}\n`).join("")}`;
const BYTES = new TextEncoder().encode(CSV);
const begin = (size: number, more: object = {}) => client.post("/files", { name: "rows.csv", size, ...more });
const put = (id: string, number: number | string, bytes: BodyInit, headers: Record<string, string> = {}) =>
  client.call("PUT", `/files/${id}/parts/${number}`, bytes, headers);
const partOf = (number: number) => BYTES.slice((number - 1) * PART_BYTES, number * PART_BYTES);

async function uploaded(): Promise<string> {
  const { body } = await begin(BYTES.length);
  await put(body.id, 2, partOf(2));
  await put(body.id, 1, partOf(1));
  return body.id;
}

describe("an upload in parts", () => {
  it("is one file in the end, with its job, which leaves what it found", async () => {
    const begun = await begin(BYTES.length);
    expect([begun.status, begun.body.partBytes, begun.body.parts]).toEqual([201, PART_BYTES, 2]);
    const { id } = begun.body;
    expect(begun.headers.get("location")).toBe(`/api/v1/files/${id}`);
    expect((await put(id, 2, partOf(2))).body).toEqual({ number: 2, bytes: BYTES.length - PART_BYTES });
    expect((await client.get(`/files/${id}`)).body).toMatchObject({ state: "uploading", size: BYTES.length, jobs: [] });
    expect((await put(id, 1, partOf(1))).status).toBe(200);
    // Again: a part whose reply was lost.
    expect((await put(id, 1, partOf(1))).status).toBe(200);
    const done = await client.post(`/files/${id}/complete`);
    expect([done.status, done.body.id, done.headers.get("location")]).toEqual([
      202,
      id,
      `/api/v1/jobs/${done.body.jobId}`,
    ]);
    await world.drain();
    const { body: job } = await client.get(`/jobs/${done.body.jobId}`);
    expect(job).toMatchObject({ state: "done", label: "rows.csv", idempotencyKey: `file:${id}`, lane: "long" });
    expect(job.result).toMatchObject({ bytes: BYTES.length, table: { rows: 220_000, badLines: { count: 0 } } });
    const [first, second] = ((await textOf(derivedKey(id, job.id))) ?? "").split("\n");
    expect([first, second].map((line) => JSON.parse(line as string).id)).toEqual(["0", "1"]);

    const { body: page } = await client.get("/files");
    expect(page).toMatchObject({ next: null, files: [{ id, name: "rows.csv", state: "stored", createdBy: "ann" }] });
    expect(page.files[0].jobs).toMatchObject([{ id: job.id, state: "done", kind: "process_file" }]);
    expect((await world.sql("SELECT * FROM file_parts")).length).toBe(0);
  });

  it("C085: takes a part of exactly its length, whatever is said of it", async () => {
    const { body } = await begin(BYTES.length);
    const wrong = async (bytes: BodyInit, headers?: Record<string, string>) => {
      const { status, body: answer } = await put(body.id, 1, bytes, headers);
      expect([status, answer.code, answer.errors[0].limit]).toEqual([400, "wrong-size", PART_BYTES]);
    };
    await wrong("too short");
    await wrong(BYTES.slice(0, PART_BYTES + 1));
    const stream = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
    // A length that is not true, and none at all.
    await wrong(stream(BYTES.slice(0, PART_BYTES - 1)), { "content-length": String(PART_BYTES) });
    await wrong(stream(BYTES.slice(0, PART_BYTES + 5)), { "content-length": String(PART_BYTES) });
    await wrong(stream(BYTES.slice(0, PART_BYTES - 1)));
    expect((await put(body.id, 1, stream(partOf(1)), { "content-length": "7" })).status).toBe(400);
    expect(await world.sql("SELECT * FROM file_parts")).toEqual([]);
    expect((await put(body.id, 1, stream(partOf(1)))).status).toBe(200);
  });

  it("C085: over the limit is refused before anything is sent, with the limit", async () => {
    const before = await client.stored();
    const { status, body } = await begin(FILE_BYTES + 1);
    expect([status, body.code, body.errors]).toEqual([
      413,
      "too-large-file",
      [{ path: "size", message: "the file has 2000000001 bytes, at most 2000000000 are taken", limit: FILE_BYTES }],
    ]);
    expect(await client.stored()).toEqual(before);
    expect((await begin(FILE_BYTES)).body.parts).toBe(Math.ceil(FILE_BYTES / PART_BYTES));
  });

  it("is refused with what is wrong: name, size, reading, unknown fields, no such part or file", async () => {
    for (const [more, path] of [
      [{ name: "" }, "name"],
      [{ name: "a\nb" }, "name"],
      [{ name: "x".repeat(201) }, "name"],
      [{ size: -1 }, "size"],
      [{ size: 1.5 }, "size"],
      [{ format: "xlsx" }, "format"],
      [{ delimiter: ":" }, "delimiter"],
      [{ strict: "yes" }, "strict"],
      [{ colour: "red" }, "colour"],
    ] as const) {
      const { status, body } = await begin(1, more);
      expect([path, status, body.errors[0].path]).toEqual([path, 400, path]);
    }
    const { body } = await begin(100);
    for (const number of [0, 2, 10_001, "x", -1, "1.0"]) {
      expect([number, (await put(body.id, number, "x".repeat(100))).body.code]).toEqual([number, "no-such-part"]);
    }
    for (const path of ["/files/x", `/files/${world.newId()}`]) {
      expect((await client.get(path)).body.code).toBe("no-such-file");
      expect((await client.post(`${path}/complete`)).body.code).toBe("no-such-file");
      expect((await client.post(`${path}/delete`)).body.code).toBe("no-such-file");
      expect((await client.call("PUT", `${path}/parts/1`, "x")).body.code).toBe("no-such-file");
    }
    const { status, headers } = await client.call("POST", `/files/${body.id}/parts/1`, "x");
    expect([status, headers.get("allow")]).toEqual([405, "PUT"]);
  });

  it("is not complete while parts are missing, and says which", async () => {
    const { body } = await begin(BYTES.length);
    await put(body.id, 2, partOf(2));
    const early = await client.post(`/files/${body.id}/complete`);
    expect([early.status, early.body.code, early.body.missing]).toEqual([409, "incomplete", [1]]);
    expect(await objects()).toEqual([]);
    await put(body.id, 1, partOf(1));
    expect((await client.post(`/files/${body.id}/complete`)).status).toBe(202);
    expect((await put(body.id, 1, partOf(1))).body.code).toBe("not-uploading");
  });

  it("that is completed again has one job, also where the row did not know of the first time", async () => {
    const id = await uploaded();
    world.seam = (site) => {
      if (site === "complete upload: before store") throw new Error("the worker is gone");
    };
    await client.post(`/files/${id}/complete`);
    world.seam = () => {};
    expect(await objects()).toEqual([sourceKey(id)]);
    const first = await client.post(`/files/${id}/complete`);
    const second = await client.post(`/files/${id}/complete`);
    expect([first.status, second.status, second.body]).toEqual([202, 202, first.body]);
    expect(await world.unfinished()).toBe(1);
  });

  it("of an empty file is one of no parts", async () => {
    const { body } = await begin(0);
    expect(body.parts).toBe(0);
    const done = await client.post(`/files/${body.id}/complete`);
    await world.drain();
    const { body: job } = await client.get(`/jobs/${done.body.jobId}`);
    expect(job).toMatchObject({ state: "done", result: { bytes: 0, table: { rows: 0, columnCount: 0 } } });
    expect(await textOf(derivedKey(body.id, job.id))).toBe("");
  });

  it("needs a bucket: without one it says so", async () => {
    world.services = servicesOf({});
    expect((await begin(1)).body.code).toBe("no-bucket");
    expect((await client.post(`/files/${world.newId()}/complete`)).body.code).toBe("no-bucket");
  });
});

describe("a file that is removed", () => {
  it("goes with all that was made of it, and who did it is kept", async () => {
    const id = await uploaded();
    await client.post(`/files/${id}/complete`);
    await world.drain();
    expect((await objects()).length).toBe(2);
    expect((await client.post(`/files/${id}/delete`)).body).toEqual({ id, removed: true });
    expect(await objects()).toEqual([]);
    expect(await world.sql("SELECT * FROM files")).toEqual([]);
    const [audit] = await world.sql("SELECT actor, before FROM audit WHERE action = 'remove-file'");
    expect(audit).toMatchObject({ actor: "ann" });
    expect(JSON.parse(audit?.before as string)).toEqual({ file: id, name: "rows.csv", size: BYTES.length });
  });

  it("or given up while it uploads leaves no part; cut off half-way, removing again ends it", async () => {
    const id = await uploaded();
    const [{ upload_id: upload }] = (await world.sql("SELECT upload_id FROM files")) as [{ upload_id: string }];
    world.seam = (site) => {
      if (site === "remove file: between row and objects") throw new Error("the worker is gone");
    };
    await client.post(`/files/${id}/delete`);
    world.seam = () => {};
    expect((await client.get(`/files/${id}`)).body.state).toBe("removing");
    expect((await put(id, 1, partOf(1))).body.code).toBe("not-uploading");
    expect((await client.post(`/files/${id}/complete`)).status).toBe(404);
    expect((await client.post(`/files/${id}/delete`)).status).toBe(200);
    expect(await isOpen(sourceKey(id), upload)).toBe(false);
    expect((await client.get(`/files/${id}`)).status).toBe(404);
    expect(await world.sql("SELECT 1 FROM audit WHERE action = 'remove-file'")).toHaveLength(1);
  });

  it("by nobody: an upload that stood for 24 hours is taken away when the next one begins, a younger one is not", async () => {
    const old = await uploaded();
    world.now += 86_400_000 - 1_000;
    const young = (await begin(100)).body.id;
    world.now += 1_000;
    const next = (await begin(100)).body.id;
    const left = await world.sql<{ id: string }>("SELECT id FROM files ORDER BY id");
    expect(left.map(({ id }) => id)).toEqual([young, next]);
    expect((await client.get(`/files/${old}`)).status).toBe(404);
    expect(await world.sql("SELECT 1 FROM audit WHERE action = 'remove-file'")).toEqual([]);
  });
});

describe("the list of files", () => {
  it("goes on page by page, newest first, and costs one row where nothing has changed", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      world.now += 1_000;
      ids.unshift((await begin(0, { name: `${index}.csv` })).body.id);
    }
    const first = await client.get("/files?limit=2");
    expect(first.body.files.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    const second = await client.get(`/files?limit=2&before=${first.body.next}`);
    const third = await client.get(`/files?limit=2&before=${second.body.next}`);
    expect([...second.body.files, ...third.body.files].map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(third.body.next).toBeNull();
    const again = await client.get("/files", { "if-none-match": first.headers.get("etag") ?? "" });
    expect([again.status, again.used.rowsRead]).toEqual([304, 1]);
    await client.post(`/files/${ids[0]}/delete`);
    expect((await client.get("/files", { "if-none-match": first.headers.get("etag") ?? "" })).status).toBe(200);
    expect((await client.get("/files?before=x")).status).toBe(400);
  });

  it("finds each file's own jobs by their keys, those of the others not", async () => {
    const ids = [];
    for (let index = 0; index < 3; index++) {
      const { body } = await begin(0);
      await client.post(`/files/${body.id}/complete`);
      ids.push(body.id);
    }
    const payload = { file: ids[1], name: "rows.csv" };
    await world.submit({ kind: "process_file", payload, idempotencyKey: `file:${ids[1]}:again` });
    await world.submit({ kind: "process_file", payload, idempotencyKey: `file:${ids[1]};other` });
    const { body, used } = await client.get("/files");
    expect(body.files.map(({ jobs }: { jobs: unknown[] }) => jobs.length)).toEqual([1, 2, 1]);
    expect(used.rowsRead).toBeLessThan(60);
  });
});

describe("a bucket that does not answer", () => {
  const failing = (text: string) => {
    const broken = new Proxy(new Bucket(world).files, {
      get: (target, name) =>
        name === "createMultipartUpload" ? () => Promise.reject(new Error(text)) : Reflect.get(target, name),
    });
    world.services = servicesOf({ FILES: broken });
  };

  it("is 503 and says that it is the bucket, not the database", async () => {
    failing("createMultipartUpload: We encountered an internal error. Please try again. (10001)");
    const answer = await begin(BYTES.length);
    expect(answer).toMatchObject({ status: 503, body: { code: "files-unreachable" } });
    expect(answer.headers.get("retry-after")).toBe("10");
    expect(world.events.map(({ event }) => event)).toContain("files.unreachable");
  });

  it("is told from a mistake of ours, which is 500", async () => {
    failing("nobody knows what this is");
    expect(await begin(BYTES.length)).toMatchObject({ status: 500, body: { code: "unexpected" } });
  });
});
