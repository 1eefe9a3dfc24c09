import Papa from "papaparse";
import { beforeEach, describe, expect, test } from "vitest";
import { EXPORT_PAGE, EXPORT_ROWS } from "~/domain/query/export";
import { probes } from "~/testing/probes";
import { stock } from "~/testing/stock";
import { clean, World } from "~/testing/world";
import { clientOf } from "./testing";

let world: World;
let client: ReturnType<typeof clientOf>;
beforeEach(async () => {
  await clean();
  world = new World(probes);
  client = clientOf(world);
});

const csv = async (query = "") => {
  const answer = await client.get(`/jobs.csv${query}`);
  return Papa.parse<Record<string, string>>(answer.body, { header: true, skipEmptyLines: true }).data;
};
const ndjson = async (query = "") => {
  const { body } = await client.get(`/jobs.ndjson${query}`);
  return body === null
    ? []
    : (body as string)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
};

describe("a list as a file", () => {
  test("holds every job of the filter once, in the order of the list, over many pages", async () => {
    const { store } = world.invocation().engine;
    await stock(store, 1, 2_500);
    const all = await ndjson();
    expect(all).toHaveLength(2_500);
    expect(all.map((job) => job.id)).toEqual(
      all
        .map((job) => job.id)
        .toSorted()
        .reverse(),
    );
    expect((await csv()).map((job) => job.id)).toEqual(all.map((job) => job.id));
    const dead = await ndjson("?view=dead&q=-kind:b&order=oldest");
    expect(dead).toHaveLength(450);
    expect(new Set(dead.map((job) => `${job.view} ${job.kind}`))).toEqual(new Set(["dead a"]));
    expect(dead[0].id < dead[1].id).toBe(true);
  });

  test("of nothing is a file without a row", async () => {
    expect(await csv("?kind=nobody")).toEqual([]);
    expect(await ndjson("?kind=nobody")).toEqual([]);
  });

  test("that is cut short says so, and goes on from there", async () => {
    const { store } = world.invocation().engine;
    await stock(store, 1, 3 * EXPORT_PAGE);
    world.statements = 6;
    const first = await ndjson();
    const { cutShort } = first.pop();
    expect(first).toHaveLength(cutShort.rows);
    expect(cutShort.rows).toBeLessThan(3 * EXPORT_PAGE);
    const last = await csv();
    expect(last.pop()?.id).toBe(`Cut short after ${cutShort.rows} rows: go on with cursor=${cutShort.next}`);
    world.statements = 700;
    const second = await ndjson(`?cursor=${cutShort.next}`);
    expect(new Set([...first, ...second].map((job) => job.id)).size).toBe(3 * EXPORT_PAGE);
    expect(EXPORT_ROWS).toBeGreaterThan(3 * EXPORT_PAGE);
  });

  test("comes as a download that nobody keeps", async () => {
    const { headers } = await client.get("/jobs.csv");
    expect(headers.get("content-disposition")).toBe('attachment; filename="jobs-2026-12-01T100000Z.csv"');
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test.each(["?limit=5", "?q=state:nonsense", "?view=x", "?cursor=x"])("%s is 400", async (query) => {
    expect((await client.get(`/jobs.csv${query}`)).status).toBe(400);
  });

  test("a database that is away is a 503 and no file", async () => {
    world.fault = () => "before";
    expect(await client.get("/jobs.ndjson")).toMatchObject({ status: 503, body: { code: "database-unreachable" } });
  });
});
