import { beforeEach, expect, test } from "vitest";
import { MASK } from "~/domain/secrets";
import { registry } from "~/kinds/registry";
import { readJob } from "~/store/reads/job";
import { seeing } from "~/testing/seeing";
import { clean, World } from "~/testing/world";
import { madeOf } from "./run_again";
import { submit } from "./submit";

beforeEach(clean);

const stored = { url: "https://api.example/hook", headers: { authorization: "Bearer 1" }, json: { n: 1 } };
const masked = (over: object = {}) => ({ ...stored, headers: { authorization: MASK }, ...over });

async function again(world: World, from: string, payload: object, kind = "http_request") {
  const one = { kind, payload, payloadText: JSON.stringify(payload) };
  const { engine } = world.invocation();
  const done = await madeOf(engine, from, one, { actor: "ann" });
  if (Array.isArray(done)) return done;
  const answer = await submit(engine, [done.made], "ann", done.deed);
  if (answer.kind !== "accepted") throw new Error(JSON.stringify(answer));
  return world.job(answer.jobs[0]?.id as string);
}

test("another job is made of one, linked both ways, with the secret nobody was shown", async () => {
  const world = new World(registry);
  const [id = ""] = await world.submit({ kind: "http_request", payload: stored });
  const job = (await again(world, id, masked({ json: { n: 2 } }))) as Record<string, string>;
  expect(job).toMatchObject({ edited_from: id, payload: JSON.stringify({ ...stored, json: { n: 2 } }) });
  const read = (one: string) => readJob(world.invocation().engine.store, one, seeing(registry));
  expect(await read(job.id as string)).toMatchObject({ editedFrom: id, payload: { headers: { authorization: MASK } } });
  expect((await read(id))?.editedTo).toMatchObject([{ id: job.id, view: "pending" }]);
  expect((await world.job(id)).payload).toBe(JSON.stringify(stored));
  expect((await read(id))?.audit).toMatchObject([
    {
      actor: "ann",
      action: "edit and run",
      before: JSON.stringify({ job: id, kind: "http_request" }),
      after: JSON.stringify({ kind: "http_request", payload: "changed", jobs: [job.id] }),
    },
  ]);
});

test("one that was not changed has the very text of the other, however the form spells it", async () => {
  const world = new World(registry);
  const payloadText = `{"url": "https://api.example/hook",  "json":{"n":9007199254740993}, "headers":{"authorization":"x"}}`;
  const [id = ""] = await world.submit({ kind: "http_request", payload: JSON.parse(payloadText), payloadText });
  const spelled = `{\n"headers": {"authorization": ${JSON.stringify(MASK)}}, "url": "https://api.example/hook", "json": {"n": 9007199254740993}}`;
  const one = { kind: "http_request", payload: JSON.parse(spelled), payloadText: spelled };
  expect(await madeOf(world.invocation().engine, id, one, { actor: "ann" })).toMatchObject({ made: { payloadText } });
});

test("a secret is not sent elsewhere, nor taken into another kind or from a job that is gone", async () => {
  const world = new World(registry);
  const [id = ""] = await world.submit({ kind: "http_request", payload: stored });
  expect(await again(world, id, masked({ url: "https://elsewhere.example/" }))).toMatchObject([
    { path: "payload.headers.authorization", message: expect.stringContaining("give it anew") },
  ]);
  const gone = "019a0000-0000-7000-8000-000000000000";
  await expect(again(world, gone, masked())).rejects.toThrow("is hidden here");
  expect(await again(world, id, { failTimes: 1 }, "demo")).toMatchObject({ edited_from: id, kind: "demo" });
});
