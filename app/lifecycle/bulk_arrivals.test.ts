import { beforeEach, expect, test } from "vitest";
import type { BulkAction, BulkFilter } from "~/domain/bulk/bulk";
import { bulk } from "~/kinds/bulk";
import { registryOf } from "~/kinds/registry";
import { readOperation } from "~/store/bulk/bulk";
import { readOperationDetail } from "~/store/reads/operations";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { bulkIds, startBulk } from "./bulk";
import { requeue } from "./requeue";

beforeEach(clean);

/** Who comes to a view after the cutoff of an operation is left alone, also where the job itself is older. */
const kinds = registryOf(...probes.values(), bulk);
const ana = { actor: "ana" };
const LATER = 3_600;

async function start(world: World, action: BulkAction, filter: BulkFilter, pace?: number) {
  const ask = { id: world.newId(), action, filter, pace };
  const started = await world.until(startBulk(world.invocation().engine, ask, ana));
  if (started.kind !== "started") throw new Error(JSON.stringify(started));
  return started.operation;
}
const submitted = (world: World, n: number, job: { kind: string; delaySeconds?: number }) =>
  world.submit(...Array.from({ length: n }, () => job));
const standing = async (world: World, id: string) => {
  const { state, changed, skipped } = (await readOperation(world.invocation().engine.store, id)) ?? {};
  return { state, changed, skipped };
};
const stateOf = async (world: World, id: string) => (await world.job(id)).state;
const asked = (world: World) =>
  world.sql("SELECT id FROM jobs WHERE state = 'processing' AND cancel_requested_at IS NOT NULL ORDER BY id");
/** Jobs of `probe.ok` that another worker begins to run now, as its claim would leave them. */
async function begin(world: World, ids: string[]) {
  await world.sql(
    `UPDATE jobs SET state = 'processing', attempt = attempt + 1, token = 'other', sent_at = NULL, leased_at = ?1, lease_until = ?1 + 30000
     WHERE id IN (SELECT value FROM json_each(?2))`,
    world.now,
    JSON.stringify(ids),
  );
  await world.sql(
    "INSERT INTO job_counts VALUES ('probe.ok', 'processing', ?1) ON CONFLICT DO UPDATE SET n = n + ?1",
    ids.length,
  );
}

for (const was of ["dead", "cancelled"] as const) {
  test(`a ${was} job that is requeued after the cutoff is not cancelled with what waited then; one requeued before is`, async () => {
    const world = new World(kinds);
    const waits = await submitted(world, 15, { kind: "probe.ok" });
    const [before, after] = (await submitted(world, 2, { kind: "probe.permanent" })) as [string, string];
    // What waits is held for the while, so that it waits on.
    await world.sql(
      "INSERT INTO kinds (name, paused_at) VALUES ('probe.ok', 0) ON CONFLICT DO UPDATE SET paused_at = 0",
    );
    if (was === "dead") await world.deliver();
    else await world.until(bulkIds(world.invocation().engine, "cancel", [before, after], {}, ana));
    expect([await stateOf(world, before), await stateOf(world, after)]).toEqual([was, was]);
    await requeue(world.invocation().engine, { id: before }, ana);
    const { id, expected } = await start(world, "cancel", { view: "pending" }, 60);
    expect(expected).toBe(16);
    await world.deliver("high");
    expect(await standing(world, id)).toEqual({ state: "running", changed: 10, skipped: 0 });
    world.now += 5_000;
    await requeue(world.invocation().engine, { id: after }, ana);
    world.now += 7_000;
    await world.deliver("high");
    expect(await standing(world, id)).toEqual({ state: "done", changed: 16, skipped: 0 });
    expect(await Promise.all([waits[14] as string, before, after].map((one) => stateOf(world, one)))).toEqual([
      "cancelled",
      "cancelled",
      "pending",
    ]);
  });
}

test("jobs that began to run after the cutoff are not asked to stop with those that ran then", async () => {
  const world = new World(kinds);
  const older = await submitted(world, 4, { kind: "probe.ok", delaySeconds: LATER });
  const runs = await submitted(world, 2, { kind: "probe.ok" });
  await begin(world, runs);
  const { id, expected } = await start(world, "cancel", { view: "processing", kind: "probe.ok" });
  expect(expected).toBe(2);
  world.now += 1_000;
  await begin(world, older);
  await world.deliver("high");
  expect(await standing(world, id)).toEqual({ state: "done", changed: 2, skipped: 0 });
  expect(await asked(world)).toEqual(runs.map((id) => ({ id })));
});

test("a job that waits for its next attempt since before the cutoff is cancelled; one that came to wait later is not", async () => {
  const world = new World(kinds);
  const failed = async () => {
    const [id] = await submitted(world, 1, { kind: "probe.fail" });
    await world.deliver();
    return id as string;
  };
  const before = await failed();
  world.now += 1_000;
  const [later] = await submitted(world, 1, { kind: "probe.fail" });
  const { id, expected } = await start(world, "cancel", { view: "retrying" });
  expect(expected).toBe(1);
  world.now += 1;
  await world.deliver();
  // It ran already at the cutoff.
  await world.sql("UPDATE jobs SET leased_at = leased_at - 1000 WHERE id = ?", later);
  await world.deliver("high");
  expect(await standing(world, id)).toEqual({ state: "done", changed: 1, skipped: 0 });
  expect([await stateOf(world, before), await stateOf(world, later as string)]).toEqual(["cancelled", "pending"]);
});

test("a job that leaves its view between reading and writing is skipped, with what it is by then", async () => {
  const world = new World(kinds);
  const [stays, starts] = (await submitted(world, 2, { kind: "probe.ok", delaySeconds: LATER })) as [string, string];
  const { id } = await start(world, "cancel", { view: "scheduled" });
  world.seam = async (site) => {
    if (site === "bulk: between read and write") await begin(world, [starts]);
  };
  await world.deliver("high");
  expect([await stateOf(world, stays), await asked(world)]).toEqual(["cancelled", []]);
  expect(await readOperationDetail(world.invocation().engine.store, id)).toMatchObject({
    changed: 1,
    skips: [{ jobId: starts, reason: "is processing now" }],
  });
});

test("a job that runs another attempt than the one that was read is skipped", async () => {
  const world = new World(kinds);
  const runs = (await submitted(world, 2, { kind: "probe.ok" })) as [string, string];
  await begin(world, runs);
  const { id } = await start(world, "cancel", { view: "processing", kind: "probe.ok" });
  world.seam = async (site) => {
    if (site === "bulk: between read and write")
      await world.sql("UPDATE jobs SET attempt = 2, token = 'other' WHERE id = ?", runs[1]);
  };
  await world.deliver("high");
  expect(await asked(world)).toEqual([{ id: runs[0] }]);
  expect(await readOperationDetail(world.invocation().engine.store, id)).toMatchObject({
    changed: 1,
    skips: [{ jobId: runs[1], reason: "does not match any more" }],
  });
});
