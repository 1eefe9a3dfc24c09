import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";
import { STOCK_AT, stock } from "~/testing/stock";
import { Store } from "../store";
import { beginOperation, type Operation } from "./bulk";
import { type Chunk, nextChunk } from "./chunks";

const JOBS = 20_000;
const store = new Store(env.DB, () => STOCK_AT + 60_000);
let nth = 0;

const begun = (action: BulkAction, filter: BulkFilter, cutoff = STOCK_AT + 60_000): Promise<Operation> =>
  beginOperation(store, `t${++nth}`, { operationId: `o${nth}`, action, ...filter, cutoff, expected: 0, actor: "ana" });
async function read(operation: Operation, limit: number): Promise<Chunk & { read: number }> {
  const before = store.used.rowsRead;
  const chunk = await nextChunk(store, operation, limit);
  return { ...chunk, read: store.used.rowsRead - before };
}
/** All chunks to the end: how many ids they have brought, each once, and the rows that were read for them. */
async function through(operation: Operation, limit: number) {
  const [ids, total] = [new Set<string>(), { chunks: 0, rows: 0, read: 0 }];
  for (let at = operation; ; ) {
    const { rows, cursor, end, read: n } = await read(at, limit);
    for (const { id } of rows) ids.add(id);
    total.chunks++;
    total.rows += rows.length;
    total.read += n;
    expect(rows.length).toBeLessThanOrEqual(limit);
    if (end) return { ...total, ids: ids.size };
    expect(cursor > at.cursor).toBe(true);
    at = { ...at, cursor };
  }
}

beforeAll(() => stock(store, 1, JOBS));

describe("a chunk reads what it takes, and little more", () => {
  const small: [BulkAction, BulkFilter, number][] = [
    // Its index holds nothing else. Two rows are read of a job: that of the index, and its own.
    ["requeue", { view: "dead" }, 2],
    ["requeue", { view: "dead", kind: "a" }, 2],
    ["requeue", { view: "dead", cause: "a: it broke" }, 2],
    ["requeue", { view: "cancelled" }, 2],
    ["cancel", { view: "pending" }, 2],
    ["cancel", { view: "scheduled" }, 2],
    ["cancel", { view: "retrying" }, 2],
    // Two in five of all jobs are done; nine in ten are of kind a.
    ["delete", { view: "done" }, 4],
    ["delete", { view: "done", kind: "a" }, 8],
    ["cancel", { view: "pending", kind: "a" }, 8],
    ["requeue", { view: "dead", q: "job" }, 8],
  ];
  test.each(small)("%s %o, with a pace", async (action, filter, rowsAJob) => {
    for (const limit of [10, 100]) {
      const chunk = await read(await begun(action, filter), limit);
      expect([chunk.rows.length, chunk.end]).toEqual([limit, false]);
      expect(chunk.read).toBeLessThanOrEqual(rowsAJob * (limit + 1));
    }
  });

  test("a deletion of all that is done reads few more than its jobs, from the first chunk to the end", async () => {
    const all = await through(await begun("delete", { view: "done" }), 200);
    expect(all).toMatchObject({ ids: 8_000, rows: 8_000 });
    expect(all.read).toBeLessThan(4 * 8_000 + 1_000);
  });
});

describe("where little matches a chunk looks at 5,000 rows, and the next one goes on there", () => {
  test.each([1, 200])("at most %i taken at once", async (limit) => {
    const none = await through(await begun("delete", { view: "done", q: "no such label" }), limit);
    expect(none).toMatchObject({ chunks: 5, ids: 0 });
    expect(none.read).toBeLessThan(3 * JOBS);
  });

  test("what came after the cutoff is passed over", async () => {
    expect(await through(await begun("delete", { view: "done" }, STOCK_AT), 200)).toMatchObject({ chunks: 5, ids: 0 });
    expect(await through(await begun("cancel", { view: "scheduled" }, STOCK_AT - 1), 200)).toMatchObject({ chunks: 1 });
  });

  test("a last chunk that is just full is followed by an empty one at most", async () => {
    expect(await through(await begun("requeue", { view: "dead" }), 4_000)).toMatchObject({ chunks: 1, ids: 4_000 });
    expect(await through(await begun("requeue", { view: "dead" }), 2_000)).toMatchObject({ chunks: 2, ids: 4_000 });
  });
});
