import { env } from "cloudflare:workers";
import { idSource } from "~/domain/ids";
import { LANES, type Lane } from "~/domain/lanes";
import { LANE_MESSAGES } from "~/domain/limits";
import { OUTCOMES } from "~/domain/states";
import type { Submission } from "~/domain/submission";
import type { Registry } from "~/kinds/registry";
import { type Services, servicesOf } from "~/kinds/services";
import { bury } from "~/lifecycle/bury";
import { consume } from "~/lifecycle/consume";
import type { Engine } from "~/lifecycle/engine";
import type { Event } from "~/lifecycle/events";
import { submit } from "~/lifecycle/submit";
import { sweep } from "~/lifecycle/sweep";
import { strainBy } from "~/lifecycle/trouble/strain";
import { Store } from "~/store/store";
import { FakeQueue } from "./queue";
import { RECOUNT, RECOUNTED } from "./recount";

export const START = Date.parse("2026-12-01T10:00:00.000Z");
const never = new Promise<never>(() => {});

/** A row of numbers may tell of deaths alone, whose jobs were requeued since. */
const ATTEMPTS = Object.keys(OUTCOMES).join(" + ");

/** What happens to one D1 call: "before": it never arrives; "after": it commits and the reply is lost. */
export type Fault = "before" | "after" | null;

/**
 * Real lifecycle code on real D1, with the clock, the queues and all faults in the test's hands. Time stands still
 * unless the test moves it or everything waits for a timer (`until`).
 */
export class World {
  now = START;
  readonly events: Event[] = [];
  readonly dead = new FakeQueue("redrive-dead", () => this.now);
  readonly queues = Object.fromEntries(
    LANES.map((lane) => [lane, new FakeQueue(`redrive-${lane}`, () => this.now, this.dead)]),
  ) as Record<Lane, FakeQueue>;
  fault: () => Fault = () => null;
  lostText = "D1_ERROR: Network connection lost.";
  /** The network executes every batch twice and answers with the second reply. */
  twice = false;
  /** Called at every seam of every invocation. */
  seam: (site: string, invocation: Invocation) => Promise<void> | void = () => {};
  private gates: Gate[] = [];
  random = 0.5;
  leaseMs = 30_000;
  ownHosts: string[] = [];
  services: Services = servicesOf({});
  fetch: typeof fetch = (input, init) => fetch(input, init);
  statements = 700;
  mostStatements = 1_000;
  readonly limited = new Set<string>();
  private timers: { at: number; then: () => void; invocation: Invocation }[] = [];
  private readonly strain = strainBy(() => this.now);
  private calls = 0;
  private tokens = 0;
  readonly newId = idSource(() => this.now);

  constructor(readonly kinds: Registry) {}

  /** A fresh engine, as each invocation gets one. After `kill` nothing it does has any effect any more. */
  invocation(): Invocation {
    const invocation: Invocation = {
      killed: false,
      frozen: false,
      kill() {
        invocation.killed = true;
      },
      engine: undefined as never,
    };
    const db = this.database(invocation);
    invocation.engine = {
      store: new Store(db, () => this.now),
      lanes: {
        send: async (lane, outgoing) => (invocation.killed ? never : this.queues[lane].send(outgoing)),
        metrics: async (lane) => (lane === "dead" ? this.dead : this.queues[lane]).metrics(),
        room: (lane) => Math.max(0, LANE_MESSAGES - this.queues[lane].messages.length),
        note: () => {},
      },
      kinds: this.kinds,
      limited: this.limited,
      services: this.services,
      settings: {
        leaseMs: this.leaseMs,
        appVersion: "test",
        statements: this.statements,
        mostStatements: this.mostStatements,
        slowMs: 1_000,
        outbound: { allow: [], ownHosts: this.ownHosts },
      },
      events: (event) => void (invocation.killed || this.events.push(event)),
      fetch: (input, init) => (invocation.killed ? never : this.fetch(input, init)),
      newId: this.newId,
      newToken: () => `t${++this.tokens}`,
      random: () => this.random,
      strain: this.strain,
      localNow: () => this.now,
      after: (ms, then) => {
        const timer = { at: this.now + ms, then, invocation };
        this.timers.push(timer);
        return () => {
          this.timers = this.timers.filter((entry) => entry !== timer);
        };
      },
      seam: async (site) => {
        await this.seam(site, invocation);
        const gate = this.gates.find((one) => one.site === site && one.invocation === invocation);
        if (gate) {
          this.gates = this.gates.filter((one) => one !== gate);
          gate.arrive();
          await gate.opened;
        }
        if (invocation.killed) await never;
      },
    };
    return invocation;
  }

