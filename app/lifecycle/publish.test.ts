import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { KEPT_STATS_MS, type Report } from "~/domain/report/report";
import { commitPublication } from "~/store/publications";
import { Store } from "~/store/store";
import { probes } from "~/testing/probes";
import { clean, World } from "~/testing/world";
import { publishReport, withdrawReport } from "./publish";

beforeEach(clean);

const DAY = "2026-12-01";
const CLOCK = /CAST\(unixepoch\('subsec'\) \* 1000 AS INTEGER\)/g;
const publish = (world: World, options = {}) => publishReport(world.invocation().engine, DAY, options);
const ledger = async (world: World) => ({
  rows: await world.sql("SELECT item, state, version, indexable, picture IS NOT NULL AS picture FROM publications"),
  revision: (await world.sql<{ n: number }>("SELECT publication_revision AS n FROM site_state"))[0]?.n,
});
const report = async (world: World) =>
  JSON.parse(
    (await world.sql<{ content: string }>("SELECT content FROM publications"))[0]?.content as string,
  ) as Report;

async function aDay(world: World) {
  await world.submit({ kind: "probe.ok" }, { kind: "probe.ok" }, { kind: "probe.permanent" });
  await world.deliver();
}

describe("a report", () => {
  test("tells the day by kind and outcome, its causes, its hours and a picture of them", async () => {
    const world = new World(probes);
    world.now += 47 * 60_000;
    await aDay(world);
    expect(await publish(world)).toEqual({ kind: "published", item: `report:${DAY}`, version: 1 });
    const { totals, kinds, causes, hours } = await report(world);
    expect(totals).toMatchObject({ done: 2, failed: 1, dead: 1, lost: 0 });
    expect(kinds.map(({ kind, outcomes, dead }) => [kind, outcomes.done, outcomes.failed, dead])).toEqual([
      ["probe.ok", 2, 0, 0],
      ["probe.permanent", 0, 1, 1],
    ]);
    expect(causes).toEqual([{ cause: "probe.permanent: no retry can help", n: 1 }]);
    expect(hours[10]).toEqual({ done: 2, failed: 1 });
    expect(await ledger(world)).toEqual({
      rows: [{ item: `report:${DAY}`, state: "published", version: 1, indexable: 0, picture: 1 }],
      revision: 1,
    });
  });

  test("of a day on which nothing ran is published too, with nothing in it", async () => {
    const world = new World(probes);
    expect(await publish(world)).toMatchObject({ kind: "published", version: 1 });
    expect((await report(world)).kinds).toEqual([]);
  });

  test("of something that is no day is refused", async () => {
    const world = new World(probes);
    for (const day of ["2026-02-30", "today", "", "2026-1-1"]) {
      await expect(publishReport(world.invocation().engine, day)).rejects.toThrow("is no day");
    }
  });
});

