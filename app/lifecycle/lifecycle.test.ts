import { beforeAll, describe, expect, test } from "vitest";
import { createProbeRows, probes } from "~/testing/probes";
import { World } from "~/testing/world";

beforeAll(createProbeRows);

describe("a job's life", () => {
  test("a submitted job runs and is done, with one attempt row and exact counts", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.ok" })) as [string];
    expect((await world.job(id)).state).toBe("pending");
    await world.deliver();
    const job = await world.job(id);
    expect(job).toMatchObject({ state: "done", attempt: 1, result: '{"ok":true}' });
    expect(await world.attempts(id)).toMatchObject([{ number: 1, outcome: "done", trigger: "first" }]);
    const { kept, real } = await world.recount();
    expect(kept).toEqual(real);
    console.log(JSON.stringify(kept));
  });
  test("a job that fails twice is done at its third attempt", async () => {
    const world = new World(probes);
    const [id] = (await world.submit({ kind: "probe.fail", payload: { times: 2 } })) as [string];
    await world.drain();
    expect(await world.attempts(id)).toMatchObject([
      { outcome: "failed" },
      { outcome: "failed", trigger: "retry" },
      { outcome: "done", trigger: "retry" },
    ]);
    const { kept, real } = await world.recount();
    expect(kept).toEqual(real);
  });
});