  private database(invocation: Invocation): D1Database {
    const real = (env as { DB: D1Database }).DB;
    return {
      prepare: (text: string) => real.prepare(text),
      batch: async (statements: D1PreparedStatement[]) => {
        if (invocation.killed) return never;
        const fault = this.fault();
        if (fault === "before") throw new Error(this.lostText);
        this.calls++;
        try {
          if (this.twice) await real.batch(statements);
          const results = await real.batch(statements);
          if (fault === "after") throw new Error(this.lostText);
          return invocation.killed ? never : results;
        } finally {
          this.calls--;
        }
      },
    } as unknown as D1Database;
  }

  /** Other work that is under way outside, as a call of D1 is: the clock waits for it. */
  async busy<T>(work: Promise<T>): Promise<T> {
    this.calls++;
    try {
      return await work;
    } finally {
      this.calls--;
    }
  }

  /** Holds an invocation at a seam: `reached` when it is there, `open` to let it go on. */
  hold(site: string, invocation: Invocation): { reached: Promise<void>; open: () => void } {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    this.gates.push({ site, invocation, arrive: reached.resolve, opened: opened.promise });
    return { reached: reached.promise, open: opened.resolve };
  }

  /** Waits for `work`; whenever nothing but timers is left to wait for, moves the clock to the next one. */
  async until<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = work.finally(() => {
      settled = true;
    });
    done.catch(() => {});
    for (let quiet = 0; !settled; ) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      quiet = this.calls > 0 ? 0 : quiet + 1;
      if (quiet < 3 || settled) continue;
      quiet = 0;
      if (!this.fireNext()) throw new Error("the work waits for something that never comes");
    }
    return done;
  }

  private fireNext(): boolean {
    this.timers = this.timers.filter((timer) => !timer.invocation.killed).sort((a, b) => a.at - b.at);
    const timer = this.timers.find((one) => !one.invocation.frozen);
    if (!timer) return false;
    this.timers = this.timers.filter((one) => one !== timer);
    this.now = Math.max(this.now, timer.at);
    timer.then();
    return true;
  }

  async submit(...jobs: (Partial<Submission> & { kind: string })[]): Promise<string[]> {
    const answer = await submit(
      this.invocation().engine,
      jobs.map((job) => ({ payload: {}, payloadText: JSON.stringify(job.payload ?? {}), ...job })),
    );
    if (answer.kind !== "accepted") throw new Error(JSON.stringify(answer));
    return answer.jobs.map((job) => job.id);
  }

  /** Delivers one batch of the lane and lets it finish. */
  async deliver(lane: Lane = "normal", max = 100, invocation = this.invocation()) {
    const taken = this.queues[lane].take(max);
    if (taken.batch.messages.length > 0) await this.until(consume(invocation.engine, lane, taken.batch));
    taken.finish();
    return taken;
  }

  /** A job whose worker went down before it could settle it. */
  async lose(kind: string): Promise<string> {
    const [id] = (await this.submit({ kind })) as [string];
    const worker = this.invocation();
    const gate = this.hold("settle: before write", worker);
    void this.deliver("normal", 1, worker).catch(() => {});
    await gate.reached;
    worker.kill();
    return id;
  }

  async deliverDead() {
    const taken = this.dead.take(100);
    await this.until(bury(this.invocation().engine, taken.batch));
    taken.finish();
    return taken;
  }

  sweep = (invocation = this.invocation()) => this.until(sweep(invocation.engine));

  /** A sweep beside other work that somebody already waits for. */
  sweepNow = () => sweep(this.invocation().engine);

  /** Delivers, and moves the clock by sweeps of a minute, until every job is final. */
  async drain(minutes = 60): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      for (const lane of LANES) while (this.queues[lane].available().length > 0) await this.deliver(lane);
      if ((await this.unfinished()) === 0) return;
      const next = Math.min(
        this.now + 60_000,
        ...LANES.flatMap((lane) => this.queues[lane].messages.map((message) => message.availableAt)),
      );
      if (next < this.now + 60_000) this.now = next;
      else {
        this.now += 60_000;
        await this.sweep();
      }
    }
    throw new Error(`${await this.unfinished()} jobs did not end`);
  }

  async sql<T = Record<string, unknown>>(text: string, ...params: unknown[]): Promise<T[]> {
    return (
      await (env as { DB: D1Database }).DB.prepare(text)
        .bind(...params)
        .all<T>()
    ).results;
  }

  unfinished = async () =>
    ((await this.sql<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE finished_at IS NULL"))[0] as { n: number }).n;
  job = async (id: string) =>
    (await this.sql<Record<string, any>>("SELECT * FROM jobs WHERE id = ?", id))[0] as Record<string, any>;
  attempts = (id: string) =>
    this.sql<Record<string, any>>("SELECT * FROM attempts WHERE job_id = ? ORDER BY number", id);
  revision = async () =>
    ((await this.sql<{ revision: number }>("SELECT revision FROM site_state"))[0] as { revision: number }).revision;

  /** The exact numbers against a recount of what is stored. */
  async recount() {
    const counted = await this.sql("SELECT kind, view, n FROM job_counts WHERE n <> 0 ORDER BY kind, view");
    const real = await this.sql("SELECT kind, view, count(*) AS n FROM jobs GROUP BY kind, view ORDER BY kind, view");
    const dead = await this.sql("SELECT cause, hour, n FROM dead_counts WHERE n <> 0 ORDER BY cause, hour");
    const days = await this.sql(
      "SELECT cause, day + h.key * 3600000 AS hour, h.value AS n FROM dead_days CROSS JOIN json_each(hours) AS h ORDER BY 1, 2",
    );
    const realDead = await this.sql(
      "SELECT cause, finished_at / 3600000 * 3600000 AS hour, count(*) AS n FROM jobs WHERE state = 'dead' GROUP BY 1, 2 ORDER BY 1, 2",
    );
    const sums = RECOUNTED.map((name) => `sum(${name}) AS ${name}`);
    const stats = await this.sql(
      `SELECT kind, grain, ${sums} FROM stats GROUP BY 1, 2 HAVING sum(${ATTEMPTS}) > 0 ORDER BY 1, 2`,
    );
    const realStats = await this.sql(`SELECT * FROM (${RECOUNT}) WHERE ${ATTEMPTS} > 0 ORDER BY 1, 2`);
    const causes = await this.sql("SELECT cause, n FROM dead_causes WHERE n <> 0 ORDER BY cause");
    const realCauses = await this.sql(
      "SELECT cause, count(*) AS n FROM jobs WHERE state = 'dead' GROUP BY cause ORDER BY cause",
    );
    return {
      kept: { counted, dead, days, stats, causes },
      real: { counted: real, dead: realDead, days: realDead, stats: realStats, causes: realCauses },
    };
  }
}

/** `frozen`: its timers stand still, as in a machine that hangs; it goes on where it was when thawed. */
export type Invocation = { killed: boolean; frozen: boolean; kill: () => void; engine: Engine };

type Gate = { site: string; invocation: Invocation; arrive: () => void; opened: Promise<void> };

/** Every table but `site_state` and `leases`, whose rows stay. */
export const CLEANED = [
  "jobs",
  "attempts",
  "refusals",
  "effects",
  "dead_letters",
  "job_counts",
  "dead_counts",
  "dead_causes",
  "dead_days",
  "stats",
  "backlogs",
  "deploys",
  "kinds",
  "rate_buckets",
  "sweeps",
  "submitters",
  "daily_numbers",
  "publications",
  "publication_commits",
  "bulk_operations",
  "bulk_skips",
  "groups_to_free",
  "audit",
  "schedules",
  "slots",
  "endpoints",
  "deliveries",
  "outbox_mail",
  "signups",
  "watches",
  "watch_checks",
  "deaths",
  "alert_rules",
  "alerts",
  "alert_notices",
  "files",
  "file_parts",
  "derived_uploads",
  "leftovers",
  "passed_over",
  "tokens",
  "people",
];

/** Empties every table, so that each test of a file starts from the same ground. */
export async function clean(): Promise<void> {
  const db = (env as { DB: D1Database }).DB;
  await db.batch([
    ...CLEANED.map((table) => db.prepare(`DELETE FROM ${table}`)),
    db.prepare(
      "UPDATE site_state SET revision = 0, chain = NULL, clock = 0, publication_revision = 0, replay_until = NULL, keep_days = 30, keep_dead_days = 90",
    ),
    db.prepare("DELETE FROM leases WHERE key <> 'sweep'"),
    db.prepare(
      "UPDATE leases SET owner = NULL, fence = 0, expires_at = 0, version = NULL, retention_at = 0, kept_at = 0, kept_id = '', ended_at = NULL, calm_at = 0, sends_from = 0",
    ),
  ]);
}