describe("publishing once", () => {
  test("a second run changes nothing, and neither do two more", async () => {
    const world = new World(probes);
    await publish(world);
    const before = await ledger(world);
    for (let run = 0; run < 3; run++) expect(await publish(world)).toMatchObject({ kind: "unchanged", version: 1 });
    expect(await ledger(world)).toEqual(before);
  });

  test("twice at once, held at the seam between read and commit: one publishes, the other finds the lease taken", async () => {
    for (let round = 0; round < 20; round++) {
      await clean();
      const world = new World(probes);
      const [one, two] = [world.invocation(), world.invocation()];
      const gate = world.hold("publish: between read and commit", one);
      const first = publishReport(one.engine, DAY);
      await gate.reached;
      expect(await publishReport(two.engine, DAY)).toMatchObject({ kind: "lease_lost" });
      gate.open();
      expect(await first).toMatchObject({ kind: "published", version: 1 });
      expect(await ledger(world)).toMatchObject({ revision: 1, rows: [{ version: 1, picture: 1 }] });
    }
  });

  test("taken over at the seam: the first loses its lease and changes nothing, whatever the second did", async () => {
    const world = new World(probes);
    const slow = world.invocation();
    const gate = world.hold("publish: between read and commit", slow);
    const first = publishReport(slow.engine, DAY);
    await gate.reached;
    world.now += 180_000;
    expect(await publish(world)).toMatchObject({ kind: "published", version: 1 });
    const before = await ledger(world);
    gate.open();
    expect(await first).toEqual({ kind: "lease_lost", item: `report:${DAY}` });
    expect(await ledger(world)).toEqual(before);
  });

  test("a lease that ran out with nobody taking over is lost all the same", async () => {
    const world = new World(probes);
    const slow = world.invocation();
    const gate = world.hold("publish: between read and commit", slow);
    const first = publishReport(slow.engine, DAY);
    await gate.reached;
    world.now += 180_000;
    gate.open();
    expect(await first).toMatchObject({ kind: "lease_lost" });
    expect(await ledger(world)).toEqual({ rows: [], revision: 0 });
  });

  test("a lease that runs out between two statements of the commit leaves no half of it", async () => {
    const world = new World(probes);
    const { DB } = env as { DB: D1Database };
    const end = 180_000;
    // D1's own clock, which every statement reads anew: after the second one the lease is at its end.
    let statements = 0;
    const moving = {
      prepare: (text: string) => DB.prepare(text.replace(CLOCK, String(statements++ < 2 ? end - 1 : end))),
      batch: (statements: D1PreparedStatement[]) => DB.batch(statements),
    } as unknown as D1Database;
    await world.sql("INSERT INTO leases (key, owner, fence, expires_at) VALUES ('publish:report:x', 'w', 1, ?)", end);
    const held = { item: "report:x", owner: "w", fence: 1 };
    const next = { state: "published", content: "{}", picture: null, indexable: 0 } as const;
    await commitPublication(new Store(moving), "t", held, 0, next);
    expect(await ledger(world)).toMatchObject({ revision: 1, rows: [{ version: 1 }] });
  });

  test("an item that changed under a held lease is a conflict, and stays as it is", async () => {
    const world = new World(probes);
    await publish(world);
    const slow = world.invocation();
    const gate = world.hold("publish: between read and commit", slow);
    await aDay(world);
    const update = publishReport(slow.engine, DAY, { update: true });
    await gate.reached;
    await world.sql("UPDATE publications SET version = 7");
    gate.open();
    expect(await update).toEqual({ kind: "conflict", item: `report:${DAY}` });
    expect(await ledger(world)).toMatchObject({ revision: 1, rows: [{ version: 7 }] });
  });
});

describe("a reply that was lost", () => {
  /** A publication whose n-th call of D1 commits and is not answered; it is held before it asks again. */
  async function unanswered(world: World, nth: number) {
    const invocation = world.invocation();
    invocation.frozen = true;
    const asking = Promise.withResolvers<void>();
    invocation.engine.events = () => asking.resolve();
    let calls = 0;
    world.fault = () => (++calls === nth ? "after" : null);
    const work = publishReport(invocation.engine, DAY);
    await asking.promise;
    world.fault = () => null;
    return () => {
      invocation.frozen = false;
      return world.until(work);
    };
  }

  for (const others of [0, 1, 3]) {
    test(`of a commit with ${others} publications before it asks again: it says that it stood, and counts once`, async () => {
      const world = new World(probes);
      const goOn = await unanswered(world, 3);
      for (let n = 0; n < others; n++) {
        await aDay(world);
        expect(await publish(world, { update: true })).toMatchObject({ kind: "published", version: n + 2 });
      }
      const before = await ledger(world);
      expect(before).toMatchObject({ revision: others + 1, rows: [{ version: others + 1 }] });
      expect(await goOn()).toEqual({ kind: "published", item: `report:${DAY}`, version: 1 });
      expect(await ledger(world)).toEqual(before);
    });
  }

  test("of a commit that did not stand is no success, also where another stands at the version it wanted", async () => {
    const world = new World(probes);
    const slow = world.invocation();
    const gate = world.hold("publish: between read and commit", slow);
    const work = publishReport(slow.engine, DAY);
    await gate.reached;
    world.now += 180_000;
    expect(await publish(world)).toMatchObject({ kind: "published", version: 1 });
    world.fault = () => "after";
    slow.engine.events = () => {
      world.fault = () => null;
    };
    gate.open();
    expect(await world.until(work)).toMatchObject({ kind: "lease_lost" });
    expect(await ledger(world)).toMatchObject({ revision: 1, rows: [{ version: 1 }] });
  });

  test("of the taking of the lease: it is ours, nobody waits for it, and nobody else has it", async () => {
    const world = new World(probes);
    const goOn = await unanswered(world, 1);
    expect(await publish(world)).toMatchObject({ kind: "lease_lost" });
    expect(await goOn()).toMatchObject({ kind: "published", version: 1 });
  });

  test("of giving it back where there is nothing to publish: the next one need not wait", async () => {
    const world = new World(probes);
    await publish(world);
    const goOn = await unanswered(world, 3);
    expect(await goOn()).toMatchObject({ kind: "unchanged", version: 1 });
    expect(await publish(world)).toMatchObject({ kind: "unchanged", version: 1 });
  });
});

