import { groupLimitsOf, raisedIn } from "~/domain/kind_limits";
import { LANES } from "~/domain/lanes";
import { SEND_AHEAD_MS } from "~/domain/limits";
import type { Claimed } from "~/store/claims";
import { readOverdue } from "~/store/expiry";
import { askForGroups } from "~/store/kind_limits";
import { readExpired } from "~/store/leases";
import { readDue } from "~/store/schedules/schedules";
import { findUnserved, markGoneSent } from "~/store/sends";
import {
  beginSweep,
  endSweep,
  OVERDUE_AT_ONCE,
  type Retained,
  SCHEDULES_AT_ONCE,
  type SweepReport,
  WATCHES_AT_ONCE,
} from "~/store/sweeps";
import { tellAlerts } from "./alert";
import type { Engine } from "./engine";
import { expire } from "./expire";
import { feed } from "./feed";
import { goneUntil, type LaneMetrics, roomIn, standingsOf } from "./lanes";
import { knownTo } from "./limits/known";
import { freeGroups } from "./limits/limit_kind";
import { retain } from "./retain";
import { fireSchedules } from "./schedule";
import { sendOwed } from "./send";
import { settle } from "./settle";
import { insist } from "./trouble/insist";
import { sweepWatches } from "./watch";

const LEASE_MS = 120_000;
/** Bounds of one sweep: what is left is next minute's. */
const EXPIRED_AT_ONCE = 500;
const EXPIRED_ROUNDS = 10;
const SCHEDULE_ROUNDS = 10;
/** The most D1 statements that one round of each takes; a lane's, of each of the two that sends for it. */
const STATEMENTS = { lost: 12, expired: 12, schedules: 8, watches: 6, groups: 6, lane: 3, alerts: 14, end: 8 };
/** A message must be gone when its job is due and it was sent this long ago, and its lane holds none so old (`goneUntil`). */
const GRACE_MS = 60_000;

/**
 * Repairs what was lost between D1 and Queues. Holds a lease of its own, so two deployments that tick at once do the
 * work once; each step is guarded all the same, bounded, and fails for itself alone.
 */
