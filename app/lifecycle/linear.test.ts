import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { registryOf } from "~/kinds/registry";
import { holdJobs, markGoneSent } from "~/store/sends";
import { HELD_KIND, storeHeld } from "~/testing/held";
import { probes } from "~/testing/probes";
import { clean, START, World } from "~/testing/world";
import { bulkIds } from "./bulk";
import type { Engine } from "./engine";
import { feed } from "./feed";
import { knownTo } from "./limits/known";
import { limitKind } from "./limits/limit_kind";

beforeEach(clean);

const db = (env as { DB: D1Database }).DB;
const [FEW, MANY] = [100, 1_000];
const ana = { actor: "ana" };
const ids = async () => (await db.prepare("SELECT id FROM jobs LIMIT 1000").all<{ id: string }>()).results;

/** What is done with so many jobs at once, and how many of them it moved. */
const WORK: Record<string, (engine: Engine, n: number) => Promise<number>> = {
  "sent by a feed": (engine, n) => feed(engine, "normal", n),
  async "sent again because their messages are gone"(engine, n) {
    await db
      .prepare("UPDATE jobs SET sent_at = ?1, run_at = ?1")
      .bind(START - 600_000)
      .run();
    return (await markGoneSent(engine.store, knownTo(engine), "normal", 60_000, START, n)).length;
  },
  async "held by a pause"(engine) {
    await db
      .prepare("INSERT INTO kinds (name, paused_at, paused_by) VALUES (?, ?, 'ana')")
      .bind(HELD_KIND, START)
      .run();
    const jobs = (await ids()).map(({ id }) => ({ id, attempt: 0 }));
    return (await holdJobs(engine.store, jobs, knownTo(engine))).size;
  },
  async "let go when the limit of their groups is lifted"(engine, n) {
    await db.prepare("UPDATE jobs SET group_key = 'g', held_at = ?").bind(START).run();
    await limitKind(engine, HELD_KIND, { running: 1 }, ana);
    await limitKind(engine, HELD_KIND, null, ana);
    return n;
  },
  async "cancelled by their names"(engine) {
    return (
      await bulkIds(
        engine,
        "cancel",
        (await ids()).map(({ id }) => id),
        {},
        ana,
      )
    ).changed;
  },
  async "requeued by their names"(engine) {
    await db
      .prepare("UPDATE jobs SET state = 'dead', finished_at = ?, cause = 'c', last_error = 'c'")
      .bind(START)
      .run();
    return (
      await bulkIds(
        engine,
        "requeue",
        (await ids()).map(({ id }) => id),
        {},
        ana,
      )
    ).changed;
  },
};

test.each(Object.keys(WORK))(
  "ten times as many jobs %s read ten times as many rows, not a hundred times",
  async (what) => {
    const reads: number[] = [];
    for (const n of [FEW, MANY]) {
      await clean();
      const world = new World(registryOf({ ...(probes.get("probe.ok") as never as object), name: HELD_KIND } as never));
      await storeHeld(db, n, "running", START);
      await db.prepare("DELETE FROM jobs WHERE state = 'processing'").run();
      const { engine } = world.invocation();
      expect(await (WORK[what] as (typeof WORK)[string])(engine, n)).toBe(n);
      reads.push(engine.store.used.rowsRead);
    }
    const [few, many] = reads as [number, number];
    expect(many / few, String(reads)).toBeLessThan(11);
  },
);