describe("changes and one-way rules", () => {
  test("an update counts one, and one that changes nothing counts none", async () => {
    const world = new World(probes);
    await publish(world);
    expect(await publish(world, { update: true })).toMatchObject({ kind: "unchanged" });
    await aDay(world);
    expect(await publish(world)).toMatchObject({ kind: "unchanged" });
    expect(await publish(world, { update: true })).toMatchObject({ kind: "published", version: 2 });
    expect((await ledger(world)).revision).toBe(2);
  });

  test("a withdrawal counts one; a second one, and one of nothing, count none; the hourly runs do not undo it", async () => {
    const world = new World(probes);
    const withdraw = () => withdrawReport(world.invocation().engine, DAY);
    expect(await withdraw()).toMatchObject({ kind: "unchanged", version: 0 });
    await publish(world);
    expect(await withdraw()).toMatchObject({ kind: "published", version: 2 });
    expect(await withdraw()).toMatchObject({ kind: "unchanged", version: 2 });
    // The hourly run, and one more.
    for (let run = 0; run < 2; run++) expect(await publish(world)).toMatchObject({ kind: "unchanged", version: 2 });
    expect(await ledger(world)).toMatchObject({ revision: 2, rows: [{ state: "withdrawn", picture: 1 }] });
  });

  test("of a day whose numbers are dropped by now what stands is kept, through update, withdrawal and return", async () => {
    const world = new World(probes);
    await aDay(world);
    await publish(world);
    const before = await report(world);
    world.now += KEPT_STATS_MS + 86_400_000;
    await world.sweep();
    await world.sql("DELETE FROM stats");
    expect(await publish(world, { update: true })).toMatchObject({ kind: "unchanged", version: 1 });
    expect(await publish(world, { update: true, indexable: true })).toMatchObject({ kind: "published", version: 2 });
    await withdrawReport(world.invocation().engine, DAY);
    expect(await publish(world, { update: true })).toMatchObject({ kind: "published", version: 4 });
    expect(await report(world)).toEqual(before);
    expect(await ledger(world)).toMatchObject({ rows: [{ indexable: 1, picture: 1 }], revision: 4 });
  });

  test("an indexable page never goes back, and a picture is never lost, through update, withdrawal and return", async () => {
    const world = new World(probes);
    await publish(world, { indexable: true });
    await aDay(world);
    await publish(world, { update: true, indexable: false });
    await withdrawReport(world.invocation().engine, DAY);
    expect(await publish(world, { update: true })).toMatchObject({ kind: "published", version: 4 });
    expect(await ledger(world)).toMatchObject({
      revision: 4,
      rows: [{ indexable: 1, picture: 1, state: "published" }],
    });
  });
});