export async function sweep(engine: Engine): Promise<SweepReport | null> {
  const owner = engine.newToken();
  const metrics = new Map(
    await Promise.all(LANES.map(async (lane) => [lane, await engine.lanes.metrics(lane)] as const)),
  );
  const ages = LANES.map((lane) => ({ lane, goneUntil: goneUntil(metrics.get(lane) as LaneMetrics) }));
  const known = knownTo(engine);
  const unserved = findUnserved(known, ages, SEND_AHEAD_MS, GRACE_MS);
  const chores = await beginSweep(engine.store, owner, LEASE_MS, EXPIRED_AT_ONCE, unserved);
  if (!chores) return null;
  await engine.seam("sweep: between reading and writing");

  const report: SweepReport = {
    lost: 0,
    expired: 0,
    fired: 0,
    sent: 0,
    resent: 0,
    removed: 0,
    more: false,
    error: null,
  };
  const step = async (name: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      engine.events({ event: "sweep.failed", step: name, error: String(error) });
      report.error = `${name}: ${String(error)}`;
    }
  };

  const { appVersion } = engine.settings;
  // The end always fits: without it the lease stays held, and the next sweep does not know how far this one came.
  const fits = (statements: number) => {
    const { used } = engine.store;
    const room = used.statements + statements + STATEMENTS.end <= engine.settings.mostStatements;
    report.more ||= !room;
    return room;
  };
  await step("expired leases", async () => {
    // Who has worked through an outage still offers what came of it.
    let expired = chores.resumed ? [] : chores.expired;
    for (let round = 0; expired.length > 0 && round < EXPIRED_ROUNDS && fits(STATEMENTS.lost); round++) {
      report.lost += await settleLost(engine, expired, chores.outage);
      expired = expired.length === EXPIRED_AT_ONCE ? await readExpired(engine.store, EXPIRED_AT_ONCE) : [];
    }
    report.more ||= expired.length > 0;
  });
  // Before anything is sent: a message for a job that is too late would only be turned away.
  await step("expired jobs", async () => {
    let overdue = chores.overdue;
    for (let round = 0; overdue.length > 0 && round < EXPIRED_ROUNDS && fits(STATEMENTS.expired); round++) {
      report.expired += await expire(engine, overdue);
      overdue = overdue.length === OVERDUE_AT_ONCE ? await readOverdue(engine.store, OVERDUE_AT_ONCE) : [];
    }
    report.more ||= overdue.length > 0;
  });
  await step("schedules", async () => {
    let due = chores.schedules;
    for (let round = 0; due.length > 0 && round < SCHEDULE_ROUNDS && fits(STATEMENTS.schedules); round++) {
      report.fired += await fireSchedules(engine, due);
      due = due.length === SCHEDULES_AT_ONCE ? await readDue(engine.store, SCHEDULES_AT_ONCE) : [];
    }
    // There it stops taking schedules on, and leaves the rest of them due.
    report.more ||= due.length > 0 || engine.store.used.statements >= engine.settings.statements;
  });
  if (chores.watches.length > 0 && fits(STATEMENTS.watches))
    await step("watches", () => sweepWatches(engine, chores.watches));
  report.more ||= chores.watches.length === WATCHES_AT_ONCE;
  // A release may have brought other limits. They are stored only once it is written down what follows from them.
  const ownLimits = groupLimitsOf(engine.kinds);
  let { toFree } = chores;
  let groupLimits = chores.version === null ? ownLimits : chores.groupLimits;
  if (groupLimits !== ownLimits) {
    await step("limits of a release", async () => {
      const raised = raisedIn(groupLimits, ownLimits);
      if (raised?.length !== 0) toFree = await askForGroups(engine.store, raised);
      groupLimits = ownLimits;
    });
  }
  for (const kind of toFree) {
    if (!fits(STATEMENTS.groups)) break;
    await step(`groups of ${kind}`, async () => {
      if (await freeGroups(engine, kind)) report.more = true;
    });
  }
  const lanesWith = (what: "unsent" | "gone") => new Set(chores.unserved.flatMap((one) => (one[what] ? one.lane : [])));
  for (const lane of lanesWith("unsent")) {
    if (chores.limited || !fits(STATEMENTS.lane)) break;
    await step(`unsent jobs of ${lane}`, async () => {
      const room = roomIn(metrics.get(lane));
      const sent = await feed(engine, lane, room);
      report.sent += sent;
      report.more ||= sent >= room;
    });
  }
  for (const { lane, goneUntil } of ages) {
    if (chores.limited || goneUntil === null || !lanesWith("gone").has(lane)) continue;
    if (!fits(STATEMENTS.lane)) break;
    await step(`lost messages of ${lane}`, async () => {
      const room = roomIn(metrics.get(lane));
      const due = await markGoneSent(engine.store, known, lane, GRACE_MS, goneUntil, room);
      report.resent += await sendOwed(
        engine,
        due.map((job) => ({ ...job, lane })),
      );
      report.more ||= due.length >= room;
    });
  }
  let retained: Retained | null = null;
  const last = {
    // What is true then still is so in a minute.
    async alerts() {
      if (!chores.alerts && report.lost === 0 && report.expired === 0) return;
      if (fits(STATEMENTS.alerts)) await step("alerts", () => tellAlerts(engine));
    },
    async retention() {
      if (!chores.retain) return;
      await step("retention", async () => {
        const { removed, ...how } = await retain(engine, chores.keptFrom, fits);
        retained = how;
        report.removed = removed;
        report.more ||= how.againInMs === 0;
      });
    },
  };
  // Where there is no room for both, each has the first go every other time.
  for (const one of chores.fence % 2 === 0 ? [last.retention, last.alerts] : [last.alerts, last.retention]) await one();
  await insist(engine, "end sweep", () =>
    endSweep(engine.store, owner, chores, report, standingsOf(metrics), { appVersion, groupLimits }, retained),
  );
  return report;
}

/** Through the normal door: one retry policy, one way out of `processing`, and a heartbeat in between saves the attempt. */
async function settleLost(engine: Engine, expired: Claimed[], outage: boolean): Promise<number> {
  const { landed, next } = await settle(
    engine,
    expired.map((job) => ({
      job,
      outcome: outage ? { name: "lost", forgiven: true } : { name: "lost" },
      log: "",
      writes: [],
      progress: null,
      placeMs: 0,
      ranMs: 0,
      messageId: null,
      deliveries: null,
    })),
    { expired: true },
  );
  await sendOwed(engine, next);
  return landed;
}
